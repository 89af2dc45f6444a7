"""Metadata of PO entries: the reviewer's notes, the kinds of format strings (flags), and plural forms (header).

Notes of the reviewer are translator comments (`# `) whose lines all begin with the mark of this program.

    # qe-desktop: Too formal.
    # qe-desktop: See the style guide.

If an entry has several plural forms, the key in the mark of a note is the index of a form (`qe-desktop[1]`). A rejected
entry is fuzzy. Because an entry that is only fuzzy has not been checked yet, the mark of the note states the rejection.

As in `msgfmt --check`, a plural form that applies to few numbers, such as “one file”, may omit arguments of the source.
"""

from __future__ import annotations

import gettext
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from qe_desktop.corpus.translation_job import NO_RULES, TargetRules
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.reviewer_notes import (
    NoteChange,
    NoteMark,
    NoteRule,
    check_text_note,
    normalize_note,
    parse_prefix,
)
from qe_desktop.formats.bilingual.segments import TextEdit

Lines = tuple[tuple[int, int], ...]
"""Spans of comment lines, including their line ends."""


class PoNote(NamedTuple):
    """Location of a note: the `lines` of an existing note, or the `offset` at which a new note is inserted."""

    offset: int
    key: str = ""
    lines: Lines = ()
    rejected: bool = False


class PoComments:
    """Comments of an entry while it is parsed: notes by others, and lines of the reviewer's notes by key."""

    __slots__ = ("at", "other_notes", "own_notes")

    def __init__(self) -> None:
        self.at = -1
        """Offset of the end of the translator comments at the beginning of the entry; -1 until a line is read."""
        self.other_notes: list[str] = []
        self.own_notes: dict[str, list[tuple[NoteMark, str, tuple[int, int]]]] | None = None

    def begin(self, at: int) -> None:
        """Set `self.at`, if not yet set, to the offset `at` of the first line that is not a translator comment."""
        if self.at < 0:
            self.at = at

    def add(self, line: bytes, at: int, end: int) -> None:
        """Add a comment: its `line` without surrounding white space, and the span of the line from `at` to `end`."""
        if line.startswith(b"#."):
            self.begin(at)
        elif self.at in (-1, at):
            # translator comments come first
            self.at = end
        text = line[1:].decode()
        marked = parse_prefix(text.removeprefix(" ")) if line.startswith(b"# qe-desktop") else None
        if marked is not None:
            self.own_notes = {} if self.own_notes is None else self.own_notes
            self.own_notes.setdefault(marked[0].key, []).append((*marked, (at, end)))
        elif note := line.lstrip(b"#.").strip().decode():
            self.other_notes.append(note)

    def note(self, key: str) -> tuple[str, PoNote]:
        """Note of the reviewer for `key` (empty if there is none), and the location of the note."""
        lines = () if self.own_notes is None else self.own_notes.get(key, ())
        if not lines:
            return "", tuple.__new__(PoNote, (self.at, key, (), False))
        text = normalize_note("\n".join([line for _, line, _ in lines]))
        return text, PoNote(self.at, key, tuple([span for _, _, span in lines]), lines[0][0].rejected)

    def unmatched_notes(self, keys: Sequence[str]) -> tuple[str, ...]:
        """Marked notes whose key is not in `keys`, line by line; they are treated as notes by others."""
        if self.own_notes is None:
            return ()
        return tuple([
            mark.prepend_to(line) for key, lines in self.own_notes.items() if key not in keys for mark, line, _ in lines
        ])  # fmt: skip


def end_of_line(text: DecodedFile) -> bytes:
    """Line end of a catalogue, taken from its first line."""
    return b"\r\n" if text.utf8[: text.utf8.find(b"\n") + 1].endswith(b"\r\n") else b"\n"


def _edits(text: DecodedFile, changes: Sequence[NoteChange]) -> list[TextEdit]:
    end = end_of_line(text).decode()
    edits: list[TextEdit] = []
    for change in changes:
        location = change.location
        assert isinstance(location, PoNote)
        mark = NoteMark(location.key, change.rejected)
        lines = [] if change.is_removal else [f"# {mark.prepend_to(line)}{end}" for line in change.note.split("\n")]
        new = "".join(lines).encode()
        if not location.lines:
            # rank -1: before a flag line that is inserted at the same offset
            edits.append(TextEdit(location.offset, location.offset, new, -1))
            continue
        first, *rest = location.lines
        edits += [TextEdit(*first, new), *(TextEdit(*span, b"") for span in rest)]
    return edits


NOTE_RULE = NoteRule(_edits, check_text_note, marks_rejected=True)


FORMAT_FLAGS = (
    "c-format", "python-format", "python-brace-format", "sh-format", "boost-format", "lisp-format", "scheme-format",
    "php-format", "javascript-format", "java-format", "java-printf-format", "lua-format", "object-pascal-format",
    "csharp-format", "perl-brace-format",
)  # fmt: skip
"""Flags of the kinds of format string that QA checks support."""
_PLURAL_FORMS = re.compile(r"^Plural-Forms: *nplurals *= *([0-9]{1,3}) *; *plural *= *([^\n]{1,1000})", re.MULTILINE)
_TESTED_NUMBERS = 1001
FREQUENT_COUNT = 5
"""A plural form is frequent if it applies to at least this many of the numbers from 0 to 1,000."""


@dataclass(frozen=True, slots=True)
class PluralForms:
    """Plural forms of a catalogue: their number, and the indices of the frequent ones (`FREQUENT_COUNT`)."""

    count: int
    frequent: frozenset[int]


def parse_plural_forms(header: str) -> PluralForms | None:
    """Parse the field `Plural-Forms` of a header; None if it is missing or invalid."""
    match = _PLURAL_FORMS.search(header)
    if match is None:
        return None
    try:
        form = gettext.c2py(match[2].strip().rstrip(";").strip())
        counts = Counter(int(form(number)) for number in range(_TESTED_NUMBERS))
    except (ValueError, ArithmeticError, RecursionError, SyntaxError):
        return None
    return PluralForms(int(match[1]), frozenset(form for form, count in counts.items() if count >= FREQUENT_COUNT))


def format_flags(flags: list[bytes]) -> tuple[str, ...]:
    """Kinds of format strings in the flags of an entry; the prefix `possible-` is ignored."""
    names = {flag.decode("ascii", "replace").removeprefix("possible-") for flag in flags}
    return tuple(name for name in FORMAT_FLAGS if name in names)


@lru_cache(maxsize=4096)
def entry_rules(
    formats: tuple[str, ...], plural: str, form: int, entry_forms: int, plural_forms: PluralForms | None
) -> TargetRules:
    """Rules for a target of an entry; `form` is the index of its plural form, and `plural` is the `msgid_plural`.

    `entry_forms` is the number of plural forms in the entry; 0 for entries without plural forms. `plural_forms` are the
    plural forms of the catalogue; None if they are unknown.
    """
    if not formats and not entry_forms:
        return NO_RULES
    expected = plural_forms.count if plural_forms is not None and plural_forms.count != entry_forms else 0
    frequent = plural_forms is not None and form in plural_forms.frequent
    return TargetRules(
        formats=formats,
        plural_source=plural,
        may_omit_arguments=entry_forms > 1 and not frequent,
        expected_forms=expected if entry_forms else 0,
        plural_form=form + 1 if entry_forms else 0,
        lacks_plural_rule=entry_forms > 0 and plural_forms is None,
    )
