"""Merging of rating files: equal ratings of an item count once; different ratings are conflicts.

On a scale, an item is a system's output for a segment, as rated by one rater. In a ranking, it is a pair of outputs for
a segment, as judged by one rater. Ratings with different roles or from different campaigns belong to different items,
even if the rater and the output are the same. If files have several ratings of an item, the first rating in a file is
compared with the first in the other files, the second with the second, and so on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import CAMPAIGN_JOINER, Comment, ItemRole, PairRatings, Ratings, ScoreRatings, join_ratings
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ratings.aggregation.rating_groups import unordered_units
from qe_desktop.ratings.protocols import scale_title

RANK = "rank"
"""Scale of rankings in `RatingConflict`; its values are 1 (the first output is better), 0 (tie) and -1 (the second)."""

_ROLES = {
    ItemRole.REPEAT: tr("repeat", "why an item was rated"),
    ItemRole.BAD: tr("quality control", "why an item was rated"),
    ItemRole.REFERENCE: tr("reference", "why an item was rated"),
    ItemRole.TRAINING: tr("training", "why an item was rated"),
}


@dataclass(frozen=True, slots=True)
class RatingConflict:
    """Different ratings of one item. `values` are (file, value) pairs in file order; the first value counts.

    `system` names the rated output or, in a ranking, both outputs, for display. `systems` are all systems that produced
    these outputs.
    """

    rater: str
    segment: str
    system: str
    scale: str
    role: ItemRole
    values: tuple[tuple[str, float], ...]
    systems: tuple[str, ...] = ()

    def __str__(self) -> str:
        values = join_localized(", ", [_value(self.scale, value, file) for file, value in self.values])
        if self.role is ItemRole.SYSTEM:
            return tr(
                "{rater}, segment {segment}, {system}, {scale}: {values}",
                rater=self.rater, segment=self.segment, system=self.system, scale=scale_text(self.scale), values=values,
            )  # fmt: skip
        return tr(
            "{rater}, segment {segment}, {system}, {scale} ({role}): {values}",
            rater=self.rater, segment=self.segment, system=self.system, scale=scale_text(self.scale),
            role=_ROLES[self.role], values=values,
        )  # fmt: skip


def conflicts_without_systems(
    conflicts: Sequence[RatingConflict], hidden: Collection[str]
) -> tuple[RatingConflict, ...]:
    """Return the conflicts; a conflict about one of the `hidden` systems no longer names any system.

    A conflict shows ratings from the files. Together with a system's name or blind letter, these ratings would reveal
    which system the letter stands for.
    """
    return tuple(
        replace(
            conflict,
            system=tr("a hidden pair of outputs") if conflict.scale == RANK else tr("a hidden system"),
            systems=(),
        )
        if set(conflict.systems) & set(hidden)
        else conflict
        for conflict in conflicts
    )


def scale_text(name: str) -> str:
    """Return the title of a scale, or “rank” in the interface language if `name` is `RANK`."""
    return tr("rank") if name == RANK else scale_title(name)


def _value(scale: str, value: float, file: str) -> str:
    if scale != RANK:
        return tr("{value:g} in {file}", value=value, file=file)
    if value == 0:
        return tr("a tie in {file}", file=file)
    return (
        tr("the first output is better in {file}", file=file)
        if value > 0
        else tr("the second output is better in {file}", file=file)
    )


@dataclass(frozen=True, slots=True, eq=False)
class MergedRatings:
    """Merged ratings (in a conflict, the rating in the first file), conflicts, and number of duplicate ratings."""

    ratings: Ratings
    conflicts: tuple[RatingConflict, ...]
    duplicates: int


def merge_notes(merged: MergedRatings, conflicts: Sequence[RatingConflict]) -> list[str]:
    """Return notes on the duplicates in `merged` and on `conflicts`.

    `conflicts` are the conflicts in `merged`, with or without system names (`conflicts_without_systems`).
    """
    notes = []
    if merged.duplicates:
        notes.append(
            tr(
                "{n:,} duplicate {n:rating|ratings} in later files {n:is|are} not counted",
                "",
                merged.duplicates,
            )
        )
    if conflicts:
        notes.append(
            tr(
                "{n:,} {n:conflict|conflicts} between files (the rating in the first file counts); the first "
                "conflict is {conflict}",
                "",
                len(conflicts),
                conflict=conflicts[0],
            )
        )
    return notes


def merge_ratings(parts: Sequence[Ratings]) -> MergedRatings:
    """Merge the ratings of one or more files; the ratings of a single file are unchanged."""
    return _merge_from(parts, 0) if len(parts) > 1 else MergedRatings(join_ratings(parts), (), 0)


def new_ratings(existing: Ratings, new: Ratings) -> MergedRatings:
    """Return the ratings and comments that only `new` contains, the conflicts, and the number of duplicate ratings.

    A rating that conflicts with a rating in `existing` is not among the returned ratings.
    """
    merged = _merge_from([existing, new], 1)
    existing_comments = {repr(replace(comment, started=0.0)) for comment in existing.comments}
    comments = [comment for comment in new.comments if repr(replace(comment, started=0.0)) not in existing_comments]
    return replace(merged, ratings=replace(merged.ratings, comments=tuple(comments)))


def _merge_from(parts: Sequence[Ratings], first_file: int) -> MergedRatings:
    """Merge files, but return only ratings from files with index `first_file` or higher.

    The rating of an item is taken from the first file that has one.
    """
    joined = join_ratings(parts)
    names = [part.origin or tr("file {number}", number=index + 1) for index, part in enumerate(parts)]
    scores, pairs = joined.scores, joined.pairs
    low, high, outcome = unordered_units(pairs)
    score_keys = _codes([scores.rater, scores.system, scores.segment, scores.scale, scores.role])
    pair_keys = _codes([pairs.rater, pairs.segment, low, high, pairs.role])
    score_files = np.repeat(np.arange(len(parts)), [len(part.scores) for part in parts])
    pair_files = np.repeat(np.arange(len(parts)), [len(part.pairs) for part in parts])
    score_comparison = _compare_rows(_keys_with_campaign(score_keys, scores), scores.value, score_files)
    pair_comparison = _compare_rows(_keys_with_campaign(pair_keys, pairs), outcome.astype(np.float64), pair_files)
    comments: dict[str, Comment] = {}
    for comment in joined.comments:
        comments.setdefault(repr(replace(comment, started=0.0)), comment)
    merged = replace(
        joined,
        scores=scores.take(score_comparison.keep & (score_files >= first_file)),
        pairs=pairs.take(pair_comparison.keep & (pair_files >= first_file)),
        comments=tuple(comments.values()),
    )
    listed = [
        RatingConflict(
            scores.raters[scores.rater[row]], scores.segments[scores.segment[row]],
            scores.systems[scores.system[row]], scores.scales[scores.scale[row]], ItemRole(int(scores.role[row])),
            tuple((names[file], value) for file, value in values), (scores.systems[scores.system[row]],),
        )
        for row, values in score_comparison.differing
    ]  # fmt: skip
    listed += [
        RatingConflict(
            pairs.raters[pairs.rater[row]], pairs.segments[pairs.segment[row]],
            tr("{one} and {other}", one=pairs.units[low[row]], other=pairs.units[high[row]]), RANK,
            ItemRole(int(pairs.role[row])), tuple((names[file], value) for file, value in values),
            tuple([*pairs.units[low[row]].split(CAMPAIGN_JOINER), *pairs.units[high[row]].split(CAMPAIGN_JOINER)]),
        )
        for row, values in pair_comparison.differing
    ]  # fmt: skip
    return MergedRatings(merged, tuple(listed), score_comparison.duplicates + pair_comparison.duplicates)


def _keys_with_campaign(keys: Ints, table: ScoreRatings | PairRatings) -> Ints:
    """Return keys that also distinguish campaigns if there are several.

    With a single named campaign, the keys are unchanged, because ratings without a campaign may belong to it.
    """
    named = {table.campaigns[index] for index in np.unique(table.campaign).tolist()} - {""}
    return keys if len(named) < 2 else _codes([keys, table.campaign])


def _codes(columns: Sequence[NDArray[np.integer]]) -> Ints:
    """Return an integer for each row of the columns; rows with equal values in all columns have the same integer."""
    keys = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        keys = np.unique(keys, return_inverse=True)[1] * (int(column.max(initial=0)) + 1) + column
    return np.unique(keys, return_inverse=True)[1].astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class _RowComparison:
    """Rows to keep, conflicting items, and number of duplicate rows.

    `keep` has shape (rows,) and is True for the first row of each item. `differing` has, for each conflicting item, its
    first row and a (file index, value) pair for each of its rows.
    """

    keep: NDArray[np.bool_]
    differing: list[tuple[int, list[tuple[int, float]]]]
    duplicates: int


def _compare_rows(key: Ints, value: Floats, file: Ints) -> _RowComparison:
    # rows are sorted by file, so a stable sort by item keeps each item's rows in file order
    order = np.argsort(key, kind="stable")
    occurrence = _occurrences(np.stack([key[order], file[order]]))
    item = np.empty(len(key), np.int64)
    item[order] = _codes([key[order], occurrence])
    order = np.argsort(item, kind="stable")
    ordered, values = item[order], value[order]
    first = np.ones(len(order), bool)
    first[1:] = ordered[1:] != ordered[:-1]
    begins = np.flatnonzero(first)
    sizes = np.diff(begins, append=len(order))
    is_different = values != np.repeat(values[begins], sizes)
    keep = np.zeros(len(key), bool)
    keep[order[begins]] = True
    differing = []
    for begin in np.unique(np.repeat(begins, sizes)[is_different]).tolist():
        rows = order[begin : begin + sizes[np.searchsorted(begins, begin)]]
        differing.append((int(rows[0]), [(int(file[row]), float(value[row])) for row in rows]))
    differing.sort()
    return _RowComparison(keep, differing, int(np.count_nonzero(~first & ~is_different)))


def _occurrences(keys: Ints) -> Ints:
    """Return the 0-based index of each column of `keys` within its run of equal columns."""
    size = keys.shape[1]
    is_first = np.ones(size, bool)
    is_first[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    begins = np.flatnonzero(is_first)
    return np.arange(size) - np.repeat(begins, np.diff(begins, append=size))
