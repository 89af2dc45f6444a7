"""What ratings gained when others were joined to them."""

from __future__ import annotations

from qe_desktop.corpus import Pair, Ratings, Score, joined
from qe_desktop.corpus.ratings import Comment
from qe_desktop.corpus.ratings_added import added

BEFORE = Ratings.of(
    [Score("Ada", "A", "1", "DA", 70), Score("Ada", "A", "2", "DA", 75)], [Pair("Ada", "1", "A", "B", 1, 2)],
    origin="one.csv", notes=["a remark"], ranges=[("DA", 0, 100)],
)  # fmt: skip
CAME = Ratings.of(
    [Score("Ben", "B", "2", "DA", 50), Score("Ada", "C", "9", "DA", 40)], [Pair("Ben", "3", "C", "D", 2, 1)],
    [Comment("Ben", "2", "hm")], origin="two.csv", notes=["a remark", "another"],
)  # fmt: skip


def test_what_came_is_given_back_with_its_own_names():
    found = added(joined([BEFORE, CAME]), BEFORE)
    assert str(found.scores.rows()) == str(CAME.scores.rows())
    assert str(found.pairs.rows()) == str(CAME.pairs.rows())
    assert found.comments == CAME.comments
    assert (found.origin, found.notes) == ("two.csv", ("another",))
    assert set(found.scores.systems) == {"B", "C"}
    assert set(found.scores.segments) == {"2", "9"}
    assert set(found.pairs.units) == {"C", "D"}


def test_where_nothing_came_there_is_nothing():
    assert added(BEFORE, BEFORE) is None
    assert added(joined([BEFORE, Ratings.of()]), BEFORE) is None
    assert added(None, None) is None
    assert added(CAME, None) is CAME
