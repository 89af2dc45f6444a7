r"""PO catalogues of gettext: `msgid` is the source, `msgstr` the target; each plural form is a segment.

    #, fuzzy, c-format
    msgctxt "menu"
    msgid "Open %s"
    msgstr "%s öffnen"

The header (an empty `msgid`) and obsolete entries (`#~`) are not segments. When a target changes, the `fuzzy` flag of
its entry is removed, unless another plural form is open and unchanged.

A segment is confirmed if its target has text and its entry is not `fuzzy`; PO has no other review flag. Confirming a
segment removes the flag, unless another plural form is still open. Reopening or rejecting a segment adds the flag,
which applies to all plural forms. A rejected segment also has a note of this program (`po_metadata`). An empty target
has no status: its entry is untranslated, with or without the flag.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from qe_desktop.corpus import QeError, ReviewStatus, SourceLocation
from qe_desktop.corpus.translation_job import NO_RULES, TargetRules
from qe_desktop.formats.bilingual.document import (
    AUTO_COLUMNS,
    BilingualFormat,
    ColumnChoice,
    Document,
    FileHead,
    check_encoding,
)
from qe_desktop.formats.bilingual.document_rewrite import FINAL_STATUSES
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Content, content_text
from qe_desktop.formats.bilingual.po_metadata import (
    NOTE_RULE,
    PluralForms,
    PoComments,
    PoNote,
    end_of_line,
    entry_rules,
    format_flags,
    parse_plural_forms,
)
from qe_desktop.formats.bilingual.segments import Segment, SegmentCollector, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import StatusRule, finished_status, make_can_store, state_name
from qe_desktop.i18n.messages import tr

NAME, DISPLAY_NAME = "po", tr("PO (gettext)")
_CHARSET = re.compile(
    rb"^(?:msgstr[ \t]*)?\"(?:[^\"\n]*\\n)?Content-Type:[^\"\n]*charset=([A-Za-z0-9][\w.:-]{0,39})",
    re.MULTILINE | re.IGNORECASE,
)
"""Pattern of the header field with the encoding, at the start of a PO string or after another field in it."""
_COMMENTS = re.compile(rb"(?:[ \t\r]*(?:#[^\n]*)?\n)*+")
_MAX_COMMENTS_BYTES, _MAX_HEADER_BYTES = 1 << 20, 1 << 14
_LINE = re.compile(rb"[^\n]*\n?")
_KEYWORD = re.compile(rb"\s*(msgctxt|msgid_plural|msgid|msgstr(?:\s*\[\s*(\d{1,3})\s*\])?|domain)(?=[\s\"]|$)\s*")
_STRING = re.compile(rb"\"((?:[^\"\\]|\\.)*)\"[ \t\r]*$", re.DOTALL)
_ESCAPE = re.compile(rb"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|([\x00-\x7f]?))")
_UNESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
_ESCAPED = {
    "\\": "\\\\",
    '"': '\\"',
    "\n": "\\n",
    "\t": "\\t",
    "\r": "\\r",
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\v": "\\v",
}
_FLAG = re.compile(rb"[^\s,]+")
_HINT = tr("See the gettext manual on PO files.")


def declared_encoding(data: bytes) -> str:
    """Encoding that the header of a catalogue declares; empty if it declares none, or if the file is not PO."""
    comments = _COMMENTS.match(data, 0, _MAX_COMMENTS_BYTES)
    end = (comments.end() if comments else 0) + _MAX_HEADER_BYTES
    match = _CHARSET.search(data, 0, end) if data.find(b"msgid", 0, end) >= 0 else None
    encoding = match[1].decode("ascii", "replace") if match else ""
    return "" if encoding.upper() == "CHARSET" else encoding


@dataclass(frozen=True, slots=True)
class FuzzyFlags:
    """Two alternative edits of the flag lines of an entry: one removes `fuzzy`, the other changes nothing.

    Both replace the text from the first to the last flag line that contains `fuzzy`.
    """

    removal: TextEdit
    """Edit that removes the flag `fuzzy` and keeps any text between the flag lines."""
    unchanged: TextEdit
    """Edit that replaces the flag lines with the same text, so that nothing changes."""


@dataclass(frozen=True, slots=True)
class PoTarget:
    """Location of a target: its PO strings, from offset `start` to `end` (exclusive).

    `flags` are the edits of the flag lines of the entry, shared by all its plural forms; None if the entry is not
    fuzzy. `flag_offset` is the offset at which a new flag line is inserted. `plural_group` is an object that all plural
    forms of an entry share; None if there is only one form.
    """

    start: int
    end: int
    flags: FuzzyFlags | None = None
    flag_offset: int = 0
    plural_group: object = None

    @property
    def group(self) -> object:
        """Object that all plural forms of an entry share; for a single form, `flags` or else the target itself."""
        return self.plural_group or self.flags or self

    def edits(self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]) -> list[TextEdit]:
        """Edits that write each target as PO strings, one per line of its text, and remove the `fuzzy` flag."""
        line_end = end_of_line(text)
        edits = []
        for location, content in contents.items():
            assert isinstance(location, PoTarget)
            lines = quote_po(content_text(content))
            new = lines[0] if len(lines) == 1 else line_end.join([b'""', *lines])
            edits.append(TextEdit(location.start, location.end, new))
        return edits if self.flags is None else [*edits, self.flags.removal]


def _write_status(
    text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False
) -> list[TextEdit]:
    assert isinstance(location, PoTarget)
    if status is ReviewStatus.CONFIRMED:
        return [] if location.flags is None else [location.flags.removal]
    if location.flags is not None:
        # a new target alone would remove the flag
        return [location.flags.unchanged]
    return [TextEdit(location.flag_offset, location.flag_offset, b"#, fuzzy" + end_of_line(text))]


STATUSES = StatusRule(
    finished_status(lambda segment: segment.state == "translated"),
    _write_status,
    make_can_store(*FINAL_STATUSES),
    needs_text=True,
    is_shared=True,
)


def quote_po(text: str) -> list[bytes]:
    """Quote a text as PO strings, one for each of its lines."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", text) or [""]
    return [f'"{"".join(_ESCAPED.get(char, char) for char in line)}"'.encode() for line in lines]


def _without_fuzzy(line: bytes) -> bytes:
    """Return a flag line without `fuzzy`; empty if the line has no other flag."""
    flags_start = line.index(b"#,") + 2
    flags = [*_FLAG.finditer(line, flags_start)]
    ends = [flags_start, *(flag.end() for flag in flags)]
    # each with its preceding separator; the first kept flag takes the first separator
    kept_flags = [
        (line[previous_end : flag.start()], flag[0])
        for previous_end, flag in zip(ends[:-1], flags, strict=True)
        if flag[0] != b"fuzzy"
    ]
    if not kept_flags:
        return b""
    first = line[: flags[0].start()] + kept_flags[0][1]
    return first + b"".join([blank + flag for blank, flag in kept_flags[1:]]) + line[ends[-1] :]


@dataclass(slots=True)
class _PoEntry:
    """Entry being parsed; `strings` are its unescaped strings, and `spans` their spans in the file, by keyword."""

    line: int = 0
    start: int = -1
    """Offset of the first `#|` line or keyword, at which a new flag line is inserted; -1 until it is read."""
    strings: dict[str, bytearray] = field(default_factory=dict)
    spans: dict[str, tuple[int, int]] = field(default_factory=dict)
    comments: PoComments = field(default_factory=PoComments)
    flags: list[tuple[int, int]] = field(default_factory=list)
    formats: list[bytes] = field(default_factory=list)


class _PoReader:
    def __init__(self, text: DecodedFile) -> None:
        self.text = text
        self.collector = SegmentCollector(text)
        self.entry = _PoEntry()
        self.keyword = ""
        self.domain = ""
        self.languages = ("", "")
        self.plural_forms: PluralForms | None = None
        self.line = 0
        # byte escapes are in the catalogue's own encoding
        self.codec = "utf-8" if text.codec.startswith("utf") else text.codec

    def document(self) -> Document:
        at = 0
        size = len(self.text.utf8)
        while at < size:
            end = _LINE.match(self.text.utf8, at).end()  # type: ignore[union-attr]
            self.line += 1
            self._line(at, end)
            at = end
        self._finish()
        segments = tuple(self.collector.segments)
        return Document(
            self.text, NAME, DISPLAY_NAME, segments, read, "", self.languages[1], status_rule=STATUSES,
            check_content=check_encoding, note_rule=NOTE_RULE, positional_names=True,
        )  # fmt: skip

    def _line(self, start: int, end: int) -> None:
        line = self.text.utf8[start:end].rstrip(b"\n")
        stripped = line.strip()
        if not stripped:
            self._finish()
        elif stripped.startswith(b"#"):
            self._comment(stripped, start, end)
        elif stripped.startswith(b'"'):
            if not self.keyword:
                raise self._error(tr("the string has no keyword"))
            self._string(line, start, len(line) - len(line.lstrip()))
        else:
            self._keyword_line(line, start)

    def _comment(self, line: bytes, start: int, end: int) -> None:
        if any(name.startswith("msgstr") for name in self.entry.strings):
            self._finish()
        self.keyword = ""
        comments = self.entry.comments
        if comments.at < 0 and line.startswith((b"#,", b"#=", b"#:", b"#|")):
            comments.begin(start)
        if line.startswith(b"#|") and self.entry.start < 0:
            # gettext accepts no flags after the previous msgid
            self.entry.start = start
        if line.startswith(b"#,"):
            flags = _FLAG.findall(line, 2)
            self.entry.formats += [flag for flag in flags if flag.endswith(b"-format")]
            if b"fuzzy" in flags:
                self.entry.flags.append((start, end))
        elif line.startswith(b"#~"):
            # flags and comments of an obsolete entry do not apply to the next one
            self.entry = _PoEntry()
        elif not line.startswith((b"#=", b"#:", b"#|")):
            comments.add(line, start, end)

    def _keyword_line(self, line: bytes, start: int) -> None:
        keyword = _KEYWORD.match(line)
        if keyword is None:
            text = line.strip().decode()[:40]
            raise self._error(tr("expected a keyword, a string or a comment, not {text}", text=text))
        name = re.sub(rb"\s", b"", keyword[1]).decode()
        if name == "domain":
            self._finish()
            self.domain = line[keyword.end() :].strip().strip(b'"').decode()
            return
        starts_entry = name in ("msgctxt", "msgid")
        if starts_entry and any(previous.startswith("msgstr") for previous in self.entry.strings):
            self._finish()
        if name in self.entry.strings:
            raise self._error(tr("{name} occurs twice in this entry", name=name))
        if not self.entry.strings:
            self.entry.line = self.line
            if self.entry.start < 0:
                self.entry.start = start
            self.entry.comments.begin(start)
        self.keyword = name
        self.entry.strings[name] = bytearray()
        if keyword.end() < len(line.rstrip()):
            self._string(line, start, keyword.end())

    def _string(self, line: bytes, line_start: int, begin: int) -> None:
        match = _STRING.match(line, begin)
        if match is None:
            raise self._error(tr("expected a single string in quotation marks up to the end of the line"))
        span = self.entry.spans.get(self.keyword)
        end = line_start + match.end(1) + 1
        self.entry.spans[self.keyword] = (span[0] if span else line_start + begin, end)
        self.entry.strings[self.keyword] += _unescape(match[1], self.codec)

    def _finish(self) -> None:
        entry, self.entry, self.keyword = self.entry, _PoEntry(), ""
        # decoded as a whole: the bytes of a character may be in two strings
        strings = {keyword: value.decode(self.codec, "replace") for keyword, value in entry.strings.items()}
        if not strings:
            # comments above an empty line, without an entry
            return
        if "msgid" not in strings:
            raise self._error(tr("an entry has no msgid"), entry.line)
        if not strings["msgid"] and "msgctxt" not in strings:
            self._header(strings.get("msgstr", ""))
            return
        name = strings["msgid"][:60]
        self.collector.register((self.domain, strings.get("msgctxt")), strings["msgid"], name, entry.line)
        flags, context = self._fuzzy_flags(entry.flags), strings.get("msgctxt", "")
        forms = [keyword for keyword in strings if keyword.startswith("msgstr")]
        keys = [keyword[7:-1] if len(forms) > 1 else "" for keyword in forms]
        notes = (*entry.comments.other_notes, *entry.comments.unmatched_notes(keys))
        notes = (*notes, tr("context: {context}", context=context)) if context else notes
        plural_count = sum(keyword.startswith("msgstr[") for keyword in forms)
        formats, plural = format_flags(entry.formats) if entry.formats else (), strings.get("msgid_plural", "")
        shared = object() if len(forms) > 1 else None
        for keyword, key in zip(forms, keys, strict=True):
            source = strings["msgid"] if keyword in ("msgstr", "msgstr[0]") else strings.get("msgid_plural", "")
            rules = NO_RULES
            if plural_count or formats:
                rules = entry_rules(formats, plural, int(keyword[7:-1] or 0), plural_count, self.plural_forms)
            if context:
                rules = replace(rules, context=context)
            span = entry.spans.get(keyword)
            location = PoTarget(*span, flags, entry.start, shared) if span else None
            self._segment(entry, keyword, source, strings[keyword], location, notes, rules, entry.comments.note(key))

    def _fuzzy_flags(self, lines: list[tuple[int, int]]) -> FuzzyFlags | None:
        """Return the edits of flag lines with `fuzzy`, given the spans of these lines; None if there are no spans."""
        if not lines:
            return None
        utf8 = self.text.utf8
        pieces: list[bytes] = []
        position = lines[0][0]
        for start, end in lines:
            pieces += utf8[position:start], _without_fuzzy(utf8[start:end])
            position = end
        first = lines[0][0]
        removal, unchanged = b"".join(pieces), utf8[first:position]
        return FuzzyFlags(TextEdit(first, position, removal), TextEdit(first, position, unchanged))

    def _segment(
        self,
        entry: _PoEntry,
        keyword: str,
        source: str,
        target: str,
        location: PoTarget | None,
        notes: tuple[str, ...],
        rules: TargetRules,
        note: tuple[str, PoNote],
    ) -> None:
        state = "untranslated" if not target else "fuzzy" if entry.flags else "translated"
        if state == "fuzzy" and note[1].rejected:
            state = state_name(ReviewStatus.REJECTED)
        name = f"{len(self.collector.segments) + 1}{keyword[6:]}"
        self.collector.add(
            Segment(
                name, entry.line, (source,), (target,) if target else (), location, state,
                notes=notes, rules=rules, note=note[0], note_location=note[1],
            )
        )  # fmt: skip

    def _header(self, header: str) -> None:
        language = re.search(r"^Language: *([\w@.-]+)", header, re.MULTILINE)
        self.languages = ("", language[1] if language else "")
        self.plural_forms = parse_plural_forms(header)

    def _error(self, message: str, line: int | None = None) -> QeError:
        return QeError(message, hint=_HINT, place=SourceLocation(self.text.name, line or self.line))


def _unescape(string: bytes, codec: str) -> bytes:
    """Unescape a UTF-8 string, and encode it with `codec`; an escape such as `\\303` is a byte in this encoding."""
    if b"\\" not in string:
        return _encode(string, codec)
    pieces: list[bytes] = []
    start = 0
    for match in _ESCAPE.finditer(string):
        pieces.append(_encode(string[start : match.start()], codec))
        if match[3] is None:
            pieces.append(bytes([int(match[1], 8) & 255 if match[1] else int(match[2], 16)]))
        else:
            pieces.append(_UNESCAPED.get(match[3], match[3]))
        start = match.end()
    return b"".join([*pieces, _encode(string[start:], codec)])


def _encode(utf8: bytes, codec: str) -> bytes:
    return utf8 if codec == "utf-8" else utf8.decode().encode(codec)


def _confidence(file_head: FileHead) -> float:
    if file_head.root is not None or file_head.head.lstrip()[:1] == b"<":
        return 0.0
    has_entries = re.search(rb"^msgid\s*\"", file_head.head, re.MULTILINE) and re.search(
        rb"^[ \t]*msgstr", file_head.head, re.MULTILINE
    )
    return 0.95 if has_entries else 0.0


def read(text: DecodedFile, choice: ColumnChoice = AUTO_COLUMNS) -> Document:
    """Parse a PO catalogue. Raises QeError with the line if the content is invalid."""
    return _PoReader(text).document()


FORMAT = BilingualFormat(NAME, DISPLAY_NAME, _confidence, read)
