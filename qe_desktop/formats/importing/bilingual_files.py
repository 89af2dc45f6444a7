"""Translators' files among the files of a corpus: what they are, and what is asked of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.column_choice import ChoiceKind
from qe_desktop.formats.bilingual.file_signatures import (
    SIGNATURE_BYTES,
    foreign_kind,
    has_text_headers,
    may_be_bilingual,
)
from qe_desktop.formats.importing.planned_file import PlannedFile
from qe_desktop.formats.importing.roles import Role
from qe_desktop.formats.io.files import CheckCancelled, never_cancelled, read_head
from qe_desktop.formats.io.text_files import GZIP_SIGNATURE
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.formats.bilingual import Document

TABLE_SUFFIXES = (".csv", ".tsv", ".tab")
"""How names of tables end."""
MAX_PREVIEW_ROWS = 6
"""Segments that are shown before a file is opened."""


def detect_bilingual_file(path: Path) -> PlannedFile | None:
    """A translator's file, or one that nothing here reads, by how it begins; None for all others, and the unreadable.

    Tables are none of them, for those of scores and ratings are asked first (`table_of_texts`).
    """
    try:
        head = read_head(path, SIGNATURE_BYTES)
    except QeError:
        return None
    kind = "" if head.startswith(GZIP_SIGNATURE) else foreign_kind(head)
    if not kind and not may_be_bilingual(head):
        return None
    # here, so that nobody waits for these formats who has no files of them
    from qe_desktop.formats.bilingual.registry import column_options, detect_dialect

    format = detect_dialect(path)
    if format is not None:
        return PlannedFile(path, format.name, format.shown, Role.JOB, offer=column_options(path, format))
    if not kind:
        return None
    return PlannedFile(path, "", kind, notes=(tr("this is {kind}, which is not read", kind=kind),), foreign=kind)


def detect_text_table(seen: PlannedFile) -> PlannedFile:
    """A table that was taken for a text: a translator's file, where its columns tell; else what may be chosen of it."""
    from qe_desktop.formats.bilingual.registry import column_options
    from qe_desktop.formats.bilingual.tabular import delimited_tables

    head = read_head(seen.path, SIGNATURE_BYTES)
    offer = column_options(seen.path, delimited_tables.FORMAT)
    if offer is None:
        return seen
    seen = replace(seen, offer=offer)
    if has_text_headers(head) and offer.held.source and offer.held.target:
        return replace(
            seen, format=delimited_tables.NAME, description=delimited_tables.DISPLAY_NAME, role=Role.JOB, notes=()
        )
    return seen


def read_job(file: PlannedFile, watch: CheckCancelled = never_cancelled) -> Document:
    """A translator's file as it is planned. QeError for what cannot be read, or must be said before."""
    from qe_desktop.formats.bilingual import read_document

    return read_document(file.path, file.choice, watch)


class FilePreview(NamedTuple):
    """The first rows of a file, and what its columns are called; nothing for the lines of a text."""

    names: tuple[str, ...]
    rows: list[tuple[str, ...]]


def preview_file(file: PlannedFile, watch: CheckCancelled = never_cancelled) -> FilePreview:
    """The beginning of a file before it is opened: source and target of a translator's, all columns of a table of which
    it must be said, the lines of any other. QeError where it cannot be read, or where languages must be chosen before.
    """
    from qe_desktop.formats.io.text_files import open_beginning

    if file.must_choose and file.offer is not None:
        if file.offer.of is ChoiceKind.LANGUAGES:
            raise QeError(tr("The first segments show when source and target are chosen."))
        from qe_desktop.formats.bilingual.registry import first_rows

        names, *rows = first_rows(file.path, file.format, file.chosen, MAX_PREVIEW_ROWS)
        return FilePreview(names, rows)
    if file.role is Role.JOB:
        from qe_desktop.formats.bilingual.registry import first_segments

        segments = first_segments(file.path, file.choice, MAX_PREVIEW_ROWS, watch)
        return FilePreview((tr("source"), tr("target")), [(one.source_line, one.target_line) for one in segments])
    head = open_beginning(file.path, SIGNATURE_BYTES).head().decode("utf-8", "replace")
    return FilePreview((), [(line,) for line in head.split("\n")[:MAX_PREVIEW_ROWS]])
