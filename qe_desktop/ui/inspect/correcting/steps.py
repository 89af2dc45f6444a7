"""What was done to a segment, from the rows of its review."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.corpus import Status
from qe_desktop.project.events import EditAction, ReviewField, ReviewRow
from qe_desktop.project.review_edits import worded
from qe_desktop.ui.inspect.correcting.history import Step
from qe_desktop.wording import tr


def steps_of(rows: Sequence[ReviewRow]) -> list[Step]:
    """The steps of a segment, the latest first; the last is the target as it was loaded."""
    found = [Step(0.0, "", tr("as it was loaded"), None, gives=True)]
    for row in rows:
        given = dict(zip(row.fields, row.values, strict=True))
        line = given.get(ReviewField.TARGET)
        text = line if isinstance(line, str) else None
        found.append(Step(row.at, row.person, _what(row), text, gives=ReviewField.TARGET in given))
    return found[::-1]


def _what(row: ReviewRow) -> str:
    held = row.befores if row.action is EditAction.UNDO else row.values
    fields = dict(zip(row.fields, held, strict=True))
    status = fields.get(ReviewField.STATUS)
    said = (
        worded(row.fields, Status(status) if isinstance(status, int) else None, row.segment) if row.fields else row.text
    )
    match row.action:
        case EditAction.UNDO:
            return tr("Undo: {text}", text=said)
        case EditAction.REDO:
            return tr("Redo: {text}", text=said)
        case _:
            return said
