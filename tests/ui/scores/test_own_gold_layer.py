"""“Tag manually” starts with an empty layer on every page, never with a copy of system output."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Kind
from qe_desktop.ui.scores import empty_states
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.empty_states import ScoresOrPlaceholder
from qe_desktop.ui.scores.findings.findings_controller import FindingsController
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_controller import MetaEvaluationController
from qe_desktop.ui.scores.page_controller import PageContext
from qe_desktop.ui.scores.post_editing.post_editing_controller import PostEditingController
from qe_desktop.ui.scores.studies.studies_controller import StudiesController
from tests.ui.scores.conftest import ScoresEnvironment, build_page, make_corpus

ActionHandler = Callable[[str], object]


def page_handler(controller: type) -> Callable[[ScoresEnvironment, ScoresArea], ActionHandler]:
    def handler(environment: ScoresEnvironment, area: ScoresArea) -> ActionHandler:
        return build_page(area, controller(PageContext(environment.comparison, area.pages))).page.run_button_action

    return handler


def systems_handler(environment: ScoresEnvironment, area: ScoresArea) -> ActionHandler:
    return area.findChildren(ScoresOrPlaceholder)[0]._on_requested


CONTROLLERS = (FindingsController, MetaEvaluationController, StudiesController, PostEditingController)


@pytest.mark.parametrize(
    "page", [systems_handler, *map(page_handler, CONTROLLERS)],
    ids=["systems", "findings", "people", "studies", "post-editing"],
)  # fmt: skip
def test_own_gold_layer_starts_empty(
    page: Callable[[ScoresEnvironment, ScoresArea], ActionHandler], environment: ScoresEnvironment, qtbot: QtBot
) -> None:
    area = ScoresArea(environment.comparison)
    qtbot.addWidget(area)
    assert area.systems
    trigger = page(environment, area)
    environment.open(make_corpus(2, gold=False))
    trigger(empty_states.TAG_MYSELF.id)
    own = environment.workspace.target
    assert own is not None
    assert own.kind is Kind.WORDS
    assert not environment.workspace.view.tags(own).values.any()
    assert all(environment.workspace.view.tags(key).values.any() for key in environment.scores.layers)
