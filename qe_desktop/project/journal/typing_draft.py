"""Target or note that is being typed, stored in a separate file until the edit is committed."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.formats.atomic_write import replace_bytes
from qe_desktop.project.events import ReviewField

if TYPE_CHECKING:
    from qe_desktop.project.session import Session

MAX_DRAFT_BYTES = 1 << 22
"""Maximum size in bytes of a stored draft; larger files are ignored."""


@dataclass(frozen=True, slots=True)
class TypedText:
    """Text that is being typed: the target of a segment (as a line with codes) or the note of a segment."""

    segment: int
    field: ReviewField
    text: str


@dataclass(frozen=True, slots=True)
class TypingDraft:
    """Unfinished target or note of a segment.

    `before` is the text before the edit. `last_edit` is the uid of the segment's last review row or, for a note, of the
    last row that set the note; it is empty if there is no such row. If the text or the last row is no longer the same,
    the draft is out of date.
    """

    segment: int
    field: ReviewField
    text: str
    before: str
    last_edit: str

    @classmethod
    def of(cls, typed: TypedText, session: Session) -> TypingDraft:
        """Return the draft of a text that is being typed now."""
        before, last_edit = _state(session, typed.segment, typed.field)
        return cls(typed.segment, typed.field, typed.text, before, last_edit)

    def is_current(self, session: Session, segment: int) -> bool:
        """Return whether the edited field is as it was before the edit; `segment` may differ from `self.segment`."""
        return (self.before, self.last_edit) == _state(session, segment, self.field)

    def write(self, path: Path) -> None:
        """Write the draft, replacing a previous one; it survives a program crash, but possibly not a power failure.

        Raises OSError if the file cannot be written.
        """
        replace_bytes(path, json.dumps({**asdict(self), "field": self.field.value}).encode())


def _state(session: Session, segment: int, field: ReviewField) -> tuple[str, str]:
    """Return the values of `TypingDraft.before` and `last_edit` for an edit that begins now."""
    view, is_note = session.view, field is ReviewField.NOTE
    rows = [row for row in session.reviewing.history(segment) if not is_note or field in row.fields]
    return view.note(segment) if is_note else view.target(segment), rows[-1].uid if rows else ""


def read_draft(path: Path) -> TypingDraft | None:
    """Read a draft; return None if there is none or if it is invalid."""
    try:
        if path.stat().st_size > MAX_DRAFT_BYTES:
            return None
        description = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    match description:
        case {
            "segment": int(segment), "field": "target" | "note" as field, "text": str(text), "before": str(before),
            "last_edit": str(last_edit),
        }:  # fmt: skip
            return TypingDraft(segment, ReviewField(field), text, before, last_edit)
    return None


def remove_draft(path: Path) -> None:
    """Delete a draft if there is one; errors (OSError) are ignored."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
