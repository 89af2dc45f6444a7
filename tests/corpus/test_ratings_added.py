"""What ratings gained when others were joined to them."""

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
CAME = Ratings.of(
    [Score("Ben", "B", "2", "DA", 50), Score("Ada", "C", "9", "DA", 40)],
    [PairwiseJudgement("Ben", "3", "C", "D", 2, 1)],
    [Comment("Ben", "2", "hm")],
    origin="two.csv",
    notes=["a remark", "another"],
)


def test_what_came_is_given_back_with_its_own_names():
    found = added_ratings(join_ratings([BEFORE, CAME]), BEFORE)
    assert str(found.scores.rows()) == str(CAME.scores.rows())
    assert str(found.pairs.rows()) == str(CAME.pairs.rows())
    assert found.comments == CAME.comments
    assert (found.origin, found.notes) == ("two.csv", ("another",))
    assert set(found.scores.systems) == {"B", "C"}
    assert set(found.scores.segments) == {"2", "9"}
    assert set(found.pairs.units) == {"C", "D"}


def test_where_nothing_came_there_is_nothing():
    assert added_ratings(BEFORE, BEFORE) is None
    assert added_ratings(join_ratings([BEFORE, Ratings.of()]), BEFORE) is None
    assert added_ratings(None, None) is None
    assert added_ratings(CAME, None) is CAME
