from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Comment, ItemRole, PairwiseJudgement, Ratings, Score
from qe_desktop.ratings.rating_file_merge import RANK, merge_ratings
from tests.formats.ratings import samples


def ratings(origin, *rows, comments=()):
    scores = [row for row in rows if isinstance(row, Score)]
    pairs = [row for row in rows if isinstance(row, PairwiseJudgement)]
    return Ratings.of(scores, pairs, comments, origin=origin)


def test_duplicates_count_once_and_conflicts_are_named():
    one = ratings(
        "one.csv",
        Score("Ada", "A", "1", "score", 3),
        Score("Ada", "A", "2", "score", 4),
        Score("Ben", "A", "1", "score", 5),
    )
    two = ratings(
        "two.csv",
        Score("Ada", "A", "2", "score", 1),
        Score("Ada", "A", "1", "score", 3),
        Score("Cy", "A", "1", "score", 2),
    )
    three = ratings("three.csv", Score("Ada", "A", "2", "score", 1))
    found = merge_ratings([one, two, three])
    (conflict,) = found.conflicts
    assert conflict.values == (("one.csv", 4.0), ("two.csv", 1.0), ("three.csv", 1.0))
    assert str(conflict) == "Ada, segment 2, A, score: 4 in one.csv, 1 in two.csv, 1 in three.csv"
    assert found.duplicates == 1
    held = {(row.rater, row.segment): row.value for row in found.ratings.scores.rows()}
    assert held == {("Ada", "1"): 3, ("Ada", "2"): 4, ("Ben", "1"): 5, ("Cy", "1"): 2}
    assert merge_ratings([one, two, three]).conflicts == (conflict,)


def test_roles_and_scales_and_systems_are_items_of_their_own():
    one = ratings("a", Score("Ada", "A", "1", "adequacy", 3))
    others = [
        Score("Ada", "A", "1", "fluency", 4), Score("Ada", "A", "1", "adequacy", 4, ItemRole.REPEAT),
        Score("Ada", "B", "1", "adequacy", 4), Score("Ada", "A", "2", "adequacy", 4),
        Score("Bo", "A", "1", "adequacy", 4),
    ]  # fmt: skip
    found = merge_ratings([one, ratings("b", *others)])
    assert (found.conflicts, found.duplicates, len(found.ratings.scores)) == ((), 0, 6)


def test_several_ratings_of_an_item_in_one_file_are_no_conflict():
    twice = ratings("a", Score("Ada", "A", "1", "score", 3), Score("Ada", "A", "1", "score", 5))
    assert merge_ratings([twice]).conflicts == ()
    found = merge_ratings([twice, twice])
    assert (found.conflicts, found.duplicates, len(found.ratings.scores)) == ((), 2, 2)
    more = ratings("b", *[Score("Ada", "A", "1", "score", value) for value in (3, 4, 5)])
    found = merge_ratings([twice, more])
    assert [conflict.values for conflict in found.conflicts] == [(("a", 5.0), ("b", 4.0))]
    assert [row.value for row in found.ratings.scores.rows()] == [3, 5, 5]


def test_judgements_are_compared_in_any_order():
    one = ratings("a", PairwiseJudgement("Ada", "1", "A", "B", 1, 2), PairwiseJudgement("Ada", "1", "A", "C", 1, 1))
    two = ratings("b", PairwiseJudgement("Ada", "1", "B", "A", 3, 1), PairwiseJudgement("Ada", "1", "C", "A", 1, 2))
    found = merge_ratings([one, two])
    assert found.duplicates == 1
    (conflict,) = found.conflicts
    assert (conflict.scale, conflict.system, conflict.values) == (RANK, "A and C", (("a", 0.0), ("b", -1.0)))
    assert str(conflict) == "Ada, segment 1, A and C, rank: a tie in a, the second is better in b"
    assert len(found.ratings.pairs) == 2


def test_comments_count_once():
    one = ratings("a", comments=[Comment("Ada", "1", "odd"), Comment("Ada", "2", "fine")])
    two = ratings("b", comments=[Comment("Ada", "1", "odd", started=5.0), Comment("Ada", "1", "even")])
    assert [comment.text for comment in merge_ratings([one, two]).ratings.comments] == ["odd", "fine", "even"]


@given(samples.scores(), samples.pairs(), st.integers(2, 4))
def test_a_file_given_several_times_is_the_file(scores, pairs, times):
    whole = Ratings.of(scores, pairs, origin="x")
    found = merge_ratings([whole] * times)
    assert found.conflicts == ()
    assert found.duplicates == (times - 1) * (len(scores) + len(pairs))
    assert samples.said(found.ratings) == samples.said(whole)


@given(samples.scores(), st.randoms(use_true_random=False))
def test_parts_of_a_file_are_the_file(scores, dice):
    cut = dice.randrange(len(scores) + 1)
    keys = {(row.rater, row.system, row.segment, row.scale, row.role) for row in scores[:cut]}
    rest = [row for row in scores[cut:] if (row.rater, row.system, row.segment, row.scale, row.role) not in keys]
    found = merge_ratings([Ratings.of(scores[:cut], origin="a"), Ratings.of(rest, origin="b")])
    assert (found.conflicts, found.duplicates) == ((), 0)
    assert samples.sorted_scores(found.ratings) == samples.sorted_scores(Ratings.of(scores[:cut] + rest))
