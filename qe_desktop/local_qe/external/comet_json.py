"""Parser of the JSON of `comet-score --to_json`: segment scores and, for some models, error spans.

The form is {file: [{"src", "mt", "COMET", "errors": [{"text", "confidence", "severity", "start", "end"}]}]}. `end` is
exclusive. Offsets count from 0 at the first character of the MT that is not a space.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.layers import Scores
from qe_desktop.escaping import escape_label
from qe_desktop.formats.text_files import TextFile
from qe_desktop.i18n.messages import tr

SCORE_KEY = "COMET"


@dataclass(frozen=True, slots=True)
class ErrorSpan:
    """Error in an MT line from `start` to `end` (exclusive), with its severity and the model's confidence, if known."""

    start: int
    end: int
    severity: str
    confidence: float | None

    @property
    def reason(self) -> str:
        """Localized description of the error: its severity and, if known, the confidence."""
        severity = escape_label(self.severity, 40)
        if self.confidence is None:
            return tr("{severity} error", severity=severity)
        return tr("{severity} error, confidence {share:.2f}", severity=severity, share=self.confidence)


@dataclass(frozen=True, slots=True, eq=False)
class CometResult:
    """Scores, shape (segments,), NaN if missing; error spans of each segment, None if the model predicts no spans."""

    scores: Scores
    spans: tuple[tuple[ErrorSpan, ...], ...] | None


def is_json(head: bytes) -> bool:
    """Return whether the beginning of a file looks like JSON."""
    return head.lstrip()[:1] in (b"{", b"[")


def read_comet(opened: TextFile, lines: Sequence[str]) -> CometResult:
    """Parse comet-score results for the MT `lines`. Raises QeError if the file is invalid or belongs to another MT."""
    try:
        data = json.loads(opened.data[opened.start :])
    except (ValueError, RecursionError) as error:
        at = error.lineno if isinstance(error, json.JSONDecodeError) else None
        raise QeError(tr("the JSON is invalid or incomplete"), hint=_HINT, place=opened.location(at)) from None
    rows = _rows(data, opened)
    if len(rows) != len(lines):
        message = tr("{n:,} {n:segment|segments}, but the MT has {wanted:,}", "", len(rows), wanted=len(lines))
        raise QeError(
            message, hint=tr("The result must have one entry for each line of the MT."), place=opened.location()
        )
    scores = np.full(len(rows), np.nan)
    spans: list[tuple[ErrorSpan, ...]] = []
    for segment, (row, line) in enumerate(zip(rows, lines, strict=True)):
        location = SourceLocation(f"{opened.name}[{segment + 1}]")
        if isinstance(row.get("mt"), str) and row["mt"].strip() != line.strip():
            message = tr("the MT of segment {number:,} is different from the input", number=segment + 1)
            raise QeError(message, hint=tr("Entries must be in the same order as the lines of the MT."), place=location)
        scores[segment] = _number(row.get(SCORE_KEY))
        spans.append(tuple(_span(error, line, location) for error in _list(row.get("errors"), location)))
    scores.flags.writeable = False
    return CometResult(scores, tuple(spans) if any("errors" in row for row in rows) else None)


def _rows(data: Any, opened: TextFile) -> list[Mapping[str, Any]]:
    if isinstance(data, Mapping):
        lists = [value for value in data.values() if isinstance(value, list)]
        data = lists[0] if len(lists) == 1 else None
    if not isinstance(data, list) or not all(isinstance(row, Mapping) for row in data):
        message = tr("this is not the JSON of comet-score with exactly one list of segments")
        raise QeError(message, hint=_HINT, place=opened.location())
    return data


def _list(errors: Any, location: SourceLocation) -> Sequence[Any]:
    if errors is None:
        return ()
    if not isinstance(errors, list):
        raise QeError(tr("“errors” is not a list"), hint=_HINT, place=location)
    return errors


def _span(error: Any, line: str, location: SourceLocation) -> ErrorSpan:
    if not isinstance(error, Mapping):
        raise QeError(tr("an error is not an object with start and end"), hint=_HINT, place=location)
    start, end = error.get("start"), error.get("end")
    shift = len(line) - len(line.lstrip())
    if type(start) is not int or type(end) is not int or not 0 <= start <= end <= len(line) - shift:
        message = tr("the error from {start} to {end} is not inside the MT", start=str(start)[:20], end=str(end)[:20])
        raise QeError(
            message,
            hint=tr("Position 0 is the first character of the MT that is not a space; ends are exclusive."),
            place=location,
        )
    confidence = _number(error.get("confidence"))
    severity = error.get("severity")
    return ErrorSpan(
        start + shift,
        end + shift,
        severity if isinstance(severity, str) and severity else "unknown",
        None if math.isnan(confidence) else confidence,
    )


def _number(value: Any) -> float:
    return (
        float(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
        else math.nan
    )


_HINT = tr("Use the output of comet-score --to_json.")
