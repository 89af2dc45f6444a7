"""Direct assessment as WMT21 published it: every rating, and the means of segments.

ratings  HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time    (rows are cut by tabs)
means    SYS SID RAW.SCR Z.SCR N                                                         (rows are cut by spaces)

Types are SYSTEM, REPEAT, BAD_REF (degraded on purpose) and REF. Ratings are raw (0..100) or already standardised; the
latter become the scale "z". Means name no rater: they are given to `MEAN_OF_RATERS`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError, Ratings, ScoreRatings
from qe_desktop.formats.language_pairs import chosen_pair
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.ratings.cells import number_or_nan, rating
from qe_desktop.formats.ratings.column_uses import unread_note
from qe_desktop.formats.ratings.columns import Dialect, first_line, first_rows, odd_notes, read_columns
from qe_desktop.formats.ratings.gatherers import Gatherer, Names, Numbers
from qe_desktop.formats.ratings.rating_format import RatingFormat, no_pairs, unknown
from qe_desktop.formats.ratings.tables import no_rows
from qe_desktop.formats.ratings.vocabulary import role_code, scale_of
from qe_desktop.wording import tr

MEAN_OF_RATERS = "(mean of raters)"
"""Stands for the raters of means whose raters a file does not name."""
_RATINGS = ("workerid", "sys_id", "type", "sid", "score")
_MEANS = ("sys", "sid", "raw.scr", "z.scr")


@dataclass(frozen=True, slots=True)
class _Layout:
    columns: dict[str, int]
    header: list[str]
    dialect: Dialect
    width: int


def _layout(head: bytes) -> _Layout | None:
    """Where the columns stand; the header may be cut by spaces while the rows are cut by tabs."""
    names = [name.lower() for name in first_line(head).replace("\t", " ").replace(",", " ").split()]
    columns = {name: place for place, name in reversed(list(enumerate(names)))}
    if not (set(_RATINGS) <= set(columns) or set(_MEANS) <= set(columns)):
        return None
    for mark in ("\t", ",", " "):
        dialect = Dialect(mark, quoted=mark == ",")
        rows = first_rows(head, dialect, 2)
        if len(rows) > 1 and len(rows[1]) >= len(names):
            return _Layout(columns, names, dialect, len(rows[1]))
    return _Layout(columns, names, Dialect("\t", quoted=False), len(names))


def _confidence(head: bytes, name: str) -> float:
    return 0.98 if _layout(head) else 0.0


def _read(opened: OpenedFile, language_pair: str) -> Ratings:
    layout = _layout(opened.head())
    if layout is None:
        message = tr("the first row does not name the columns of a file of direct assessment")
        raise QeError(message, hint=tr("They are WorkerId, sys_id, type, sid and score."), place=opened.place(1))
    if set(_RATINGS) <= set(layout.columns):
        return _ratings(opened, layout, language_pair)
    return _means(opened, layout)


def _ratings(opened: OpenedFile, layout: _Layout, language_pair: str) -> Ratings:
    at = layout.columns
    raters, systems, segments, hits = Names(), Names(), Names(), Names(empty="")
    source, target, item = Names(empty=""), Names(empty=""), Names(empty="")
    role, score, time = Numbers(role_code), Numbers(rating), Numbers(number_or_nan)
    named: dict[str, Gatherer] = {
        "workerid": raters, "sys_id": systems, "sid": segments, "type": role, "score": score, "hitid": hits,
        "input.src": source, "input.trg": target, "input.item": item, "time": time,
    }  # fmt: skip
    rows = _rows(opened, layout, {at[name]: gatherer for name, gatherer in named.items() if name in at})
    keep = ~np.isnan(score.values)
    left = int(rows - keep.sum())
    left -= score.odd_count
    notes = [tr("{n:,} {n:row|rows} without a score left out", "", left)] if left else []
    notes += odd_notes(opened, layout.dialect, (score, time), skip=1)
    notes += unread_note(layout.header, {at[name] for name in named if name in at})
    if len(source.codes) and len(target.codes):
        keep &= _of_pair(opened, source, target, language_pair)
    seconds = unknown(rows)
    if len(time.values) and len(hits.codes):
        seconds = _each(hits, raters, time.values)
        notes.append(tr("times are those of whole HITs, divided among the items"))
    scales, scale = _scales(item, score.values, rows)
    table = ScoreRatings(
        raters.names, systems.names, segments.names, scales, raters.codes, systems.codes, segments.codes, scale,
        score.values, role.values.astype(np.uint8), unknown(rows), seconds, np.zeros(rows, np.uint8),
    )  # fmt: skip
    return Ratings(table.take(keep), no_pairs(), (), opened.name, tuple(notes))


def _rows(opened: OpenedFile, layout: _Layout, wanted: dict[int, Gatherer]) -> int:
    rows = read_columns(opened, layout.dialect, layout.width, wanted, skip=1)
    if not rows:
        raise no_rows(opened)
    return rows


def _of_pair(opened: OpenedFile, source: Names, target: Names, language_pair: str) -> NDArray[np.bool_]:
    both = source.codes.astype(np.int64) * len(target.names) + target.codes
    found, which = np.unique(both, return_inverse=True)
    pairs = [
        f"{source.names[code // len(target.names)]}-{target.names[code % len(target.names)]}" for code in found.tolist()
    ]
    return np.asarray(which == chosen_pair(opened, pairs, language_pair))


def _each(hits: Names, raters: Names, time: NDArray[np.float64]) -> NDArray[np.float64]:
    """The seconds of each item: those of its HIT, divided by the items that this rater rated in it."""
    share = hits.codes.astype(np.int64) * len(raters.names) + raters.codes
    which, counts = np.unique(share, return_inverse=True, return_counts=True)[1:]
    return np.asarray(np.round(time / counts[which], 3))


def _scales(item: Names, values: NDArray[np.float64], rows: int) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """The scale of each row: "z" where a file's scores are standardised, that is where some are below 0."""
    standardised = bool((values < 0).any())
    if not len(item.codes):
        return ("z" if standardised else "score",), np.zeros(rows, np.int32)
    asked = [scale_of(name) for name in item.names]
    if len(asked) == 1:
        return ("z" if standardised else "score",), np.zeros(rows, np.int32)
    return tuple(f"{name} z" if standardised else name for name in asked), item.codes


def _means(opened: OpenedFile, layout: _Layout) -> Ratings:
    at = layout.columns
    systems, segments = Names(), Names()
    raw, z = Numbers(number_or_nan), Numbers(number_or_nan)
    wanted: dict[int, Gatherer] = {at["sys"]: systems, at["sid"]: segments, at["raw.scr"]: raw, at["z.scr"]: z}
    rows = _rows(opened, layout, wanted)
    both = ScoreRatings(
        (MEAN_OF_RATERS,), systems.names, segments.names, ("score", "z"), np.zeros(2 * rows, np.int32),
        np.tile(systems.codes, 2), np.tile(segments.codes, 2), np.repeat(np.array([0, 1], np.int32), rows),
        np.concatenate([raw.values, z.values]), np.zeros(2 * rows, np.uint8), unknown(2 * rows), unknown(2 * rows),
        np.zeros(2 * rows, np.uint8),
    )  # fmt: skip
    notes = (
        tr("means of segments, whose raters are not named"),
        *odd_notes(opened, layout.dialect, (raw, z), skip=1),
    )
    return Ratings(both.take(~np.isnan(both.value)), no_pairs(), (), opened.name, notes)


FORMAT = RatingFormat("wmt21", tr("WMT21 direct assessment"), _confidence, _read)
