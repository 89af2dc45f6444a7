"""Charts as SVG: everything that a chart holds is drawn where it is, names are text, and axes have round numbers."""

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
    points = ChartPoints(X, Y, lambda place: f"dot <{place}>", kinds=np.asarray([0, 1, 0]), names=NAMES)
    ends = np.stack([X - 0.2, X + 0.2], axis=1), np.stack([Y - 0.1, np.asarray([-0.9, np.nan, 1.1])], axis=1)
    held = {
        "lines": (ChartLine(X, Y, LegendKey("a line", "bad", "dashed")),),
        "crosses": (ErrorBars(X, Y, *ends, LegendKey("95 %", "muted", "cross")),),
        "points": points,
        "dots": (LegendKey("filled", "accent", "dot"), LegendKey("hollow", "bad", "ring")),
    }
    return AxisChart("across", "up", (-0.2, 3.2, -1.1, 2.1), **{**held, **more})


def drawn(panel):
    """The elements by their tag, all of them well-formed."""
    root = ElementTree.fromstring(panel_svg(panel))
    found = {}
    for element in root.iter():
        found.setdefault(element.tag.rpartition("}")[2], []).append(element)
    return found


def texts(found):
    return [element.text for element in found["text"]]


def test_what_a_chart_holds_is_drawn_where_it_is():
    found = drawn(Panel("a title", chart(), "a caption"))
    assert {"a title", "a caption", "across", "up", "a line", "95 %", "filled", "hollow", *NAMES} <= set(texts(found))
    dots = [one for one in found["circle"] if one.get("r") == "3.5"][2:]
    across, upwards = ([float(dot.get(name)) for dot in dots] for name in ("cx", "cy"))
    # affine in the numbers, upwards from below
    assert np.polyfit(X, across, 1)[0] > 0 > np.polyfit(Y, upwards, 1)[0]
    assert np.corrcoef(X, across)[0, 1] == pytest.approx(1, abs=1e-6)
    assert np.corrcoef(Y, upwards)[0, 1] == pytest.approx(-1, abs=1e-6)
    assert [dot.get("fill") == "#ffffff" for dot in dots] == [False, True, False]
    paths = [one.get("d") for one in found["path"]]
    line = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(across, upwards, strict=True))
    assert line in paths
    # three arms across, two up
    arms = next(path for path in paths if path.count("M") == 5)
    assert arms.startswith(f"M{across[0] - 0.2 * (across[1] - across[0]):.1f} {upwards[0]:.1f}L")


def test_dots_say_what_they_are_unless_there_are_too_many():
    assert [one.text for one in drawn(Panel("", chart()))["title"]] == [f"dot <{place}>" for place in range(3)]
    many = np.linspace(0, 3, MAX_LABELLED_POINTS + 1)
    found = drawn(Panel("", chart(points=ChartPoints(many, many / 2, str))))
    assert "title" not in found
    assert len(found["circle"]) == MAX_LABELLED_POINTS + 3


def test_bars_stand_on_zero():
    bars = ChartBars(np.asarray([1.0, 2.0]), 0.4, np.asarray([1.0, -1.0]), LegendKey("bars", "accent", "hatched"))
    found = drawn(Panel("", chart(bars=(bars,), points=None, percent=True)))
    above, below = [one for one in found["rect"] if one.get("stroke")][-2:]
    assert float(above.get("y")) + float(above.get("height")) == pytest.approx(float(below.get("y")), abs=0.11)
    assert above.get("height") == below.get("height")
    assert "100%" in texts(found)
    assert not any(text.startswith("−") for text in texts(found) if text.endswith("%"))


def test_words_stand_where_nothing_can_be_drawn():
    found = drawn(Panel("a title", "there is nothing " * 20))
    assert "path" not in found
    assert " ".join(texts(found)[1:]) == ("there is nothing " * 20).strip()
    with pytest.raises(ValueError, match="Heat"):
        panel_svg(Panel("", HeatMap((), (), np.zeros((0, 0)), lambda one, other: "")))


def test_long_titles_and_legends_take_lines():
    keys = tuple(LegendKey(f"a rather long name, number {place}", "accent", "line") for place in range(6))
    found = drawn(Panel("many words " * 30, chart(lines=tuple(ChartLine(X, Y, key) for key in keys))))
    rows = [float(one.get("y")) for one in found["text"] if one.text.startswith("a rather")]
    assert len(set(rows)) >= 3
    shown = [one.text for one in found["text"] if one.get("font-weight")]
    assert len(shown) > 1
    assert all(float(one.get("x")) < CHART_WIDTH_PX for one in found["text"])


@pytest.mark.parametrize(
    ("low", "high", "first", "last"),
    [
        (0, 1, "0.0", "1.0"), (-16.2, -3.1, "−16", "−4"), (0.77, 0.95, "0.80", "0.95"),
        (-2e-5, 3e-5, "−0.00002", "0.00003"), (12345, 99999, "20000", "80000"),
    ],
)  # fmt: skip
def test_axes_have_round_numbers(low, high, first, last):
    found = axis_ticks(low, high)
    assert (found[0][1], found[-1][1]) == (first, last)
    assert 3 <= len(found) <= MAX_TICKS + 1
    for number, text in found:
        assert low - 1e-9 <= number <= high + 1e-9
        assert float(text.replace("−", "-")) == pytest.approx(number, abs=1e-12)
        assert not re.fullmatch("−[0.]+", text)


def test_what_counts_has_whole_numbers_alone():
    assert [text for _, text in axis_ticks(0.9, 3.1, whole=True)] == ["1", "2", "3"]
    assert axis_ticks(2, 2) == [(2, "2")]
