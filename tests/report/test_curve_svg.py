"""Curves as SVG: different line styles, inside the square, and escaped names."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np

from qe_desktop.report.render.chart_svg import CURVE_MARGIN_PX, CURVE_SIDE_PX, MAX_CURVE_POINTS, curves_svg

SVG = "{http://www.w3.org/2000/svg}"


def svg_polylines(curves):
    root = ElementTree.fromstring(curves_svg("a & b", curves))
    return root, root.findall(f"{SVG}polyline")


def test_curves_span_the_square_and_have_different_styles():
    across = np.linspace(0, 1, 5000)
    curves = {f"<s{index}>": (across, 1 - across**index) for index in range(1, 12)}
    root, lines = svg_polylines(curves)
    assert len({(line.get("stroke"), line.get("stroke-dasharray")) for line in lines}) == 11
    for line in lines:
        points = np.asarray([[float(number) for number in pair.split(",")] for pair in line.get("points").split()])
        assert 100 < len(points) <= MAX_CURVE_POINTS
        assert (points[0, 0], points[-1, 0]) == (CURVE_MARGIN_PX, CURVE_MARGIN_PX + CURVE_SIDE_PX)
        assert points[0, 1] < points[-1, 1]
    assert {"<s1>", "<s11>", "a & b"} <= {text.text for text in root.findall(f"{SVG}text")}


def test_undefined_points_are_omitted():
    _, lines = svg_polylines(
        {"one": (np.array([0, 0.5, 1]), np.array([np.nan, 1, 0.5])), "none": (np.zeros(2) * np.nan,) * 2}
    )
    assert [len(re.findall(",", line.get("points"))) for line in lines] == [2, 0]
    assert svg_polylines({})[1] == []


def test_legend_of_curves_has_a_title_above_its_names():
    root = ElementTree.fromstring(curves_svg("", {"one": (np.zeros(2), np.ones(2))}, legend="Lines: systems"))
    tops = {text.text: float(text.get("y")) for text in root.findall(f"{SVG}text")}
    assert tops["Lines: systems"] < tops["one"]
