import doctest

import pytest

from qe_desktop.ui.scores import number_format


def test_docstring_examples_are_correct() -> None:
    assert doctest.testmod(number_format).failed == 0


@pytest.mark.parametrize(
    ("value", "decimals", "text"),
    [(0.0, 3, ".000"), (-0.0001, 3, ".000"), (1.023, 3, "1.023"), (0.27912, 4, ".2791"), (-1.0, 3, "−1.000")],
)
def test_scores_have_no_leading_zero_and_no_negative_zero(value: float, decimals: int, text: str) -> None:
    assert number_format.format_score(value, decimals) == text


def test_small_p_is_never_zero() -> None:
    assert number_format.format_p(1e-9) == "<.001"
    assert number_format.format_p_relation(1e-9) == "< .001"
    assert number_format.format_p_relation(0.05) == "= .050"


@pytest.mark.parametrize("limit", [0.001, 0.01, 0.05])
@pytest.mark.parametrize("difference", [-4e-4, -4e-5, 4e-5, 4e-4])
def test_displayed_p_is_on_its_own_side_of_a_threshold(limit: float, difference: float) -> None:
    p = limit + difference
    text = number_format.format_p(p)
    assert len(text.strip("<>.0")) <= 3
    if text[0] in "<>":
        assert (float(text[1:]) > p) == (text[0] == "<")
    else:
        assert (float(text) < limit) == (p < limit)
    assert number_format.format_p_relation(p).replace(" ", "").removeprefix("=") == text
