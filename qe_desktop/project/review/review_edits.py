"""What a person does to a segment in review, checked and in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import QeError, ReviewStatus, View
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS, LINE_BREAK, LINE_BREAK_PATTERN
from qe_desktop.formats.io.limits import MAX_SEGMENT_TOKENS
from qe_desktop.i18n.messages import to_english, tr
from qe_desktop.project.events import EditAction, ReviewField, ReviewRow, ReviewValue
from qe_desktop.project.review.review_log import ReviewFields


@dataclass(frozen=True, slots=True)
class CheckedFields:
    """Fields of segments as they may be set over a view, each with what that is in English words.

    A value, so that a job makes it of many segments and the window's thread has only to set them.
    """

    view: View
    wanted: Mapping[int, ReviewFields]
    fields: Mapping[int, ReviewFields]
    texts: Mapping[int, str]


def check_all_fields(
    view: View, wanted: Mapping[int, ReviewFields], watch: Callable[[float], None] = lambda share: None
) -> CheckedFields:
    """Check fields of segments; `watch` hears the share that is done, and may raise to stop. QeError as `checked`."""
    fields: dict[int, ReviewFields] = {}
    for segment, given in wanted.items():
        if len(fields) % 1000 == 0:
            watch(len(fields) / len(wanted))
        fields[segment] = check_fields(view, segment, given)
    return CheckedFields(
        view, wanted, fields, {segment: describe_review(given, segment) for segment, given in fields.items()}
    )


def check_fields(view: View, segment: int, fields: ReviewFields) -> ReviewFields:
    """The fields as they are set, and with a target the status that goes: what was confirmed is not any more.

    QeError for a segment that is not there, a locked one (a note may stand on any), a target that no file can hold, and
    a status that is none a person gives.
    """
    if not 0 <= segment < view.corpus.size:
        raise QeError(tr("there is no segment {number:,}", number=segment + 1), hint=tr("It may have been closed."))
    held = dict(fields)
    if view.is_locked(segment) and held.keys() - {ReviewField.NOTE}:
        message = tr("segment {number:,} is locked, and its target may not change", number=segment + 1)
        raise QeError(message, hint=tr("Unlock it in your translation program; a note can be written here."))
    if ReviewField.TARGET in held:
        held[ReviewField.TARGET] = _target(held[ReviewField.TARGET])
        if view.target(segment) != held[ReviewField.TARGET] and segment in view.review.statuses:
            held.setdefault(ReviewField.STATUS, None)
    status = held.get(ReviewField.STATUS)
    if status is not None:
        held[ReviewField.STATUS] = int(ReviewStatus(int(status)))
        if held[ReviewField.STATUS] == ReviewStatus.LOCKED:
            raise QeError(tr("nobody locks a segment in review"), hint=tr("Reject it, or write a note."))
    note = held.get(ReviewField.NOTE)
    if isinstance(note, str):
        held[ReviewField.NOTE] = _text(note.strip()) or None
    return held


def _target(value: ReviewValue) -> str | None:
    return _text(LINE_BREAK_PATTERN.sub(LINE_BREAK, value)) if isinstance(value, str) else None


def _text(text: str) -> str:
    unwritable = INVALID_XML_CHARS.search(text)
    if unwritable:
        shown = f"U+{ord(unwritable[0]):04X}"
        message = tr("the text holds the character {code}, which such a file may not hold", code=shown)
        raise QeError(message, hint=tr("Remove it."))
    if len(text) > MAX_SEGMENT_TOKENS:
        message = tr("the text has more than {n:,} characters", "", MAX_SEGMENT_TOKENS)
        raise QeError(message, hint=tr("Make it shorter."))
    return text


def is_valid_value(field: ReviewField, value: object) -> bool:
    """Whether a field may be set to that, whatever there was before: what `checked` gives, and None."""
    if value is None:
        return True
    if field is ReviewField.STATUS:
        return type(value) is int and value in _STATUS_VALUES
    fits = type(value) is str and len(value) <= MAX_SEGMENT_TOKENS and INVALID_XML_CHARS.search(value) is None
    return fits and (field is ReviewField.NOTE or not {"\r", "\n"} & set(str(value)))


def are_valid_values(field: ReviewField, values: Sequence[object]) -> bool:
    """Whether a field may be set to each of these."""
    if field is ReviewField.STATUS:
        return set(map(type, values)) <= {int, type(None)} and set(values) <= {None, *_STATUS_VALUES}
    texts = [one for one in values if one is not None]
    if not set(map(type, texts)) <= {str}:
        return False
    # each sign is looked for alone, so that all texts are one
    text = "".join(map(str, texts))
    fits = max(map(len, map(str, texts)), default=0) <= MAX_SEGMENT_TOKENS and INVALID_XML_CHARS.search(text) is None
    return fits and (field is ReviewField.NOTE or not ("\r" in text or "\n" in text))


_STATUS_VALUES = tuple(int(status) for status in ReviewStatus if status is not ReviewStatus.LOCKED)
"""The statuses that people give."""


def describe_review(fields: ReviewFields, segment: int) -> str:
    """What was done, in English words, for a project keeps it for everybody."""
    said: str = to_english(review_fields_text(tuple(fields), _status(fields), segment))
    return said


def describe_review_rows(rows: Sequence[ReviewRow]) -> str:
    """What rows that were made at once set, or an undo took back, in words."""
    if len(rows) != 1:
        return tr("{n:,} {n:segment|segments} changed", "", len(rows))
    row = rows[0]
    if not row.fields:
        return row.text
    values = row.befores if row.action is EditAction.UNDO else row.values
    return review_fields_text(row.fields, _status(dict(zip(row.fields, values, strict=True))), row.segment)


def _status(fields: ReviewFields) -> ReviewStatus | None:
    value = fields.get(ReviewField.STATUS)
    return ReviewStatus(value) if isinstance(value, int) else None


def review_fields_text(fields: Sequence[ReviewField], status: ReviewStatus | None, segment: int) -> str:
    """What fields of a segment were set, in words; a status that came with it is said first."""
    number = segment + 1
    if status is ReviewStatus.CONFIRMED:
        return tr("segment {number:,} confirmed", number=number)
    if status is ReviewStatus.REJECTED:
        return tr("segment {number:,} rejected", number=number)
    if ReviewField.TARGET in fields:
        return tr("translation of segment {number:,} edited", number=number)
    if ReviewField.NOTE in fields:
        return tr("note on segment {number:,}", number=number)
    return tr("segment {number:,} opened again", number=number)
