"""Driver of the Post-editing page."""

from __future__ import annotations

from typing import Any

import pytest

from qe_desktop.corpus.translation_job import ReviewStatus
from qe_desktop.project import ReviewField
from qe_desktop.project.review.visits import Visit
from qe_desktop.ui.scores.post_editing.post_editing_controller import PostEditingController
from tests.studies.post_editing.reviewed_corpus import POST_EDIT
from tests.ui.scores.conftest import PageDriver, ScoresEnvironment


class Page(PageDriver):
    """The Scores area with its Post-editing page in view."""

    def __init__(self, environment: ScoresEnvironment) -> None:
        super().__init__(environment, PostEditingController)
        self.service = self.controller.service

    def wait(self) -> None:
        self.environment.qtbot.waitUntil(lambda: not self.service.is_working and not self.service._timer.isActive())

    def review(self, **visit: Any) -> None:
        reviewing = self.environment.workspace.session.reviewing
        reviewing.set({1: {ReviewField.TARGET: POST_EDIT[1], ReviewField.STATUS: ReviewStatus.CONFIRMED}})
        reviewing.set({0: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
        if visit:
            reviewing.add_visit(1, Visit(1e9, 1e9 + 40, **visit))
        self.wait()

    def texts(self, view: Any) -> list[list[str]]:
        return [[cell.text for cell in row] for row in view.cells.rows]


@pytest.fixture
def page(environment: ScoresEnvironment) -> Page:
    created = Page(environment)
    created.open_page()
    return created
