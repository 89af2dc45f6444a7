"""Files that once took far more memory and time than their size: fields are gathered some at a time."""

import gc
import tracemalloc
import weakref

import numpy as np
import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats import ProbabilityOf, open_file
from qe_desktop.formats.importing.questions import QuestionAnswers
from qe_desktop.formats.scores.score_lines import read_number_lines, read_token_numbers
from qe_desktop.formats.tabular import tsv
from qe_desktop.formats.tags.probabilities import fit_numbers

LINE = 1 << 21
"""Bytes of a line: a file without line ends is one block."""


def test_one_long_number_in_a_long_line_does_not_widen_all_the_others(write):
    """Each number took as much memory as the longest, eight times over: 1.3 GB for 4 MB, and 715 MB in practice."""
    opened = open_file(write("x", b"0.1234567890123456789012345678901234567 " + b"1 " * (LINE // 2)))
    tracemalloc.start()
    values, counts = read_number_lines(opened)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert counts.tolist() == [LINE // 2 + 1]
    assert values[0] == np.float64("0.1234567890123456789012345678901234567")
    assert values[1:].min() == values[1:].max() == 1
    assert peak < 60 * LINE


def test_what_is_no_number_slows_down_only_those_beside_it(write, monkeypatch):
    slow: list[bytes] = []
    plain = tsv._decimal

    def counted(field: bytes) -> float:
        slow.append(field)
        return plain(field)

    monkeypatch.setattr(tsv, "_decimal", counted)
    opened = open_file(write("x", b"0 " * (LINE // 4) + b"- " + b"0 " * (LINE // 4)))
    with pytest.raises(QeError, match="not a number"):
        read_number_lines(opened)
    assert 0 < len(slow) <= tsv.UNQUOTE_BATCH_FIELDS


def test_what_tells_the_lines_of_a_file_keeps_no_column(write):
    """A corpus holds it until all files are read: it kept every system's numbers twice."""
    opened = open_file(write("x", b"-0.5 -0.25\n-1\n"))
    column = read_token_numbers(opened)
    found = fit_numbers(column, opened, None, answers=QuestionAnswers(None, ProbabilityOf.OK))
    kept = weakref.ref(column.values)
    assert [found.line(segment) for segment in range(2)] == [1, 2]
    line = found.line
    del column, found
    gc.collect()
    assert kept() is None
    assert line(1) == 2
