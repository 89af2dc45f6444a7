"""Gold from the post-edit through main(argv): offered without other gold, created, stored and removed."""

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
from tests.ui.program_driver import run_script

WORDS, GAPS = (LayerKey(Provenance.GOLD, "gold", kind) for kind in (Kind.WORDS, Kind.GAPS))
HTER = LayerKey(Provenance.GOLD, "hter", Kind.SCORES)


@pytest.fixture
def sample_without_gold(sample):
    """Sample without gold tags and scores, and the tags and HTER of its post-edit."""
    texts = read_text(sample / "sample.mt"), read_text(sample / "sample.pe")
    for name in ("sample.tags", "sample.source_tags", "sample.hter"):
        (sample / name).unlink()
    return sample, compare_post_edits(*texts), segment_hter(*texts)


def test_gold_is_created_and_removed_by_the_command(qtbot, sample_without_gold):
    folder, expected, rates = sample_without_gold

    def script(driver):
        yield driver.is_open
        action, corpus = driver.shell.commands[COMMAND], driver.workspace.corpus
        assert corpus.gold(Kind.WORDS) is None
        assert action.isEnabled()
        assert driver.shell.commands.text(COMMAND) == "Derive gold tags and HTER from the post-edit"
        action.trigger()
        yield lambda: driver.workspace.corpus.gold(Kind.WORDS) is not None
        corpus, view = driver.workspace.corpus, driver.workspace.view
        assert view.tags(WORDS) == expected.words
        assert view.tags(GAPS) == expected.gaps
        assert corpus.layers[HTER].scores.tolist() == rates.tolist()
        assert driver.workspace.reference == WORDS
        # the command removes it and can create it again
        assert driver.shell.commands.text(COMMAND).startswith("Remove the gold")
        assert action.isEnabled()
        action.trigger()
        assert not existing_gold_layers(driver.workspace.corpus)
        assert driver.workspace.corpus.gold(Kind.SCORES) is None
        assert driver.shell.commands.text(COMMAND).startswith("Derive gold")

    assert run_script([str(folder)], script) == 0


def gold_button(driver):
    """Return the button in the panel next to the reader."""
    pages = driver.shell.area("inspect").panel.findChildren(PlaceholderPage)
    return next((page.buttons["post-edit"] for page in pages if "post-edit" in page.buttons), None)


def test_gold_is_offered_in_the_score_panel(qtbot, sample_without_gold):
    folder, expected, _ = sample_without_gold

    def script(driver):
        yield driver.is_open
        QTest.mouseClick(gold_button(driver), Qt.MouseButton.LeftButton)
        yield lambda: driver.workspace.corpus.gold(Kind.WORDS) is not None
        assert driver.workspace.view.tags(WORDS) == expected.words

    assert run_script([str(folder)], script) == 0


def test_removing_edited_gold_asks_first(qtbot, sample_without_gold, monkeypatch):
    folder, _, _ = sample_without_gold
    questions = []

    def answer(box):
        questions.append(box.text())
        role = QMessageBox.ButtonRole.RejectRole if len(questions) == 1 else QMessageBox.ButtonRole.DestructiveRole
        next(button for button in box.buttons() if box.buttonRole(button) == role).click()

    monkeypatch.setattr(QMessageBox, "open", answer)

    def script(driver):
        yield driver.is_open
        action = driver.shell.commands[COMMAND]
        action.trigger()
        yield lambda: driver.workspace.corpus.gold(Kind.WORDS) is not None
        before = int(driver.workspace.view.segment_tags(WORDS, 0)[0])
        driver.workspace.edit(Edit(WORDS, 0, (0,), (1 - before,)))
        action.trigger()
        assert driver.workspace.view.segment_tags(WORDS, 0)[0] == 1 - before
        action.trigger()
        yield lambda: not existing_gold_layers(driver.workspace.corpus)
        assert questions == ["You edited the gold derived from the post-edit."] * 2

    assert run_script([str(folder)], script) == 0


def test_command_is_disabled_with_gold_and_without_a_corpus(qtbot, sample):
    def script(driver):
        yield driver.is_open
        assert not driver.shell.commands[COMMAND].isEnabled()
        driver.shell.commands["file.close"].trigger()
        yield lambda: driver.workspace.session is None
        assert not driver.shell.commands[COMMAND].isEnabled()

    assert run_script([str(sample)], script) == 0


def test_gold_is_stored_in_a_project(qtbot, sample_without_gold, tmp_path):
    folder, expected, _ = sample_without_gold
    project = tmp_path / "kept.qedesk"

    def create_gold(driver):
        yield driver.is_open
        driver.wiring.projects.opener.create(str(project))
        yield lambda: driver.workspace.project is not None
        driver.shell.commands[COMMAND].trigger()
        yield lambda: driver.workspace.corpus.gold(Kind.WORDS) is not None
        yield lambda: not driver.wiring.projects.service.pending

    assert run_script([str(folder)], create_gold) == 0

    def reopen(driver):
        yield driver.is_open
        assert driver.workspace.view.tags(WORDS) == expected.words
        assert driver.workspace.corpus.layers[WORDS].origin == "post-edit (TER alignment without shifts)"
        assert driver.shell.commands.text(COMMAND).startswith("Remove the gold")

    assert run_script([str(project)], reopen) == 0


def test_gold_of_untokenized_text_has_a_warning(qtbot, tmp_path):
    for suffix, line in {
        "mt": "今天是天气非常好，我们去的我散步。",
        "pe": "今天的天气非常好，我们去公园散步。",
    }.items():
        (tmp_path / f"dev.{suffix}").write_text(f"{line}\n" * 3, encoding="utf-8")

    def script(driver):
        yield driver.is_open
        driver.shell.commands[COMMAND].trigger()
        yield lambda: driver.workspace.corpus.gold(Kind.WORDS) is not None
        titles = [notice.message.title for notice in driver.shell.notices.notices()]
        assert [title for title in titles if "The Chinese text is not tokenized" in title]
        assert "not tokenized" in driver.workspace.corpus.layers[HTER].notes[0]

    assert run_script([str(tmp_path)], script) == 0
