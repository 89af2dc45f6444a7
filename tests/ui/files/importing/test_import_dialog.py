"""Import dialog: detected files, changes, ambiguous files, and rejected plans."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyleOptionViewItem

from qe_desktop.corpus import Kind, QeError, SourceLocation
from qe_desktop.formats import Role, build_corpus, plan_imports
from qe_desktop.formats.importing.planned_file import ScoreDirection
from qe_desktop.ui import theme
from qe_desktop.ui.files.importing.import_dialog import ImportDetailsDialog, ImportDialog
from qe_desktop.ui.files.importing.plan_model import FILE_USES, PlanColumn, PlanModel, possible_meanings
from qe_desktop.ui.files.importing.plan_widgets import FilePreviewPanel
from tests.formats.bilingual.samples import FOLDER
from tests.ui.files.importing.plan_texts import meaning_text, row_of, summary


def test_model_passes_the_qt_model_tester(folder, qtmodeltester):
    model = PlanModel(plan_imports([folder])[0])
    qtmodeltester.check(model)
    tags_row = row_of(model, "a.tags")
    texts = [model.index(tags_row, column).data() for column in PlanColumn]
    assert texts[PlanColumn.FILE] == "a.tags"
    assert "tags, 2 lines" in texts[PlanColumn.FORMAT]
    assert texts[PlanColumn.USE] == "gold"
    remark = model.index(row_of(model, "broken.tags"), PlanColumn.NOTES).data()
    assert "broken.tags" in remark


def test_use_and_name_of_a_file_can_be_changed(folder, qtbot):
    model = PlanModel(plan_imports([folder])[0])
    tags_row = row_of(model, "other.tags")
    with qtbot.waitSignal(model.edited):
        assert model.setData(model.index(tags_row, PlanColumn.USE), (Role.GOLD, Kind.GAPS))
    assert (model.plan.files[tags_row].role, model.plan.files[tags_row].kind) == (Role.GOLD, Kind.GAPS)
    assert model.setData(model.index(tags_row, PlanColumn.USE), (Role.SYSTEM, None))
    assert model.setData(model.index(tags_row, PlanColumn.NAME), " mine ")
    assert not model.setData(model.index(tags_row, PlanColumn.NAME), "  ")
    assert not model.setData(model.index(tags_row, PlanColumn.FILE), "x")
    assert "mine" in build_corpus(model.plan.with_role(folder / "broken.tags", Role.IGNORED)).names(*_all_provenances())


def test_lists_of_a_row_store_values_and_not_their_texts(folder, qtbot):
    (folder / "sure.tags").write_text("0 1\n1\n")
    dialog = ImportDialog(plan_imports([folder]), may_add=False, replaces="")
    qtbot.addWidget(dialog)
    model, view = dialog.model, dialog.table
    for name, column, chosen in (("other.tags", PlanColumn.USE, (Role.GOLD, Kind.GAPS)),
                                 ("sure.tags", PlanColumn.MEANING, None)):  # fmt: skip
        index = model.index(row_of(model, name), column)
        delegate = view.itemDelegateForColumn(column)
        box = delegate.createEditor(view.viewport(), QStyleOptionViewItem(), index)
        delegate.setEditorData(box, index)
        before = model.data(index, Qt.ItemDataRole.EditRole)
        assert box.currentData() == (before if chosen else None)
        # an unchanged list changes nothing
        file_before = model.plan.files[index.row()]
        delegate.setModelData(box, model, index)
        assert model.plan.files[index.row()] == file_before
        item = box.findText(FILE_USES[chosen]) if chosen else box.count() - 1
        box.setCurrentIndex(item)
        delegate.setModelData(box, model, index)
        assert model.data(index, Qt.ItemDataRole.EditRole) == (chosen or box.itemData(item))
        assert index.data() == box.itemText(item)


def _all_provenances():
    from qe_desktop.corpus import Provenance

    return tuple(Provenance)


def test_only_changeable_cells_are_editable(folder):
    model = PlanModel(plan_imports([folder])[0])
    editable = Qt.ItemFlag.ItemIsEditable

    def is_editable(name: str, column: PlanColumn) -> bool:
        return bool(model.flags(model.index(row_of(model, name), column)) & editable)

    assert is_editable("other.tags", PlanColumn.USE)
    assert is_editable("other.tags", PlanColumn.NAME)
    assert not is_editable("a.src", PlanColumn.NAME)
    assert not is_editable("broken.tags", PlanColumn.USE)
    assert not is_editable("a.src", PlanColumn.FILE)


def test_score_table_takes_its_system_names_from_the_header(tmp_path, qtbot):
    (tmp_path / "a.tsv").write_text("seg\tgold\tA\tB\n0\t1\t2\t3\n1\t0\t2\t1\n")
    dialog = ImportDialog(plan_imports([tmp_path]), may_add=False, replaces="")
    qtbot.addWidget(dialog)
    assert "gold, 2 systems" in summary(dialog)
    model = dialog.model
    name = model.index(row_of(model, "a.tsv"), PlanColumn.NAME)
    assert name.data() == "A, B"
    assert not model.flags(name) & Qt.ItemFlag.ItemIsEditable
    assert set(build_corpus(model.plan).names(*_all_provenances())) == {"gold", "A", "B"}


def test_every_file_use_has_a_unique_name():
    assert len(set(FILE_USES.values())) == len(FILE_USES)
    assert {role for role, kind in FILE_USES if kind is None} == set(Role)


def test_dialog_summarizes_usable_and_unusable_files(folder, qtbot):
    dialog = ImportDialog(plan_imports([folder]), may_add=False, replaces="")
    qtbot.addWidget(dialog)
    assert "source, MT, gold, 1 system" in summary(dialog)
    assert "1 file cannot be used" in summary(dialog)
    assert dialog.add_button.isHidden()
    with qtbot.waitSignal(dialog.open_requested) as opened:
        dialog.open_button.click()
    assert opened.args[0] is dialog.model.plan


def test_hint_names_only_columns_that_exist(folder, qtbot):
    (folder / "other.tags").unlink()
    (folder / "broken.tags").unlink()
    dialog = ImportDialog(plan_imports([folder]), may_add=False, replaces="")
    qtbot.addWidget(dialog)
    table = dialog.table
    assert table.isColumnHidden(PlanColumn.MEANING)
    assert table.isColumnHidden(PlanColumn.NAME)
    assert table.editing_hint() == "To change “Used as”, double-click it or press F2."
    dialog.model.setData(dialog.model.index(row_of(dialog.model, "a.tags"), PlanColumn.USE), (Role.SYSTEM, None))
    assert not table.isColumnHidden(PlanColumn.NAME)
    assert dialog._hint.text() == "To change “Used as” or a name, double-click it or press F2."
    (folder / "lines.tags").write_text("OK\nBAD\nOK\n")
    with_lines = ImportDialog(plan_imports([folder]), may_add=False, replaces="“Open” closes the currently open files.")
    qtbot.addWidget(with_lines)
    assert not with_lines.table.isColumnHidden(PlanColumn.MEANING)
    assert "“Read as”" in with_lines.table.editing_hint()
    assert with_lines._hint.text().endswith(" “Open” closes the currently open files.")


def test_details_can_only_be_looked_at_and_closed(folder, qtbot):
    # it deletes itself when it is closed
    details = ImportDetailsDialog(plan_imports([folder])[0], (), {folder / "a.tags": ("2 tags are unknown",)})
    details.show()
    details.show_first()
    model = details.model
    cells = [model.index(row, column) for row in range(model.rowCount()) for column in PlanColumn]
    assert not any(model.flags(cell) & Qt.ItemFlag.ItemIsEditable for cell in cells)
    assert details.table.editing_hint() == ""
    assert model.index(row_of(model, "a.tags"), PlanColumn.NOTES).data() == "2 tags are unknown"
    assert details.table.isColumnHidden(PlanColumn.MEANING)
    assert not details.table.isColumnHidden(PlanColumn.NAME)
    with qtbot.waitSignal(details.change_requested):
        details.change_button.click()
    with qtbot.waitSignal(details.finished):
        qtbot.keyClick(details.table, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("text", "direction"),
    [("1. שלום", Qt.LayoutDirection.RightToLeft), ("Abc שלום", Qt.LayoutDirection.LeftToRight)],
)
def test_preview_writes_each_text_in_its_direction(qtbot, text, direction):
    panel = FilePreviewPanel()
    qtbot.addWidget(panel)
    panel.show_rows((), [(text,)])
    option = QStyleOptionViewItem()
    panel.rows.itemDelegate().initStyleOption(option, panel.rows.model().index(0, 0))
    assert option.direction is direction


def test_refused_import_keeps_the_dialog_usable_and_shows_the_line(folder, qtbot):
    dialog = ImportDialog(plan_imports([folder]), may_add=True, replaces="“Open” closes the currently open files.")
    qtbot.addWidget(dialog)
    dialog.set_busy(True)
    assert not dialog.open_button.isEnabled()
    assert "Wait until the files are read" in dialog.open_button.toolTip()
    dialog.show_error(QeError("it does not fit", hint="Mend it.", place=SourceLocation("a.tags", 2)))
    assert dialog.open_button.isEnabled()
    assert "a.tags:2" in dialog.notices.notices()[0].message.plain_text()


def test_bilingual_files_cannot_be_added_to_the_open_corpus(qtbot):
    """Bilingual files have their own texts, so adding them always failed."""
    (plan,) = plan_imports([FOLDER / "two.xlf", FOLDER / "okapi.xlf"])
    dialog = ImportDialog([plan], may_add=True, replaces="")
    qtbot.addWidget(dialog)
    assert dialog.add_button.isHidden()
    assert dialog.open_button.isDefault()
    for file_row in range(2):
        dialog.model.setData(dialog.model.index(file_row, PlanColumn.USE), (Role.IGNORED, None))
    assert not dialog.add_button.isHidden()


def test_one_of_several_corpora_can_be_selected(tmp_path, folder, qtbot):
    for name in ("en-de", "en-ja"):
        (tmp_path / "two" / name).mkdir(parents=True)
        (tmp_path / "two" / name / "t.mt").write_text("a b\n")
    dialog = ImportDialog(plan_imports([tmp_path / "two"]), may_add=False, replaces="")
    qtbot.addWidget(dialog)
    assert [dialog.choice.itemText(number) for number in range(2)] == ["en-de", "en-ja"]
    dialog.choice.setCurrentIndex(1)
    assert dialog.model.plan.name == "en-ja"


def test_train_or_dev_of_one_folder_can_be_selected(tmp_path, qtbot):
    for stem in ("dev", "train"):
        for ending in ("src", "mt"):
            (tmp_path / f"{stem}.{ending}").write_text("a b\n")
    dialog = ImportDialog(plan_imports([tmp_path]), may_add=False, replaces="", first=1)
    qtbot.addWidget(dialog)
    assert [dialog.choice.itemText(number) for number in range(2)] == [
        f"{tmp_path.name} {stem}" for stem in ("dev", "train")
    ]
    assert dialog.choice.currentIndex() == 1
    assert dialog.model.plan.part == "train"
    dialog.choice.setCurrentIndex(0)
    assert {file.path.name for file in dialog.model.plan.files} == {"dev.src", "dev.mt"}


def test_summary_states_that_no_file_is_used(folder, qtbot):
    dialog = ImportDialog([plan_imports([folder / "a.tags"])[0]], may_add=False, replaces="")
    qtbot.addWidget(dialog)
    assert "No file is used" not in summary(dialog)
    assert dialog.model.setData(dialog.model.index(0, PlanColumn.USE), (Role.IGNORED, None))
    assert not dialog.open_button.isEnabled()
    assert "No file is used. Select a use under “Used as” first." in summary(dialog)


# --- references and metric scores


def test_references_have_names_and_metrics_a_score_direction(tmp_path, qtbot):
    (tmp_path / "c.src").write_text("a\nb\n")
    (tmp_path / "ref.A").write_text("c\nd\n")
    (tmp_path / "TER.seg.score").write_text("one\t0.5\none\t1\n")
    (tmp_path / "COMET.seg.score").write_text("one\t0.5\none\t1\n")
    dialog = ImportDialog(plan_imports([tmp_path]), may_add=False, replaces="")
    qtbot.addWidget(dialog)
    model, editable = dialog.model, Qt.ItemFlag.ItemIsEditable
    for file, name in (("ref.A", "A"), ("TER.seg.score", "TER"), ("COMET.seg.score", "COMET")):
        index = model.index(row_of(model, file), PlanColumn.NAME)
        assert index.data() == name
        assert model.flags(index) & editable
        assert model.setData(index, f"{name} 2")
    assert model.index(row_of(model, "TER.seg.score"), PlanColumn.USE).data() == "metric scores"
    assert not dialog.table.isColumnHidden(PlanColumn.MEANING)
    assert (meaning_text(model, "TER.seg.score"), meaning_text(model, "COMET.seg.score")) == (
        "lower is better",
        "higher is better",
    )
    assert meaning_text(model, "c.src") == ""
    assert dialog.open_button.isEnabled()
    file_row = row_of(model, "COMET.seg.score")
    assert list(possible_meanings(model.plan.files[file_row]).values()) == ["higher is better", "lower is better"]
    assert model.setData(model.index(file_row, PlanColumn.MEANING), (ScoreDirection.LESS,))
    corpus = build_corpus(model.plan)
    assert list(corpus.references) == ["A 2"]
    assert {name: column.better for name, column in corpus.metric_scores.items()} == {"COMET 2": -1, "TER 2": -1}


def test_summary_counts_translations_and_references_without_tags(tmp_path, qtbot):
    for name in ("src", "ref.A", "ref.B", "translations/one", "translations/two", "translations/three"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a\nb\n")
    dialog = ImportDialog(plan_imports([tmp_path]), may_add=False, replaces="")
    qtbot.addWidget(dialog)
    assert summary(dialog) == f"{tmp_path.name}: source, 2 references, 3 translations."


def test_refused_plan_is_not_proposed_again_until_it_is_changed(folder, qtbot):
    dialog = ImportDialog(plan_imports([folder]), may_add=False, replaces="")
    qtbot.addWidget(dialog)
    assert dialog.open_button.isDefault()
    model, row = dialog.model, row_of(dialog.model, "a.tags")
    place = SourceLocation(str(folder / "a.tags"), 2)
    dialog.show_error(QeError("Line 2 has 44 tags", place=place))
    assert not dialog.open_button.isDefault()
    assert dialog.open_button.isEnabled()
    note = model.index(row, PlanColumn.NOTES)
    assert note.data() == "Line 2 has 44 tags"
    assert note.data(Qt.ItemDataRole.ForegroundRole) == theme.current().error
    assert not model.index(row_of(model, "other.tags"), PlanColumn.NOTES).data()
    assert "Correct a.tags and try again. To leave it out, select “not used” under “Used as”." in summary(dialog)
    model.setData(model.index(row, PlanColumn.USE), (Role.IGNORED, None))
    assert dialog.open_button.isDefault()
    assert "44" not in note.data()
    assert not dialog.notices.notices(), "the error was about the plan before the change"
    assert "not used" not in summary(dialog)
