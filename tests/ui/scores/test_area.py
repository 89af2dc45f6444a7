from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, NumberColumn, Provenance, QeError, TagColumn
from qe_desktop.report.forms import FILES, form_named
from qe_desktop.report.latex import table_latex
from qe_desktop.ui.parts.focus_line import FocusLine
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.plot_place import PlotScroll
from qe_desktop.ui.parts.report_files import OnScreen, copy_report
from qe_desktop.ui.scores import comparison_keeper as comparing
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.score_report import score_report
from qe_desktop.ui.scores.situations import situation


@pytest.fixture
def area(world: Any, qtbot: QtBot) -> ScoresArea:
    made = ScoresArea(world.workspace, world.scores, world.comparison)
    qtbot.addWidget(made)
    made.resize(1200, 720)
    return made


def texts(area: ScoresArea) -> str:
    return " | ".join(label.text() for label in area.findChildren(Label) if label.isVisibleTo(area))


def button(area: ScoresArea, text: str) -> QPushButton:
    return next(b for b in area.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(area))


# --- the four states


def test_nothing_open_says_what_to_open(area: ScoresArea, qtbot: QtBot) -> None:
    assert "Scores compare systems with gold tags or scores" in texts(area)
    with qtbot.waitSignal(area.folder_wanted):
        button(area, "Open folder…").click()


def test_no_gold_offers_files_and_ones_own_tags(world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot) -> None:
    world.open(corpus(2, gold=False))
    assert "There is no gold for words" in texts(area)
    with qtbot.waitSignal(area.files_wanted):
        button(area, "Add files…").click()
    button(area, "Tag it myself").click()
    world.wait()
    assert situation(world.scores) is None
    assert area.table.scores_model.rowCount() == 2


def test_no_system_says_so(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(0))
    assert "nothing to score yet" in texts(area)


def test_one_system_has_a_table_and_no_matrix(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(1))
    assert area.table.isVisibleTo(area)
    assert not area.matrix.isVisibleTo(area)
    assert "Open a second system" in texts(area)


def test_two_systems_have_everything(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(2))
    assert area.matrix.view.isVisibleTo(area)
    assert "Significance, F1-mult" in texts(area)
    assert "1,000 rounds over 60 segments" in texts(area)
    assert "60 segments, 600 tags" in texts(area)


def test_failed_counting_says_why_and_counts_again(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(2))
    world.scores._on_failed(QeError("the memory is full", hint="Open fewer segments."))
    world.wait()
    assert "No scores: the memory is full" in texts(area)
    assert "Open fewer segments." in texts(area)
    button(area, "Count again").click()
    world.wait()
    assert situation(world.scores) is None


def test_failed_comparison_leaves_the_scores_and_can_be_tried_again(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(2))
    world.comparison._on_failed(QeError("the memory is full", hint="Open fewer segments."))
    assert "Not compared: the memory is full" in texts(area)
    assert area.table.isVisibleTo(area)
    button(area, "Try again").click()
    world.wait()
    assert "1,000 rounds" in texts(area)


def test_counting_can_be_cancelled(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.workspace.open(corpus(2))
    assert world.scores.state == "working"
    assert "Counting…" in texts(area)
    world.jobs.cancel("scores")
    assert "the counting was stopped" in texts(area)
    button(area, "Count again").click()
    world.wait()
    assert world.scores.state == "ready"


def test_a_large_corpus_is_compared_on_request(
    world: Any, corpus: Any, area: ScoresArea, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "AUTOMATIC", 10)
    world.open(corpus(3))
    assert world.comparison.state == "waiting"
    assert not area.matrix.view.isVisibleTo(area)
    button(area, "Compare systems").click()
    assert "Cancel" in [b.text() for b in area.findChildren(QPushButton) if b.isVisibleTo(area)]
    world.wait()
    assert area.matrix.view.isVisibleTo(area)
    world.flip(0, 0)
    world.wait()
    assert world.comparison.stale
    assert "Edited since this was compared" in texts(area)


def test_cancelling_from_elsewhere_is_heard(world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot) -> None:
    world.open(corpus(3))
    world.comparison.set_options(replace(world.comparison.options, rounds=1_000_000))
    assert world.comparison.state == "working"
    assert "the old result until then" in texts(area)
    world.jobs.cancel(next(job for job in world.jobs.running() if job.key == "comparison"))
    assert world.comparison.state == "waiting"
    assert area.matrix.view.isVisibleTo(area)
    world.wait()


def test_edits_while_comparing_leave_a_stale_result_that_is_renewed(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(3))
    before = world.comparison.result
    world.flip(0, 0)
    assert world.comparison.stale
    world.wait()
    assert not world.comparison.stale
    assert world.comparison.result is not before


def test_another_threshold_leaves_the_old_scores_until_the_new_ones_are_there(
    world: Any, corpus: Any, area: ScoresArea
) -> None:
    opened: Corpus = corpus(1)
    offsets = next(iter(opened.layers.values())).tags.offsets
    chances = np.random.default_rng(1).random(int(offsets[-1])).astype(np.float32)
    key = LayerKey(Provenance.SYSTEM, "chances", Kind.PROBABILITIES)
    world.open(opened.with_layer(Layer(key, NumberColumn(chances, offsets))))
    model = area.table.scores_model
    before = [model.index(row, 1).data() for row in range(2)]
    world.workspace.session.set_threshold("chances", 0.2)
    assert world.scores.state == "working"
    assert [model.index(row, 1).data() for row in range(2)] == before
    assert world.comparison.stale
    assert area.matrix.view.isVisibleTo(area)
    world.wait()
    assert [model.index(row, 1).data() for row in range(2)] != before
    assert not world.comparison.stale


def test_another_corpus_takes_the_old_scores_away_at_once(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(2))
    world.workspace.open(corpus(2))
    assert area.table.scores_model.index(0, 1).data() == ""
    assert world.comparison.result is None
    assert not area.matrix.view.isVisibleTo(area)
    world.wait()


# --- options


def test_every_control_has_a_key(area: ScoresArea) -> None:
    keys = []
    for pair in area.options._pairs.values():
        label = pair.layout().itemAt(0).widget()
        assert label.buddy() is pair.layout().itemAt(1).widget()
        keys.append(label.text()[label.text().index("&") + 1].lower())
    assert len(set(keys)) == len(keys)
    # these open menus
    assert not set(keys) & set("fevh")


def test_options_reach_the_keeper_and_the_settings(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(5))
    bar = area.options
    bar._correction.setCurrentIndex(bar._correction.findData("holm"))
    bar._correction.activated.emit(bar._correction.currentIndex())
    bar._alpha.setValue(0.01)
    bar._top.setValue(1)
    world.wait()
    options = world.comparison.result.comparison.options
    assert (options.correction, options.alpha, options.top) == ("holm", 0.01, 1)
    assert (world.settings.correction, world.settings.alpha) == ("holm", 0.01)
    assert bar._alpha.text() == "0.01"
    assert bar._top.text() == "1 of 5"


def test_documents_can_be_swapped_only_where_there_are_some(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(2))
    item = area.options._unit.model().item(1)
    assert not item.isEnabled()
    assert "Nothing says" in item.toolTip()
    world.open(corpus(2, documents=True))
    assert item.isEnabled()
    area.options._unit.setCurrentIndex(1)
    area.options._unit.activated.emit(1)
    world.wait()
    assert world.comparison.result.comparison.units == 6
    assert "over 6 documents" in texts(area)


def test_too_few_rounds_for_a_correction_are_pointed_out(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.settings.rounds = 1000
    world.open(corpus(17))
    assert "too few" not in texts(area)
    world.comparison.set_options(replace(world.comparison.options, correction="bonferroni"))
    assert "1,000 rounds are too few: p after Bonferroni's correction for 136 pairs is .136 at the least" in texts(area)


def test_other_kinds_of_tags_can_be_chosen(world: Any, corpus: Any, area: ScoresArea) -> None:
    opened: Corpus = corpus(2)
    for provenance, name in ((Provenance.GOLD, "gold"), (Provenance.SYSTEM, "system 0")):
        key = LayerKey(provenance, name, Kind.GAPS)
        opened = opened.with_layer(Layer(key, TagColumn.of([[0, 1] + [0] * 9] * opened.size)))
    world.open(opened)
    kinds = area.options._level
    assert [kinds.itemText(place) for place in range(kinds.count())] == ["words", "gaps"]
    assert kinds.isVisibleTo(area)
    kinds.setCurrentIndex(1)
    kinds.activated.emit(1)
    world.wait()
    assert world.workspace.kind is Kind.GAPS
    assert area.table.scores_model.rowCount() == 1


# --- the table


def test_enter_on_a_value_looks_at_its_metric(world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot) -> None:
    world.open(corpus(3))
    table = area.table
    table.setCurrentIndex(table.scores_model.index(1, table.scores_model.column_of("MCC")))
    qtbot.keyClick(table, Qt.Key.Key_Return)
    world.wait()
    assert world.comparison.metric == "MCC"
    assert "Significance, MCC" in texts(area)
    assert area.options._metric.currentText() == "MCC"


def test_columns_are_chosen_and_remembered(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(2))
    menu = QMenu(area)
    area.table.fill_columns(menu)
    actions = {action.text(): action for action in menu.actions()}
    assert not actions["F1-mult"].isEnabled()
    actions["kappa"].trigger()
    actions["SeqCor"].trigger()
    shown = [metric.name for metric in area.table.scores_model.metrics()]
    assert "kappa" in shown
    assert "SeqCor" not in shown
    assert world.settings.columns["scores"] == shown
    actions["The usual ones"].trigger()
    assert "kappa" not in [metric.name for metric in area.table.scores_model.metrics()]


def test_the_table_is_copied_as_the_report(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(3))
    model = area.table.scores_model
    report = score_report(world.scores, [model.layer(row) for row in range(3)], model.metrics())
    assert report is not None
    area.table.copy_tsv()
    copied = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    exported = [line.split("\t") for line in report.table().tsv().splitlines()]
    assert [line[:-2] for line in copied] == exported
    assert copied[0][-2:] == ["F1-mult low", "F1-mult high"]
    low, high = world.comparison.result.interval("F1-mult", model.layer(2))
    assert copied[3][-2:] == [repr(low), repr(high)]
    for form in FILES:
        copy_report(area.table.reported, form)
        wanted = OnScreen(report, model.whole(), 3)
        assert QGuiApplication.clipboard().text() == form.text(wanted)
    assert json.loads(QGuiApplication.clipboard().text()) == report.json()
    copy_report(area.table.reported, form_named("latex"))
    assert QGuiApplication.clipboard().text() == table_latex(report.table(3))


def test_ctrl_c_copies_the_block_with_names_and_in_full(
    world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    world.open(corpus(3))
    table, model = area.table, area.table.scores_model
    column = model.column_of("MCC")
    last = model.columnCount() - 1
    table.setCurrentIndex(model.index(0, column))
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert len(QGuiApplication.clipboard().text().splitlines()) == 4
    chosen = QItemSelection(model.index(1, column), model.index(2, column))
    table.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    value = world.scores.values["MCC"][world.scores.layers.index(model.layer(1))]
    assert lines[:2] == [["system", "MCC"], [model.layer(1).shown, repr(float(value))]]
    # an interval that edits have passed by is nobody's number
    world.comparison.stale = True
    world.comparison.changed.emit()
    chosen = QItemSelection(model.index(0, last), model.index(1, last))
    table.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
    assert lines[:2] == [["system", "F1-mult low", "F1-mult high"], [model.layer(0).shown, "", ""]]


def test_a_click_on_a_header_sorts(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(3))
    model = area.table.scores_model
    column = model.column_of("F1-BAD")
    area.table.header.setSortIndicator(column, Qt.SortOrder.AscendingOrder)
    assert model.sorted_by() == (column, Qt.SortOrder.AscendingOrder)
    assert [model.layer(row).name for row in range(3)] == ["system 2", "system 1", "system 0"]


@pytest.mark.parametrize("still", [False, True])
def test_an_edit_flashes_once_unless_motion_is_reduced(
    world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot, still: bool
) -> None:
    world.settings.reduced_motion = still
    world.open(corpus(2))
    flash = area.table.flash
    world.flip(0, 0)
    assert (flash.strength == 0) is still
    qtbot.waitUntil(lambda: flash.strength == 0)
    world.wait()


# --- plots and coefficients


def test_plots_are_made_when_seen_and_then_updated_in_place(
    world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot, tmp_path: Path
) -> None:
    world.open(corpus(3))
    assert area.intervals.plot is None
    area.show()
    qtbot.waitUntil(lambda: area.intervals.plot is not None)
    first = area.intervals.plot
    assert "with 95 % confidence F1-mult lies in" in first.widget.accessibleDescription()
    world.comparison.set_metric("MCC")
    world.wait()
    assert area.intervals.plot is first
    assert "MCC lies in" in first.widget.accessibleDescription()
    counts = area.gallery.pane("hits-and-misses")
    area.gallery.setCurrentWidget(counts)
    qtbot.waitUntil(lambda: counts.place.plot is not None)
    drawn = counts.place.plot.frames[0].painter().widget
    before = drawn.accessibleDescription()
    assert "system 0: " in before
    world.flip(0, 0)
    assert drawn.accessibleDescription() != before
    world.wait()
    for name, begins in (("plot.png", b"\x89PNG"), ("plot.svg", b"<?xml"), ("plot.pdf", b"%PDF")):
        counts.place.save(str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(begins)
    with pytest.raises(QeError, match="cannot be written"):
        counts.place.save(str(tmp_path / "no such folder" / "plot.png"))


def test_counts_are_hits_false_alarms_and_misses(world: Any, corpus: Any) -> None:
    from qe_desktop.levels.level import Asked
    from qe_desktop.levels.words.pictures.hits_and_misses import counts_of

    opened: Corpus = corpus(2)
    world.open(opened)
    scoring, totals = world.scores.scoring(), world.scores.scored().totals
    asked = Asked(scoring.view, scoring.reference, scoring.subjects, 0, totals, str)
    gold, *systems = (layer.tags.values.astype(bool) for layer in opened.layers.values())
    expected = [[(s & gold).sum(), (s & ~gold).sum(), (~s & gold).sum()] for s in systems]
    assert counts_of(asked).tolist() == expected


def test_coefficients_are_those_of_the_comparison(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.open(corpus(17))
    model = area.coefficients.table.coefficients
    comparison = world.comparison.result.comparison
    copied = [line.split("\t") for line in model.whole().tsv().splitlines()]
    assert copied[0] == ["metric", "d", "d_top", "d_bottom"]
    shown = [float(line[1]) for line in copied[1:]]
    assert shown == [one.d for one in comparison.metrics]
    assert "of 136 pairs apart" in str(model.index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole))
    assert "of 28 pairs apart" in str(model.index(0, 2).data(Qt.ItemDataRole.AccessibleTextRole))
    area.gallery.setCurrentWidget(area.coefficients)
    assert "the other 9" in texts(area)


@pytest.mark.parametrize("systems", [2, 5, 17, 40])
def test_it_is_drawn_with_few_and_many_systems(world: Any, corpus: Any, area: ScoresArea, systems: int) -> None:
    world.settings.rounds = 100
    world.open(corpus(systems))
    assert not area.grab().isNull()


def test_tab_goes_from_table_to_matrix_to_tabs_to_picture(
    world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    world.open(corpus(3))
    area.show()
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    qtbot.waitUntil(lambda: area.intervals.plot is not None)

    def walk(key: Qt.Key = Qt.Key.Key_Tab) -> QWidget:
        widget = QApplication.focusWidget()
        assert widget is not None
        qtbot.keyClick(widget, key)
        now = QApplication.focusWidget()
        assert now is not None
        return now

    area.table.setFocus()
    assert walk() is area.matrix.view
    assert walk() is area.gallery.tabBar()
    # a plot without points is copied from where it is scrolled, and a line says so
    stop = walk()
    assert isinstance(stop, PlotScroll)
    assert stop.accessibleName() == "Intervals"
    line = stop.findChild(FocusLine)
    assert line.isVisible()
    assert line.geometry() == stop.rect()
    assert walk(Qt.Key.Key_Backtab) is area.gallery.tabBar()
    assert not line.isVisible()


def test_a_picture_with_points_is_one_stop(world: Any, area: ScoresArea, qtbot: QtBot) -> None:
    draw = np.random.default_rng(1)
    keys = [LayerKey(Provenance.GOLD, "hter", Kind.SCORES)]
    keys += [LayerKey(Provenance.SYSTEM, name, Kind.SCORES) for name in "ab"]
    world.open(Corpus("numbers", 30, {}, {key: Layer(key, draw.random(30)) for key in keys}))
    area.show()
    area.activateWindow()
    qtbot.waitUntil(area.isActiveWindow)
    pane = area.gallery.pane("beside-gold")
    area.gallery.setCurrentWidget(pane)
    qtbot.waitUntil(lambda: pane.place.plot is not None)
    world.wait()
    pane.place.plot.finish()
    area.gallery.tabBar().setFocus()
    qtbot.keyClick(area.gallery.tabBar(), Qt.Key.Key_Tab)
    stop = QApplication.focusWidget()
    # it needs the plotting library, which is there by now
    from qe_desktop.ui.parts.pointing import PointingView

    assert isinstance(stop, PointingView)
    assert stop.place is not None
    qtbot.keyClick(stop, Qt.Key.Key_Backtab)
    assert QApplication.focusWidget() is area.gallery.tabBar()


def test_tabs_stand_side_by_side_at_every_level(world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot) -> None:
    tagged = corpus(2)
    keys = [LayerKey(Provenance.GOLD, "hter", Kind.SCORES), LayerKey(Provenance.SYSTEM, "a", Kind.SCORES)]
    keys.append(LayerKey(Provenance.SYSTEM, "b", Kind.SCORES))
    numbers = {key: Layer(key, np.random.default_rng(2).random(tagged.size)) for key in keys}
    world.open(replace(tagged, layers={**tagged.layers, **numbers}))
    area.show()
    qtbot.waitExposed(area)
    words, sentences = world.workspace.levels()
    for level in (sentences, words, sentences):
        # as behind another page
        area.hide()
        world.workspace.set_level(level)
        world.wait()
        area.show()
        bar = area.gallery.tabBar()
        rooms = [bar.tabRect(place) for place in range(bar.count()) if bar.isTabVisible(place)]
        assert len(rooms) == len(level.pictures) + 2
        assert all(one.right() + 1 == other.left() for one, other in pairwise(rooms))
