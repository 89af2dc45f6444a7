"""Segments of bilingual files: texts, metadata, and the location of the target in the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from qe_desktop.corpus.target_rules import NO_RULES, TargetRules
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Content
from qe_desktop.formats.bilingual.plain_lines import content_to_line


@dataclass(frozen=True, slots=True)
class Quality:
    """Score of a segment.

    `kind` is its name in the file, and `value` is in the range that the file uses. `system` is its origin, such as the
    name of a tool. `form` identifies an ordinal scale if the file has words instead of numbers.
    """

    kind: str
    value: float
    system: str = ""
    form: str = ""


@dataclass(frozen=True, slots=True)
class Issue:
    """Issue from character `start` to `end` (exclusive) of the text of the target or source.

    Codes are not counted as characters. `type` is defined by ITS 2.0 or specific to the file; empty if not specified.
    `severity` is as in the file (0–100 in ITS 2.0), None if not specified. `is_on_words` is false for issues of a
    segment as a whole.
    """

    start: int
    end: int
    type: str = ""
    severity: float | None = None
    comment: str = ""
    is_in_source: bool = False
    is_on_words: bool = False


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replacement of UTF-8 bytes from `start` to `end` (exclusive) with `new`; an insertion if `start` equals `end`.

    Insertions at the same offset are in the order of `rank`.
    """

    start: int
    end: int
    new: bytes
    rank: int = 0


def apply_edits(text: bytes, edits: Iterable[TextEdit]) -> tuple[bytes, list[bytes]]:
    """Apply edits, equal ones once; return the text and its unchanged pieces. Raises ValueError if edits overlap."""
    kept_pieces: list[bytes] = []
    pieces: list[bytes] = []
    position = 0
    for edit in sorted(set(edits), key=lambda edit: (edit.start, edit.end, edit.rank, edit.new)):
        if edit.start < position:
            raise ValueError("edits overlap")
        kept_pieces.append(text[position : edit.start])
        pieces += kept_pieces[-1], edit.new
        position = edit.end
    kept_pieces.append(text[position:])
    return b"".join([*pieces, kept_pieces[-1]]), kept_pieces


class TargetLocation(Protocol):
    """Location of an existing or missing target in a file, with the edits that write the target there."""

    @property
    def group(self) -> object:
        """Object shared by the locations that are written together; the location itself if it is independent."""

    def edits(self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]) -> list[TextEdit]:
        """Edits that set the new targets in `contents`, all of one group; `segment` belongs to the first target."""


class NoteLocation(Protocol):
    """Location of an existing or missing note of the reviewer in a file."""

    @property
    def rejected(self) -> bool:
        """Whether the existing note marks its segment as rejected."""


class Segment(NamedTuple):
    """Source and target. `target` is None if the file has none; `target_location` is None if no target can be written.

    `name` is as in the file, `line` the 1-based number of the segment's first line or row. `state`, `origin` and
    `notes` are as in the file. `qualities` and `issues` are quality annotations of the target or source.
    `loaded_target` is the MT that the target was made from; None if the file has no separate MT. `rules` are
    requirements for the target. `note` is the reviewer's note, which is not in `notes`; `note_location` is None if the
    file cannot store a note.
    """

    name: str
    line: int
    source: Content
    target: Content | None
    target_location: TargetLocation | None
    state: str = ""
    locked: bool = False
    origin: str = ""
    notes: tuple[str, ...] = ()
    qualities: tuple[Quality, ...] = ()
    issues: tuple[Issue, ...] = ()
    loaded_target: Content | None = None
    rules: TargetRules = NO_RULES
    note: str = ""
    note_location: NoteLocation | None = None

    @property
    def source_line(self) -> str:
        """Source as a line with codes (`plain_lines`)."""
        return content_to_line(self.source)

    @property
    def target_line(self) -> str:
        """Target as a line with codes; empty if there is none."""
        return content_to_line(self.target) if self.target is not None else ""
