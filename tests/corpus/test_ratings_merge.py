"""Ratings that joining has added to earlier ones."""

from __future__ import annotations

from qe_desktop.corpus import PairwiseJudgement, Ratings, Score, join_ratings
from qe_desktop.corpus.ratings import Comment
from qe_desktop.corpus.ratings_merge import added_ratings

BEFORE = Ratings.of(
    [Score("Ada", "A", "1", "DA", 70), Score("Ada", "A", "2", "DA", 75)],
    [PairwiseJudgement("Ada", "1", "A", "B", 1, 2)],
    origin="one.csv",
    notes=["a remark"],
    ranges=[("DA", 0, 100)],
)
ADDED = Ratings.of(
    [Score("Ben", "B", "2", "DA", 50), Score("Ada", "C", "9", "DA", 40)],
    [PairwiseJudgement("Ben", "3", "C", "D", 2, 1)],
    [Comment("Ben", "2", "hm")],
    origin="two.csv",
    notes=["a remark", "another"],
)


def test_added_ratings_equal_the_joined_ones():
    added = added_ratings(join_ratings([BEFORE, ADDED]), BEFORE)
    assert str(added.scores.rows()) == str(ADDED.scores.rows())
    assert str(added.pairs.rows()) == str(ADDED.pairs.rows())
    assert added.comments == ADDED.comments
    assert (added.origin, added.notes) == ("two.csv", ("another",))
    assert set(added.scores.systems) == {"B", "C"}
    assert set(added.scores.segments) == {"2", "9"}
    assert set(added.pairs.units) == {"C", "D"}


def test_nothing_added_gives_none():
    assert added_ratings(BEFORE, BEFORE) is None
    assert added_ratings(join_ratings([BEFORE, Ratings.of()]), BEFORE) is None
    assert added_ratings(None, None) is None
    assert added_ratings(ADDED, None) is ADDED


def test_added_ratings_from_another_file_of_the_same_name_have_an_origin():
    first, second = (Ratings.of([Score("r", "A", segment, "score", 3)], origin="x.csv") for segment in "12")
    added = added_ratings(join_ratings([first, second]), first)
    assert added is not None
    assert (added.origin, added.scores.texts("segment")) == ("x.csv", ["2"])
