"""Navigation from scores to the segments behind them, through main(argv)."""

from __future__ import annotations

import random

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from tests.ui.program_driver import run_script


def test_keyboard_goes_from_a_plot_point_to_its_segment(qtbot, tmp_path):
    segments, draw = 30, random.Random(4)
    gold = [draw.random() for _ in range(segments)]
    columns = {"gold.hter": gold, "systems/near.scores": [score + draw.random() / 9 for score in gold]}
    columns["systems/far.scores"] = [draw.random() for _ in gold]
    (tmp_path / "systems").mkdir()
    for name, values in columns.items():
        (tmp_path / name).write_text("".join(f"{value}\n" for value in values))
    for name in ("text.src", "text.mt"):
        (tmp_path / name).write_text("".join(f"segment {number}\n" for number in range(segments)))

    def script(driver):
        yield driver.is_open
        driver.shell.area("inspect").filters.search.setText("segment 2")
        yield lambda: driver.shell.area("inspect").model.rowCount() == 11
        driver.shell.show_area("scores")
        area = driver.shell.area("scores")
        pane = area.systems.gallery.pane("beside-gold")
        area.systems.gallery.setCurrentWidget(pane)
        yield lambda: pane.plot_widget.plot is not None and not driver.shell.jobs.running_jobs()
        pane.plot_widget.plot.finish()
        assert area.systems.gallery.current_layer.name == "near"
        view = pane.plot_widget.plot.frames[0].current_plot().view
        view.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(view, Qt.Key.Key_End)
        worst = max(range(segments), key=columns["systems/near.scores"].__getitem__)
        assert pane.description.startswith(f"segment {worst + 1}: ")
        QTest.keyClick(view, Qt.Key.Key_Return)
        assert driver.shell.areas.current == "inspect"
        assert driver.workspace.segment == worst

    assert run_script([str(tmp_path)], script) == 0


def test_request_for_a_system_pair_lists_its_segments_by_influence(qtbot):
    def script(driver):
        yield driver.is_open
        driver.shell.show_area("scores")
        yield lambda: driver.wiring.comparison.state == "ready"
        layers = driver.wiring.scores.layers
        driver.workspace.segments_requested.emit(
            layers[0], layers[1], "F1-mult", driver.workspace.level, driver.workspace.reference
        )
        area = driver.shell.area("inspect")
        yield lambda: area.model.list_state.difference is not None
        assert driver.shell.areas.current == "inspect"
        influence = area.model.list_state.difference.influence
        assert (influence.systems, influence.metric) == (tuple(layers[:2]), "F1-mult")
        leader = layers[0] if influence.values[area.model.segment_at(0)] > 0 else layers[1]
        assert area.model.index(0, SegmentColumn.DIFFERENCE).data().startswith(f"{leader.name} +")

    assert run_script(["demo"], script) == 0


def test_home_and_end_with_control_go_to_the_ends_of_the_list_or_of_the_target(qtbot, job):
    control, home, end = Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_Home, Qt.Key.Key_End

    def script(driver):
        yield driver.is_open
        area = driver.shell.area("inspect")
        edit, segment = area.review.controller.panel.edit, driver.workspace.segment
        area.view.setFocus()
        QTest.keyClick(area.view, Qt.Key.Key_Return)
        for key, position in ((end, edit.document().characterCount() - 1), (home, 0)):
            QTest.keyClick(edit, key, control)
            assert edit.textCursor().position() == position
            assert driver.workspace.segment == segment
        area.review.controller.stop_editing()
        last = area.model.rowCount() - 1
        for widget in (area.view, area.reader):
            for key, row in ((end, last), (home, 0)):
                widget.setFocus()
                QTest.keyClick(widget, key, control)
                assert area.view.currentIndex().row() == row
                assert driver.workspace.segment == area.model.segment_at(row)
                assert driver.shell.areas.current == "inspect"

    assert run_script([str(job)], script) == 0


def test_source_is_copied_by_its_shortcut_in_list_and_target(qtbot, job):
    def script(driver):
        yield driver.is_open
        area, workspace = driver.shell.area("inspect"), driver.workspace
        source, before = workspace.corpus.source_line(workspace.segment), workspace.view.target(workspace.segment)
        assert source != before
        area.view.setFocus()
        QTest.keyClick(area.view, Qt.Key.Key_Insert, Qt.KeyboardModifier.ControlModifier)
        assert workspace.view.target(workspace.segment) == source
        driver.shell.commands["edit.undo"].trigger()
        assert workspace.view.target(workspace.segment) == before
        area.review.controller.open()
        edit = area.review.controller.panel.edit
        QTest.keyClick(edit, Qt.Key.Key_Insert, Qt.KeyboardModifier.ControlModifier)
        assert edit.line == source
        QTest.keyClick(edit, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert edit.line == before

    assert run_script([str(job)], script) == 0


def test_score_table_opens_in_the_scores_area(qtbot, tmp_path):
    table = tmp_path / "scores.csv"
    scores = {"good": [0.1, 0.2, 0.4, 0.8], "bad": [0.8, 0.4, 0.2, 0.1]}
    gold = scores["good"]
    lines = [
        f"{name}\t{index + 1}\t{score}\t0\t{gold[index]}\n"
        for name, values in scores.items()
        for index, score in enumerate(values)
    ]
    table.write_text("METRIC\tSID\tSCORE\tRANK\tHUMAN\n" + "".join(lines))

    def script(driver):
        yield driver.is_open
        assert driver.shell.areas.current == "scores"
        driver.shell.show_area("inspect")
        area = driver.shell.area("inspect")
        area.filters.system.setCurrentText("bad")
        area.filters.system.activated.emit(area.filters.system.currentIndex())
        area.view.column_chosen.emit(SegmentColumn.ERROR)
        yield lambda: not driver.shell.jobs.running_jobs()
        assert area.model.index(0, SegmentColumn.ERROR).data() in ("+.700", "−.700")
        driver.shell.open_sample("en-de")
        yield lambda: driver.is_open() and bool(driver.workspace.corpus.texts)
        assert driver.shell.areas.current == "inspect"

    assert run_script([str(table)], script) == 0
