"""Translators' files among the files of a corpus: what they are, and what is asked of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.choices import Of
from qe_desktop.formats.bilingual.foreign import HEAD, kind_of, may_be_one, names_texts
from qe_desktop.formats.opening import GZIP
from qe_desktop.formats.planned_file import PlannedFile
from qe_desktop.formats.regular_files import Watch, beginning_of, nobody
from qe_desktop.formats.roles import Role
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.formats.bilingual import Document

TABLES_END = (".csv", ".tsv", ".tab")
"""How names of tables end."""
PREVIEWED = 6
"""Segments that are shown before a file is opened."""


def translators_file(path: Path) -> PlannedFile | None:
    """A translator's file, or one that nothing here reads, by how it begins; None for all others, and the unreadable.

    Tables are none of them, for those of scores and ratings are asked first (`table_of_texts`).
    """
    try:
        head = beginning_of(path, HEAD)
    except QeError:
        return None
    kind = "" if head.startswith(GZIP) else kind_of(head)
    if not kind and not may_be_one(head):
        return None
    # here, so that nobody waits for these formats who has no files of them
    from qe_desktop.formats.bilingual.registry import offered, recognise

    format = recognise(path)
    if format is not None:
        return PlannedFile(path, format.name, format.shown, Role.JOB, offer=offered(path, format))
    if not kind:
        return None
    return PlannedFile(path, "", kind, notes=(tr("this is {kind}, which is not read", kind=kind),), foreign=kind)


def table_of_texts(seen: PlannedFile) -> PlannedFile:
    """A table that was taken for a text: a translator's file, where its columns tell; else what may be chosen of it."""
    from qe_desktop.formats.bilingual import tables
    from qe_desktop.formats.bilingual.registry import offered

    head = beginning_of(seen.path, HEAD)
    offer = offered(seen.path, tables.FORMAT)
    if offer is None:
        return seen
    seen = replace(seen, offer=offer)
    if names_texts(head) and offer.held.source and offer.held.target:
        return replace(seen, format=tables.NAME, description=tables.SHOWN, role=Role.JOB, notes=())
    return seen


def read_job(file: PlannedFile, watch: Watch = nobody) -> Document:
    """A translator's file as it is planned. QeError for what cannot be read, or must be said before."""
    from qe_desktop.formats.bilingual import read_document

    return read_document(file.path, file.choice, watch)


class Preview(NamedTuple):
    """The first rows of a file, and what its columns are called; nothing for the lines of a text."""

    names: tuple[str, ...]
    rows: list[tuple[str, ...]]


def preview(file: PlannedFile, watch: Watch = nobody) -> Preview:
    """The beginning of a file before it is opened: source and target of a translator's, all columns of a table of which
    it must be said, the lines of any other. QeError where it cannot be read, or where languages must be chosen before.
    """
    from qe_desktop.formats.opening import open_beginning

    if file.must_choose and file.offer is not None:
        if file.offer.of is Of.LANGUAGES:
            raise QeError(tr("The first segments show when source and target are chosen."))
        from qe_desktop.formats.bilingual.registry import first_rows

        names, *rows = first_rows(file.path, file.format, file.chosen, PREVIEWED)
        return Preview(names, rows)
    if file.role is Role.JOB:
        from qe_desktop.formats.bilingual.registry import first_segments

        segments = first_segments(file.path, file.choice, PREVIEWED, watch)
        return Preview((tr("source"), tr("target")), [(one.source_line, one.target_line) for one in segments])
    head = open_beginning(file.path, HEAD).head().decode("utf-8", "replace")
    return Preview((), [(line,) for line in head.split("\n")[:PREVIEWED]])
