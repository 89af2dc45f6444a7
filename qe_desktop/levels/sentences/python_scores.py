"""Validation of segment scores that are passed as Python values: one number per segment."""

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
"""NumPy dtype kinds accepted as scores: Booleans, integers, floats, and strings or objects that represent numbers."""


def scores_from_python(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    """Return a scoring of systems against gold scores.

    The gold and the scores of each system are arrays or sequences, shape (segments,). Raises QeError under the same
    conditions as `validate_scores`, or if the numbers of segments differ.
    """
    column = validate_scores(gold, "gold")
    columns = {}
    for name, values in systems.items():
        location = f"systems[{name!r}]"
        scores = columns[name] = validate_scores(values, location)
        if len(scores) != len(column):
            message = tr(
                "{n:,} {n:score|scores} for {size:,} {size:segment|segments}", "", len(scores), size=len(column)
            )
            raise QeError(message, hint=tr("Use one score per segment."), place=SourceLocation(location))
    return Scoring.from_columns(level, LayerKey(Provenance.GOLD, "gold", Kind.SCORES), column, columns)


def validate_scores(values: Any, name: str) -> Scores:
    """Return a read-only copy of scores, shape (segments,).

    Raises QeError if `values` is a masked array or has another shape, or if a score is not a finite number. Errors
    refer to the scores as `name`, and to single scores as `name[0]`, `name[1]`, …
    """
    if isinstance(values, np.ma.MaskedArray):
        message = tr("masked arrays are not accepted, because every segment needs a score")
        raise QeError(message, hint=tr("Use a plain array with one number per segment."), place=SourceLocation(name))
    try:
        # dates and complex numbers would be converted to numbers silently
        scores = np.array(values, np.float64) if np.asarray(values).dtype.kind in SCORE_KINDS else None
    except (TypeError, ValueError, OverflowError):
        raise _not_numbers_error(name) from None
    if scores is None or scores.ndim != 1:
        raise _not_numbers_error(name)

    def segment_error(segment: int) -> Fault:
        value = np.asarray(values, object)[segment]
        return Fault(SourceLocation(f"{name}[{segment}]"), tr("{text} is not a number", text=quote_token(str(value))))

    raise_for_rows(np.flatnonzero(~np.isfinite(scores)), segment_error, tr("Use one finite number per segment."))
    scores.flags.writeable = False
    return scores


def _not_numbers_error(name: str) -> QeError:
    hint = tr("Use a sequence or an array of numbers, one per segment.")
    return QeError(tr("these values are not one number per segment"), hint=hint, place=SourceLocation(name))
