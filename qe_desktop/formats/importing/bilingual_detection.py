"""Detection, reading and preview of bilingual files among the files of a corpus."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.bilingual.columns import ChoiceKind
from qe_desktop.formats.bilingual.file_signatures import (
    SIGNATURE_BYTES,
    foreign_kind,
    has_text_headers,
    may_be_bilingual,
)
from qe_desktop.formats.files import display_name, never_cancelled, read_head
from qe_desktop.formats.importing.planned_file import PlannedFile
from qe_desktop.formats.importing.roles import Role
from qe_desktop.formats.text_files import GZIP_SIGNATURE
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.formats.bilingual import Document

FORMAT_BY_XML_SUFFIX = {
    ".sdlxliff": "SDLXLIFF",
    ".xlf": "XLIFF",
    ".xliff": "XLIFF",
    ".mqxliff": "XLIFF",
    ".mxliff": "XLIFF",
    ".tmx": "TMX",
}
"""Formats of bilingual files by file-name suffix; texts of a corpus do not have these suffixes."""
TABLE_SUFFIXES = (".csv", ".tsv", ".tab")
"""File-name suffixes of tables."""
MAX_PREVIEW_ROWS = 6
"""Maximum number of segments, table rows or lines in a preview."""


def detect_bilingual_file(path: Path) -> PlannedFile | None:
    """Detect a bilingual, damaged or unsupported file by its first bytes; None for any other or unreadable file.

    Bilingual CSV and TSV tables are not detected by this function but later, by `detect_text_table`, because tables of
    scores and ratings have priority.
    """
    try:
        head = read_head(path, SIGNATURE_BYTES)
    except QeError:
        return None
    kind = "" if head.startswith(GZIP_SIGNATURE) else foreign_kind(head)
    if not kind and not may_be_bilingual(head):
        return _damaged_file(path) if head else None
    # imported here to save start-up time if there are no such files
    from qe_desktop.formats.bilingual.registry import column_options, detect_dialect

    format = detect_dialect(path)
    if format is not None:
        return PlannedFile(
            path, format.name, format.display_name, Role.JOB, column_options=column_options(path, format)
        )
    if not kind:
        return _damaged_file(path)
    return PlannedFile(
        path, "", kind, notes=(tr("this is {kind}, which is not supported", kind=kind),), unsupported_type=kind
    )


def _damaged_file(path: Path) -> PlannedFile | None:
    """Planned file with an error: the contents do not match the suffix of a bilingual file. None for other suffixes."""
    format = FORMAT_BY_XML_SUFFIX.get(path.suffix.lower())
    if format is None:
        return None
    message = tr("the file name indicates {format}, but the contents do not match", format=format)
    hint = tr("The file may be damaged or incomplete: export it again.")
    error = QeError(message, hint=hint, place=SourceLocation(display_name(path)))
    return PlannedFile(path, "", message, notes=(tr("the file cannot be read"),), problem=error)


def detect_text_table(file: PlannedFile) -> PlannedFile:
    """Detect from the header whether a table classified as text is bilingual, and add its columns as options.

    A text that is not a table is returned unchanged. Raises QeError if the file cannot be read.
    """
    from qe_desktop.formats.bilingual.registry import column_options
    from qe_desktop.formats.bilingual.tabular import delimited_tables

    head = read_head(file.path, SIGNATURE_BYTES)
    offer = column_options(file.path, delimited_tables.FORMAT)
    if offer is None:
        return file
    file = replace(file, column_options=offer)
    if has_text_headers(head) and offer.default.source and offer.default.target:
        return replace(
            file, format=delimited_tables.NAME, description=delimited_tables.DISPLAY_NAME, role=Role.JOB, notes=()
        )
    return file


def read_job(file: PlannedFile, check_cancelled: CheckCancelled = never_cancelled) -> Document:
    """Read a bilingual file with the source and target that are selected in the plan.

    Raises QeError if the file cannot be read, is invalid, or lacks a selected column or language.
    """
    from qe_desktop.formats.bilingual import read_document

    return read_document(file.path, file.column_choice, check_cancelled)


class FilePreview(NamedTuple):
    """First rows of a file and its column names; text files have no column names."""

    names: tuple[str, ...]
    rows: list[tuple[str, ...]]


def preview_file(file: PlannedFile, check_cancelled: CheckCancelled = never_cancelled) -> FilePreview:
    """Return the first rows of a file: source and target of a bilingual file, lines of any other file.

    If the columns of source and target must still be selected, all columns are returned. Raises QeError if the file
    cannot be read, or if its languages must be selected first.
    """
    from qe_desktop.formats.text_files import open_beginning

    if file.must_select_columns and file.column_options is not None:
        if file.column_options.kind is ChoiceKind.LANGUAGES:
            raise QeError(tr("Select the source and target languages to preview the first segments."))
        from qe_desktop.formats.bilingual.registry import first_rows

        names, *rows = first_rows(file.path, file.format, file.effective_columns, MAX_PREVIEW_ROWS)
        return FilePreview(names, rows)
    if file.role is Role.JOB:
        from qe_desktop.formats.bilingual.registry import first_segments

        segments = first_segments(file.path, file.column_choice, MAX_PREVIEW_ROWS, check_cancelled)
        return FilePreview(
            (tr("source"), tr("target")), [(segment.source_line, segment.target_line) for segment in segments]
        )
    head = open_beginning(file.path, SIGNATURE_BYTES).head().decode("utf-8", "replace")
    lines = head.replace("\r\n", "\n").removesuffix("\n").split("\n")
    return FilePreview((), [(line,) for line in lines[:MAX_PREVIEW_ROWS]])
