"""Reading takes memory and time in proportion to the file size: fields are converted in batches."""

import gc
import tracemalloc
import weakref

import numpy as np
import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats import ProbabilityOf, open_file, tsv
from qe_desktop.formats.importing.planned_file import QuestionAnswers
from qe_desktop.formats.scores.score_lines import read_number_lines, read_token_numbers
from qe_desktop.formats.tags.probabilities import fit_numbers

LINE = 1 << 21
"""Size in bytes of a line; a file without line ends is one block."""


def test_long_number_does_not_increase_memory_of_other_numbers(write):
    """An array of fields as wide as the longest number would take over 1 GB for a file of 4 MB."""
    opened = open_file(write("x", b"0.1234567890123456789012345678901234567 " + b"1 " * (LINE // 2)))
    tracemalloc.start()
    values, counts = read_number_lines(opened)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert counts.tolist() == [LINE // 2 + 1]
    assert values[0] == np.float64("0.1234567890123456789012345678901234567")
    assert values[1:].min() == values[1:].max() == 1
    assert peak < 60 * LINE


def test_invalid_number_slows_down_only_its_batch(write, monkeypatch):
    slow_fields: list[bytes] = []
    original = tsv._decimal

    def recording(field: bytes) -> float:
        slow_fields.append(field)
        return original(field)

    monkeypatch.setattr(tsv, "_decimal", recording)
    opened = open_file(write("x", b"0 " * (LINE // 4) + b"- " + b"0 " * (LINE // 4)))
    with pytest.raises(QeError, match="not a number"):
        read_number_lines(opened)
    assert 0 < len(slow_fields) <= tsv.PARSE_BATCH_FIELDS


def test_line_lookup_does_not_keep_the_numbers_in_memory(write):
    """The line lookup is retained until all files are read, so it must not reference the numbers."""
    opened = open_file(write("x", b"-0.5 -0.25\n-1\n"))
    column = read_token_numbers(opened)
    numbers = fit_numbers(column, opened, None, answers=QuestionAnswers(None, ProbabilityOf.OK))
    values_ref = weakref.ref(column.values)
    assert [numbers.line(segment) for segment in range(2)] == [1, 2]
    line = numbers.line
    del column, numbers
    gc.collect()
    assert values_ref() is None
    assert line(1) == 2
