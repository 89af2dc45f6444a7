"""Ratings of several sources as one."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.corpus.ratings import PAIR_NAMES, SCORE_NAMES, PairRatings, Ratings, ScoreRatings, columns_joined
from qe_desktop.wording import tr


def joined(parts: Sequence[Ratings]) -> Ratings:
    """Several sources as one; names that are the same mean the same."""
    if len(parts) == 1:
        return parts[0]
    scores, pairs = [part.scores for part in parts], [part.pairs for part in parts]
    comments = tuple(comment for part in parts for comment in part.comments)
    notes = dict.fromkeys(note for part in parts for note in part.notes)
    ranges: dict[str, tuple[float, float]] = {}
    for part in parts:
        for scale, low, high in part.ranges:
            if ranges.setdefault(scale, (low, high)) != (low, high):
                notes[_two_ranges(scale, *ranges[scale], part.origin, low, high)] = None
    origin = ", ".join(dict.fromkeys(part.origin for part in parts if part.origin))
    return Ratings(
        ScoreRatings(**columns_joined(scores, ScoreRatings, SCORE_NAMES)),
        PairRatings(**columns_joined(pairs, PairRatings, PAIR_NAMES)),
        comments,
        origin,
        tuple(notes),
        tuple((scale, *ends) for scale, ends in ranges.items()),
    )


def _two_ranges(scale: str, least: float, most: float, file: str, low: float, high: float) -> str:
    return tr(
        "{scale}: goes from {least:g} to {most:g}, and in {file} from {low:g} to {high:g}",
        scale=scale, least=least, most=most, file=file, low=low, high=high,
    )  # fmt: skip
