"""Files of references that hold several, or were transposed: it is said what they seem to be."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats import build_corpus, plan_imports
from tests.commands import refused

ONE = ["the cat sat on the mat", "dogs bark at night", "it rains again today"]
OTHER = ["a cat sat on the mat", "dogs bark by night", "it rains once more today"]
SHAPES = {
    "by turns": (
        [line for pair in zip(ONE, OTHER, strict=True) for line in pair],
        "2 interleaved references, 2 lines per segment",
    ),
    "one after the other": ([*ONE, *OTHER], "2 references in sequence"),
    "columns": (["\t".join(pair) for pair in zip(ONE, OTHER, strict=True)], "each line contains 2 texts separated by"),
    "transposed": (
        ["\t".join(ONE), "\t".join(OTHER)],
        "the file is transposed: 2 lines of 3 texts each, for 3 segments",
    ),
    "anything": (ONE[:2], "2"),
}


def text(lines):
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_command_says_what_a_file_of_references_seems_to_be(write, capsys, shape):
    lines, said = SHAPES[shape]
    reference, system = write("ref.txt", text(lines)), write("one.txt", text(OTHER))
    error = refused(capsys, "score", "translations", "--reference", str(reference), "--system", str(system))
    assert said in error
    assert ("Use one text per reference, with one line per segment." in error) == (shape != "anything")


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("source", [True, False])
def test_a_folder_says_the_same(write, tmp_path, shape, source):
    lines, said = SHAPES[shape]
    write("corpus/ref", text(lines))
    write("corpus/translations/one.txt", text(OTHER))
    if source:
        write("corpus/src", text(["a", "b", "c"]))
    (found,) = plan_imports([tmp_path / "corpus"])
    with pytest.raises(QeError) as error:
        build_corpus(found)
    assert said in str(error.value)


def test_a_second_reference_is_looked_at_too(write, capsys):
    files = [write("a.txt", text(ONE)), write("b.txt", text([*ONE, *OTHER]))]
    system = write("one.txt", text(OTHER))
    error = refused(capsys, "score", "translations", "--reference", *map(str, files), "--system", str(system))
    assert "b.txt" in error
    assert "references in sequence" in error


def test_a_file_for_each_segment_is_transposed(write, capsys):
    files = [write(f"ref.{place}", text(pair)) for place, pair in enumerate(zip(ONE, OTHER, strict=True))]
    system = write("one.txt", text(OTHER))
    error = refused(capsys, "score", "translations", "--reference", *map(str, files), "--system", str(system))
    assert "the references are transposed: 3 texts of 2 lines each, for 3 segments" in error


def test_a_tab_here_and_there_is_no_second_reference(write, capsys):
    write("corpus/ref", text(["a\tb", "c", "d"]))
    write("corpus/src", text(["a", "b", "c"]))
    (found,) = plan_imports([write("corpus/translations/one.txt", text(OTHER)).parent.parent])
    assert len(build_corpus(found).references["reference"]) == 3
