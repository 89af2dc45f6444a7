"""“Tag it myself” begins with an empty layer on every page: gold is never the output of a system unasked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Kind
from qe_desktop.ui.scores import situations
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.findings.desk import FindingsDesk
from qe_desktop.ui.scores.page_desk import Around
from qe_desktop.ui.scores.people.desk import PeopleDesk
from qe_desktop.ui.scores.post_editing.desk import PostEditingDesk
from qe_desktop.ui.scores.situations import ScoresStack
from qe_desktop.ui.scores.studies.desk import StudiesDesk
from tests.ui.scores.conftest import World, added, make_corpus

Asked = Callable[[str], object]


def of_desk(desk: type) -> Callable[[World, ScoresArea], Asked]:
    def made(world: World, area: ScoresArea) -> Asked:
        return added(area, desk(Around(world.comparison, area.pages))).page._on_asked

    return made


def of_stack(world: World, area: ScoresArea) -> Asked:
    return area.findChildren(ScoresStack)[0]._on_asked


@pytest.mark.parametrize(
    "page", [of_stack, *map(of_desk, (FindingsDesk, PeopleDesk, StudiesDesk, PostEditingDesk))],
    ids=["systems", "findings", "people", "studies", "post-editing"],
)  # fmt: skip
def test_gold_of_ones_own_begins_empty(page: Callable[[World, ScoresArea], Asked], world: World, qtbot: QtBot) -> None:
    area = ScoresArea(world.comparison)
    qtbot.addWidget(area)
    assert area.systems
    asked = page(world, area)
    world.open(make_corpus(2, gold=False))
    asked(situations.OWN.name)
    own = world.workspace.target
    assert own is not None
    assert own.kind is Kind.WORDS
    assert not world.workspace.view.tags(own).values.any()
    assert all(world.workspace.view.tags(key).values.any() for key in world.scores.layers)
