"""Import dialog while a corpus is open: which button is the default, and the way out of a rejected addition."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, QeError, TextRole
from qe_desktop.corpus.errors import SourceLocation
from qe_desktop.formats import Role, build_corpus, plan_imports
from qe_desktop.ui.files.importing.import_dialog import ImportDialog
from qe_desktop.ui.files.importing.plan_model import PlanColumn
from tests.ui.files.importing.plan_texts import row_of


def _write(folder: Path, **lines: int) -> Path:
    for name, count in lines.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("a b\n" * count)
    return folder


def _dialog(qtbot: QtBot, folder: Path, corpus: Corpus) -> ImportDialog:
    dialog = ImportDialog(
        plan_imports([folder]), may_add=True, replaces="", texts=tuple(corpus.texts), segments=corpus.size
    )
    qtbot.addWidget(dialog)
    return dialog


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    return build_corpus(plan_imports([_write(tmp_path / "open", c_src=3, c_mt=3)])[0])


@pytest.mark.parametrize(
    ("lines", "is_added"),
    [
        ({"ref_A": 3, "translations__X": 3}, True),
        ({"ref_A": 3, "translations__X": 4}, False),
        ({"ref_A": 4, "translations__X": 3}, False),
        ({"src": 3, "translations__X": 3}, False),
        ({"src": 4, "translations__X": 4}, False),
    ],
)
def test_files_that_do_not_fit_the_open_corpus_are_opened_by_default(
    tmp_path: Path, corpus: Corpus, qtbot: QtBot, lines: dict[str, int], is_added: bool
) -> None:
    dialog = _dialog(qtbot, _write(tmp_path / "new", **lines), corpus)
    assert dialog.add_button.isVisibleTo(dialog)
    assert (dialog.add_button.isDefault(), dialog.open_button.isDefault()) == (is_added, not is_added)


@pytest.mark.parametrize(("segments", "is_added"), [(3, True), (2, False)])
@pytest.mark.parametrize("name", ["m.seg.score", "systems/x.tags", "scores.tsv"])
def test_files_of_another_corpus_are_opened_by_default_and_the_dialog_says_why(
    tmp_path: Path, corpus: Corpus, qtbot: QtBot, name: str, segments: int, is_added: bool
) -> None:
    lines = {
        "m.seg.score": [f"{system}\t0.{n}" for system in "AB" for n in range(segments)],
        "systems/x.tags": ["OK BAD"] * segments,
        "scores.tsv": ["segment\tgold\tA\tB", *[f"{n}\t{n}.5\t{n}.1\t{n}.2" for n in range(segments)]],
    }[name]
    path = tmp_path / "new" / name
    path.parent.mkdir(parents=True)
    path.write_text("".join(f"{line}\n" for line in lines))
    dialog = _dialog(qtbot, tmp_path / "new", corpus)
    assert (dialog.add_button.isDefault(), dialog.open_button.isDefault()) == (is_added, not is_added)
    reason = (
        "A file in the list has 2 segments, but the open files have 3. To open the listed files instead, select “Open”."
    )
    assert (reason in dialog._summary.text()) == (not is_added)
    dialog.show_error(QeError("x", place=SourceLocation(str(path))))
    assert ("Correct" in dialog._summary.text()) is False
    if name == "m.seg.score":
        assert ": 1 metric, 2 systems." in dialog._summary.text()


def test_systems_that_a_metric_scores_count_once(tmp_path: Path, corpus: Corpus, qtbot: QtBot) -> None:
    folder = _write(tmp_path / "new", src=2, translations__A=2, translations__B=2)
    (folder / "m.seg.score").write_text("A\t0.1\nA\t0.2\nB\t0.3\nB\t0.4\n")
    assert "2 translations, 1 metric." in _dialog(qtbot, folder, corpus)._summary.text()


def test_default_button_follows_the_uses_of_the_files(tmp_path: Path, corpus: Corpus, qtbot: QtBot) -> None:
    dialog = _dialog(qtbot, _write(tmp_path / "new", src=3, translations__X=3), corpus)
    assert dialog.open_button.isDefault()
    row = row_of(dialog.model, "src")
    assert dialog.model.setData(dialog.model.index(row, PlanColumn.USE), (Role.IGNORED, None))
    assert dialog.add_button.isDefault()


@pytest.mark.parametrize("lines", [{"src": 3}, {"c_pe": 4}])
def test_error_of_files_that_cannot_be_added_names_the_button_that_opens_them(
    tmp_path: Path, corpus: Corpus, lines: dict[str, int]
) -> None:
    (plan,) = plan_imports([_write(tmp_path / "new", **lines)])
    with pytest.raises(QeError) as raised:
        build_corpus(plan, base_corpus=corpus)
    assert "To close the current files and open these instead, select “Open”." in raised.value.hint
    assert TextRole.MT in corpus.texts


def test_long_names_are_shown_in_full_beside_narrow_notes(tmp_path: Path, corpus: Corpus, qtbot: QtBot) -> None:
    names = ["CUNI-DocTransformer", "CUNI-Transformer2018"]
    folder = _write(tmp_path / "new", src=3, published_tsv=2)
    for name in names:
        _write(folder, **{f"translations__{name}": 3})
    dialog = _dialog(qtbot, folder, corpus)
    dialog.show()
    QApplication.processEvents()
    view, model = dialog.table, dialog.model
    assert not view.isColumnHidden(PlanColumn.NOTES)
    for name in names:
        index = model.index(row_of(model, name), PlanColumn.NAME)
        assert index.data() == name
        assert view.fontMetrics().horizontalAdvance(name) + 6 <= view.columnWidth(PlanColumn.NAME)
        option = QStyleOptionViewItem()
        view.itemDelegateForColumn(PlanColumn.NAME).initStyleOption(option, index)
        assert not option.features & QStyleOptionViewItem.ViewItemFeature.WrapText
