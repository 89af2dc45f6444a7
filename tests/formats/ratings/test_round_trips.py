"""Written ratings are read back unchanged, except for what the format does not support."""

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
from qe_desktop.formats.ratings.rating_format import header_meaning
from tests.formats.ratings import rating_strategies


def write_and_read(ratings: Ratings, form: str) -> tuple[Ratings, tuple[str, ...]]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ratings"
        notes = write_ratings(ratings, path, form)
        return read_ratings(path), notes


def test_writable_formats():
    assert WRITABLE_FORMATS == ("wmt", "jsonl", "long", "wide")


@given(rating_strategies.scores(), rating_strategies.pairs(), rating_strategies.comments())
def test_json_lines_preserve_all_ratings(scores, pairs, comments):
    ratings = Ratings.of(scores, pairs, comments, origin="somewhere", notes=["one note", "“two”"])
    read, notes = write_and_read(ratings, "jsonl")
    assert rating_strategies.content_of(read) == rating_strategies.content_of(ratings)
    assert (read.origin, read.notes, notes) == ("somewhere", ("one note", "“two”"), ())


@given(rating_strategies.scores(rating_strategies.st.text(max_size=6)))
def test_json_lines_preserve_any_name(scores):
    ratings = Ratings.of(scores)
    assert rating_strategies.content_of(write_and_read(ratings, "jsonl")[0]) == rating_strategies.content_of(ratings)


@given(rating_strategies.pairs())
def test_wmt_rankings_preserve_pairs(pairs):
    ratings = Ratings.of(pairs=pairs)
    read, notes = write_and_read(ratings, "wmt")
    assert rating_strategies.content_of(read) == rating_strategies.content_of(ratings)
    assert notes == ()


@given(rating_strategies.scores(), rating_strategies.pairs())
def test_long_tables_preserve_ratings_and_pairs(scores, pairs):
    ratings = Ratings.of(scores, pairs)
    read, notes = write_and_read(ratings, "long")
    assert rating_strategies.content_of(read) == rating_strategies.content_of(ratings)
    assert notes == ()


@given(rating_strategies.scores())
def test_wide_tables_preserve_ratings_but_not_their_order(scores):
    ratings = Ratings.of(scores)
    # several ratings of one item by one rater differ only in the order of their rows
    assume(not any(header_meaning(rater) for rater in ratings.scores.raters))
    read, notes = write_and_read(ratings, "wide")
    assert rating_strategies.sorted_scores(read) == rating_strategies.sorted_scores(ratings)
    assert notes == ()


@pytest.mark.parametrize("rater", ["system", "Role", "Ben started", " Ann", "n", ""])
def test_wide_tables_refuse_ambiguous_rater_names(tmp_path, rater):
    ratings = Ratings.of([Score(rater, "A", "1", "score", 3.0)])
    with pytest.raises(QeError, match="cannot be a column name"):
        write_ratings(ratings, tmp_path / "x.csv", "wide")
    assert not (tmp_path / "x.csv").exists()


def test_notes_state_what_a_format_leaves_out(tmp_path):
    ratings = Ratings.of(
        [Score("r", "A", "1", "score", 3.0)], [PairwiseJudgement("r", "1", "A", "B", 1, 2)], [Comment("r", "1", "x")]
    )
    notes = {form: write_ratings(ratings, tmp_path / form, form) for form in WRITABLE_FORMATS}
    assert notes["jsonl"] == ()
    assert "1 rating on scales and 1 comment" in notes["wmt"][0]
    assert "1 pairwise judgement and 1 comment" in notes["wide"][0]
    assert "1 comment" in notes["long"][0]


@pytest.mark.parametrize(("form", "says"), [("wmt", "no pairwise"), ("wide", None), ("long", None), ("jsonl", None)])
def test_format_without_supported_content_is_refused(tmp_path, form, says):
    ratings = Ratings.of([Score("r", "A", "1", "score", 3.0)])
    if says is None:
        write_ratings(ratings, tmp_path / "x", form)
    else:
        with pytest.raises(QeError, match=says):
            write_ratings(ratings, tmp_path / "x", form)


def test_unknown_format_is_refused(tmp_path):
    with pytest.raises(QeError, match="cannot be written as appraise"):
        write_ratings(Ratings.of([Score("r", "A", "1", "score", 3.0)]), tmp_path / "x", "appraise")


@pytest.mark.parametrize("form", WRITABLE_FORMATS)
def test_every_format_writes_rater_and_time(tmp_path, form):
    started = 1711317347.693
    ratings = Ratings.of([Score("Ada", "A", "1", "score", 3.0, started=started)])
    if form == "wmt":
        ratings = Ratings.of(pairs=[PairwiseJudgement("Ada", "1", "A", "B", 1, 2, started=started)])
    write_ratings(ratings, tmp_path / "x.gz", form)
    text = gzip.decompress((tmp_path / "x.gz").read_bytes()).decode()
    assert "Ada" in text
    assert "2024-03-24T21:55:47.693Z" in text
    assert rating_strategies.content_of(read_ratings(tmp_path / "x.gz")) == rating_strategies.content_of(ratings)


FORMULAS = ("=1+1", "+cmd|' /C calc'!A0", "-2+3+cmd", "@SUM(A1)", "'=x", "''-y", "＝1", "-5", "- -", "'quoted'")


@pytest.mark.parametrize("form", WRITABLE_FORMATS)
def test_names_like_formulas_are_escaped_and_read_back(tmp_path, form):
    """Names of raters and systems must not be executed by a spreadsheet."""
    scores = [Score(name, name, f"{name} seg", "score", -0.5) for name in FORMULAS]
    # + joins systems with identical outputs, and | separates systems in long tables
    units = [name for name in FORMULAS if not set(name) & set("+|")]
    pairs = [PairwiseJudgement(name, f"{name} seg", name, "B", 1, 2) for name in [*units, *units]]
    ratings = Ratings.of(() if form == "wmt" else scores, () if form == "wide" else pairs)
    path = tmp_path / "x.csv"
    write_ratings(ratings, path, form)
    assert rating_strategies.content_of(read_ratings(path)) == rating_strategies.content_of(ratings)
    if form != "jsonl":
        cells = [cell for row in csv.reader(io.StringIO(path.read_text(), newline="")) for cell in row]
        assert [cell for cell in cells if cell[:1] in tuple("=+-@＝") and cell not in ("-0.5", "-5")] == []


@pytest.mark.parametrize("form", WRITABLE_FORMATS)
def test_lone_surrogates_are_replaced_in_exports(tmp_path, form):
    """Comments and names from a server may contain lone surrogates, which cannot be encoded in a file."""
    rater = "Ada\ud800"
    scores = [] if form == "wmt" else [Score(rater, "A", "1", "score", 3.0)]
    pairs = [PairwiseJudgement(rater, "1", "A", "B", 1, 2)] if form == "wmt" else []
    comments = [Comment(rater, "1", "half \udfff")] if form == "jsonl" else []
    ratings = Ratings.of(scores, pairs, comments)
    write_ratings(ratings, tmp_path / "x", form)
    read = read_ratings(tmp_path / "x")
    assert (read.pairs if form == "wmt" else read.scores).raters == ("Ada\ufffd",)
