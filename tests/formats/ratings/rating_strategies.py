"""Hypothesis strategies for ratings of all kinds, and their comparison."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from qe_desktop.corpus import Comment, ItemRole, PairwiseJudgement, Ratings, Score

PLAIN = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp"), exclude_characters="+|")
)
"""Names that every format can store: no surrounding spaces, no separators of systems."""
NAMES = st.one_of(
    st.sampled_from(
        ["A", "B", "Ada", "newstest.online-B.0", "rater 7", 'say "x"', "a,b", "a;b\tc", "日本", "é#1", "0017"]
    ),
    PLAIN.filter(lambda name: bool(name.strip())),
)
MOMENTS = st.one_of(
    st.just(math.nan),
    st.integers(0, 4_000_000_000_000).map(lambda milliseconds: milliseconds / 1000),
    st.floats(0, 4e9, allow_subnormal=False),
)
SECONDS = st.one_of(st.just(math.nan), st.floats(0, 1e6))
VALUES = st.one_of(st.integers(1, 5).map(float), st.floats(-1e6, 1e6))
CAMPAIGNS = st.sampled_from(["", "c1", "c1 (blind)", "0f3e9d"])
UIDS = st.sampled_from(["", "u1", "u2", "9d0f3e"])
ROLES = st.sampled_from(list(ItemRole))


@st.composite
def scores(draw: st.DrawFn, names: st.SearchStrategy[str] = NAMES) -> list[Score]:
    """Some ratings on scales, possibly several of one item by one rater."""
    raters, systems, segments = (draw(st.lists(names, min_size=1, max_size=4, unique=True)) for _ in range(3))
    scales = st.sampled_from(["adequacy", "fluency", "score", "z", "usefulness"])
    row = st.builds(
        Score, st.sampled_from(raters), st.sampled_from(systems), st.sampled_from(segments), scales, VALUES, ROLES,
        MOMENTS, SECONDS, st.integers(0, 3), CAMPAIGNS, UIDS,
    )  # fmt: skip
    return draw(st.lists(row, min_size=1, max_size=12))


@st.composite
def pairs(draw: st.DrawFn, names: st.SearchStrategy[str] = NAMES) -> list[PairwiseJudgement]:
    """Pairwise judgements of complete screens and single pairs, with identical outputs among them."""
    raters, segments = (draw(st.lists(names, min_size=1, max_size=3, unique=True)) for _ in range(2))
    systems = draw(st.lists(names, min_size=2, max_size=5, unique=True))
    units = st.one_of(
        st.sampled_from(systems),
        st.lists(st.sampled_from(systems), min_size=2, max_size=3, unique=True).map("+".join),
    )
    judgements: list[PairwiseJudgement] = []
    for _ in range(draw(st.integers(1, 5))):
        shown = draw(st.lists(units, min_size=2, max_size=5))
        ranks = [draw(st.integers(1, 5)) for _ in shown]
        rater_and_segment = (draw(st.sampled_from(raters)), draw(st.sampled_from(segments)))
        screen, role, started, seconds = (
            draw(st.sampled_from(["", "1", "s 2"])),
            draw(ROLES),
            draw(MOMENTS),
            draw(SECONDS),
        )
        campaign_and_uid = (draw(CAMPAIGNS), draw(UIDS))
        screens = [
            PairwiseJudgement(
                *rater_and_segment,
                shown[first],
                shown[second],
                ranks[first],
                ranks[second],
                screen,
                role,
                started,
                seconds,
                *campaign_and_uid,
            )
            for first in range(len(shown))
            for second in range(first + 1, len(shown))
        ]
        judgements += (
            screens if draw(st.booleans()) else draw(st.lists(st.sampled_from(screens), min_size=1, max_size=4))
        )
    return judgements


@st.composite
def comments(draw: st.DrawFn) -> list[Comment]:
    """Comments and skipped items."""
    row = st.builds(
        Comment, st.text(max_size=5), st.text(max_size=5), st.text(max_size=20),
        st.lists(st.text(max_size=4), max_size=3).map(tuple), st.booleans(), MOMENTS,
        CAMPAIGNS,
    )  # fmt: skip
    return draw(st.lists(row, max_size=4))


def content_of(ratings: Ratings) -> tuple[str, str, str]:
    """Return the whole content of ratings for comparison; NaN equals itself."""
    return (repr(ratings.scores.rows()), repr(ratings.pairs.rows()), repr(ratings.comments))


def sorted_scores(ratings: Ratings) -> list[str]:
    """Return the ratings on scales, sorted."""
    return sorted(repr(row) for row in ratings.scores.rows())
