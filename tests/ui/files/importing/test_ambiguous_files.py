"""Ambiguous files: they must be resolved before they are opened, unless the open corpus determines their meaning."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from qe_desktop.corpus import TextRole
from qe_desktop.formats import LineUnit, ProbabilityOf, plan_imports
from qe_desktop.ui.files.importing.import_dialog import ImportDialog
from qe_desktop.ui.files.importing.plan_model import NOT_CHOSEN, PlanColumn, PlanModel, possible_meanings
from tests.ui.files.importing.plan_texts import meaning_text, row_of, summary


@pytest.fixture
def ambiguous_files(tmp_path: Path) -> Path:
    (tmp_path / "one.tags").write_text("OK\nBAD\nOK\n")
    (tmp_path / "binary.probs").write_text("1 0\n1\n")
    (tmp_path / "joined.tags").write_text("OK\nBAD\n\nOK\n")
    (tmp_path / "real.probs").write_text("0.5 0\n1\n")
    return tmp_path


def test_ambiguous_files_must_be_resolved_before_opening(ambiguous_files, qtbot):
    """Regression: files of 0 and 1 were silently read as P(BAD), and lines with one tag as segments."""
    (plan,) = plan_imports([ambiguous_files / "one.tags", ambiguous_files / "binary.probs"])
    dialog = ImportDialog([plan], may_add=True, replaces="")
    qtbot.addWidget(dialog)
    model = dialog.model
    assert meaning_text(model, "one.tags") == meaning_text(model, "binary.probs") == NOT_CHOSEN
    assert not dialog.open_button.isEnabled()
    assert not dialog.add_button.isEnabled()
    assert "Answer all questions above the table first." in dialog.open_button.toolTip()
    assert "In binary.probs, all numbers are 0 or 1" in summary(dialog)
    assert "In one.tags, each line has one value" in summary(dialog)
    file_row = row_of(model, "binary.probs")
    assert list(possible_meanings(model.plan.files[file_row]).values()) == ["1 means BAD", "1 means OK"]
    assert model.flags(model.index(file_row, PlanColumn.MEANING)) & Qt.ItemFlag.ItemIsEditable
    assert not model.setData(model.index(file_row, PlanColumn.MEANING), (LineUnit.TOKENS, ProbabilityOf.OK))
    assert model.setData(model.index(file_row, PlanColumn.MEANING), (ProbabilityOf.OK,))
    assert meaning_text(model, "binary.probs") == "1 means OK"
    assert not dialog.open_button.isEnabled()
    assert model.setData(model.index(row_of(model, "one.tags"), PlanColumn.MEANING), (LineUnit.TOKENS,))
    assert dialog.open_button.isEnabled()
    assert dialog.add_button.isEnabled()
    assert model.plan.files[file_row].answers.probability_of is ProbabilityOf.OK
    dialog.set_busy(True)
    dialog.set_busy(False)
    assert dialog.open_button.isEnabled()


def test_assumed_meaning_is_shown_and_can_be_changed(ambiguous_files):
    model = PlanModel(plan_imports([ambiguous_files / "joined.tags", ambiguous_files / "real.probs"])[0])
    assert meaning_text(model, "joined.tags") == "one token per line"
    assert meaning_text(model, "real.probs") == "P(BAD)"
    assert model.setData(model.index(row_of(model, "real.probs"), PlanColumn.MEANING), (ProbabilityOf.OK,))
    assert meaning_text(model, "real.probs") == "P(OK)"


def test_file_with_ambiguous_lines_and_numbers_offers_all_combinations(ambiguous_files):
    (ambiguous_files / "both.probs").write_text("1\n0\n1\n")
    (plan,) = plan_imports([ambiguous_files / "both.probs"])
    (file,) = plan.files
    assert list(possible_meanings(file).values()) == [
        "one segment per line, 1 means BAD",
        "one segment per line, 1 means OK",
        "one token per line, 1 means BAD",
        "one token per line, 1 means OK",
    ]


def test_token_counts_of_the_open_corpus_determine_the_meaning_of_lines(ambiguous_files, qtbot):
    dialog = ImportDialog(
        [plan_imports([ambiguous_files / "one.tags"])[0]], may_add=True, replaces="", texts=(TextRole.MT,)
    )
    qtbot.addWidget(dialog)
    assert dialog.add_button.isEnabled()
    assert not dialog.open_button.isEnabled()
    assert meaning_text(dialog.model, "one.tags") == "automatic"
    assert "To open one.tags without the open texts, select under “Read as” what a line represents." in summary(dialog)
