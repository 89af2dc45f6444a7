"""Numbers that are typed into the options of the sampling study."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.ui.scores.studies.sampling_study import parse_sizes


def test_sizes_are_separated_by_spaces_commas_or_semicolons():
    assert parse_sizes("100 500, 1e3; 2000") == (100, 500, 1000, 2000)
    assert parse_sizes(" ") == ()


@pytest.mark.parametrize("text", ["x", "nan", "inf", "1e1000000", "-1e1000000", "1.5"])
def test_other_numbers_are_refused_at_once(text):
    with pytest.raises(QeError):
        parse_sizes(f"100 {text}")
