from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Kind
from qe_desktop.significance import SignificanceLevel
from qe_desktop.ui import theme
from qe_desktop.ui.inspect.reader.segment_words import tag_rows
from qe_desktop.ui.scores.number_format import format_p, format_signed
from qe_desktop.ui.scores.significance.significance_matrix_model import SignificanceMatrixModel
from qe_desktop.ui.scores.significance.significance_matrix_pane import SignificanceMatrixPane, SignificanceMatrixView
from qe_desktop.ui.widgets.legends import MatrixLegendSwatch
from qe_desktop.ui.widgets.matrix_model import CELL_ROLE, MatrixCell
from qe_desktop.ui.widgets.matrix_painter import cell_colour
from qe_desktop.ui.widgets.matrix_view import split_name


@pytest.mark.parametrize("systems", [0, 1, 2, 5, 17, 40])
def test_model_passes_the_qt_model_tester(environment: Any, corpus: Any, systems: int) -> None:
    model = SignificanceMatrixModel(environment.workspace)
    environment.comparison.changed.connect(lambda: model.show_state(environment.comparison.snapshot()))
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    environment.settings.rounds = 100
    environment.open(corpus(systems))
    size = systems if systems > 1 else 0
    assert (model.rowCount(), model.columnCount()) == (size, size)
    model.set_by_score(False)
    environment.workspace.close()
    assert tester.model() is model
    assert model.rowCount() == 0


def test_upper_cells_are_p_with_a_sign_and_lower_cells_differences(
    environment: Any, corpus: Any, view: SignificanceMatrixView
) -> None:
    environment.open(corpus(5))
    comparison = environment.comparison.result.comparison
    metric_comparison = comparison.of("F1-mult")
    order = [int(index) for index in metric_comparison.order]
    for row, left in enumerate(order):
        for column, right in enumerate(order):
            shown = view.matrix.index(row, column).data()
            if row < column:
                sign = comparison.verdicts("F1-mult").pair(left, right).level.sign
                assert shown == f"{format_p(metric_comparison.adjusted[left, right])} {sign}"
            elif row > column:
                assert shown == format_signed(metric_comparison.scores[right] - metric_comparison.scores[left], 3)
            else:
                assert shown == "·"
    assert np.all(np.diff(metric_comparison.scores[order]) <= 0)


def test_accessible_text_of_a_cell_is_a_full_sentence(
    environment: Any, corpus: Any, view: SignificanceMatrixView
) -> None:
    environment.comparison.set_options(replace(environment.comparison.options, correction="bonferroni"))
    environment.open(corpus(5))
    text = str(view.matrix.index(0, 4).data(Qt.ItemDataRole.AccessibleTextRole))
    assert text.startswith("system 0 (.")
    assert "is significantly better than" in text
    assert "after Bonferroni correction for 10 pairs" in text
    assert text.endswith("unadjusted")
    assert view.matrix.sentence(view.matrix.index(4, 0)) == text


def test_tooltip_explains_thresholds_and_the_error_of_p(
    environment: Any, corpus: Any, view: SignificanceMatrixView, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment.open(corpus(5))
    model, names = view.matrix, range(5)
    monkeypatch.setattr(model, "_sentence", lambda row, column: "p = .0010 ± .0003 unadjusted")
    monkeypatch.setattr(model, "_cell", lambda row, column: MatrixCell("<.01" if column == 1 else "<.001", "●"))
    tooltips = [str(model.index(0, column).data(Qt.ItemDataRole.ToolTipRole)) for column in names]
    assert "&lt;.01: p is so close to this threshold that rounding would hide the difference" in tooltips[1]
    assert "rounded" not in tooltips[2]
    assert all("±: standard error of p" in tooltips[column] for column in (1, 2))
    assert model.index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole) == "p = .0010 ± .0003 unadjusted"


def test_sentence_without_correction_says_unadjusted(
    environment: Any, corpus: Any, view: SignificanceMatrixView
) -> None:
    environment.open(corpus(2))
    assert view.matrix.sentence(view.matrix.index(0, 1)).endswith("(unadjusted)")


def test_systems_with_the_same_tags_are_called_identical(
    environment: Any, corpus: Any, view: SignificanceMatrixView
) -> None:
    environment.open(corpus(3, twins=True))
    matrix = view.matrix
    names = [matrix.name(index) for index in range(3)]
    row, column = sorted((names.index("system 0"), names.index("system 2")))
    assert matrix.index(row, column).data() == "="
    assert "identical tags" in matrix.sentence(matrix.index(row, column))


def test_systems_can_be_listed_in_the_order_of_the_files(
    environment: Any, corpus: Any, view: SignificanceMatrixView
) -> None:
    environment.open(corpus(4))
    view.matrix.set_by_score(False)
    assert [view.matrix.name(index) for index in range(4)] == [f"system {index}" for index in range(4)]


def test_enter_on_a_cell_requests_its_segments(
    environment: Any, corpus: Any, view: SignificanceMatrixView, qtbot: QtBot
) -> None:
    environment.open(corpus(4))
    view.show()
    view.setCurrentIndex(view.matrix.index(0, 0))
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert (view.currentIndex().row(), view.currentIndex().column()) == (1, 2)
    expected = view.matrix.layers(view.currentIndex())
    with qtbot.waitSignal(environment.workspace.segments_requested) as request:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert tuple(request.args[:2]) == expected
    assert [key.name for key in request.args[:2]] == [view.matrix.name(1), view.matrix.name(2)]
    assert request.args[2] == "F1-mult"


def test_systems_of_a_cell_come_first_in_the_rows_of_a_segment(
    environment: Any, corpus: Any, view: SignificanceMatrixView, qtbot: QtBot
) -> None:
    environment.open(corpus(4))
    workspace = environment.workspace
    names = [view.matrix.name(place) for place in range(4)]

    def rows() -> list[str]:
        return [row.name for row in tag_rows(workspace.view, Kind.WORDS, 0, workspace.system_order)]

    assert rows() == [f"system {number}" for number in range(4)]
    view.show()
    view.setCurrentIndex(view.matrix.index(3, 1))
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert rows() == [names[1], names[3], names[0], names[2]]
    # other data have a different order
    environment.open(corpus(4))
    assert rows() == [f"system {number}" for number in range(4)]


def test_double_click_requests_segments_except_on_the_diagonal(
    environment: Any, corpus: Any, view: SignificanceMatrixView, qtbot: QtBot
) -> None:
    environment.open(corpus(2))
    with qtbot.waitSignal(environment.workspace.segments_requested):
        view.doubleClicked.emit(view.matrix.index(0, 1))
    with qtbot.assertNotEmitted(environment.workspace.segments_requested):
        view.doubleClicked.emit(view.matrix.index(1, 1))


def test_current_cell_is_described(environment: Any, corpus: Any, view: SignificanceMatrixView, qtbot: QtBot) -> None:
    environment.open(corpus(3))
    with qtbot.waitSignal(view.described) as description:
        view.setCurrentIndex(view.matrix.index(0, 2))
    assert description.args == [view.matrix.sentence(view.matrix.index(0, 2))]


def test_cells_shrink_to_signs_for_many_systems(environment: Any, corpus: Any, view: SignificanceMatrixView) -> None:
    environment.settings.rounds = 100
    environment.open(corpus(2))
    wide = view.columnWidth(0)
    environment.open(corpus(40))
    assert view.columnWidth(0) < wide
    assert view.rowHeight(0) == view.columnWidth(0)


def test_numbers_are_shown_if_signs_would_be_scrolled_too(
    environment: Any, corpus: Any, view: SignificanceMatrixView
) -> None:
    environment.open(corpus(4))
    line = view.fontMetrics().height()
    view.resize(600, line * 4)
    assert view.columnWidth(0) > view.rowHeight(0) >= line
    assert not view.horizontalHeader().has_rotated_names()


def test_names_of_columns_are_whole_if_there_is_room(
    environment: Any, corpus: Any, view: SignificanceMatrixView
) -> None:
    # low, so that rotated names would be short
    view.resize(2400, 220)
    made = corpus(3)
    longer = [replace(layer, key=replace(key, name=f"{key.name} of a long name")) for key, layer in made.layers.items()]
    environment.open(replace(made, layers={layer.key: layer for layer in longer}))
    header = view.horizontalHeader()
    assert not header.has_rotated_names()
    assert view.columnWidth(0) >= header.names_extent()


def test_rotated_names_have_two_lines_if_columns_can_be_wider(
    environment: Any, corpus: Any, view: SignificanceMatrixView
) -> None:
    made = corpus(14)
    longer = [replace(layer, key=replace(key, name=f"{key.name}-of-a-name")) for key, layer in made.layers.items()]
    environment.open(replace(made, layers={layer.key: layer for layer in longer}))
    view.resize(800, 190)
    view.fit()
    header = view.horizontalHeader()
    assert header.has_rotated_names()
    assert view.columnWidth(0) >= 2 * view.fontMetrics().lineSpacing()
    view.resize(500, 190)
    view.fit()
    assert view.columnWidth(0) < 2 * view.fontMetrics().lineSpacing()
    metrics, name = header.fontMetrics(), "GEMBA-MQM-src"
    assert split_name(name, metrics, metrics.horizontalAdvance("GEMBA-MQM-")) == ("GEMBA-MQM-", "src")
    assert split_name("unseparated", metrics, metrics.horizontalAdvance("unsep")) == ("", "unseparated")
    assert split_name("a-unseparated", metrics, metrics.horizontalAdvance("a-unsep")) == ("a-", "unseparated")
    name = "OrganizersBaseline"
    assert split_name(name, metrics, metrics.horizontalAdvance("OrganizersBaseli")) == ("Organizers", "Baseline")


def test_changing_the_correction_does_not_repeat_the_tests(
    environment: Any, corpus: Any, view: SignificanceMatrixView
) -> None:
    environment.open(corpus(17))
    before = [view.matrix.index(0, column).data() for column in range(17)]
    environment.comparison.set_options(replace(environment.comparison.options, correction="bonferroni"))
    assert environment.jobs.is_idle()
    after = [view.matrix.index(0, column).data() for column in range(17)]
    assert before != after


def test_old_matrix_stays_until_the_new_metric_is_tested(
    environment: Any, corpus: Any, view: SignificanceMatrixView
) -> None:
    environment.open(corpus(3))
    environment.comparison.set_metric("kappa")
    assert view.matrix.metric == "F1-mult"
    assert view.matrix.rowCount() == 3
    environment.wait()
    assert view.matrix.metric == "kappa"


@pytest.mark.parametrize("name", list(theme.THEMES))
def test_text_has_sufficient_contrast_on_every_cell_colour(qapp: Any, name: str) -> None:
    theme.apply(qapp, name)
    cells = [MatrixCell("", level.sign, level=level) for level in SignificanceLevel]
    cells += [MatrixCell("", "", scaled_value=lean) for lean in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    try:
        for cell in cells:
            ground = cell_colour(cell)
            assert theme.contrast_ratio(theme.current().text_colour_on(ground), ground) >= 4.5
    finally:
        theme.apply(qapp, "light")


def test_matrix_is_painted_in_every_size(environment: Any, corpus: Any, view: SignificanceMatrixView) -> None:
    environment.open(corpus(5))
    for width, height in ((900, 700), (700, 330), (200, 200)):
        view.resize(width, height)
        image, viewport = view.viewport().grab().toImage(), view.viewport().rect()
        painted = 0
        for row, column in product(range(5), repeat=2):
            index = view.matrix.index(row, column)
            corner = view.visualRect(index).topLeft() + QPoint(1, 1)
            cell = index.data(CELL_ROLE)
            if row != column and viewport.contains(corner):
                assert isinstance(cell, MatrixCell)
                assert image.pixelColor(corner) == cell_colour(cell)
                painted += 1
        assert painted > 0


def test_only_cells_in_the_repainted_area_are_computed(
    environment: Any, corpus: Any, view: SignificanceMatrixView
) -> None:
    environment.settings.rounds = 100
    environment.open(corpus(40))
    view.resize(400, 400)
    view.grab()
    computed: set[tuple[int, int]] = set()
    cell = view.matrix._cell

    def recording_cell(row: int, column: int) -> MatrixCell:
        computed.add((row, column))
        return cell(row, column)

    view.matrix._cell = recording_cell  # type: ignore[method-assign]
    view.viewport().grab(view.visualRect(view.matrix.index(1, 2)).united(view.visualRect(view.matrix.index(3, 5))))
    assert computed == {(row, column) for row in range(1, 4) for column in range(2, 6) if row != column}
    computed.clear()
    view.viewport().grab()
    shown = view.viewport().rect()
    every = [(row, column) for row in range(40) for column in range(40) if row != column]
    assert computed == {
        position for position in every if view.visualRect(view.matrix.index(*position)).intersects(shown)
    }
    assert 0 < len(computed) < len(every)


def test_partial_painting_equals_full_painting(
    environment: Any, corpus: Any, view: SignificanceMatrixView, qtbot: QtBot
) -> None:
    environment.open(corpus(12))
    view.resize(320, 320)
    view.setCurrentIndex(view.matrix.index(3, 4))
    unframed = view.viewport().grab().toImage()
    view.selectAll()
    whole = view.viewport().grab().toImage()
    assert whole != unframed
    for row, column in ((0, 0), (3, 4), (11, 11), (5, 2)):
        rect = view.visualRect(view.matrix.index(row, column))
        assert view.viewport().grab(rect).toImage() == whole.copy(rect)
    # nothing is painted next to the cells
    outside = whole.pixelColor(whole.width() - 1, whole.height() - 1)
    assert outside == view.palette().window().color()


def test_legend_explains_only_signs_of_the_matrix(environment: Any, corpus: Any, qtbot: QtBot) -> None:
    pane = SignificanceMatrixPane(environment.comparison)
    qtbot.addWidget(pane)
    environment.open(corpus(5))
    explained = {swatch._cell.sign for swatch in pane.findChildren(MatrixLegendSwatch) if not swatch.isHidden()} - {"+"}
    model = pane.view.matrix
    cells = [model.cell(row, column) for row, column in product(range(5), repeat=2) if row != column]
    assert explained == {cell.sign for cell in cells} - {""}
    assert SignificanceLevel.IDENTICAL.sign not in explained
