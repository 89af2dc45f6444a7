"""Ticks of numeric axes: written as scores are, and whole numbers for counts."""

from __future__ import annotations

import pytest

from qe_desktop.ui.widgets.plots.plot_base import NumberAxis


@pytest.fixture
def axis(qtbot) -> NumberAxis:
    return NumberAxis("bottom")


def tick_labels(axis: NumberAxis, low: float, high: float) -> list[str]:
    spacing, values = axis.tickValues(low, high, 300)[0]
    return axis.tickStrings(values, 1.0, spacing)


def test_labels_have_no_zero_before_the_decimal_point(axis):
    assert tick_labels(axis, -0.5, 0.5) == ["−.4", "−.2", "0", ".2", ".4"]
    assert tick_labels(axis, 0.0, 1.0)[0] == "0"
    assert all(not label.startswith("0.") for label in tick_labels(axis, 0.2, 0.3))


@pytest.mark.parametrize("most", [1, 2, 3, 7, 40, 900])
def test_ticks_of_a_count_are_whole_numbers(axis, most):
    axis.has_integer_ticks = True
    ticks = axis.tickValues(0.0, most, 300)
    values = [value for _, level in ticks for value in level]
    assert values
    assert all(float(value).is_integer() for value in values)
    assert all("." not in label for spacing, level in ticks for label in axis.tickStrings(level, 1.0, spacing))
