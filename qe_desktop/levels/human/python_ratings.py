"""Ratings from Python values, one per rater, system and segment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, Fault, QeError, Ratings, ScoreRatings, SourceLocation, View, raise_for_rows
from qe_desktop.corpus.columns import Floats
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.human.human_level import human_level_of
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import Scoring

DEFAULT_SCALE = "score"
NUMERIC_KINDS = "biufO"
"""NumPy dtype kinds that are accepted as ratings; None and NaN mean no rating."""


def human_scores_from_python(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    """Return a scoring of systems by their ratings: one number per segment from each rater.

    The value of each system is a mapping from raters to arrays of shape (segments,), an array of shape (raters,
    segments), or one rater's array of shape (segments,). Equal row indices stand for the same rater in all systems. NaN
    and None mean that a segment was not rated. There must be at least one system. Raises QeError if `gold` is not None,
    if a value is infinite or not a number, if the numbers of segments differ, or if a system has no ratings.
    """
    if gold is not None:
        message = tr("human scores are not compared with a gold")
        raise QeError(message, hint=tr("Use None as gold."), place=SourceLocation("gold"))
    by_rater = {name: _by_rater(values, f"systems[{name!r}]") for name, values in systems.items()}
    size = len(next(iter(next(iter(by_rater.values())).values())))
    for name, raters in by_rater.items():
        for rater, column in raters.items():
            _check_column_size(column, size, f"systems[{name!r}][{rater!r}]")
        if all(np.isnan(column).all() for column in raters.values()):
            hint = tr("Leave the system out, or add at least one rating.")
            raise QeError(tr("no segment has a rating"), hint=hint, place=SourceLocation(f"systems[{name!r}]"))
    corpus = Corpus("", size, ratings=Ratings(_ratings(by_rater, size)))
    scoring = Scoring.of(human_level_of(corpus), View(corpus))
    assert scoring is not None
    return scoring


def _by_rater(values: Any, location: str) -> dict[str, Floats]:
    if isinstance(values, Mapping):
        columns = {str(rater): _column(column, f"{location}[{rater!r}]") for rater, column in values.items()}
        if not columns:
            raise _invalid_ratings_error(location)
        return columns
    try:
        rows = np.asarray(values)
    except ValueError:
        raise _invalid_ratings_error(location) from None
    if rows.ndim == 1 and len(rows):
        return {"0": _column(values, location)}
    if rows.ndim != 2 or not rows.size:
        raise _invalid_ratings_error(location)
    return {str(rater): _column(rows[rater], f"{location}[{rater}]") for rater in range(len(rows))}


def _column(values: Any, location: str) -> Floats:
    """Return the ratings of one rater, shape (segments,); NaN for unrated segments.

    Raises QeError if `values` do not consist of one number per segment, or if a number is infinite.
    """
    raw = np.asarray(values)
    if raw.ndim != 1 or raw.dtype.kind not in NUMERIC_KINDS:
        raise _invalid_ratings_error(location)
    try:
        column = np.array(values, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _invalid_ratings_error(location) from None

    def error(segment: int) -> Fault:
        text = quote_token(str(raw[segment]))
        return Fault(SourceLocation(f"{location}[{segment}]"), tr("{text} is not a rating", text=text))

    raise_for_rows(np.flatnonzero(np.isinf(column)), error, tr("Use a finite number, or NaN for a missing rating."))
    return column


def _ratings(by_rater: Mapping[str, Mapping[str, Floats]], size: int) -> ScoreRatings:
    """Return all ratings, ordered by system, then by rater; `by_rater[system][rater]` has shape (`size`,)."""
    raters = list(dict.fromkeys(rater for columns in by_rater.values() for rater in columns))
    parts = [(index, raters.index(rater), column) for index, columns in enumerate(by_rater.values())
             for rater, column in columns.items()]  # fmt: skip
    rated_segments = [np.flatnonzero(~np.isnan(column)) for _, _, column in parts]
    counts = [len(rated) for rated in rated_segments]
    total = sum(counts)

    def repeated(values: list[int]) -> NDArray[np.int32]:
        return np.repeat(np.asarray(values, np.int32), counts)

    return ScoreRatings(
        raters=tuple(raters),
        systems=tuple(by_rater),
        segments=tuple(str(number) for number in range(1, size + 1)),
        scales=(DEFAULT_SCALE,),
        rater=repeated([rater for _, rater, _ in parts]),
        system=repeated([system for system, _, _ in parts]),
        segment=np.concatenate(rated_segments).astype(np.int32),
        scale=np.zeros(total, np.int32),
        value=np.concatenate([column[rated] for (_, _, column), rated in zip(parts, rated_segments, strict=True)]),
        role=np.zeros(total, np.uint8),
        started=np.full(total, np.nan),
        seconds=np.full(total, np.nan),
        flags=np.zeros(total, np.uint8),
    )


def _check_column_size(column: Floats, size: int, location: str) -> None:
    if len(column) != size:
        message = tr("{n:,} {n:rating|ratings} for {size:,} {size:segment|segments}", "", len(column), size=size)
        raise QeError(
            message, hint=tr("Use one rating per segment, or NaN if there is none."), place=SourceLocation(location)
        )


def _invalid_ratings_error(location: str) -> QeError:
    hint = tr("Use a dictionary with one number per segment for each rater, or an array of shape (raters, segments).")
    return QeError(tr("these values are not ratings"), hint=hint, place=SourceLocation(location))
