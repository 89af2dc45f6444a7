"""Writing tables with one rating a row; rankings are written as their pairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from qe_desktop.corpus import Place, QeError, Ratings
from qe_desktop.formats.opening import shown_name
from qe_desktop.formats.ratings.cells import moments
from qe_desktop.formats.ratings.tables import (
    marks_of,
    numbers_text,
    ranges_column,
    refuse_changed,
    refuse_nothing,
    write_table,
)
from qe_desktop.formats.ratings.vocabulary import role_names
from qe_desktop.wording import tr


def write_long(ratings: Ratings, path: Path) -> tuple[str, ...]:
    """Write values on scales and pairs, each with its rater and time; notes on what is left out."""
    scores, pairs = ratings.scores, ratings.pairs
    refuse_nothing(len(scores) + len(pairs), path, tr("there are no ratings to write"), tr("Choose other ratings."))
    if len(pairs):
        _refuse_bars(pairs.units, path)
    refuse_changed(scores, ("rater", "segment", "system", "scale"), path)
    refuse_changed(pairs, ("rater", "segment", "first", "second"), path)
    empty, blank = [""] * len(scores), [""] * len(pairs)
    columns: dict[str, Sequence[object]] = {
        "rater": [*scores.texts("rater"), *pairs.texts("rater")],
        "segment": [*scores.texts("segment"), *pairs.texts("segment")],
    }
    if len(scores):
        columns["system"] = [*scores.texts("system"), *blank]
        columns["scale"] = [*scores.texts("scale"), *blank]
        columns["value"] = [*numbers_text(scores.value), *blank]
    if len(pairs):
        both = zip(pairs.texts("first"), pairs.texts("second"), strict=True)
        ranks = zip(pairs.first_rank.tolist(), pairs.second_rank.tolist(), strict=True)
        columns["systems"] = [*empty, *(f"{first}|{second}" for first, second in both)]
        columns["ranks"] = [*empty, *(f"{first}|{second}" for first, second in ranks)]
        columns["screen"] = [*empty, *pairs.texts("screen")]
    columns["role"] = role_names(np.concatenate([scores.role, pairs.role]))
    columns["started"] = moments(np.concatenate([scores.started, pairs.started]))
    seconds = np.concatenate([scores.seconds, pairs.seconds])
    if np.isfinite(seconds).any():
        columns["seconds"] = numbers_text(seconds)
    if scores.flags.any():
        columns["flags"] = [*(str(flags) if flags else "" for flags in scores.flags.tolist()), *blank]
    if ratings.ranges and len(scores):
        columns["range"] = [*ranges_column(ratings, scores), *blank]
    write_table(path, columns | marks_of(scores, pairs))
    if not ratings.comments:
        return ()
    comments = len(ratings.comments)
    return (tr("a table with one rating a row cannot hold {n:,} {n:comment|comments} and skipped items", "", comments),)


def _refuse_bars(units: Sequence[str], path: Path) -> None:
    for unit in units:
        if "|" in unit:
            message = tr('the system "{name}" has the mark | in its name, which cuts systems here', name=unit)
            raise QeError(message, hint=tr("Write the form wmt or jsonl."), place=Place(shown_name(path)))
