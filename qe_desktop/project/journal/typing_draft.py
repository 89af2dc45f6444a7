"""Target that is being typed, stored in a file of its own until the edit is committed."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from qe_desktop.formats.io.atomic_write import replace_bytes

MAX_DRAFT_BYTES = 1 << 22
"""Maximum size of a stored draft; larger files are not drafts."""


@dataclass(frozen=True, slots=True)
class TypingDraft:
    """Unfinished target of a segment, as a line with codes.

    `before` is the target that the edit began with, and `last_edit` the uid of the segment's last review row, empty if
    there is none. If either has changed, the draft is out of date.
    """

    segment: int
    target: str
    before: str
    last_edit: str

    def write(self, path: Path) -> None:
        """Write the draft over an earlier one; it survives the end of the program, but not a power failure.

        Raises OSError if the file cannot be written.
        """
        replace_bytes(path, json.dumps(asdict(self)).encode())


def read_draft(path: Path) -> TypingDraft | None:
    """Read a draft; None if there is none or if it is invalid."""
    try:
        if path.stat().st_size > MAX_DRAFT_BYTES:
            return None
        described = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    match described:
        case {"segment": int(segment), "target": str(target), "before": str(before), "last_edit": str(last_edit)}:
            return TypingDraft(segment, target, before, last_edit)
    return None


def remove_draft(path: Path) -> None:
    """Delete a draft if there is one."""
    with suppress(OSError):
        path.unlink(missing_ok=True)
