import numpy as np
import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats import read_scores


def read_error(path, **options) -> QeError:
    with pytest.raises(QeError) as caught:
        read_scores(path, **options)
    assert caught.value.place.file == str(path)
    return caught.value


@pytest.mark.parametrize(
    "content",
    [
        "0.5\n-1\n2e-1\n",
        "0.5\r\n-1\r\n2e-1",
        "1\n2\n3\nen-de\tsys\t0\t0.5\nen-de\tsys\t1\t-1\nen-de\tsys\t2\t2e-1\n",
        "1\n2\nen-de\tsys\t2\t0.2\nen-de\tsys\t0\t0.5\nen-de\tsys\t1\t-1\n\n",
        "sys\t0\t0.5\t1\nsys\t1\t-1\t3\nsys\t2\t.2\t2\n",
        "sys\t1\t0.5\t1\nsys\t2\t-1\t3\nsys\t3\t.2\t2\n",
        "sys\t0\t0.5\nsys\t1\t-1\nsys\t2\t.2\n",
    ],
)
def test_score_layouts_are_read(write, content):
    assert np.allclose(read_scores(write("x", content), size=3).single, [0.5, -1, 0.2])


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        ("0.5\nfoo\n0.1\n", 2, '"foo" is not a number'),
        ("0.5\n\n0.1\n", 2, "no number"),
        ("0.5\n0.1 0.2\n0.1\n", 2, "2 numbers"),
        ("0.5\nnan\n0.1\n", 2, '"nan"'),
        ("0.5\n1e999\n0.1\n", 2, '"1e999"'),
        ("0.5\n1_0\n0.1\n", 2, '"1_0"'),
        ("0.5\n--1\n0.1\n", 2, '"--1"'),
        ("0.5\n0.1\n", None, "2 scores for 3 segments"),
        ("en-de\ts\t0\t1\nen-de\ts\t0\t2\nen-de\ts\t1\t2\n", 2, "duplicate segment 0, which first occurs in line 1"),
        ("en-de\ts\t0\t1\nen-de\ts\t2\t2\n", 2, "1 of 3 segments is missing; the first is 1 "),
        ("en-de\ts\t0\t1\nen-de\ts\t1\t2\n", 2, "1 of 3 segments is missing; the first is 2 "),
        ("en-de\ts\t0\t1\nen-de\ts\t1\t2\nen-de\ts\t2\t2\nen-de\ts\t3\t2\n", 4, "segment 3 does not exist"),
        ("en-de\ts\t0\t1\nen-de\ts\t1\tx\nen-de\ts\t2\t2\n", 2, '"x" is not a score'),
        ("en-de\ts\t0\t1\nen-de\ts\tx\t1\nen-de\ts\t2\t2\n", 2, '"x" is not a segment number'),
        ("en-de\ts\t0\t1\nen-de\ts\t1\n", 2, "does not have 4 columns"),
        ("en-de\ts\t0\t1\nen-de\tt\t1\t2\nen-de\ts\t2\t2\n", 3, "1 of 3 segments of s is missing; the first is 1 "),
        ("en-de\ts\t0\t1\nen-cs\ts\t1\t2\nen-de\ts\t2\t2\n", None, "several language pairs: en-de, en-cs"),
    ],
)
def test_invalid_scores_are_refused_with_their_line(write, content, line, says):
    error = read_error(write("x", content), size=3)
    assert says in error.message
    assert error.place.line == line


def test_spellings_of_a_language_pair_are_one_pair(write):
    path = write("s.tsv", "en-de\ts\t0\t1\nen-DE\ts\t1\t2\n")
    assert read_scores(path).single.tolist() == [1, 2]
    assert read_scores(path, language_pair="eng-deu").single.tolist() == [1, 2]


def test_language_pair_is_selected(write):
    path = write("x", "en-de\ts\t0\t1\nen-cs\ts\t0\t2\nen-de\ts\t1\t3\n")
    assert read_scores(path, language_pair="EN-DE").single.tolist() == [1, 3]
    assert "not for en-ja" in read_error(path, language_pair="en-ja").message


def test_huge_segment_number_is_refused_without_allocating_memory(write):
    assert "missing" in read_error(write("x", f"en-de\ts\t0\t1\nen-de\ts\t{10**14}\t2\n")).message
