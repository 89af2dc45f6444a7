"""Segments of bilingual files: texts, metadata, and the location of the target in the file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from qe_desktop.corpus.translation_job import NO_RULES, TargetRules
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Content
from qe_desktop.formats.bilingual.plain_lines import content_to_line


@dataclass(frozen=True, slots=True)
class Quality:
    """Score of a segment.

    `kind` is the name of the score in the file, and `value` is in the range that the file uses. `system` is the origin
    of the score, such as the name of a tool. `form` identifies an ordinal scale if the file has words instead of
    numbers as scores.
    """

    kind: str
    value: float
    system: str = ""
    form: str = ""


@dataclass(frozen=True, slots=True)
class Issue:
    """Issue from character `start` to `end` (exclusive) of the text of the target or source.

    Codes are not counted as characters. `type` is defined by ITS 2.0 or specific to the file; empty if not specified.
    `severity` is as in the file (0–100 in ITS 2.0), None if not specified. `is_on_words` is false for issues that
    concern a segment as a whole.
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

    Insertions at the same offset are applied in the order of `rank`.
    """

    start: int
    end: int
    new: bytes
    rank: int = 0


def apply_edits(text: bytes, edits: Iterable[TextEdit]) -> tuple[bytes, list[bytes]]:
    """Apply edits; return the new text and the unchanged pieces of the old text.

    Equal edits are applied only once. Raises ValueError if edits overlap.
    """
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
    """Location in a file at which a target exists or can be added, with the edits that write the target."""

    @property
    def group(self) -> object:
        """Object shared by the locations that are written together; the location itself if it is independent."""

    def edits(self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]) -> list[TextEdit]:
        """Edits that write `contents`, the new targets of one group; `segment` is the segment of the first target."""


class NoteLocation(Protocol):
    """Location in a file at which a note of the reviewer exists or can be added."""

    @property
    def rejected(self) -> bool:
        """Whether a note exists and marks its segment as rejected."""


class Segment(NamedTuple):
    """Segment of a file. `target` is None if the file has none; `target_location` is None if no target can be written.

    `name` is as in the file. `line` is the 1-based number of the segment's first line or row. `state`, `origin` and
    `notes` are as in the file. `qualities` and `issues` are quality annotations of the target or source.
    `loaded_target` is the MT from which the target was made; None if the file has no separate MT. `rules` are
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
