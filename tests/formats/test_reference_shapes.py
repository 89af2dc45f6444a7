"""Reference files that contain several references or are transposed: the error describes the detected shape."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats import build_corpus, plan_imports
from tests.command_line import error_line

FIRST_REFERENCE = ["the cat sat on the mat", "dogs bark at night", "it rains again today"]
SECOND_REFERENCE = ["a cat sat on the mat", "dogs bark by night", "it rains once more today"]
SHAPES = {
    "by turns": (
        [line for pair in zip(FIRST_REFERENCE, SECOND_REFERENCE, strict=True) for line in pair],
        "2 interleaved references, 2 lines per segment",
    ),
    "one after the other": ([*FIRST_REFERENCE, *SECOND_REFERENCE], "2 references in sequence"),
    "columns": (
        ["\t".join(pair) for pair in zip(FIRST_REFERENCE, SECOND_REFERENCE, strict=True)],
        "each line contains 2 texts separated by",
    ),
    "transposed": (
        ["\t".join(FIRST_REFERENCE), "\t".join(SECOND_REFERENCE)],
        "the file is transposed: 2 lines, each with 3 tab-separated texts, for 3 segments",
    ),
    "anything": (FIRST_REFERENCE[:2], "2"),
}


def text(lines):
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("shape", SHAPES)
def test_command_describes_the_shape_of_a_reference_file(write, capsys, shape):
    lines, expected = SHAPES[shape]
    reference, system = write("ref.txt", text(lines)), write("one.txt", text(SECOND_REFERENCE))
    error = error_line(capsys, "score", "translations", "--reference", str(reference), "--system", str(system))
    assert expected in error
    assert ("Use one file per reference, with one line per segment." in error) == (shape != "anything")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("source", [True, False])
def test_import_describes_the_shape_of_a_reference_file(write, tmp_path, shape, source):
    lines, expected = SHAPES[shape]
    write("corpus/ref", text(lines))
    write("corpus/translations/one.txt", text(SECOND_REFERENCE))
    if source:
        write("corpus/src", text(["a", "b", "c"]))
    (plan,) = plan_imports([tmp_path / "corpus"])
    with pytest.raises(QeError) as error:
        build_corpus(plan)
    assert expected in str(error.value)


def test_second_reference_is_checked_too(write, capsys):
    files = [write("a.txt", text(FIRST_REFERENCE)), write("b.txt", text([*FIRST_REFERENCE, *SECOND_REFERENCE]))]
    system = write("one.txt", text(SECOND_REFERENCE))
    error = error_line(capsys, "score", "translations", "--reference", *map(str, files), "--system", str(system))
    assert "b.txt" in error
    assert "references in sequence" in error


def test_one_file_per_segment_is_reported_as_transposed(write, capsys):
    files = [
        write(f"ref.{segment}", text(pair))
        for segment, pair in enumerate(zip(FIRST_REFERENCE, SECOND_REFERENCE, strict=True))
    ]
    system = write("one.txt", text(SECOND_REFERENCE))
    error = error_line(capsys, "score", "translations", "--reference", *map(str, files), "--system", str(system))
    assert "the references are transposed: 3 texts of 2 lines each, for 3 segments" in error


def test_single_tab_is_not_a_second_reference(write, capsys):
    write("corpus/ref", text(["a\tb", "c", "d"]))
    write("corpus/src", text(["a", "b", "c"]))
    (plan,) = plan_imports([write("corpus/translations/one.txt", text(SECOND_REFERENCE)).parent.parent])
    assert len(build_corpus(plan).references["reference"]) == 3
