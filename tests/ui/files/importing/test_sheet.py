"""The sheet before opening: what was recognised, what a person changes, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyleOptionViewItem

from qe_desktop.corpus import Kind, QeError, SourceLocation, TextRole
from qe_desktop.formats import LineUnit, ProbabilityOf, Role, build_corpus, plan_imports
from qe_desktop.formats.importing.questions import ScoreDirection
from qe_desktop.ui.files.importing.import_dialog import ImportDialog
from qe_desktop.ui.files.importing.plan_model import FILE_USES, NOT_CHOSEN, PlanColumn, PlanModel, possible_meanings
from tests.formats.bilingual.samples import FOLDER


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.src").write_text("one two\nthree\n")
    (tmp_path / "a.mt").write_text("eins zwei\ndrei\n")
    (tmp_path / "a.tags").write_text("OK BAD\nOK\n")
    (tmp_path / "other.tags").write_text("OK OK\nBAD\n")
    (tmp_path / "broken.tags").write_bytes(b"\x00\x01\x02" * 40)
    return tmp_path


def row(model: PlanModel, name: str) -> int:
    return next(place for place, file in enumerate(model.plan.files) if file.path.name == name)


def test_the_model_is_sound(folder, qtmodeltester):
    model = PlanModel(plan_imports([folder])[0])
    qtmodeltester.check(model)
    place = row(model, "a.tags")
    texts = [model.index(place, column).data() for column in PlanColumn]
    assert texts[PlanColumn.FILE] == "a.tags"
    assert "tags, 2 lines" in texts[PlanColumn.CONTENT]
    assert texts[PlanColumn.USE] == "gold"
    remark = model.index(row(model, "broken.tags"), PlanColumn.REMARKS).data()
    assert "broken.tags" in remark


def test_a_person_decides_otherwise(folder, qtbot):
    model = PlanModel(plan_imports([folder])[0])
    place = row(model, "other.tags")
    with qtbot.waitSignal(model.edited):
        assert model.setData(model.index(place, PlanColumn.USE), (Role.GOLD, Kind.GAPS))
    assert (model.plan.files[place].role, model.plan.files[place].kind) == (Role.GOLD, Kind.GAPS)
    assert model.setData(model.index(place, PlanColumn.USE), (Role.SYSTEM, None))
    assert model.setData(model.index(place, PlanColumn.NAME), " mine ")
    assert not model.setData(model.index(place, PlanColumn.NAME), "  ")
    assert not model.setData(model.index(place, PlanColumn.FILE), "x")
    assert "mine" in build_corpus(model.plan.with_role(folder / "broken.tags", Role.IGNORED)).names(*_all_provenances())


def test_the_lists_of_a_row_hold_what_is_meant_and_not_its_words(folder, qtbot):
    (folder / "sure.tags").write_text("0 1\n1\n")
    sheet = ImportDialog(plan_imports([folder]), may_add=False, replaces="")
    qtbot.addWidget(sheet)
    model, view = sheet.model, sheet.table
    for name, column, chosen in (("other.tags", PlanColumn.USE, (Role.GOLD, Kind.GAPS)),
                                 ("sure.tags", PlanColumn.MEANING, None)):  # fmt: skip
        index = model.index(row(model, name), column)
        delegate = view.itemDelegateForColumn(column)
        box = delegate.createEditor(view.viewport(), QStyleOptionViewItem(), index)
        delegate.setEditorData(box, index)
        before = model.data(index, Qt.ItemDataRole.EditRole)
        assert box.currentData() == (before if chosen else None)
        # what nobody chose changes nothing
        asked = model.plan.files[index.row()]
        delegate.setModelData(box, model, index)
        assert model.plan.files[index.row()] == asked
        place = box.findText(FILE_USES[chosen]) if chosen else box.count() - 1
        box.setCurrentIndex(place)
        delegate.setModelData(box, model, index)
        assert model.data(index, Qt.ItemDataRole.EditRole) == (chosen or box.itemData(place))
        assert index.data() == box.itemText(place)


def _all_provenances():
    from qe_desktop.corpus import Provenance

    return tuple(Provenance)


def test_only_what_can_be_changed_is_editable(folder):
    model = PlanModel(plan_imports([folder])[0])
    editable = Qt.ItemFlag.ItemIsEditable

    def may(name: str, column: PlanColumn) -> bool:
        return bool(model.flags(model.index(row(model, name), column)) & editable)

    assert may("other.tags", PlanColumn.USE)
    assert may("other.tags", PlanColumn.NAME)
    assert not may("a.src", PlanColumn.NAME)
    assert not may("broken.tags", PlanColumn.USE)
    assert not may("a.src", PlanColumn.FILE)


def test_a_table_of_scores_names_its_systems_itself(tmp_path, qtbot):
    (tmp_path / "a.tsv").write_text("seg\tgold\tA\tB\n0\t1\t2\t3\n1\t0\t2\t1\n")
    sheet = ImportDialog(plan_imports([tmp_path]), may_add=False, replaces="")
    qtbot.addWidget(sheet)
    assert "gold, 2 systems" in sheet._summary.text()
    model = sheet.model
    name = model.index(row(model, "a.tsv"), PlanColumn.NAME)
    assert name.data() == "A, B"
    assert not model.flags(name) & Qt.ItemFlag.ItemIsEditable
    assert set(build_corpus(model.plan).names(*_all_provenances())) == {"gold", "A", "B"}


def test_every_use_has_one_name():
    assert len(set(FILE_USES.values())) == len(FILE_USES)
    assert {role for role, kind in FILE_USES if kind is None} == set(Role)


def test_the_sheet_says_what_is_there_and_what_does_not_fit(folder, qtbot):
    sheet = ImportDialog(plan_imports([folder]), may_add=False, replaces="")
    qtbot.addWidget(sheet)
    assert "source, MT, gold, 1 system" in sheet._summary.text()
    assert "1 file cannot be used" in sheet._summary.text()
    assert sheet.add_button.isHidden()
    with qtbot.waitSignal(sheet.opened) as opened:
        sheet.open_button.click()
    assert opened.args[0] is sheet.model.plan


def test_a_refusal_keeps_the_sheet_and_can_be_mended(folder, qtbot):
    sheet = ImportDialog(plan_imports([folder]), may_add=True, replaces="“Open” closes what is open now.")
    qtbot.addWidget(sheet)
    sheet.set_busy(True)
    assert not sheet.open_button.isEnabled()
    sheet.refuse(QeError("it does not fit", hint="Mend it.", place=SourceLocation("a.tags", 2)))
    assert sheet.open_button.isEnabled()
    assert "a.tags:2" in sheet.notices.notices()[0].message.spoken()


def test_translators_files_are_not_offered_to_be_added(qtbot):
    """They bring their own texts, and it was refused whenever somebody tried."""
    (found,) = plan_imports([FOLDER / "two.xlf", FOLDER / "okapi.xlf"])
    sheet = ImportDialog([found], may_add=True, replaces="")
    qtbot.addWidget(sheet)
    assert sheet.add_button.isHidden()
    assert sheet.open_button.isDefault()
    for place in range(2):
        sheet.model.setData(sheet.model.index(place, PlanColumn.USE), (Role.IGNORED, None))
    assert not sheet.add_button.isHidden()


def test_several_corpora_are_chosen_from(tmp_path, folder, qtbot):
    for name in ("en-de", "en-ja"):
        (tmp_path / "two" / name).mkdir(parents=True)
        (tmp_path / "two" / name / "t.mt").write_text("a b\n")
    sheet = ImportDialog(plan_imports([tmp_path / "two"]), may_add=False, replaces="")
    qtbot.addWidget(sheet)
    assert [sheet.choice.itemText(place) for place in range(2)] == ["en-de", "en-ja"]
    sheet.choice.setCurrentIndex(1)
    assert sheet.model.plan.name == "en-ja"


def test_train_and_dev_of_one_folder_are_chosen_from(tmp_path, qtbot):
    for stem in ("dev", "train"):
        for ending in ("src", "mt"):
            (tmp_path / f"{stem}.{ending}").write_text("a b\n")
    sheet = ImportDialog(plan_imports([tmp_path]), may_add=False, replaces="", first=1)
    qtbot.addWidget(sheet)
    assert [sheet.choice.itemText(place) for place in range(2)] == [
        f"{tmp_path.name} {stem}" for stem in ("dev", "train")
    ]
    assert sheet.choice.currentIndex() == 1
    assert sheet.model.plan.part == "train"
    sheet.choice.setCurrentIndex(0)
    assert {file.path.name for file in sheet.model.plan.files} == {"dev.src", "dev.mt"}


# --- what files cannot tell by themselves


@pytest.fixture
def asking(tmp_path: Path) -> Path:
    (tmp_path / "one.tags").write_text("OK\nBAD\nOK\n")
    (tmp_path / "binary.probs").write_text("1 0\n1\n")
    (tmp_path / "joined.tags").write_text("OK\nBAD\n\nOK\n")
    (tmp_path / "real.probs").write_text("0.5 0\n1\n")
    return tmp_path


def meaning(model: PlanModel, name: str) -> str:
    return str(model.index(row(model, name), PlanColumn.MEANING).data())


def test_what_must_be_said_is_asked_and_nothing_opens_before(asking, qtbot):
    """Files of 0 and 1 were taken as P(BAD), and lines with one tag as segments, without a word."""
    (found,) = plan_imports([asking / "one.tags", asking / "binary.probs"])
    sheet = ImportDialog([found], may_add=True, replaces="")
    qtbot.addWidget(sheet)
    model = sheet.model
    assert meaning(model, "one.tags") == meaning(model, "binary.probs") == NOT_CHOSEN
    assert not sheet.open_button.isEnabled()
    assert not sheet.add_button.isEnabled()
    assert "In binary.probs, all numbers are 0 or 1" in sheet._summary.text()
    assert "In one.tags, each line has one value" in sheet._summary.text()
    place = row(model, "binary.probs")
    assert list(possible_meanings(model.plan.files[place]).values()) == ["1 means BAD", "1 means OK"]
    assert model.flags(model.index(place, PlanColumn.MEANING)) & Qt.ItemFlag.ItemIsEditable
    assert not model.setData(model.index(place, PlanColumn.MEANING), (LineUnit.TOKENS, ProbabilityOf.OK))
    assert model.setData(model.index(place, PlanColumn.MEANING), (ProbabilityOf.OK,))
    assert meaning(model, "binary.probs") == "1 means OK"
    assert not sheet.open_button.isEnabled()
    assert model.setData(model.index(row(model, "one.tags"), PlanColumn.MEANING), (LineUnit.TOKENS,))
    assert sheet.open_button.isEnabled()
    assert sheet.add_button.isEnabled()
    assert model.plan.files[place].answers.numbers is ProbabilityOf.OK
    sheet.set_busy(True)
    sheet.set_busy(False)
    assert sheet.open_button.isEnabled()


def test_what_is_held_is_shown_and_can_be_said_otherwise(asking):
    model = PlanModel(plan_imports([asking / "joined.tags", asking / "real.probs"])[0])
    assert meaning(model, "joined.tags") == "one token per line"
    assert meaning(model, "real.probs") == "P(BAD)"
    assert model.setData(model.index(row(model, "real.probs"), PlanColumn.MEANING), (ProbabilityOf.OK,))
    assert meaning(model, "real.probs") == "P(OK)"


def test_a_file_that_leaves_lines_and_numbers_open_is_asked_for_both(asking):
    (asking / "both.probs").write_text("1\n0\n1\n")
    (found,) = plan_imports([asking / "both.probs"])
    (file,) = found.files
    assert list(possible_meanings(file).values()) == [
        "one segment per line, 1 means BAD",
        "one segment per line, 1 means OK",
        "one token per line, 1 means BAD",
        "one token per line, 1 means OK",
    ]


def test_the_tokens_of_the_open_corpus_tell_what_lines_are(asking, qtbot):
    sheet = ImportDialog([plan_imports([asking / "one.tags"])[0]], may_add=True, replaces="", texts=(TextRole.MT,))
    qtbot.addWidget(sheet)
    assert sheet.add_button.isEnabled()
    assert not sheet.open_button.isEnabled()
    assert meaning(sheet.model, "one.tags") == "by token counts"


# --- references and scores by metrics


def test_references_have_names_and_of_metrics_it_is_said_which_scores_are_better(tmp_path, qtbot):
    (tmp_path / "c.src").write_text("a\nb\n")
    (tmp_path / "ref.A").write_text("c\nd\n")
    (tmp_path / "TER.seg.score").write_text("one\t0.5\none\t1\n")
    (tmp_path / "COMET.seg.score").write_text("one\t0.5\none\t1\n")
    sheet = ImportDialog(plan_imports([tmp_path]), may_add=False, replaces="")
    qtbot.addWidget(sheet)
    model, editable = sheet.model, Qt.ItemFlag.ItemIsEditable
    for file, name in (("ref.A", "A"), ("TER.seg.score", "TER"), ("COMET.seg.score", "COMET")):
        index = model.index(row(model, file), PlanColumn.NAME)
        assert index.data() == name
        assert model.flags(index) & editable
        assert model.setData(index, f"{name} 2")
    assert model.index(row(model, "TER.seg.score"), PlanColumn.USE).data() == "metric scores"
    assert not sheet.table.isColumnHidden(PlanColumn.MEANING)
    assert (meaning(model, "TER.seg.score"), meaning(model, "COMET.seg.score")) == (
        "lower is better",
        "higher is better",
    )
    assert meaning(model, "c.src") == ""
    assert sheet.open_button.isEnabled()
    place = row(model, "COMET.seg.score")
    assert list(possible_meanings(model.plan.files[place]).values()) == ["higher is better", "lower is better"]
    assert model.setData(model.index(place, PlanColumn.MEANING), (ScoreDirection.LESS,))
    corpus = build_corpus(model.plan)
    assert list(corpus.references) == ["A 2"]
    assert {name: column.better for name, column in corpus.metric_scores.items()} == {"COMET 2": -1, "TER 2": -1}


def test_translations_and_references_are_counted_and_no_tags_are_missed(tmp_path, qtbot):
    for name in ("src", "ref.A", "ref.B", "translations/one", "translations/two", "translations/three"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a\nb\n")
    sheet = ImportDialog(plan_imports([tmp_path]), may_add=False, replaces="")
    qtbot.addWidget(sheet)
    assert sheet._summary.text() == f"{tmp_path.name}: source, 2 references, 3 translations."
