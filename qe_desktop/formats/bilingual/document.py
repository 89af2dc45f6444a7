"""Documents parsed from bilingual files, which can be rewritten with new targets, and the formats that read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from qe_desktop.corpus import QeError, ReviewStatus, SourceLocation
from qe_desktop.corpus.languages import parse_language
from qe_desktop.formats.atomic_write import write_bytes
from qe_desktop.formats.bilingual.columns import AUTO_COLUMNS, ColumnChoice, ColumnOptions
from qe_desktop.formats.bilingual.document_rewrite import DocumentRewrite, RewrittenDocument, TargetsRejectedError
from qe_desktop.formats.bilingual.encodings import DecodedFile, check_encodable
from qe_desktop.formats.bilingual.inline_codes import Content, content_text
from qe_desktop.formats.bilingual.reviewer_notes import NO_NOTE_RULE, NoteRule
from qe_desktop.formats.bilingual.segment_columns import NO_SIDE_COLUMNS, SideColumns
from qe_desktop.formats.bilingual.segments import Segment, TextEdit, apply_edits
from qe_desktop.formats.bilingual.status_rules import NO_STATUS_RULE, StatusRule
from qe_desktop.formats.bilingual.xml.xml_tree import XmlRoot
from qe_desktop.formats.files import display_name, read_bytes
from qe_desktop.i18n.messages import tr

__all__ = [
    "AUTO_COLUMNS",
    "BilingualFormat",
    "ColumnChoice",
    "Document",
    "FileHead",
    "RewrittenDocument",
    "TargetsRejectedError",
    "check_unchanged",
    "save_document",
]

NO_STATUSES: Mapping[int, ReviewStatus] = {}
NO_NOTES: Mapping[int, str] = {}


def accept_content(text: DecodedFile, content: Content) -> None:
    """Accept any target; used by dialects that can store all characters."""


def check_encoding(text: DecodedFile, content: Content) -> None:
    """Raise QeError if a target has a character that the encoding of the file cannot represent."""
    check_encodable(content_text(content), text.codec)


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """Parsed bilingual file.

    `dialect` is the name of the file's dialect, and `dialect_name` its display name. Languages are as in the file, or
    empty if not specified. `parse_again` parses another version of the file with the same options. `choice` is the
    selection of source and target with which the file can be read again. `status_rule` and `note_rule` are the rules of
    the dialect for statuses and for the reviewer's notes. `side_columns` contains document names and annotation layers.
    `check_content` raises QeError without a location for targets that the dialect cannot store. `positional_names` is
    true if the names of segments are positions, not ids; positions change when other programs add or remove segments.
    `language_edits` returns the edits that add a target language. It is None unless the file lacks a target language
    and the dialect requires one in files with targets. `faults` are messages about invalid content; each states the
    line, and what happens to the content on saving.
    """

    text: DecodedFile
    dialect: str
    dialect_name: str
    segments: Sequence[Segment]
    parse_again: Callable[[DecodedFile], Document]
    source_language: str = ""
    target_language: str = ""
    notes: tuple[str, ...] = field(default=())
    choice: ColumnChoice = AUTO_COLUMNS
    status_rule: StatusRule = NO_STATUS_RULE
    side_columns: SideColumns = NO_SIDE_COLUMNS
    check_content: Callable[[DecodedFile, Content], None] = accept_content
    note_rule: NoteRule = NO_NOTE_RULE
    positional_names: bool = False
    language_edits: Callable[[str], list[TextEdit]] | None = None
    faults: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """File name for messages."""
        return self.text.name

    def status(self, segment: Segment) -> ReviewStatus:
        """Status of a segment as stored in the file; open if the file stores none."""
        return ReviewStatus.LOCKED if segment.locked else self.status_rule.status(segment)

    def can_store(self, segment: Segment, status: ReviewStatus) -> bool:
        """Whether the file can store a status for this segment alone, given its current target."""
        rule = self.status_rule
        is_shared = rule.is_shared and segment.rules.plural_form > 0
        is_empty = rule.needs_text and not content_text(segment.target or ())
        return not (segment.locked or is_shared or is_empty) and rule.read_back(self.text, segment, status) is status

    def can_store_note(self, segment: Segment) -> bool:
        """Whether the file can store a note for a segment; in some dialects, a new note requires a non-empty target."""
        has_text = bool(segment.note or content_text(segment.target or ()))
        return segment.note_location is not None and (self.note_rule.wrap is None or has_text)

    def with_targets(
        self,
        targets: Mapping[int, str],
        statuses: Mapping[int, ReviewStatus] = NO_STATUSES,
        notes: Mapping[int, str] = NO_NOTES,
        *,
        other_codes: bool = False,
        add_missing: bool = False,
        language: str = "",
    ) -> RewrittenDocument:
        """Return the file with new `targets`, which map 0-based segment numbers to lines with codes (`plain_lines`).

        Bytes outside of changed targets, statuses and notes remain unchanged. `statuses` are those set by the user:
        confirmed and rejected segments are marked by the rule of the dialect, and the marks of reopened segments are
        removed. Tables and segments with a state of this program (`QeStates`) also store `open` and `edited`. With
        `add_missing`, missing attributes are added and empty cells filled in to store a status. `notes` are the
        reviewer's notes; an empty note removes the existing note. Notes by others remain unchanged. `language` is added
        as the target language if the file is changed and has targets, but lacks a target language that its dialect
        requires.

        Raises TargetsRejectedError with an error for each segment whose line, note or status is rejected. A line is
        rejected if its codes are invalid, missing or extra (`other_codes` allows missing and extra codes), or if its
        segment is locked or has no element for a target. A line or note is rejected if it is too long, or if it has a
        character that is invalid or not in the file's encoding. A line, note or status is rejected if it would be read
        back differently. Raises QeError if the new file cannot be parsed or differs elsewhere, or if the language is
        invalid.
        """
        rewrite = DocumentRewrite(self, add_missing)
        rewrite.prepare(targets, statuses, notes, other_codes=other_codes)
        rewritten = rewrite.result()
        if not language or not rewritten.lacks_language or rewritten.data == self.text.data:
            return rewritten
        return self.with_language(rewritten, language)

    @property
    def lacks_language(self) -> bool:
        """Whether the file lacks a target language that its dialect requires in files with targets."""
        return self.language_edits is not None

    def with_language(self, rewritten: RewrittenDocument, language: str) -> RewrittenDocument:
        """Return `rewritten`, a rewritten version of this document, with the missing target language added.

        Requires that `lacks_language` is true. Raises QeError if the language is invalid, or if the new file is read
        back with a different target language or number of segments.
        """
        if not parse_language(language).language:
            message = tr("“{language}” is not a language code", language=language)
            raise QeError(message, hint=tr("Use a code such as de, pt-BR or zh-Hant."), place=SourceLocation(self.name))
        assert self.language_edits is not None
        language, text, data = language.replace("_", "-"), self.text, rewritten.data
        # the offsets are still valid: these edits are in the first tag, before all other edits
        edits = self.language_edits(language)
        utf8, _ = apply_edits(data[len(text.byte_order_mark) :].decode(text.codec).encode(), edits)
        document = self.parse_again(replace(text, data=text.encode_file(utf8), utf8=utf8))
        if document.target_language != language or len(document.segments) != len(self.segments):
            message = tr("the target language cannot be added to the file")
            raise QeError(message, hint=tr("Add it in a text editor."), place=SourceLocation(self.name))
        replaced = sum(len(text.encode(text.utf8[edit.start : edit.end])) for edit in edits)
        return replace(
            rewritten,
            data=document.text.data,
            unchanged_bytes=rewritten.unchanged_bytes - replaced,
            lacks_language=False,
        )


def save_document(rewritten: RewrittenDocument, document: Document, source: Path, output: Path) -> None:
    """Write the new version of a document that was read from `source`; `output` may be the same file as `source`.

    Raises QeError and writes nothing if the source has changed since it was read or cannot be read again, or if the
    output cannot be written.
    """
    check_unchanged(document, source)
    write_bytes(output, rewritten.data)


def check_unchanged(document: Document, source: Path) -> None:
    """Raise QeError if the file from which a document was read (`source`) has changed or cannot be read."""
    if read_bytes(source) != document.text.data:
        message = tr("another program has changed the file since it was read")
        raise QeError(
            message, hint=tr("Nothing was written. Open the file again."), place=SourceLocation(display_name(source))
        )


@dataclass(frozen=True, slots=True, eq=False)
class FileHead:
    """Beginning of a file (`head`: UTF-8, or raw bytes of a workbook) and the XML root, None if the file is not XML."""

    head: bytes
    root: XmlRoot | None

    def is_xliff(self, version: str) -> bool:
        """Whether the file is XLIFF with a version number that starts with `version`."""
        if self.root is None or self.root.name != "xliff":
            return False
        return self.root.attributes.get("version", "").startswith(version)

    def declares_namespace(self, namespace: str) -> bool:
        """Whether the XML root declares a namespace."""
        return self.root is not None and namespace in self.root.namespaces


@dataclass(frozen=True, slots=True)
class BilingualFormat:
    """Bilingual file format (dialect).

    `confidence` returns the confidence (0 to 1) that a file has this format, and `read` parses a file. `column_options`
    and `preview_rows` receive the beginning of a file, or the whole file if `is_packed` is true. `column_options`
    returns the options for source and target, or None if there is nothing to select. `preview_rows` returns a row of
    column names and up to the given number of further rows, or one empty row for a file without columns.
    """

    name: str
    display_name: str
    confidence: Callable[[FileHead], float]
    read: Callable[[DecodedFile, ColumnChoice], Document]
    column_options: Callable[[bytes], ColumnOptions | None] = lambda head: None
    preview_rows: Callable[[bytes, ColumnChoice, int], list[tuple[str, ...]]] = lambda head, choice, most: [()]
    is_packed: bool = False
