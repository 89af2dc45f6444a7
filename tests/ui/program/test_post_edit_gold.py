"""Gold from the post-edit through main(argv): offered where there is none, made, scored against, and taken away."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.formats import read_text
from qe_desktop.metrics.tags.post_edit_tags import compare_post_edits, segment_hter
from qe_desktop.project import Edit
from qe_desktop.project.review.post_edit_gold import existing_gold_layers
from qe_desktop.ui.gold_from_post_edit import COMMAND
from qe_desktop.ui.widgets.placeholder_page import PlaceholderPage
from tests.ui.driving import drive

WORDS, GAPS = (LayerKey(Provenance.GOLD, "gold", kind) for kind in (Kind.WORDS, Kind.GAPS))
HTER = LayerKey(Provenance.GOLD, "hter", Kind.SCORES)


@pytest.fixture
def unjudged(sample):
    """The sample without gold and scores, and what its post-edit says."""
    texts = read_text(sample / "sample.mt"), read_text(sample / "sample.pe")
    for name in ("sample.tags", "sample.source_tags", "sample.hter"):
        (sample / name).unlink()
    return sample, compare_post_edits(*texts), segment_hter(*texts)


def test_gold_is_made_and_taken_away(qtbot, unjudged):
    folder, found, rates = unjudged

    def script(desk):
        yield desk.is_open
        action, corpus = desk.shell.commands[COMMAND], desk.workspace.corpus
        assert corpus.gold(Kind.WORDS) is None
        assert action.isEnabled()
        assert desk.shell.commands.text(COMMAND) == "Make gold tags and HTER from the post-edit"
        action.trigger()
        yield lambda: desk.workspace.corpus.gold(Kind.WORDS) is not None
        corpus, view = desk.workspace.corpus, desk.workspace.view
        assert view.tags(WORDS) == found.words
        assert view.tags(GAPS) == found.gaps
        assert corpus.layers[HTER].scores.tolist() == rates.tolist()
        assert desk.workspace.reference == WORDS
        # it goes with its command, and can be made anew
        assert desk.shell.commands.text(COMMAND).startswith("Remove the gold")
        assert action.isEnabled()
        action.trigger()
        assert not existing_gold_layers(desk.workspace.corpus)
        assert desk.workspace.corpus.gold(Kind.SCORES) is None
        assert desk.shell.commands.text(COMMAND).startswith("Make gold")

    assert drive([str(folder)], script) == 0


def offer(desk):
    """The button of the panel beside the reader."""
    pages = desk.shell.area("inspect").panel.findChildren(PlaceholderPage)
    return next((page.buttons["post-edit"] for page in pages if "post-edit" in page.buttons), None)


def test_it_is_offered_where_scores_would_be(qtbot, unjudged):
    folder, found, _ = unjudged

    def script(desk):
        yield desk.is_open
        QTest.mouseClick(offer(desk), Qt.MouseButton.LeftButton)
        yield lambda: desk.workspace.corpus.gold(Kind.WORDS) is not None
        assert desk.workspace.view.tags(WORDS) == found.words

    assert drive([str(folder)], script) == 0


def test_edits_of_it_are_not_lost_unasked(qtbot, unjudged, monkeypatch):
    folder, _, _ = unjudged
    asked = []

    def exec(box):
        asked.append(box.text())
        wanted = QMessageBox.ButtonRole.RejectRole if len(asked) == 1 else QMessageBox.ButtonRole.DestructiveRole
        next(button for button in box.buttons() if box.buttonRole(button) == wanted).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", exec)

    def script(desk):
        yield desk.is_open
        action = desk.shell.commands[COMMAND]
        action.trigger()
        yield lambda: desk.workspace.corpus.gold(Kind.WORDS) is not None
        before = int(desk.workspace.view.segment_tags(WORDS, 0)[0])
        desk.workspace.edit(Edit(WORDS, 0, (0,), (1 - before,)))
        action.trigger()
        assert desk.workspace.view.segment_tags(WORDS, 0)[0] == 1 - before
        action.trigger()
        assert not existing_gold_layers(desk.workspace.corpus)
        assert asked == ["You edited the gold that was made from the post-edit."] * 2

    assert drive([str(folder)], script) == 0


def test_where_there_is_gold_nothing_is_offered(qtbot, sample):
    def script(desk):
        yield desk.is_open
        assert not desk.shell.commands[COMMAND].isEnabled()
        desk.shell.commands["file.close"].trigger()
        yield lambda: desk.workspace.session is None
        assert not desk.shell.commands[COMMAND].isEnabled()

    assert drive([str(sample)], script) == 0


def test_it_is_kept_in_a_project(qtbot, unjudged, tmp_path):
    folder, found, _ = unjudged
    place = tmp_path / "kept.qedesk"

    def making(desk):
        yield desk.is_open
        desk.wiring.projects.opener.make(str(place))
        yield lambda: desk.workspace.project is not None
        desk.shell.commands[COMMAND].trigger()
        yield lambda: desk.workspace.corpus.gold(Kind.WORDS) is not None
        yield lambda: not desk.wiring.projects.keeper.pending

    assert drive([str(folder)], making) == 0

    def again(desk):
        yield desk.is_open
        assert desk.workspace.view.tags(WORDS) == found.words
        assert desk.workspace.corpus.layers[WORDS].origin == "post-edit (TER alignment without shifts)"
        assert desk.shell.commands.text(COMMAND).startswith("Remove the gold")

    assert drive([str(place)], again) == 0
