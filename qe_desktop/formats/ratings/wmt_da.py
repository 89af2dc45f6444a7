"""Direct assessment as WMT21 published it: every rating, and the means of segments.

ratings  HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time    (rows are cut by tabs)
means    SYS SID RAW.SCR Z.SCR N                                                         (rows are cut by spaces)

Types are SYSTEM, REPEAT, BAD_REF (degraded on purpose) and REF. Ratings are raw (0..100) or already standardised; the
latter become the scale "z". Means name no rater: they are given to `MEAN_OF_RATERS`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import QeError, Ratings, ScoreRatings
from qe_desktop.corpus.ratings import Codes, Floats
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.ratings.cells import number_or_nan, rating
from qe_desktop.formats.ratings.columns import Dialect, Gathered, first_line, first_rows
from qe_desktop.formats.ratings.gatherers import Gatherer, Names, Numbers
from qe_desktop.formats.ratings.rating_format import RatingFormat
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
    texts = ("hitid", "input.src", "input.trg", "input.item")
    gatherers: dict[str, Gatherer] = {"workerid": Names(), "sys_id": Names(), "sid": Names()}
    score = Numbers(rating)
    gatherers |= {"type": Numbers(role_code), "score": score, "time": Numbers(number_or_nan)}
    gatherers |= {name: Names(empty="") for name in texts}
    found = Gathered(opened, layout.dialect, layout.width, layout.columns, gatherers)
    keep = ~np.isnan(score.values)
    left = int(found.rows - keep.sum()) - score.odd_count
    notes = [tr("{n:,} {n:row|rows} without a score left out", "", left)] if left else []
    notes += found.notes(layout.header)
    keep &= found.of_pair(language_pair, "input.src", "input.trg")
    (raters, rater), (systems, system) = found.names("workerid"), found.names("sys_id")
    seconds = np.full(found.rows, np.nan)
    if "time" in found and "hitid" in found:
        seconds = _each(found.names("hitid")[1], rater, found.values("time"))
        notes.append(tr("times are those of whole HITs, divided among the items"))
    segments, segment = found.names("sid")
    scales, scale = _scales(*found.names("input.item"), score.values)
    table = ScoreRatings(
        raters, systems, segments, scales, rater, system, segment, scale, score.values,
        found.values("type").astype(np.uint8), np.full(found.rows, np.nan), seconds, np.zeros(found.rows, np.uint8),
    )  # fmt: skip
    return Ratings(table.take(keep), origin=opened.name, notes=tuple(notes))


def _each(hit: Codes, rater: Codes, time: Floats) -> Floats:
    """The seconds of each item: those of its HIT, divided by the items that this rater rated in it."""
    share = hit.astype(np.int64) * (int(rater.max()) + 1) + rater
    which, counts = np.unique(share, return_inverse=True, return_counts=True)[1:]
    return np.asarray(np.round(time / counts[which], 3))


def _scales(names: Sequence[str], codes: Codes, values: Floats) -> tuple[tuple[str, ...], Codes]:
    """The scale of each row: "z" where a file's scores are standardised, that is where some are below 0."""
    standardised = bool((values < 0).any())
    if len(names) == 1:
        return ("z" if standardised else "score",), codes
    return tuple(f"{scale_of(name)} z" if standardised else scale_of(name) for name in names), codes


def _means(opened: OpenedFile, layout: _Layout) -> Ratings:
    gatherers: dict[str, Gatherer] = {"sys": Names(), "sid": Names()}
    gatherers |= {"raw.scr": Numbers(number_or_nan), "z.scr": Numbers(number_or_nan)}
    found = Gathered(opened, layout.dialect, layout.width, layout.columns, gatherers)
    (systems, system), (segments, segment) = found.names("sys"), found.names("sid")
    unknown, nothing = np.full(2 * found.rows, np.nan), np.zeros(2 * found.rows, np.uint8)
    both = ScoreRatings(
        (MEAN_OF_RATERS,), systems, segments, ("score", "z"), np.zeros(2 * found.rows, np.int32), np.tile(system, 2),
        np.tile(segment, 2), np.repeat(np.array([0, 1], np.int32), found.rows),
        np.concatenate([found.values("raw.scr"), found.values("z.scr")]), nothing, unknown, unknown, nothing,
    )  # fmt: skip
    notes = (tr("means of segments, whose raters are not named"), *found.notes())
    return Ratings(both.take(~np.isnan(both.value)), origin=opened.name, notes=notes)


FORMAT = RatingFormat("wmt21", tr("WMT21 direct assessment"), _confidence, _read)
