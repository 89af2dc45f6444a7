"""Segments of ratings are matched with lines by number or by document and position; the rest is reported."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Corpus, Documents, Ratings, Score, View
from qe_desktop.levels import Scoring
from qe_desktop.levels.human import HUMAN_LEVEL
from qe_desktop.levels.human.segment_ids import NO_LINE, match_segment_lines
from tests.command_line import error_line, json_output, run_command

DOCUMENTS = Documents.from_names(["a", "a", "news.3", "a", "news.3", "b1", "b1"])


def matched_lines(*names, documents=DOCUMENTS, size=7):
    match = match_segment_lines(names, np.arange(len(names)), size, documents)
    return match.lines.tolist()


@pytest.mark.parametrize(
    ("names", "lines"),
    [
        (("a:1", "a:3", "news.3:2", "b1:1"), [0, 3, 4, 5]),
        (("a_0", "a_2", "news.3_1", "b1_0"), [0, 3, 4, 5]),
        (("a#1", "a 2", "news.3/1", "b1-2"), [0, 1, 2, 6]),
        # documents whose own names end in digits
        (("b12", "a3", "news.31"), [6, 3, 2]),
        # line numbers that lie in these documents
        (("a:4", "news.3:5", "b1:6", "b1:7"), [3, 4, 5, 6]),
        (("3", "7"), [2, 6]),
    ],
)
def test_segment_ids_are_matched_with_lines(names, lines):
    assert matched_lines(*names) == lines


def test_unmatched_segments_are_counted_by_reason():
    names = ("a:1", "a:9", "nowhere:1", "b1", "")
    match = match_segment_lines(names, np.arange(5), 7, DOCUMENTS)
    assert match.lines.tolist() == [0, *[NO_LINE] * 4]
    assert (match.unparsed_names, match.out_of_range_names, match.unmatched_count) == (
        ("nowhere:1", "b1", ""),
        ("a:9",),
        4,
    )
    assert match.note(7).startswith("3 of 5 rated segments match neither a line nor a position in a document")
    assert "1 of 5 rated segments has a number outside the text (7 lines) or the document: a:9" in match.note(7)
    numbers = match_segment_lines(("1", "8"), np.arange(2), 7, DOCUMENTS)
    # one number beyond the text means that all numbers are of another text
    assert (numbers.has_lines, numbers.out_of_range_names, numbers.unmatched_count) == (False, ("8",), 2)
    assert numbers.note(7).startswith("1 of 2 rated segments has a number outside the text (7 lines)")
    assert match_segment_lines(("a:1",), np.arange(1), 7).unparsed_names == ("a:1",)
    # segments without ratings are ignored
    assert match_segment_lines(("x", "2"), np.array([1]), 7).lines.tolist() == [NO_LINE, 1]


@given(st.lists(st.sampled_from(["a", "b", "a_1", "a_11", "3"]), min_size=1, max_size=30), st.sampled_from([0, 1]))
def test_every_document_position_is_matched_with_its_line(names, base):
    documents = Documents.from_names(names)
    counts: dict[str, int] = {}
    segment_ids = []
    for name in names:
        segment_ids.append(f"{name}:{counts.get(name, 0) + base}")
        counts[name] = counts.get(name, 0) + 1
    match = match_segment_lines(segment_ids, np.arange(len(segment_ids)), len(names), documents)
    assert sorted(match.lines.tolist()) == list(range(len(names)))
    assert [names[line] for line in match.lines.tolist()] == names


def rated_view(*names, **more):
    ratings = Ratings.of([Score("r", "s", name, "score", float(row)) for row, name in enumerate(names)])
    return View(Corpus("", 7, ratings=ratings, **more))


def test_level_matches_document_positions_if_the_corpus_has_documents():
    view = rated_view("a:1", "a:3", "b1:1", "b1:5", documents=DOCUMENTS)
    scoring = Scoring.of(HUMAN_LEVEL, view)
    rows = scoring.rows([HUMAN_LEVEL.metrics["mean"].family])["mean"]
    assert rows[0, :, 1].tolist() == [1, 0, 0, 1, 0, 1, 0]
    assert scoring.scores([HUMAN_LEVEL.metrics["mean"]])[0, 0] == pytest.approx(1.0)
    assert "1 of 4 rated segments has a number outside" in HUMAN_LEVEL.summary(scoring)
    assert not HUMAN_LEVEL.has_data(rated_view("a:1", "a:3"))
    assert not HUMAN_LEVEL.has_data(rated_view("x:1", documents=DOCUMENTS))


@pytest.fixture
def files(tmp_path):
    segments = [f"w{line} a b c" for line in range(12)]
    documents = ["x", "y"] * 6
    names = [f"{name}:{index // 2 + 1}" for index, name in enumerate(documents)]
    dice = np.random.default_rng(1)
    rows = []
    for quality, system in enumerate(("one", "two", "three")):
        texts = [line if dice.random() < 0.3 + 0.3 * quality else "z z" for line in segments]
        (tmp_path / f"{system}.txt").write_text("".join(f"{text}\n" for text in texts))
        rows += [f"Ada\t{system}\t{name}\t{quality * 9 + line}\n" for line, name in enumerate(names)]
    (tmp_path / "ref.txt").write_text("".join(f"{line}\n" for line in segments))
    (tmp_path / "docs").write_text("".join(f"{name}\n" for name in documents))
    dice.shuffle(rows)
    (tmp_path / "people.tsv").write_text("rater\tsystem\tsegment\tscore\n" + "".join(rows))
    return tmp_path


def test_commands_match_document_positions_with_the_documents_option(capsys, files):
    human, documents = ("--human", files / "people.tsv"), ("--documents", files / "docs")
    systems = [files / f"{name}.txt" for name in ("one", "two", "three")]
    study = ("study", "meta-evaluation", *human, "--reference", files / "ref.txt", "--system", *systems, "--rounds", 50)
    without = json_output(capsys, *study, "--metric", "chrF")
    assert without["metrics"]["chrF"]["segments"]["pearson"] is None
    assert any("12 of 12 rated segments match neither" in note for note in without["notes"])
    report = json_output(capsys, *study, "--metric", "chrF", *documents)
    assert report["metrics"]["chrF"]["segments"]["pearson"] is not None
    assert any("matched with lines by document and position" in note for note in report["notes"])
    by_line = json_output(capsys, "compare", "human", *human, *documents, "--unit", "document", "--rounds", 50)
    assert by_line["systems"][0] == "three"
    assert json_output(capsys, "score", "human", *human, *documents)["segments"] == 12


def test_commands_report_unmatched_segments(capsys, files):
    (files / "short").write_text("x\n" * 3)
    (files / "other").write_text("p\n" * 12)
    human = ("--human", files / "people.tsv")
    code, out, _ = run_command(capsys, "score", "human", *human, "--documents", files / "short")
    assert code == 0
    assert "6 of 12 rated segments match neither" in out
    assert "12 of 12 rated segments match neither" in error_line(
        capsys, "score", "human", *human, "--documents", files / "other"
    )
