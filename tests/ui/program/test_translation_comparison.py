"""Comparison of translations through main(argv): from a cell to two texts, mark styles, bases and copying."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.ui.program_driver import run_script

KEY = Qt.Key


def comparison_of(driver):
    return driver.shell.area("inspect").comparison


def ready(driver):
    shown = comparison_of(driver).service.comparison
    return shown is not None and shown.is_complete and not driver.shell.jobs.running_jobs()


def set_level(driver, name):
    driver.workspace.set_level(next(level for level in driver.workspace.levels() if level.name == name))


@pytest.mark.parametrize(
    ("level", "metric", "marking"), [("translations", "BLEU", "n-grams"), ("people", "", "differences")]
)
def test_enter_on_a_cell_shows_the_texts_of_its_two_systems(qtbot, level, metric, marking):
    def script(driver):
        yield driver.is_open
        driver.shell.commands["view.area-scores"].trigger()
        set_level(driver, level)
        yield lambda: driver.wiring.comparison.state == "ready" and not driver.wiring.comparison.is_data_outdated
        view = driver.shell.area("scores").systems.matrix.view
        view.setFocus()
        view.setCurrentIndex(view.model().index(0, 1))
        names = []
        driver.workspace.segments_requested.connect(lambda left, right, *others: names.extend((left.name, right.name)))
        QTest.keyClick(view, KEY.Key_Return)
        yield lambda: driver.shell.areas.current == "inspect" and ready(driver)
        comparison = comparison_of(driver)
        shown = comparison.service.comparison
        assert [line.name for line in shown.lines[:2]] == names
        assert [line.name for line in shown.lines[2:]] == ["reference A", "reference B"]
        assert shown.diff_style.name == marking
        assert all(line.score is not None for line in shown.lines[:2])
        assert not metric or shown.metric == metric
        assert comparison.isVisible()
        # the source is above them, without tags
        area = driver.shell.area("inspect")
        assert [block.role.name for block in area.reader.page.blocks] == ["SOURCE"]
        assert not area.tag_toolbar.is_taggable
        # nothing can be tagged, so neither the controls nor the keys of tags are available
        hidden = (
            area.header.lock,
            area.tag_toolbar.target,
            area.tag_toolbar.kind,
            area.tag_toolbar.agreement,
            area.tag_toolbar.slider,
        )
        assert not any(widget.isVisibleTo(area) for widget in hidden)
        driver.shell.commands["inspect.lock"].trigger()
        assert area.reader.is_locked
        area.header.legend.click()
        assert area.legend_popup.tags.isHidden()
        assert area.legend_popup.empty_label.isHidden()
        assert not comparison.legend.isHidden()

    assert run_script(["demo"], script) == 0


def test_mark_style_base_and_words_are_selected_by_keyboard(qtbot):
    def script(driver):
        yield driver.is_open
        set_level(driver, "translations")
        yield lambda: ready(driver)
        area, comparison = driver.shell.area("inspect"), comparison_of(driver)
        area.view.setFocus()
        assert (comparison.service.comparison.diff_style.name, comparison.toolbar.marking.currentData()) == (
            "n-grams",
            "",
        )
        QTest.keyClick(area.view, KEY.Key_M)
        yield lambda: ready(driver)
        assert comparison.service.comparison.diff_style.name == comparison.toolbar.marking.currentData() == "unigrams"
        QTest.keyClick(area.view, KEY.Key_R)
        yield lambda: ready(driver)
        assert comparison.service.comparison.compared_names == ("reference A",)
        assert comparison.toolbar.base.currentText() == "reference A"
        driver.shell.commands["inspect.mark-edits"].trigger()
        yield lambda: ready(driver)
        assert comparison.service.comparison.diff_style.name == "edits"
        QTest.keyClick(area.view, KEY.Key_B)
        assert driver.shell.focusWidget() is comparison.view
        QTest.keyClick(comparison.view, KEY.Key_End)
        QTest.keyClick(comparison.view, KEY.Key_Down)
        assert comparison.view.word_cursor[0] == 1
        QTest.keyClick(comparison.view, KEY.Key_E)
        segment = driver.workspace.segment
        QTest.keyClick(comparison.view, KEY.Key_J)
        yield lambda: ready(driver)
        assert driver.workspace.segment == segment + 1
        assert comparison.service.comparison.segment == segment + 1
        QTest.keyClick(comparison.view, KEY.Key_Escape)
        assert driver.shell.focusWidget() is area.view
        driver.shell.commands["inspect.mark-usual"].trigger()
        assert (driver.shell.settings.marking, driver.shell.settings.base) == ("", "gold A")

    assert run_script(["demo"], script) == 0


def test_mark_style_and_base_are_selected_by_mouse_and_copied(qtbot):
    def script(driver):
        yield driver.is_open
        set_level(driver, "translations")
        yield lambda: ready(driver)
        comparison = comparison_of(driver)
        box = comparison.toolbar.marking
        box.setCurrentIndex(box.findData("chunks"))
        box.activated.emit(box.currentIndex())
        box = comparison.toolbar.base
        box.setCurrentIndex(box.findData("system fluent"))
        box.activated.emit(box.currentIndex())
        yield lambda: ready(driver)
        shown = comparison.service.comparison
        assert (shown.diff_style.name, shown.compared_names) == ("chunks", ("fluent",))
        driver.shell.commands["inspect.copy"].trigger()
        rows = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
        assert rows[0] == ["segment", "text", "BLEU", "words"]
        assert [row[:2] for row in rows[1:]] == [
            ["1", name] for name in ("source", "reference A", "reference B", "post-edit", "MT", "fluent", "literal")
        ]
        assert {row[0]: row for row in rows}["1"][3]
        corpus = driver.workspace.corpus
        assert rows[-1][3] == corpus.translations["literal"][0]
        assert float(rows[-1][2]) == pytest.approx(shown.lines[-1].score)
        assert rows[1][2] == ""

    assert run_script(["demo"], script) == 0


def test_first_few_of_many_systems_are_shown_until_all_are_requested(qtbot, tmp_path):
    (tmp_path / "news.src").write_text("ein Hund\neine Katze\n")
    for folder, names in (("references", ["A"]), ("translations", [f"s{number:02}" for number in range(40)])):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / f"{name}.txt").write_text(f"a dog of {name}\na cat\n")

    def script(driver):
        yield driver.is_open
        driver.shell.show_area("inspect")
        yield lambda: ready(driver)
        area, comparison = driver.shell.area("inspect"), comparison_of(driver)
        # the corpus has no tags
        assert [block.role.name for block in area.reader.page.blocks] == ["SOURCE"]
        assert len(comparison.service.comparison.lines) == 6
        assert comparison.toolbar.all_button.isVisible()
        assert comparison.toolbar.all_button.text() == "Show all 41 texts"
        area.view.setFocus()
        QTest.keyClick(area.view, KEY.Key_A)
        yield lambda: ready(driver) and len(comparison.service.comparison.lines) == 41
        yield lambda: not comparison.view.laid_out.has_pending_lines
        assert comparison.toolbar.all_button.text() == "Show fewer texts"
        QTest.keyClick(area.view, KEY.Key_B)
        for _ in range(40):
            QTest.keyClick(comparison.view, KEY.Key_Down)
        assert comparison.view.describe().startswith("s39, word 1 of 4")
        comparison.toolbar.all_button.click()
        yield lambda: ready(driver) and len(comparison.service.comparison.lines) == 6
        assert driver.shell.settings.all_translations is False

    assert run_script([str(tmp_path)], script) == 0


@pytest.mark.parametrize(
    ("references", "words"), [("הכלב רץ .", "כלב רץ"), ("犬が公園を走っています。", "犬は公園で走っている。")]
)
def test_marks_of_other_scripts_are_laid_out(qtbot, tmp_path, references, words):
    (tmp_path / "x.src").write_text("The dog runs .\n")
    for folder, text in (("references", references), ("translations", words)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "A.txt").write_text(text + "\n")

    def script(driver):
        yield driver.is_open
        driver.shell.show_area("inspect")
        driver.shell.commands["inspect.mark-differences"].trigger()
        yield lambda: ready(driver)
        comparison = comparison_of(driver)
        line = comparison.service.comparison.lines[1]
        assert 0 < len(line.marks) < len(line.text)
        laid = comparison.view.laid_out.laid_out_lines[1]
        rects = [rect for mark in line.marks if mark.end > mark.start for rect in laid.mark_rects(mark)]
        assert all(0 < rect.width() < comparison.view.width() / 3 for rect in rects)
        assert laid.layout.right_to_left == ("ה" in references)
        assert not comparison.grab().isNull()

    assert run_script([str(tmp_path)], script) == 0
