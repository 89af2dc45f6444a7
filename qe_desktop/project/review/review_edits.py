"""Validation and description of review edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress

from qe_desktop.corpus import QeError, ReviewStatus, View
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS, LINE_BREAK, LINE_BREAK_PATTERN
from qe_desktop.formats.files import MAX_SEGMENT_LENGTH
from qe_desktop.i18n.messages import to_english, tr
from qe_desktop.project.events import EditAction, ReviewField, ReviewRow, ReviewValue
from qe_desktop.project.review.review_log import ReviewFields


@dataclass(frozen=True, slots=True)
class CheckedFields:
    """Validated fields of segments, with their English descriptions.

    Instances are immutable: a background job can validate many segments, and the GUI thread only has to apply them.
    """

    view: View
    requested: Mapping[int, ReviewFields]
    fields: Mapping[int, ReviewFields]
    texts: Mapping[int, str]


FieldsBySegment = Mapping[int, ReviewFields] | CheckedFields


def check_all_fields(
    view: View, changes: Mapping[int, ReviewFields], on_progress: Callable[[float], None] = lambda share: None
) -> CheckedFields:
    """Return the checked fields (see `check_fields`); `on_progress` gets the fraction done and may raise to stop."""
    fields: dict[int, ReviewFields] = {}
    for segment, values in changes.items():
        if len(fields) % 1000 == 0:
            on_progress(len(fields) / len(changes))
        fields[segment] = check_fields(view, segment, values)
    return CheckedFields(
        view, changes, fields, {segment: describe_review(values, segment) for segment, values in fields.items()}
    )


def check_confirmations(view: View, segments: Sequence[int], line: str) -> CheckedFields:
    """Return the checked fields that confirm `segments` with the target `line`, which is validated only once.

    Raises QeError if a segment is locked, or if the target has too many or invalid characters.
    """
    target, status = _target(line), int(ReviewStatus.CONFIRMED)
    changed: ReviewFields = {ReviewField.TARGET: target, ReviewField.STATUS: status}
    as_loaded: ReviewFields = {ReviewField.TARGET: None, ReviewField.STATUS: status}
    fields = {
        segment: as_loaded if target == loaded else changed
        for segment, loaded in zip(segments, view.corpus.target_lines(segments), strict=True)
    }
    for segment in compress(segments, view.statuses()[list(segments)] == ReviewStatus.LOCKED):
        check_fields(view, segment, fields[segment])
    # as in `describe_review`, which is slower for thousands of segments
    return CheckedFields(view, fields, fields, {segment: f"segment {segment + 1:,} confirmed" for segment in segments})


def check_fields(view: View, segment: int, fields: ReviewFields) -> ReviewFields:
    """Return the normalized fields of a segment; a changed target resets the status unless `fields` sets it.

    Raises QeError if the segment is unknown, if it is locked and `fields` contains more than a note, if a text has too
    many or invalid characters, or if the status is LOCKED. Raises ValueError if the status is unknown.
    """
    if not 0 <= segment < view.corpus.size:
        raise QeError(
            tr("segment {number:,} does not exist", number=segment + 1), hint=tr("Its file may have been closed.")
        )
    checked = dict(fields)
    if view.is_locked(segment) and checked.keys() - {ReviewField.NOTE}:
        message = tr("segment {number:,} is locked; its target and status cannot be changed", number=segment + 1)
        raise QeError(message, hint=tr("Unlock it in your CAT tool. You can add a note here."))
    if ReviewField.TARGET in checked:
        checked[ReviewField.TARGET] = _target(checked[ReviewField.TARGET])
        if view.target(segment) != checked[ReviewField.TARGET] and segment in view.review.statuses:
            checked.setdefault(ReviewField.STATUS, None)
    status = checked.get(ReviewField.STATUS)
    if status is not None:
        checked[ReviewField.STATUS] = int(ReviewStatus(int(status)))
        if checked[ReviewField.STATUS] == ReviewStatus.LOCKED:
            raise QeError(tr("segments cannot be locked in review"), hint=tr("Reject the segment or add a note."))
    if ReviewField.NOTE in checked:
        checked[ReviewField.NOTE] = _note(view, segment, checked[ReviewField.NOTE])
    return checked


def _note(view: View, segment: int, value: ReviewValue) -> str | None:
    """Normalize a note: None stands for the note in the file. "" (no note) becomes None if the file has no note."""
    if not isinstance(value, str):
        return None
    job = view.corpus.job
    return _validate_text(value.strip()) or ("" if job is not None and job.reviewer_notes.get(segment) else None)


def _target(value: ReviewValue) -> str | None:
    return _validate_text(LINE_BREAK_PATTERN.sub(LINE_BREAK, value)) if isinstance(value, str) else None


def _validate_text(text: str) -> str:
    unwritable = INVALID_XML_CHARS.search(text)
    if unwritable:
        code_point = f"U+{ord(unwritable[0]):04X}"
        message = tr("the text contains the character {code}, which is not allowed in bilingual files", code=code_point)
        raise QeError(message, hint=tr("Remove it."))
    if len(text) > MAX_SEGMENT_LENGTH:
        message = tr("the text has more than {n:,} characters", "", MAX_SEGMENT_LENGTH)
        raise QeError(message, hint=tr("Make it shorter."))
    return text


def is_valid_value(field: ReviewField, value: object) -> bool:
    """Return whether a value, normalized as in `check_fields`, is valid for a field; None is always valid."""
    if value is None:
        return True
    if field is ReviewField.STATUS:
        return type(value) is int and value in _STATUS_VALUES
    is_valid_text = type(value) is str and len(value) <= MAX_SEGMENT_LENGTH and INVALID_XML_CHARS.search(value) is None
    return is_valid_text and (field is ReviewField.NOTE or not {"\r", "\n"} & set(str(value)))


def are_valid_values(field: ReviewField, values: Sequence[object]) -> bool:
    """Return whether all `values` are valid for a field (see `is_valid_value`)."""
    if field is ReviewField.STATUS:
        return set(map(type, values)) <= {int, type(None)} and set(values) <= {None, *_STATUS_VALUES}
    texts = [value for value in values if value is not None]
    if not set(map(type, texts)) <= {str}:
        return False
    # the search is for single characters, so the texts can be joined
    text = "".join(map(str, texts))
    are_valid_texts = (
        max(map(len, map(str, texts)), default=0) <= MAX_SEGMENT_LENGTH and INVALID_XML_CHARS.search(text) is None
    )
    return are_valid_texts and (field is ReviewField.NOTE or not ("\r" in text or "\n" in text))


_STATUS_VALUES = tuple(int(status) for status in ReviewStatus if status is not ReviewStatus.LOCKED)
"""Values of the statuses that users can set."""


def describe_review(fields: ReviewFields, segment: int) -> str:
    """Describe an edit that sets `fields`, in English; the description is stored in the project."""
    text: str = to_english(review_fields_text(tuple(fields), _status(fields), segment))
    return text


def describe_review_rows(rows: Sequence[ReviewRow]) -> str:
    """Describe the change of a single row: the fields that it set or, if it is an undo, reverted.

    For several rows, the description states the number of changed segments.
    """
    if len(rows) != 1:
        return tr("{n:,} {n:segment|segments} changed", "", len({row.segment for row in rows}))
    row = rows[0]
    if not row.fields:
        return row.text
    values = row.befores if row.action is EditAction.UNDO else row.values
    return review_fields_text(row.fields, _status(dict(zip(row.fields, values, strict=True))), row.segment)


def _status(fields: ReviewFields) -> ReviewStatus | None:
    value = fields.get(ReviewField.STATUS)
    return ReviewStatus(value) if isinstance(value, int) else None


def review_fields_text(fields: Sequence[ReviewField], status: ReviewStatus | None, segment: int) -> str:
    """Describe an edit that set `fields`; a confirmation or rejection takes precedence over other changes."""
    number = segment + 1
    if status is ReviewStatus.CONFIRMED:
        return tr("segment {number:,} confirmed", number=number)
    if status is ReviewStatus.REJECTED:
        return tr("segment {number:,} rejected", number=number)
    if ReviewField.TARGET in fields:
        return tr("translation of segment {number:,} edited", number=number)
    if ReviewField.NOTE in fields:
        return tr("note on segment {number:,} changed", number=number)
    return tr("segment {number:,} reopened", number=number)
