"""Formats of p-values in reports: a rounded p-value does not contradict the sign next to it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qe_desktop.report.format_values import P_THRESHOLDS, format_age, format_p, format_verdict
from qe_desktop.report.sampling import _with_error
from qe_desktop.significance.verdicts import judge_matrix
from qe_desktop.ui.scores import number_format


@pytest.mark.parametrize("decimals", [2, 3, 4])
@pytest.mark.parametrize("limit", P_THRESHOLDS)
@pytest.mark.parametrize("difference", [-4e-4, -4e-5, -4e-6, 0.0, 4e-6, 4e-5, 4e-4])
def test_printed_p_is_on_its_own_side_of_a_threshold(limit: float, difference: float, decimals: int) -> None:
    p = limit + difference
    text = format_p(p, decimals)
    if text.startswith("<"):
        assert p < float(text[1:])
    elif text.startswith(">"):
        assert p > float(text[1:])
    else:
        assert (float(text) < limit, float(text) > limit) == (p < limit, p > limit)


@pytest.mark.parametrize(
    ("p", "decimals", "text"),
    [(0.0496, 3, "0.0496"), (0.00996, 3, "0.00996"), (0.00094, 3, "0.0009"), (0.049996, 4, "0.049996"),
     (0.0009999, 3, "<0.001"),
     (0.05, 4, "0.0500"), (0.03, 4, "0.0300"), (1.0, 4, "1.0000"), (1e-9, 4, "<0.0001"), (0.0, 4, "0.0000"),
     (math.nan, 4, "–")],
)  # fmt: skip
def test_p_has_more_digits_only_if_it_would_be_rounded_to_a_threshold(p: float, decimals: int, text: str) -> None:
    assert format_p(p, decimals) == text


@pytest.mark.parametrize("p", [0.04996, 0.05004, 0.009996, 0.00996])
def test_cell_of_a_pair_agrees_with_its_sign(p: float) -> None:
    matrix = np.asarray([[1.0, p], [p, 1.0]])
    verdict = judge_matrix(matrix, np.asarray([2.0, 1.0]), "none", 0.05).pair(0, 1)
    printed, sign = format_verdict(verdict, 4).split()
    for text in (printed, number_format.format_p(p)):
        shown = math.nextafter(float(text.strip("<>")), {"<": 0.0, ">": 1.0}.get(text[0], float(text.strip("<>"))))
        assert (shown <= 0.05, shown < 0.01) == (sign != "○", sign == "●")


def test_error_of_p_is_rounded_as_usual() -> None:
    assert _with_error(0.2, 0.00999) == "0.2000 ± 0.0100"
    assert _with_error(0.04996, 0.00001) == "0.04996 ± <0.0001"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(59.9, "just now"), (3599, "59 min ago"), (3600, "1 h ago"), (86_399, "23 h ago"), (2 * 86_400 - 1, "1 day ago")],
)
def test_age_is_rounded_down_to_its_unit(seconds: float, text: str) -> None:
    assert format_age(0, seconds) == text
