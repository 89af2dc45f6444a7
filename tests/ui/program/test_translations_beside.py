"""Translations side by side through main(argv), by keys: from a cell to two texts, their marks, and out again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.ui.driving import drive

KEY = Qt.Key


def beside_of(desk):
    return desk.shell.area("inspect").beside


def ready(desk):
    shown = beside_of(desk).keeper.shown
    return shown is not None and shown.whole and not desk.shell.jobs.running()


def to_level(desk, name):
    desk.workspace.set_level(next(level for level in desk.workspace.levels() if level.name == name))


@pytest.mark.parametrize(
    ("level", "metric", "marking"), [("translations", "BLEU", "n-grams"), ("people", "", "differences")]
)
def test_from_a_cell_to_the_texts_of_its_two_systems(qtbot, level, metric, marking):
    def script(desk):
        yield desk.is_open
        desk.shell.commands["view.area-scores"].trigger()
        to_level(desk, level)
        yield lambda: desk.wiring.comparison.state == "ready" and not desk.wiring.comparison.stale
        view = desk.shell.area("scores").systems.matrix.view
        view.setFocus()
        view.setCurrentIndex(view.model().index(0, 1))
        wanted = []
        desk.workspace.segments_wanted.connect(lambda left, right, *others: wanted.extend((left.name, right.name)))
        QTest.keyClick(view, KEY.Key_Return)
        yield lambda: desk.shell.areas.current == "inspect" and ready(desk)
        beside = beside_of(desk)
        shown = beside.keeper.shown
        assert [line.name for line in shown.lines[:2]] == wanted
        assert [line.name for line in shown.lines[2:]] == ["reference A", "reference B"]
        assert shown.marking.name == marking
        assert all(line.score is not None for line in shown.lines[:2])
        assert not metric or shown.metric == metric
        assert beside.isVisible()
        # the source and no tags above them
        area = desk.shell.area("inspect")
        assert [block.role.name for block in area.reader.page.blocks] == ["SOURCE"]
        assert not area.tags.isVisible()
        assert not area.legend.isVisible()
        assert beside.legend.isVisible()

    assert drive(["demo"], script) == 0


def test_marks_bases_and_words_by_keyboard(qtbot):
    def script(desk):
        yield desk.is_open
        to_level(desk, "translations")
        yield lambda: ready(desk)
        area, beside = desk.shell.area("inspect"), beside_of(desk)
        area.view.setFocus()
        assert (beside.keeper.shown.marking.name, beside.bar.marking.currentData()) == ("n-grams", "")
        QTest.keyClick(area.view, KEY.Key_M)
        yield lambda: ready(desk)
        assert beside.keeper.shown.marking.name == beside.bar.marking.currentData() == "unigrams"
        QTest.keyClick(area.view, KEY.Key_R)
        yield lambda: ready(desk)
        assert beside.keeper.shown.against == ("reference A",)
        assert beside.bar.base.currentText() == "reference A"
        desk.shell.commands["inspect.mark-edits"].trigger()
        yield lambda: ready(desk)
        assert beside.keeper.shown.marking.name == "edits"
        QTest.keyClick(area.view, KEY.Key_B)
        assert desk.shell.focusWidget() is beside.view
        QTest.keyClick(beside.view, KEY.Key_End)
        QTest.keyClick(beside.view, KEY.Key_Down)
        assert beside.view.cursor_place[0] == 1
        QTest.keyClick(beside.view, KEY.Key_E)
        segment = desk.workspace.segment
        QTest.keyClick(beside.view, KEY.Key_J)
        yield lambda: ready(desk)
        assert desk.workspace.segment == segment + 1
        assert beside.keeper.shown.segment == segment + 1
        QTest.keyClick(beside.view, KEY.Key_Escape)
        assert desk.shell.focusWidget() is area.view
        desk.shell.commands["inspect.mark-usual"].trigger()
        assert (desk.shell.settings.marking, desk.shell.settings.base) == ("", "gold A")

    assert drive(["demo"], script) == 0


def test_choices_by_mouse_and_what_is_copied(qtbot):
    def script(desk):
        yield desk.is_open
        to_level(desk, "translations")
        yield lambda: ready(desk)
        beside = beside_of(desk)
        box = beside.bar.marking
        box.setCurrentIndex(box.findData("chunks"))
        box.activated.emit(box.currentIndex())
        box = beside.bar.base
        box.setCurrentIndex(box.findData("system fluent"))
        box.activated.emit(box.currentIndex())
        yield lambda: ready(desk)
        shown = beside.keeper.shown
        assert (shown.marking.name, shown.against) == ("chunks", ("fluent",))
        desk.shell.commands["inspect.copy"].trigger()
        rows = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
        assert rows[0] == ["segment", "text", "BLEU", "words"]
        assert [row[:2] for row in rows[1:]] == [
            ["1", name] for name in ("source", "reference A", "reference B", "post-edit", "MT", "fluent", "literal")
        ]
        assert {row[0]: row for row in rows}["1"][3]
        corpus = desk.workspace.corpus
        assert rows[-1][3] == corpus.translations["literal"][0]
        assert float(rows[-1][2]) == pytest.approx(shown.lines[-1].score)
        assert rows[1][2] == ""

    assert drive(["demo"], script) == 0


def test_of_many_systems_the_first_few_until_all_are_wanted(qtbot, tmp_path):
    (tmp_path / "news.src").write_text("ein Hund\neine Katze\n")
    for folder, names in (("references", ["A"]), ("translations", [f"s{number:02}" for number in range(40)])):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / f"{name}.txt").write_text(f"a dog of {name}\na cat\n")

    def script(desk):
        yield desk.is_open
        desk.shell.show_area("inspect")
        yield lambda: ready(desk)
        area, beside = desk.shell.area("inspect"), beside_of(desk)
        # a corpus without tags is read as well
        assert [block.role.name for block in area.reader.page.blocks] == ["SOURCE"]
        assert len(beside.keeper.shown.lines) == 6
        assert beside.bar.every.isVisible()
        assert beside.bar.every.text() == "Show all 41 texts"
        area.view.setFocus()
        QTest.keyClick(area.view, KEY.Key_A)
        yield lambda: ready(desk) and len(beside.keeper.shown.lines) == 41
        yield lambda: not beside.view.laid_out.more
        assert beside.bar.every.text() == "Show the first few"
        QTest.keyClick(area.view, KEY.Key_B)
        for _ in range(40):
            QTest.keyClick(beside.view, KEY.Key_Down)
        assert beside.view.describe().startswith("s39, word 1 of 4")
        beside.bar.every.click()
        yield lambda: ready(desk) and len(beside.keeper.shown.lines) == 6
        assert desk.shell.settings.all_translations is False

    assert drive([str(tmp_path)], script) == 0


@pytest.mark.parametrize(
    ("references", "words"), [("הכלב רץ .", "כלב רץ"), ("犬が公園を走っています。", "犬は公園で走っている。")]
)
def test_other_scripts(qtbot, tmp_path, references, words):
    (tmp_path / "x.src").write_text("The dog runs .\n")
    for folder, text in (("references", references), ("translations", words)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "A.txt").write_text(text + "\n")

    def script(desk):
        yield desk.is_open
        desk.shell.show_area("inspect")
        desk.shell.commands["inspect.mark-differences"].trigger()
        yield lambda: ready(desk)
        beside = beside_of(desk)
        line = beside.keeper.shown.lines[1]
        assert 0 < len(line.marks) < len(line.text)
        laid = beside.view.laid_out.laid[1]
        rooms = [room for mark in line.marks if mark.end > mark.start for room in laid.room(mark)]
        assert all(0 < room.width() < beside.view.width() / 3 for room in rooms)
        assert laid.layout.right_to_left == ("ה" in references)
        assert not beside.grab().isNull()

    assert drive([str(tmp_path)], script) == 0
