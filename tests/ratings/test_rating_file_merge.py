"""Merging rating files: duplicates and conflicts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Comment, ItemRole, PairwiseJudgement, Ratings, Score
from qe_desktop.ratings.rating_file_merge import RANK, conflicts_without_systems, merge_ratings
from tests.formats.ratings import rating_strategies


def ratings(origin, *rows, comments=()):
    scores = [row for row in rows if isinstance(row, Score)]
    pairs = [row for row in rows if isinstance(row, PairwiseJudgement)]
    return Ratings.of(scores, pairs, comments, origin=origin)


def test_duplicates_count_once_and_conflicts_are_reported():
    first = ratings(
        "one.csv",
        Score("Ada", "A", "1", "score", 3),
        Score("Ada", "A", "2", "score", 4),
        Score("Ben", "A", "1", "score", 5),
    )
    second = ratings(
        "two.csv",
        Score("Ada", "A", "2", "score", 1),
        Score("Ada", "A", "1", "score", 3),
        Score("Cy", "A", "1", "score", 2),
    )
    third = ratings("three.csv", Score("Ada", "A", "2", "score", 1))
    merged = merge_ratings([first, second, third])
    (conflict,) = merged.conflicts
    assert conflict.values == (("one.csv", 4.0), ("two.csv", 1.0), ("three.csv", 1.0))
    assert str(conflict) == "Ada, segment 2, A, Score: 4 in one.csv, 1 in two.csv, 1 in three.csv"
    assert merged.duplicates == 1
    values = {(row.rater, row.segment): row.value for row in merged.ratings.scores.rows()}
    assert values == {("Ada", "1"): 3, ("Ada", "2"): 4, ("Ben", "1"): 5, ("Cy", "1"): 2}
    assert merge_ratings([first, second, third]).conflicts == (conflict,)


def test_ratings_of_different_roles_scales_and_systems_do_not_conflict():
    first = ratings("a", Score("Ada", "A", "1", "adequacy", 3))
    others = [
        Score("Ada", "A", "1", "fluency", 4), Score("Ada", "A", "1", "adequacy", 4, ItemRole.REPEAT),
        Score("Ada", "B", "1", "adequacy", 4), Score("Ada", "A", "2", "adequacy", 4),
        Score("Bo", "A", "1", "adequacy", 4),
    ]  # fmt: skip
    merged = merge_ratings([first, ratings("b", *others)])
    assert (merged.conflicts, merged.duplicates, len(merged.ratings.scores)) == ((), 0, 6)


def test_names_of_campaigns_without_ratings_do_not_matter():
    two = ratings("a", *[Score("Ada", "A", segment, "score", 3, campaign=f"c{segment}") for segment in "12"])
    first = replace(two, scores=two.scores.take(np.array([True, False])))
    assert merge_ratings([first, ratings("b", Score("Ada", "A", "1", "score", 3))]).duplicates == 1


def test_several_ratings_of_an_item_in_one_file_do_not_conflict():
    twice = ratings("a", Score("Ada", "A", "1", "score", 3), Score("Ada", "A", "1", "score", 5))
    assert merge_ratings([twice]).conflicts == ()
    merged = merge_ratings([twice, twice])
    assert (merged.conflicts, merged.duplicates, len(merged.ratings.scores)) == ((), 2, 2)
    more = ratings("b", *[Score("Ada", "A", "1", "score", value) for value in (3, 4, 5)])
    merged = merge_ratings([twice, more])
    assert [conflict.values for conflict in merged.conflicts] == [(("a", 5.0), ("b", 4.0))]
    assert [row.value for row in merged.ratings.scores.rows()] == [3, 5, 5]


def test_judgements_are_compared_in_either_order():
    first = ratings("a", PairwiseJudgement("Ada", "1", "A", "B", 1, 2), PairwiseJudgement("Ada", "1", "A", "C", 1, 1))
    second = ratings("b", PairwiseJudgement("Ada", "1", "B", "A", 3, 1), PairwiseJudgement("Ada", "1", "C", "A", 1, 2))
    merged = merge_ratings([first, second])
    assert merged.duplicates == 1
    (conflict,) = merged.conflicts
    assert (conflict.scale, conflict.system, conflict.values) == (RANK, "A and C", (("a", 0.0), ("b", -1.0)))
    assert str(conflict) == "Ada, segment 1, A and C, rank: a tie in a, the second output is better in b"
    assert len(merged.ratings.pairs) == 2
    (hidden,) = conflicts_without_systems(merged.conflicts, ["C"])
    assert str(hidden).startswith("Ada, segment 1, a hidden pair of outputs, rank: ")
    assert conflicts_without_systems(merged.conflicts, ["B"]) == merged.conflicts


def test_comments_count_once():
    first = ratings("a", comments=[Comment("Ada", "1", "odd"), Comment("Ada", "2", "fine")])
    second = ratings("b", comments=[Comment("Ada", "1", "odd", started=5.0), Comment("Ada", "1", "even")])
    assert [comment.text for comment in merge_ratings([first, second]).ratings.comments] == ["odd", "fine", "even"]


@given(rating_strategies.scores(), rating_strategies.pairs(), st.integers(2, 4))
def test_file_merged_with_itself_is_unchanged(scores, pairs, times):
    whole = Ratings.of(scores, pairs, origin="x")
    merged = merge_ratings([whole] * times)
    assert merged.conflicts == ()
    assert merged.duplicates == (times - 1) * (len(scores) + len(pairs))
    assert rating_strategies.content_of(merged.ratings) == rating_strategies.content_of(whole)


@given(rating_strategies.scores(), st.randoms(use_true_random=False))
def test_merged_parts_of_a_file_equal_the_file(scores, random):
    cut = random.randrange(len(scores) + 1)
    keys = {(row.rater, row.system, row.segment, row.scale, row.role) for row in scores[:cut]}
    rest = [row for row in scores[cut:] if (row.rater, row.system, row.segment, row.scale, row.role) not in keys]
    merged = merge_ratings([Ratings.of(scores[:cut], origin="a"), Ratings.of(rest, origin="b")])
    assert (merged.conflicts, merged.duplicates) == ((), 0)
    assert rating_strategies.sorted_scores(merged.ratings) == rating_strategies.sorted_scores(
        Ratings.of(scores[:cut] + rest)
    )
