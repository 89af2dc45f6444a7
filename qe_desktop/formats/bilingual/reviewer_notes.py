"""Notes of the reviewer in bilingual files, and the mark by which they are recognized and replaced later.

A file has at most one such note per segment. The mark, such as `qe-desktop[2]`, is the author or the category of the
note if the format has one of these. In other formats, the text of the note begins with the mark; in PO and in tables,
each line of the note does. Notes without the mark belong to others and are never changed. `qe-desktop:rejected` marks
the note of a rejected segment in formats that have no status for rejected segments.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol
from urllib.parse import quote, unquote

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.encodings import DecodedFile, check_encodable
from qe_desktop.formats.bilingual.inline_codes import Content
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS, LINE_BREAK_PATTERN
from qe_desktop.formats.bilingual.segments import NoteLocation, TextEdit
from qe_desktop.i18n.messages import tr

AUTHOR = "qe-desktop"
"""Author of the notes that this program writes."""
MAX_NOTE_CHARS = 30_000
"""Maximum number of characters in a note; below the limit for a workbook cell."""
_MARK = re.compile(r"qe-desktop(:rejected)?(?:\[([^\[\]\s]*)\])?")
_PREFIX = re.compile(rf"{_MARK.pattern}:(?: |$)", re.MULTILINE)
_LINE_BREAK = re.compile("(\r\n|\r|\n)")
_LAST_BREAK = re.compile("(?:\r\n|\r|\n)\\Z")
_TEXT_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")


class NoteMark(NamedTuple):
    """Mark of a reviewer's note.

    `key` identifies the segment if several segments have their notes in one element or entry. `rejected` is true if
    the mark also states that the segment is rejected.
    """

    key: str = ""
    rejected: bool = False

    @property
    def file_text(self) -> str:
        """Mark as written in a file; ASCII without quotes or spaces."""
        return f"{AUTHOR}{':rejected' if self.rejected else ''}{f'[{quote(self.key)}]' if self.key else ''}"

    def prepend_to(self, text: str) -> str:
        """Text preceded by the mark."""
        return f"{self.file_text}: {text}" if text else f"{self.file_text}:"


def parse_mark(value: str) -> NoteMark | None:
    """Parse a value as a mark; None if it is not a mark of this program."""
    match = _MARK.fullmatch(value) if value.startswith(AUTHOR) else None
    return None if match is None else _mark(match)


def parse_prefix(text: str) -> tuple[NoteMark, str] | None:
    """Mark at the beginning of a text, and the rest of the text; None if there is no mark."""
    match = _PREFIX.match(text) if text.startswith(AUTHOR) else None
    return None if match is None else (_mark(match), text[match.end() :])


def hide_mark(line: str) -> str:
    """Return a line by another author; prepend a space if it would otherwise be read as a note of this program."""
    return line if parse_prefix(line) is None else f" {line}"


class CellText(NamedTuple):
    """Text by others `before` and `after` the reviewer's note in a cell, including the line breaks next to the note.

    `line_break` separates the lines of the note.
    """

    before: str = ""
    after: str = ""
    line_break: str = "\n"

    @classmethod
    def of_others(cls, text: str) -> CellText:
        """Cell with a text by others and no reviewer's note; a new note will follow the text."""
        if AUTHOR in text:
            text = "".join(map(hide_mark, _LINE_BREAK.split(text)))
        first_break = _LINE_BREAK.search(text)
        line_break = "\n" if first_break is None else first_break[0]
        if text.endswith("\r"):
            # LF would be part of the same line break
            line_break = "\r"
        return cls(f"{text}{line_break}" if text else "", "", line_break)

    @property
    def text_without_note(self) -> str:
        """Text of the cell without the reviewer's note."""
        if not self.before:
            return _LINE_BREAK.sub("", self.after, count=1)
        return _LAST_BREAK.sub("", self.before) + self.after

    def with_note(self, note: str) -> str:
        """Text of the cell with the reviewer's note, whose lines begin with the mark; inverse of `split_note`.

        If `note` is empty, the text has no note.
        """
        if not note:
            return self.text_without_note
        lines = [NoteMark().prepend_to(line) for line in note.split("\n")]
        return f"{self.before}{self.line_break.join(lines)}{self.after}"


def split_note(text: str) -> tuple[CellText, str]:
    """Split a text into the lines by others and the reviewer's note; lines that begin with the mark form the note.

    >>> split_note("Chapter 1\\nqe-desktop: Too long.\\nAnn: agreed")
    (CellText(before='Chapter 1\\n', after='\\nAnn: agreed', line_break='\\n'), 'Too long.')
    """
    pieces = _LINE_BREAK.split(text) if AUTHOR in text else []
    lines, breaks = pieces[::2], pieces[1::2]
    marked = [parse_prefix(line) for line in lines]
    first = next((index for index, mark in enumerate(marked) if mark is not None), -1)
    if first < 0:
        return CellText.of_others(text), ""
    others_after = [breaks[index - 1] + lines[index] for index in range(first + 1, len(lines)) if marked[index] is None]
    note = "\n".join([mark[1] for mark in marked if mark is not None])
    # the break before the note, since other authors may use several kinds
    line_break = breaks[max(0, first - 1)] if breaks else "\n"
    return CellText("".join(pieces[: 2 * first]), "".join(others_after), line_break), normalize_note(note)


def _mark(match: re.Match[str]) -> NoteMark:
    return NoteMark(unquote(match[2] or ""), match[1] is not None)


def normalize_note(text: str) -> str:
    """Convert the line breaks of a note to LF, and strip white space at line ends and around the note."""
    lines = LINE_BREAK_PATTERN.sub("\n", text).split("\n")
    return "\n".join([line.rstrip(" \t\xa0") for line in lines]).strip(" \t\n\xa0")


class NoteChange(NamedTuple):
    """New note of a segment, and whether it marks the segment as `rejected`.

    The note is removed if the new note is empty and the segment is not rejected.
    """

    location: NoteLocation
    note: str
    rejected: bool = False
    is_wrapped: bool = False
    """Whether the new target already contains the markup of the note."""

    @property
    def is_removal(self) -> bool:
        """Whether the segment has no note after the change."""
        return not self.note and not self.rejected


def check_xml_note(text: DecodedFile, change: NoteChange) -> None:
    """Raise QeError without a location if a note is too long, or if XML does not allow one of its characters."""
    _check(change.note, INVALID_XML_CHARS)


def check_text_note(text: DecodedFile, change: NoteChange) -> None:
    """Raise QeError without a location if a text file cannot store a note.

    A note cannot be stored if it is too long, or contains a control character or a character that the encoding lacks.
    """
    _check(change.note, _TEXT_CONTROLS)
    check_encodable(change.note, text.codec)


def _check(note: str, invalid: re.Pattern[str]) -> None:
    unwritable = invalid.search(note)
    if unwritable:
        message = tr(
            "the note contains the character {code}, which is not allowed in this file",
            code=f"U+{ord(unwritable[0]):04X}",
        )
        raise QeError(message, hint=tr("Remove it."))
    if len(note) > MAX_NOTE_CHARS:
        message = tr("a note can have at most {n:,} characters", "", MAX_NOTE_CHARS)
        raise QeError(message, hint=tr("Shorten the note."))


class NoteEdits(Protocol):
    """Function that returns the edits for all changed notes of a file."""

    def __call__(self, text: DecodedFile, changes: Sequence[NoteChange]) -> list[TextEdit]:
        """Edits that write the changed notes."""


def no_note_edits(text: DecodedFile, changes: Sequence[NoteChange]) -> list[TextEdit]:
    """Return no edits, for dialects without notes."""
    return []


@dataclass(frozen=True, slots=True)
class NoteRule:
    """Rule of a dialect for writing the notes of the reviewer.

    `edits` returns the edits for all changed notes of a file. `check` raises QeError without a location for notes that
    the dialect cannot store. `marks_rejected` is true if the notes also distinguish rejected from open segments. In
    dialects whose notes are attached to text, `wrap` adds the markup of a new note to the content of a new target, and
    empty targets have no notes; `wrap` is None in other dialects.
    """

    edits: NoteEdits = no_note_edits
    check: Callable[[DecodedFile, NoteChange], None] = check_xml_note
    marks_rejected: bool = False
    wrap: Callable[[DecodedFile, NoteLocation, Content], Content] | None = None


NO_NOTE_RULE = NoteRule()
"""Rule of a dialect without notes."""
