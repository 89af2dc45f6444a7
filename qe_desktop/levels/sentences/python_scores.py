"""Scores that a Python program has: one number a segment, as columns checked against each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from qe_desktop.corpus import Fault, Kind, LayerKey, Provenance, QeError, SourceLocation, raise_for_rows
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import Scoring

SCORE_KINDS = "biufOU"
"""Kinds of arrays that are read as numbers: whole ones and others, and texts and objects that are such."""


def scores_from_python(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    """Scores of systems, by name, against gold scores: arrays or sequences, shape (segments,) each.

    QeError for what is no number, and where the numbers of segments are not the same.
    """
    column = validate_scores(gold, "gold")
    columns = {}
    for name, values in systems.items():
        place = f"systems[{name!r}]"
        found = columns[name] = validate_scores(values, place)
        if len(found) != len(column):
            message = tr(
                "{n:,} {n:score|scores} for {size:,} {size:segment|segments}", "", len(found), size=len(column)
            )
            raise QeError(message, hint=tr("Give one score a segment."), place=SourceLocation(place))
    return Scoring.between(level, LayerKey(Provenance.GOLD, "gold", Kind.SCORES), column, columns)


def validate_scores(values: Any, name: str) -> Scores:
    """A copy of some scores; `name` is what errors call them, and the score of a segment `name[0]`, `name[1]`, …"""
    if isinstance(values, np.ma.MaskedArray):
        message = tr("a masked array says of some segments that they have no score")
        raise QeError(
            message, hint=tr("Leave these segments out of the gold and all systems."), place=SourceLocation(name)
        )
    try:
        # dates and complex numbers would become numbers, but not those that were meant
        scores = np.array(values, np.float64) if np.asarray(values).dtype.kind in SCORE_KINDS else None
    except (TypeError, ValueError, OverflowError):
        raise _not_numbers_error(name) from None
    if scores is None or scores.ndim != 1:
        raise _not_numbers_error(name)

    def fault(segment: int) -> Fault:
        value = np.asarray(values, object)[segment]
        return Fault(SourceLocation(f"{name}[{segment}]"), tr("{text} is no number", text=quote_token(str(value))))

    raise_for_rows(np.flatnonzero(~np.isfinite(scores)), fault, tr("Give one number a segment."))
    scores.flags.writeable = False
    return scores


def _not_numbers_error(name: str) -> QeError:
    hint = tr("Give a sequence or an array of numbers, one a segment.")
    return QeError(tr("these are not one number a segment"), hint=hint, place=SourceLocation(name))
