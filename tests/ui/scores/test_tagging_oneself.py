"""“Tag it myself” begins with an empty layer on every page: gold is never the output of a system unasked."""

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
from tests.ui.scores.conftest import World, added, make_corpus

Asked = Callable[[str], object]


def of_desk(controller: type) -> Callable[[World, ScoresArea], Asked]:
    def made(world: World, area: ScoresArea) -> Asked:
        return added(area, controller(PageContext(world.comparison, area.pages))).page._on_asked

    return made


def of_stack(world: World, area: ScoresArea) -> Asked:
    return area.findChildren(ScoresOrPlaceholder)[0]._on_asked


CONTROLLERS = (FindingsController, MetaEvaluationController, StudiesController, PostEditingController)


@pytest.mark.parametrize(
    "page", [of_stack, *map(of_desk, CONTROLLERS)],
    ids=["systems", "findings", "people", "studies", "post-editing"],
)  # fmt: skip
def test_gold_of_ones_own_begins_empty(page: Callable[[World, ScoresArea], Asked], world: World, qtbot: QtBot) -> None:
    area = ScoresArea(world.comparison)
    qtbot.addWidget(area)
    assert area.systems
    asked = page(world, area)
    world.open(make_corpus(2, gold=False))
    asked(empty_states.OWN_TAGS.name)
    own = world.workspace.target
    assert own is not None
    assert own.kind is Kind.WORDS
    assert not world.workspace.view.tags(own).values.any()
    assert all(world.workspace.view.tags(key).values.any() for key in world.scores.layers)
