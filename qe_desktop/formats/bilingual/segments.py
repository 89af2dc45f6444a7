"""Segments of bilingual files, and their collector, which checks names and sizes."""

from __future__ import annotations

import gc
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.translation_job import NO_RULES, TargetRules
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import CodeNumbering, Content
from qe_desktop.formats.bilingual.plain_lines import content_to_line
from qe_desktop.formats.files import MAX_COMPRESSION_RATIO, MAX_SEGMENT_LENGTH, MAX_SEGMENTS
from qe_desktop.i18n.messages import tr


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

    @property
    def added_attribute(self) -> tuple[int, bytes] | None:
        """Offset and name of the attribute of an XML tag that this edit adds; None for any other edit."""
        is_added = self.start == self.end and self.new.startswith(b" ")
        return (self.start, self.new.partition(b"=")[0]) if is_added else None


def combine_edits(edits: list[TextEdit], status_edits: list[TextEdit]) -> list[TextEdit]:
    """Combine target `edits` and `status_edits`; drop target edits that overlap a status edit or add its attribute."""
    added = {edit.added_attribute for edit in status_edits} - {None}
    occupied = sorted({(edit.start, edit.end) for edit in status_edits if edit.start < edit.end})

    def is_free(edit: TextEdit) -> bool:
        index = bisect_left(occupied, edit.end, key=lambda span: span[0])
        is_apart = edit.start == edit.end or index == 0 or occupied[index - 1][1] <= edit.start
        return is_apart and edit.added_attribute not in added

    return [*(edit for edit in edits if is_free(edit)), *status_edits]


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


_HINT = tr("Correct this in the program that created the file, and save the file again.")

MAX_COLLECTED_ISSUES = 1 << 20
"""Maximum number of issues in a file; issues that segments share are counted once for each of these segments."""
TEXT_ALLOWANCE_CHARS = 1 << 26
"""Total number of characters that a file's texts may always have, however small the file is; repetitions count."""


class SegmentCollector:
    """Collector of segments during parsing; `numbered` is true if their codes are already numbered.

    Its methods raise QeError for duplicates of unique names, for a text that is too long, and for too many segments,
    issues or characters. All texts together may have `TEXT_ALLOWANCE_CHARS` characters, or `MAX_COMPRESSION_RATIO`
    characters per byte of the file if that is more.
    """

    def __init__(self, text: DecodedFile, *, numbered: bool = False) -> None:
        self.text, self.numbered = text, numbered
        self.segments: list[Segment] = []
        self._duplicates = self._issues = self._chars = self._note_chars = 0
        self._max_chars = max(TEXT_ALLOWANCE_CHARS, MAX_COMPRESSION_RATIO * len(text.data))
        self._notes: tuple[str, ...] = ()
        self._numbering = CodeNumbering()
        self._lines: dict[object, dict[object, int]] = {}

    def register(self, scope: object, key: object, name: str, line: int, *, unique: bool = True) -> None:
        """Register the `key` of a name in a scope; a duplicate raises QeError if `unique`, and is counted otherwise."""
        lines = self._lines.setdefault(scope, {})
        if key not in lines:
            lines[key] = line
            return
        message = tr("the name {name} is not unique: it is already used in line {line:,}", name=name, line=lines[key])
        if unique:
            raise QeError(message, hint=_HINT, place=SourceLocation(self.text.name, line))
        self._duplicates += 1

    def notes(self) -> tuple[str, ...]:
        """Note on the number of duplicate names; empty if there are none."""
        if not self._duplicates:
            return ()
        return (tr("{n:,} {n:unit has a duplicate name|units have duplicate names}", "", self._duplicates),)

    def add(self, segment: Segment) -> None:
        """Add a segment; number its codes unless they are numbered already. Raises QeError if a limit is exceeded."""
        line, source, target, loaded = segment.line, segment.source, segment.target, segment.loaded_target
        if not self.numbered:
            if loaded is not None:
                loaded = self._numbering.number_contents(source, loaded)[1]
                segment = segment._replace(loaded_target=loaded)
            if not (_is_plain(source) and (target is None or _is_plain(target))):
                source, target = self._numbering.number_contents(source, target)
                segment = segment._replace(source=source, target=target)
        source_chars = _char_count(source)
        target_chars = _char_count(target) if target else 0
        loaded_chars = _char_count(loaded) if loaded else 0
        if source_chars > MAX_SEGMENT_LENGTH or target_chars > MAX_SEGMENT_LENGTH or loaded_chars > MAX_SEGMENT_LENGTH:
            message = tr("a text in the segment is longer than {n:,} characters", "", MAX_SEGMENT_LENGTH)
            raise QeError(message, hint=_HINT, place=SourceLocation(self.text.name, line))
        if len(self.segments) >= MAX_SEGMENTS:
            message = tr("there are more than {n:,} segments", "", MAX_SEGMENTS)
            raise QeError(message, hint=tr("Split the file."), place=SourceLocation(self.text.name, line))
        if segment.notes is not self._notes:
            # many segments may share their notes
            self._notes, self._note_chars = segment.notes, sum(map(len, segment.notes)) + len(segment.notes)
        note_chars = len(segment.note) + self._note_chars
        self.count_chars(source_chars + target_chars + loaded_chars + len(segment.name) + note_chars, line)
        if segment.issues:
            self._count_issues(len(segment.issues), line)
        self.segments.append(segment)

    def _count_issues(self, count: int, line: int) -> None:
        self._issues += count
        if self._issues > MAX_COLLECTED_ISSUES:
            message = tr("there are more than {n:,} issues", "", MAX_COLLECTED_ISSUES)
            raise QeError(message, hint=tr("Split the file."), place=SourceLocation(self.text.name, line))

    def count_chars(self, count: int, line: int) -> None:
        """Add `count` to the number of characters of all texts. Raises QeError, with `line`, if there are too many."""
        self._chars += count
        if self._chars > self._max_chars:
            message = tr("the texts of the segments have more than {n:,} characters in total", "", self._max_chars)
            hint = tr("Split the file, or remove repeated texts.")
            raise QeError(message, hint=hint, place=SourceLocation(self.text.name, line))


def _is_plain(content: Content) -> bool:
    """Whether the content has no code to number: it is empty or a single text."""
    return not content or (len(content) == 1 and content[0].__class__ is str)


def _char_count(content: Content) -> int:
    """Number of characters in the content; a code counts as seven, because `Code` has seven fields."""
    return len(content[0]) if len(content) == 1 else sum(map(len, content))


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause garbage collection: parsing creates many long-lived, acyclic objects, and scanning them wastes time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            # moves the new objects to the oldest generation, so that the next collection does not delay the caller
            gc.freeze()
            gc.unfreeze()
            gc.enable()
