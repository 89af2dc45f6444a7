"""What is written comes back: all that a form can hold, from any names, roles, times and values."""

from __future__ import annotations

import csv
import gzip
import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given

from qe_desktop.corpus import Comment, PairwiseJudgement, QeError, Ratings, Score
from qe_desktop.formats.ratings import WRITABLE_FORMATS, read_ratings, write_ratings
from qe_desktop.formats.ratings.header_aliases import header_meaning
from tests.formats.ratings import samples


def again(ratings: Ratings, form: str) -> tuple[Ratings, tuple[str, ...]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ratings"
        notes = write_ratings(ratings, path, form)
        return read_ratings(path), notes


def test_the_forms_that_are_written():
    assert WRITABLE_FORMATS == ("wmt", "jsonl", "long", "wide")


@given(samples.scores(), samples.pairs(), samples.comments())
def test_json_lines_hold_everything(scores, pairs, comments):
    whole = Ratings.of(scores, pairs, comments, origin="somewhere", notes=["one note", "“two”"])
    found, notes = again(whole, "jsonl")
    assert samples.said(found) == samples.said(whole)
    assert (found.origin, found.notes, notes) == ("somewhere", ("one note", "“two”"), ())


@given(samples.scores(samples.st.text(max_size=6)))
def test_json_lines_hold_any_name(scores):
    whole = Ratings.of(scores)
    assert samples.said(again(whole, "jsonl")[0]) == samples.said(whole)


@given(samples.pairs())
def test_wmt_rankings_hold_pairs(pairs):
    whole = Ratings.of(pairs=pairs)
    found, notes = again(whole, "wmt")
    assert samples.said(found) == samples.said(whole)
    assert notes == ()


@given(samples.scores(), samples.pairs())
def test_long_tables_hold_ratings_and_pairs(scores, pairs):
    whole = Ratings.of(scores, pairs)
    found, notes = again(whole, "long")
    assert samples.said(found) == samples.said(whole)
    assert notes == ()


@given(samples.scores())
def test_wide_tables_hold_ratings_in_the_order_of_items(scores):
    whole = Ratings.of(scores)
    # several ratings of one item by one rater are told apart by the order of their rows only
    assume(not any(header_meaning(rater) for rater in whole.scores.raters))
    found, notes = again(whole, "wide")
    assert samples.sorted_scores(found) == samples.sorted_scores(whole)
    assert notes == ()


@pytest.mark.parametrize("rater", ["system", "Role", "Ben started", " Ann", "n", ""])
def test_wide_tables_refuse_raters_that_would_be_read_as_something_else(tmp_path, rater):
    whole = Ratings.of([Score(rater, "A", "1", "score", 3.0)])
    with pytest.raises(QeError, match="cannot be a column name"):
        write_ratings(whole, tmp_path / "x.csv", "wide")
    assert not (tmp_path / "x.csv").exists()


def test_notes_say_what_a_form_cannot_hold(tmp_path):
    whole = Ratings.of(
        [Score("r", "A", "1", "score", 3.0)], [PairwiseJudgement("r", "1", "A", "B", 1, 2)], [Comment("r", "1", "x")]
    )
    notes = {form: write_ratings(whole, tmp_path / form, form) for form in WRITABLE_FORMATS}
    assert notes["jsonl"] == ()
    assert "1 rating on scales and 1 comment" in notes["wmt"][0]
    assert "1 pairwise judgement and 1 comment" in notes["wide"][0]
    assert "1 comment" in notes["long"][0]


@pytest.mark.parametrize(("form", "says"), [("wmt", "no pairwise"), ("wide", None), ("long", None), ("jsonl", None)])
def test_a_form_that_can_hold_nothing_is_refused(tmp_path, form, says):
    whole = Ratings.of([Score("r", "A", "1", "score", 3.0)])
    if says is None:
        write_ratings(whole, tmp_path / "x", form)
    else:
        with pytest.raises(QeError, match=says):
            write_ratings(whole, tmp_path / "x", form)


def test_an_unknown_form_is_refused(tmp_path):
    with pytest.raises(QeError, match="cannot be written as appraise"):
        write_ratings(Ratings.of([Score("r", "A", "1", "score", 3.0)]), tmp_path / "x", "appraise")


@pytest.mark.parametrize("form", WRITABLE_FORMATS)
def test_every_form_says_who_and_when(tmp_path, form):
    at = 1711317347.693
    ratings = Ratings.of([Score("Ada", "A", "1", "score", 3.0, started=at)])
    if form == "wmt":
        ratings = Ratings.of(pairs=[PairwiseJudgement("Ada", "1", "A", "B", 1, 2, started=at)])
    write_ratings(ratings, tmp_path / "x.gz", form)
    text = gzip.decompress((tmp_path / "x.gz").read_bytes()).decode()
    assert "Ada" in text
    assert "2024-03-24T21:55:47.693Z" in text
    assert samples.said(read_ratings(tmp_path / "x.gz")) == samples.said(ratings)


FORMULAS = ("=1+1", "+cmd|' /C calc'!A0", "-2+3+cmd", "@SUM(A1)", "'=x", "''-y", "＝1", "-5", "- -", "'quoted'")


@pytest.mark.parametrize("form", WRITABLE_FORMATS)
def test_no_cell_is_a_formula_and_names_that_look_like_one_come_back(tmp_path, form):
    """A spreadsheet that opens an export runs nothing that a rater or a system is called."""
    scores = [Score(name, name, f"{name} seg", "score", -0.5) for name in FORMULAS]
    # + joins systems that said the same, and | cuts systems in long tables
    units = [name for name in FORMULAS if not set(name) & set("+|")]
    pairs = [PairwiseJudgement(name, f"{name} seg", name, "B", 1, 2) for name in [*units, *units]]
    ratings = Ratings.of(() if form == "wmt" else scores, () if form == "wide" else pairs)
    path = tmp_path / "x.csv"
    write_ratings(ratings, path, form)
    assert samples.said(read_ratings(path)) == samples.said(ratings)
    if form != "jsonl":
        cells = [cell for row in csv.reader(io.StringIO(path.read_text(), newline="")) for cell in row]
        assert [cell for cell in cells if cell[:1] in tuple("=+-@＝") and cell not in ("-0.5", "-5")] == []


@pytest.mark.parametrize("form", WRITABLE_FORMATS)
def test_half_a_character_stops_no_export(tmp_path, form):
    """Comments and names of a server may hold them; no file can."""
    rater = "Ada\ud800"
    scores = [] if form == "wmt" else [Score(rater, "A", "1", "score", 3.0)]
    pairs = [PairwiseJudgement(rater, "1", "A", "B", 1, 2)] if form == "wmt" else []
    comments = [Comment(rater, "1", "half \udfff")] if form == "jsonl" else []
    ratings = Ratings.of(scores, pairs, comments)
    write_ratings(ratings, tmp_path / "x", form)
    found = read_ratings(tmp_path / "x")
    assert (found.pairs if form == "wmt" else found.scores).raters == ("Ada\ufffd",)
