"""Ratings on scales for tests."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from hypothesis import strategies as st

from qe_desktop.corpus import ItemRole, Score, ScoreRatings


def adequacy_and_fluency(rows: list[list[Any]]) -> ScoreRatings:
    """Return ratings from rows of system, segment, rater, adequacy and fluency."""
    return ScoreRatings.of(
        [
            Score(rater, system, str(segment), scale, value)
            for system, segment, rater, *values in rows
            for scale, value in zip(("adequacy", "fluency"), values, strict=True)
        ]
    )


def flatten_table(rows: list[list[float]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the units and values of a table with one row per item, NaN for a missing rating."""
    values = np.asarray(rows, np.float64)
    return np.repeat(np.arange(len(values)), values.shape[1]), values.ravel()


def random_scores(
    rng: np.random.Generator, ratings: int, *, raters: int = 4, systems: int = 3, segments: int = 6
) -> list[Score]:
    """Return random ratings of all roles, some of which rate the same item again."""
    return [
        Score(
            f"r{rng.integers(raters)}", f"s{rng.integers(systems)}", f"g{rng.integers(segments)}", "score",
            float(rng.integers(0, 101)), ItemRole(rng.integers(5)), float(index), float(rng.gamma(3, 3)),
        )
        for index in range(ratings)
    ]  # fmt: skip


@st.composite
def score_lists(draw: st.DrawFn, *, roles: bool = True) -> list[Score]:
    """Generate a few ratings on one scale, with NaN and fractions without an exact binary form."""
    values = st.one_of(st.sampled_from([0.1, 0.2, 0.3, 1 / 3, 66.1, float("nan")]), st.integers(1, 5).map(float))
    row = st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 3), values, st.integers(0, 4 if roles else 1))
    return [
        Score(f"r{rater}", f"s{system}", f"g{segment}", "adequacy", value, ItemRole(role))
        for rater, system, segment, value, role in draw(st.lists(row, max_size=30))
    ]


def group_values(rows: list[Score], key: Any) -> dict[Any, list[float]]:
    """Return the finite values by key."""
    out = defaultdict(list)
    for row in rows:
        if np.isfinite(row.value):
            out[key(row)].append(row.value)
    return out
