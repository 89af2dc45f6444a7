"""The plots and coefficients below the table of scores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, QeError
from qe_desktop.ui.scores.area import ScoresArea
from tests.ui.scores.visible_texts import visible_texts


def test_plots_are_created_when_shown_and_then_updated_in_place(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot, tmp_path: Path
) -> None:
    environment.open(corpus(3))
    assert area.systems.intervals.plot is None
    area.show()
    qtbot.waitUntil(lambda: area.systems.intervals.plot is not None)
    first = area.systems.intervals.plot
    assert "95 % interval of F1-mult: " in first.widget.accessibleDescription()
    environment.comparison.set_metric("MCC")
    environment.wait()
    assert area.systems.intervals.plot is first
    assert "95 % interval of MCC: " in first.widget.accessibleDescription()
    counts = area.systems.gallery.pane("hits-and-misses")
    area.systems.gallery.setCurrentWidget(counts)
    qtbot.waitUntil(lambda: counts.plot_widget.plot is not None)
    widget = counts.plot_widget.plot.frames[0].current_plot().widget
    before = widget.accessibleDescription()
    assert "system 0: " in before
    environment.flip_tag(0, 0)
    assert widget.accessibleDescription() != before
    environment.wait()
    for name, signature in (("plot.png", b"\x89PNG"), ("plot.svg", b"<?xml"), ("plot.pdf", b"%PDF")):
        counts.plot_widget.save(str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(signature)
    with pytest.raises(QeError, match="cannot be written"):
        counts.plot_widget.save(str(tmp_path / "no such folder" / "plot.png"))


def test_hit_counts_are_hits_false_alarms_and_misses(environment: Any, corpus: Any) -> None:
    from qe_desktop.levels.level import ChartRequest
    from qe_desktop.levels.words.hits_and_misses import hit_counts

    opened: Corpus = corpus(2)
    environment.open(opened)
    scoring, totals = environment.scores.scoring(), environment.scores.snapshot().totals
    request = ChartRequest(scoring.view, scoring.reference, scoring.subjects, 0, totals, str)
    gold, *systems = (layer.tags.values.astype(bool) for layer in opened.layers.values())
    expected = [[(s & gold).sum(), (s & ~gold).sum(), (~s & gold).sum()] for s in systems]
    assert hit_counts(request).tolist() == expected


def test_hits_and_misses_are_listed_in_the_order_of_the_table(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    environment.open(corpus(4))
    area.show()
    gallery, model = area.systems.gallery, area.systems.table.scores_model
    pane = gallery.pane("hits-and-misses")
    gallery.setCurrentWidget(pane)
    qtbot.waitUntil(lambda: pane.plot_widget.plot is not None)
    for order in (Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder):
        model.sort(1, order)
        listed = [model.layer(row).display_name for row in range(4)]
        assert list(pane.content[0].content.names) == listed


def test_coefficients_and_intervals_follow_the_number_of_decimals(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    environment.open(corpus(5))
    area.show()
    systems = area.systems
    qtbot.waitUntil(lambda: systems.intervals.shows_plot)
    coefficients, shown = systems.coefficients.table.coefficients, systems._interval_plot
    before = str(coefficients.index(0, 1).data())
    environment.settings.decimals = 4
    assert len(str(coefficients.index(0, 1).data())) == len(before) + 1
    assert len(shown._labels[0].toPlainText().partition(".")[2]) == 4


def test_discriminative_power_is_explained_at_its_tab_and_above_its_table(
    environment: Any, corpus: Any, area: ScoresArea
) -> None:
    environment.open(corpus(3))
    gallery, pane = area.systems.gallery, area.systems.coefficients
    for tooltip in (gallery.tabToolTip(gallery.indexOf(pane)), pane._explanation.toolTip()):
        assert "share of system pairs that a metric separates significantly" in tooltip
        assert "Use it to select a metric" in tooltip


def test_coefficients_equal_those_of_the_comparison(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(17))
    model = area.systems.coefficients.table.coefficients
    comparison = environment.comparison.result.comparison
    copied = [line.split("\t") for line in model.full_table().tsv().splitlines()]
    assert copied[0] == ["metric", "d", "d_top", "d_bottom"]
    shown = [float(line[1]) for line in copied[1:]]
    assert shown == [metric.d for metric in comparison.metrics]
    assert "of 136 tested pairs significantly" in str(model.index(0, 1).data(Qt.ItemDataRole.AccessibleTextRole))
    assert "of 28 tested pairs significantly" in str(model.index(0, 2).data(Qt.ItemDataRole.AccessibleTextRole))
    area.systems.gallery.setCurrentWidget(area.systems.coefficients)
    assert [column.header for column in model.columns[1:]] == ["all 17", "top 8", "bottom 9"]
    assert "among the 8 systems that this metric ranks best (d_top)" in model.columns[2].tooltip
    names = [row[0] for row in model.rows]
    assert [cell.text for cell in names if cell.token == "accent"] == [environment.comparison.metric]
    assert not any(cell.is_bold for row in model.rows for cell in row)


@pytest.mark.parametrize(("systems", "shown"), [(2, ["1 pair"]), (3, ["3 pairs", "1 pair"])])
def test_groups_without_pairs_have_no_coefficient(
    environment: Any, corpus: Any, area: ScoresArea, systems: int, shown: list[str]
) -> None:
    environment.open(corpus(systems))
    area.systems.gallery.setCurrentWidget(area.systems.coefficients)
    columns = area.systems.coefficients.table.coefficients.columns
    assert [column.second_line for column in columns[1:]] == shown
    assert "Top and bottom columns appear only for groups of at least two systems." in visible_texts(area)


def count_colours(widget: QWidget) -> int:
    """Return the number of colours in an image of a widget; text and lines have many, because they are antialiased."""
    image = widget.grab().toImage()
    return len({image.pixel(x, y) for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)})


@pytest.mark.parametrize("systems", [2, 5, 17, 40])
def test_area_is_painted_with_few_and_many_systems(
    environment: Any, corpus: Any, area: ScoresArea, systems: int, qtbot: QtBot
) -> None:
    environment.settings.rounds = 100
    environment.open(corpus(systems))
    area.show()
    qtbot.waitUntil(lambda: area.systems.intervals.plot is not None)
    assert area.systems.table.model().rowCount() == systems
    for widget in (area.systems.table, area.systems.matrix, area.systems.intervals):
        assert widget.isVisible()
        assert count_colours(widget) > 8


def test_rows_of_intervals_are_at_the_height_of_those_of_the_matrix(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    environment.open(corpus(4))
    area.show()
    page = area.systems
    qtbot.waitUntil(lambda: page.intervals.plot is not None)

    def distances() -> list[float]:
        view, plot = page.matrix.view, page._interval_plot
        box = plot._plot.getPlotItem().getViewBox()
        rows = []
        for row in range(4):
            cell = view.visualRect(view.matrix.index(row, 0)).center()
            scene = box.mapViewToScene(QPointF(0.0, float(row)))
            drawn = plot.widget.viewport().mapToGlobal(plot.widget.mapFromScene(scene)).y()
            rows.append(abs(drawn - view.viewport().mapToGlobal(cell).y()))
        return rows

    qtbot.waitUntil(lambda: max(distances()) <= 2)
    # another order, and another size
    page.options.order.setCurrentIndex(1)
    page.options.order.activated.emit(1)
    names = [row.name for row in page._intervals().rows]
    assert names == [page.matrix.view.matrix.name(place) for place in range(4)]
    area.resize(1200, 800)
    qtbot.waitUntil(lambda: max(distances()) <= 2)
