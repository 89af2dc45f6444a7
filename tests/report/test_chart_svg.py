"""Charts as SVG: all elements are drawn at their coordinates, names are escaped, and ticks are round numbers."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from qe_desktop.levels.chart_model import (
    AxisChart,
    ChartBars,
    ChartLine,
    ChartPoints,
    ErrorBars,
    HeatMap,
    LegendKey,
    Panel,
)
from qe_desktop.report.render.chart_svg import CHART_WIDTH_PX, MAX_LABELLED_POINTS, panel_svg
from qe_desktop.report.render.svg import MAX_TICKS, axis_ticks

X, Y = np.asarray([0.0, 1.0, 3.0]), np.asarray([-1.0, 2.0, 1.0])
NAMES = ("<b>one</b>", "two & 2", "ثلاثة")


def chart(**more):
    points = ChartPoints(X, Y, lambda index: f"dot <{index}>", key_indices=np.asarray([0, 1, 0]), labels=NAMES)
    ends = np.stack([X - 0.2, X + 0.2], axis=1), np.stack([Y - 0.1, np.asarray([-0.9, np.nan, 1.1])], axis=1)
    defaults = {
        "lines": (ChartLine(X, Y, LegendKey("a line", "bad", "dashed")),),
        "error_bars": (ErrorBars(X, Y, *ends, LegendKey("95 %", "muted", "cross")),),
        "points": points,
        "dots": (LegendKey("filled", "accent", "dot"), LegendKey("hollow", "bad", "ring")),
    }
    return AxisChart("across", "up", (-0.2, 3.2, -1.1, 2.1), **{**defaults, **more})


def svg_elements(panel):
    """Return the elements of the well-formed SVG by tag."""
    root = ElementTree.fromstring(panel_svg(panel))
    result = {}
    for element in root.iter():
        result.setdefault(element.tag.rpartition("}")[2], []).append(element)
    return result


def texts(elements):
    return [element.text for element in elements["text"]]


def test_chart_elements_are_drawn_at_their_coordinates():
    elements = svg_elements(Panel("a title", chart(), "a caption"))
    assert {"a title", "a caption", "across", "up", "a line", "95 %", "filled: 2", "hollow: 1", *NAMES} <= set(
        texts(elements)
    )
    dots = [element for element in elements["circle"] if element.get("r") == "3.5"][2:]
    across, upwards = ([float(dot.get(name)) for dot in dots] for name in ("cx", "cy"))
    # affine in the values; y is measured from the top
    assert np.polyfit(X, across, 1)[0] > 0 > np.polyfit(Y, upwards, 1)[0]
    assert np.corrcoef(X, across)[0, 1] == pytest.approx(1, abs=1e-6)
    assert np.corrcoef(Y, upwards)[0, 1] == pytest.approx(-1, abs=1e-6)
    assert [dot.get("fill") == "#ffffff" for dot in dots] == [False, True, False]
    paths = [element.get("d") for element in elements["path"]]
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(across, upwards, strict=True))
    assert line in paths
    # three horizontal error bars, two vertical ones
    arms = next(path for path in paths if path.count("M") == 5)
    assert arms.startswith(f"M{across[0] - 0.2 * (across[1] - across[0]):.1f} {upwards[0]:.1f}L")


def test_legend_has_its_title_and_a_caution_is_below_the_title():
    plain, marked = (
        svg_elements(Panel("a title", chart(), caution=caution, legend=legend))
        for caution, legend in (("", ""), ("too few <systems>", "Dots: 3 systems"))
    )
    assert {"⚠ too few <systems>", "Dots: 3 systems"} <= set(texts(marked)) - set(texts(plain))
    # the title of the legend is on the line of its first key, and both are below the caution
    tops = {element.text: float(element.get("y")) for element in marked["text"]}
    assert tops["a title"] < tops["⚠ too few <systems>"] < tops["Dots: 3 systems"] == tops["a line"]


def test_dots_have_tooltips_unless_there_are_too_many():
    assert [element.text for element in svg_elements(Panel("", chart()))["title"]] == [
        f"dot <{index}>" for index in range(3)
    ]
    many = np.linspace(0, 3, MAX_LABELLED_POINTS + 1)
    elements = svg_elements(Panel("", chart(points=ChartPoints(many, many / 2, str))))
    assert "title" not in elements
    assert len(elements["circle"]) == MAX_LABELLED_POINTS + 3


def test_bars_start_at_zero():
    bars = ChartBars(np.asarray([1.0, 2.0]), 0.4, np.asarray([1.0, -1.0]), LegendKey("bars", "accent", "hatched"))
    elements = svg_elements(Panel("", chart(bars=(bars,), points=None, is_percent=True)))
    above, below = [element for element in elements["rect"] if element.get("stroke")][-2:]
    assert float(above.get("y")) + float(above.get("height")) == pytest.approx(float(below.get("y")), abs=0.11)
    assert above.get("height") == below.get("height")
    assert "100%" in texts(elements)
    assert not any(text.startswith("−") for text in texts(elements) if text.endswith("%"))


def test_panel_without_a_chart_shows_its_message():
    elements = svg_elements(Panel("a title", "there is nothing " * 20))
    assert "path" not in elements
    assert " ".join(texts(elements)[1:]) == ("there is nothing " * 20).strip()
    with pytest.raises(ValueError, match="Heat"):
        panel_svg(Panel("", HeatMap((), (), np.zeros((0, 0)), lambda first, second: "")))


def test_long_titles_and_legends_are_wrapped():
    keys = tuple(LegendKey(f"a rather long name, number {index}", "accent", "line") for index in range(6))
    elements = svg_elements(Panel("many words " * 30, chart(lines=tuple(ChartLine(X, Y, key) for key in keys))))
    rows = [float(element.get("y")) for element in elements["text"] if element.text.startswith("a rather")]
    assert len(set(rows)) >= 3
    shown = [element.text for element in elements["text"] if element.get("font-weight")]
    assert len(shown) > 1
    assert all(float(element.get("x")) < CHART_WIDTH_PX for element in elements["text"])


@pytest.mark.parametrize(
    ("low", "high", "first", "last"),
    [
        (0, 1, "0.0", "1.0"), (-16.2, -3.1, "−16", "−4"), (0.77, 0.95, "0.80", "0.95"),
        (-2e-5, 3e-5, "−0.00002", "0.00003"), (12345, 99999, "20000", "80000"),
    ],
)  # fmt: skip
def test_axis_ticks_are_round_numbers(low, high, first, last):
    ticks = axis_ticks(low, high)
    assert (ticks[0][1], ticks[-1][1]) == (first, last)
    assert 3 <= len(ticks) <= MAX_TICKS + 1
    for number, text in ticks:
        assert low - 1e-9 <= number <= high + 1e-9
        assert float(text.replace("−", "-")) == pytest.approx(number, abs=1e-12)
        assert not re.fullmatch("−[0.]+", text)


def test_ticks_of_counts_are_whole_numbers():
    assert [text for _, text in axis_ticks(0.9, 3.1, integers=True)] == ["1", "2", "3"]
    assert axis_ticks(2, 2) == [(2, "2")]
