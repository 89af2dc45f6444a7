"""Exports of results that are older than the data state this in every format."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.corpus.translation_job import ReviewStatus
from qe_desktop.project import ReviewField
from qe_desktop.report.render.output_formats import OUTPUT_FORMATS, get_output_format
from qe_desktop.ui.scores.area import PAGES, ScoresArea
from qe_desktop.ui.scores.findings.findings_controller import FindingsController
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_controller import MetaEvaluationController
from qe_desktop.ui.scores.page_controller import PageContext, PageController
from qe_desktop.ui.scores.post_editing.post_editing_controller import PostEditingController
from qe_desktop.ui.scores.significance.significance_matrix_pane import SignificanceMatrixView
from qe_desktop.ui.scores.studies.studies_controller import StudiesController
from tests.studies.post_editing.reviewed_corpus import POST_EDIT
from tests.studies.post_editing.reviewed_corpus import make_corpus as post_edited_corpus
from tests.ui.scores.conftest import ScoresEnvironment, build_page, make_corpus
from tests.ui.scores.meta_evaluation.conftest import read_corpus, write_task
from tests.ui.scores.studies.conftest import add_probabilities

FORMS = [form.name for form in OUTPUT_FORMATS]


def review(environment: ScoresEnvironment, segment: int, target: str) -> None:
    session = environment.workspace.session
    assert session is not None
    session.reviewing.set({segment: {ReviewField.TARGET: target, ReviewField.STATUS: ReviewStatus.CONFIRMED}})


class OpenPage(ScoresArea):
    """The Scores area with one page in view that has a result."""

    def __init__(self, environment: ScoresEnvironment, kind: type[PageController], folder: Path) -> None:
        super().__init__(environment.comparison)
        self.environment = environment
        self.page = build_page(self, kind(PageContext(environment.comparison, self.pages)))
        self.show()
        self.pages.show_page(self.page.id)
        if kind is PostEditingController:
            environment.workspace.open(post_edited_corpus())
            review(environment, 1, POST_EDIT[1])
        elif kind is MetaEvaluationController:
            environment.settings.study_rounds = 100
            environment.open(read_corpus(write_task(folder / "task")))
        else:
            environment.open(add_probabilities(make_corpus(3)))
        environment.qtbot.waitUntil(lambda: self.page.displayed_service.state == "ready" and environment.is_settled())

    def change(self) -> None:
        """Change data or options that the result depends on."""
        service: Any = self.page.displayed_service
        if isinstance(self.page, PostEditingController):
            review(self.environment, 2, "eine Dichtung muss sitzen")
        elif isinstance(self.page, MetaEvaluationController):
            service.set_study_options(replace(service.study_options, seed=service.study_options.seed + 1))
        else:
            self.environment.flip_tag(0, 0)


@pytest.fixture
def page(request: Any, environment: ScoresEnvironment, qtbot: QtBot, tmp_path: Path) -> OpenPage:
    created = OpenPage(environment, request.param, tmp_path)
    qtbot.addWidget(created)
    return created


CONTROLLERS = (FindingsController, MetaEvaluationController, StudiesController, PostEditingController)
all_pages = pytest.mark.parametrize("page", CONTROLLERS, indirect=True, ids=lambda kind: kind.__name__)


def test_every_page_with_an_export_is_tested_here() -> None:
    assert len(PAGES) == len(CONTROLLERS)


@all_pages
def test_outdated_result_is_marked_in_every_format(page: OpenPage) -> None:
    def written_exports() -> dict[str, str]:
        return {form: page.page.current_export().render(form) for form in FORMS}

    assert not [form for form, text in written_exports().items() if "outdated" in text]
    page.change()
    assert page.page.displayed_service.is_outdated
    assert not [form for form, text in written_exports().items() if "outdated" not in text]
    page.environment.qtbot.waitUntil(
        lambda: not page.page.displayed_service.is_outdated and page.environment.is_settled()
    )
    assert "outdated" not in page.page.current_export().render("json")


@pytest.mark.parametrize("page", [PostEditingController], indirect=True)
@pytest.mark.parametrize("form", ["wmt", "pet", "qe4pe"])
def test_outdated_page_exports_the_current_post_edits(page: OpenPage, form: str, tmp_path: Path) -> None:
    page.change()
    service: Any = page.page.displayed_service
    service._timer.stop()
    assert service.is_outdated
    messages: list[str] = []
    page.environment.workspace.file_written.connect(lambda message, _: messages.append(message))
    page.page.export(form, tmp_path / "out")
    page.environment.qtbot.waitUntil(lambda: bool(messages))
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((tmp_path / "out").iterdir()))
    assert "eine Dichtung muss sitzen" in text


def test_outdated_matrix_is_marked_in_every_format(environment: ScoresEnvironment, qtbot: QtBot) -> None:
    view = SignificanceMatrixView(environment.comparison)
    qtbot.addWidget(view)
    environment.open(make_corpus(3))
    environment.flip_tag(0, 0)
    for form in FORMS:
        assert "outdated" in get_output_format(form).text(view.report())
    assert json.loads(get_output_format("json").text(view.report()))["notes"][0].endswith("these results are outdated.")
    qtbot.waitUntil(lambda: not environment.comparison.is_data_outdated and environment.is_settled())
    assert "outdated" not in get_output_format("json").text(view.report())
