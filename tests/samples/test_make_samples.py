"""Script that generates the samples: reproducible output, detection of differences, and edit alignment."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.samples.sample_files import PAIRS, SAMPLES, edit_distance


@pytest.fixture
def samples_copy(tmp_path: Path) -> Path:
    shutil.copytree(SAMPLES, tmp_path / "samples")
    return tmp_path / "samples"


def test_check_finds_no_difference_in_the_repository(
    make_samples: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert make_samples.PAIRS == PAIRS
    assert make_samples.main(["--check"]) == 0
    assert capsys.readouterr().err == ""


def test_differences_list_changed_missing_and_extra_files(make_samples: ModuleType, samples_copy: Path) -> None:
    folder = samples_copy / "en-he"
    assert make_samples.differences(folder) == []
    with (folder / "sample.tags").open("a", encoding="utf-8") as file:
        file.write("OK\n")
    (folder / "systems" / "weak.probabilities").unlink()
    (folder / "sample.old").write_text("", encoding="utf-8")
    assert make_samples.differences(folder) == ["sample.old", "sample.tags", "systems/weak.probabilities"]


def test_check_of_a_changed_file_exits_with_one_and_writes_nothing(
    make_samples: ModuleType, samples_copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(make_samples, "PAIRS", ("en-ja",))
    monkeypatch.setattr(make_samples, "derive_jobs", lambda samples: {})
    path = samples_copy / "en-ja" / "sample.hter"
    path.write_text("changed\n", encoding="utf-8")
    assert make_samples.main(["--check", "--samples", str(samples_copy)]) == 1
    assert path.read_text(encoding="utf-8") == "changed\n"
    assert make_samples.main(["--samples", str(samples_copy)]) == 0
    assert path.read_bytes() == (SAMPLES / "en-ja" / "sample.hter").read_bytes()


def test_predicted_hter_is_computed_from_probabilities(make_samples: ModuleType) -> None:
    assert make_samples.predicted_hter([[0.5, 0.25], [1.0]], [[0.0, 0.25, 0.0], [0.5, 0.5]]) == [0.5, 2.0]


@pytest.mark.parametrize(
    ("mt", "pe", "tags"),
    [
        ("a b c", "a b c", "OK OK OK OK OK OK OK"),
        ("a x c", "a b c", "OK OK OK BAD OK OK OK"),
        ("a b b c", "a b c", None),
        ("a c", "a b c", "OK OK BAD OK OK"),
        ("b c", "a b c", "BAD OK OK OK OK"),
        ("a b", "a b c d", "OK OK OK OK BAD"),
        ("A b", "a b", "OK BAD OK OK OK"),
        ("x b a", "x a b", None),
        # both have two edits: keeping a word is preferred to two substitutions
        ("a b", "b a", None),
        ("Haus rot", "neues Häuser rot", "BAD BAD OK OK OK"),
    ],
)
def test_edit_alignment_gives_tags_and_minimum_edits(
    make_samples: ModuleType, mt: str, pe: str, tags: str | None
) -> None:
    edits = sys.modules["sampling.gold"].align_edits(mt.split(), pe.split())
    assert edits.count == edit_distance(mt.split(), pe.split())
    got = " ".join("BAD" if flag else "OK" for flag in edits.interleaved())
    if tags is not None:
        assert got == tags
    assert all(mt.split()[i] == pe.split()[j] for i, j in edits.kept)


def test_edit_alignment_keeps_words_rather_than_substituting(make_samples: ModuleType) -> None:
    edits = sys.modules["sampling.gold"].align_edits(["a", "b"], ["b", "a"])
    assert edits.count == 2
    assert len(edits.kept) == 1
    assert edits.word_bad.count(True) == 1
    assert edits.gap_bad.count(True) == 1


@pytest.mark.parametrize(
    "text",
    [
        "news\ta\tb\n",
        "news\ta\tb \tb\n",
        "news\ta\tb\t\n",
        "news\ta\tb\tb\nmail\ta\tb\tb\nnews\ta\tb\tb\n",
        "news\ta\tb\tb",
    ],
    ids=["too few columns", "white space", "empty text", "document in pieces", "no last line end"],
)
def test_invalid_authored_file_is_an_error(make_samples: ModuleType, tmp_path: Path, text: str) -> None:
    path = tmp_path / "authored.tsv"
    path.write_text(f"{sys.modules['sampling.authored'].HEADER}\n{text}", encoding="utf-8")
    with pytest.raises(sys.modules["sampling.authored"].SampleError, match=r"authored\.tsv"):
        sys.modules["sampling.authored"].read_authored(path)
