"""The score panel is shown in wide windows where there are scores, unless the user shows or hides it."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.corpus import Corpus, TextRole
from qe_desktop.ui.inspect.area import InspectArea
from tests.ui.inspect.conftest import GOLD, A, B, rich_corpus
from tests.ui.inspect.postedit.conftest import job_corpus


@pytest.fixture
def area(qtbot, workspace) -> InspectArea:
    widget = InspectArea(workspace, QWidget())
    qtbot.addWidget(widget)
    widget.resize(1700, 700)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def without_gold() -> Corpus:
    rich = rich_corpus()
    texts = {role: rich.texts[role] for role in (TextRole.SOURCE, TextRole.MT)}
    return Corpus("no gold", 4, texts, {layer_key: rich.layers[layer_key] for layer_key in (A, B)})


def test_score_panel_is_hidden_without_gold_and_leaves_its_width_to_the_text(area, workspace):
    assert area.panel.isHidden()
    workspace.open(without_gold())
    assert area.panel.isHidden()
    wide = area.list_splitter.width()
    workspace.session.extend(workspace.corpus.with_layer(rich_corpus().layers[GOLD]))
    assert area.panel.isVisible()
    assert area.panel.width() > 100
    assert area.list_splitter.width() < wide
    workspace.open(without_gold())
    assert area.panel.isHidden()


def test_summary_of_the_scores_shows_and_hides_the_panel(area, workspace):
    button = QPushButton("F1: a")
    area.filters.row.add_summary(area.score_panel_visibility.add_summary(button), button)
    workspace.open(rich_corpus())
    shown = area.panel.isVisible()
    assert button.isVisible()
    for _ in range(2):
        button.click()
        shown = not shown
        assert area.panel.isVisible() is shown
    workspace.open(job_corpus())
    assert not button.isVisible()
    area.inspect_view.switch()
    assert button.isVisible()


def test_panel_visibility_is_saved_for_corpora_with_and_without_scores(area, workspace, qtbot):
    workspace.open(rich_corpus())
    area.score_panel_visibility.toggle()
    assert area.panel.isHidden()
    workspace.open(without_gold())
    area.score_panel_visibility.toggle()
    assert area.panel.isVisible()
    assert area.panel.width() > 100
    workspace.open(rich_corpus())
    assert area.panel.isHidden()
    other = InspectArea(workspace, QWidget())
    qtbot.addWidget(other)
    assert other.panel.isHidden()
    workspace.open(without_gold())
    assert not other.panel.isHidden()


def test_score_panel_is_shown_for_post_edits_without_gold(area, workspace):
    corpus = without_gold()
    edited = {**corpus.texts, TextRole.POST_EDIT: corpus.texts[TextRole.MT]}
    workspace.open(Corpus("post-edited", 4, edited, corpus.layers))
    assert area.panel.isVisible()


def test_score_panel_is_closed_in_narrow_windows_until_the_user_opens_it(area, workspace, qtbot):
    area.resize(1280, 700)
    workspace.open(rich_corpus())
    assert area.panel.isHidden()
    area.score_panel_visibility.toggle()
    assert area.panel.isVisible()
    area.resize(1700, 700)
    area.resize(1280, 700)
    assert area.panel.isVisible()
    other = InspectArea(workspace, QWidget())
    qtbot.addWidget(other)
    assert not other.panel.isHidden()
