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

    def script(controller):
        yield controller.is_open
        action, corpus = controller.shell.commands[COMMAND], controller.workspace.corpus
        assert corpus.gold(Kind.WORDS) is None
        assert action.isEnabled()
        assert controller.shell.commands.text(COMMAND) == "Make gold tags and HTER from the post-edit"
        action.trigger()
        yield lambda: controller.workspace.corpus.gold(Kind.WORDS) is not None
        corpus, view = controller.workspace.corpus, controller.workspace.view
        assert view.tags(WORDS) == found.words
        assert view.tags(GAPS) == found.gaps
        assert corpus.layers[HTER].scores.tolist() == rates.tolist()
        assert controller.workspace.reference == WORDS
        # it goes with its command, and can be made anew
        assert controller.shell.commands.text(COMMAND).startswith("Remove the gold")
        assert action.isEnabled()
        action.trigger()
        assert not existing_gold_layers(controller.workspace.corpus)
        assert controller.workspace.corpus.gold(Kind.SCORES) is None
        assert controller.shell.commands.text(COMMAND).startswith("Make gold")

    assert drive([str(folder)], script) == 0


def offer(controller):
    """The button of the panel beside the reader."""
    pages = controller.shell.area("inspect").panel.findChildren(PlaceholderPage)
    return next((page.buttons["post-edit"] for page in pages if "post-edit" in page.buttons), None)


def test_it_is_offered_where_scores_would_be(qtbot, unjudged):
    folder, found, _ = unjudged

    def script(controller):
        yield controller.is_open
        QTest.mouseClick(offer(controller), Qt.MouseButton.LeftButton)
        yield lambda: controller.workspace.corpus.gold(Kind.WORDS) is not None
        assert controller.workspace.view.tags(WORDS) == found.words

    assert drive([str(folder)], script) == 0


def test_edits_of_it_are_not_lost_unasked(qtbot, unjudged, monkeypatch):
    folder, _, _ = unjudged
    asked = []

    def answer(box):
        asked.append(box.text())
        wanted = QMessageBox.ButtonRole.RejectRole if len(asked) == 1 else QMessageBox.ButtonRole.DestructiveRole
        next(button for button in box.buttons() if box.buttonRole(button) == wanted).click()

    monkeypatch.setattr(QMessageBox, "open", answer)

    def script(controller):
        yield controller.is_open
        action = controller.shell.commands[COMMAND]
        action.trigger()
        yield lambda: controller.workspace.corpus.gold(Kind.WORDS) is not None
        before = int(controller.workspace.view.segment_tags(WORDS, 0)[0])
        controller.workspace.edit(Edit(WORDS, 0, (0,), (1 - before,)))
        action.trigger()
        assert controller.workspace.view.segment_tags(WORDS, 0)[0] == 1 - before
        action.trigger()
        yield lambda: not existing_gold_layers(controller.workspace.corpus)
        assert asked == ["You edited the gold that was made from the post-edit."] * 2

    assert drive([str(folder)], script) == 0


def test_where_there_is_gold_nothing_is_offered(qtbot, sample):
    def script(controller):
        yield controller.is_open
        assert not controller.shell.commands[COMMAND].isEnabled()
        controller.shell.commands["file.close"].trigger()
        yield lambda: controller.workspace.session is None
        assert not controller.shell.commands[COMMAND].isEnabled()

    assert drive([str(sample)], script) == 0


def test_it_is_kept_in_a_project(qtbot, unjudged, tmp_path):
    folder, found, _ = unjudged
    place = tmp_path / "kept.qedesk"

    def making(controller):
        yield controller.is_open
        controller.wiring.projects.opener.make(str(place))
        yield lambda: controller.workspace.project is not None
        controller.shell.commands[COMMAND].trigger()
        yield lambda: controller.workspace.corpus.gold(Kind.WORDS) is not None
        yield lambda: not controller.wiring.projects.service.pending

    assert drive([str(folder)], making) == 0

    def again(controller):
        yield controller.is_open
        assert controller.workspace.view.tags(WORDS) == found.words
        assert controller.workspace.corpus.layers[WORDS].origin == "post-edit (TER alignment without shifts)"
        assert controller.shell.commands.text(COMMAND).startswith("Remove the gold")

    assert drive([str(place)], again) == 0


def test_gold_of_text_that_is_not_tokenized_has_a_caution(qtbot, tmp_path):
    for suffix, line in {
        "mt": "今天是天气非常好，我们去的我散步。",
        "pe": "今天的天气非常好，我们去公园散步。",
    }.items():
        (tmp_path / f"dev.{suffix}").write_text(f"{line}\n" * 3, encoding="utf-8")

    def script(controller):
        yield controller.is_open
        controller.shell.commands[COMMAND].trigger()
        yield lambda: controller.workspace.corpus.gold(Kind.WORDS) is not None
        titles = [notice.message.title for notice in controller.shell.notices.notices()]
        assert [title for title in titles if "The Chinese text is not tokenized" in title]
        assert "not tokenized" in controller.workspace.corpus.layers[HTER].notes[0]

    assert drive([str(tmp_path)], script) == 0
