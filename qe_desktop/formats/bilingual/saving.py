"""Writing a translator's file: whole or not at all, and never from what is no longer on the disk."""

from __future__ import annotations

from pathlib import Path

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.bilingual.document import Document, Rewritten
from qe_desktop.formats.regular_files import bytes_of, shown_name
from qe_desktop.formats.writing import write_bytes
from qe_desktop.wording import tr


def save(rewritten: Rewritten, document: Document, source: Path, output: Path) -> None:
    """Write a document with its new targets; `source` is the file that it was read from, which `output` may be.

    QeError where the source is another file by now, or where the output cannot be written; then nothing is replaced.
    """
    refuse_changed(document, source)
    write_bytes(output, rewritten.data)


def refuse_changed(document: Document, source: Path) -> None:
    """QeError where the file that a document was read from has other bytes by now, or is gone."""
    if bytes_of(source) != document.text.data:
        message = tr("another program changed the file since it was read")
        raise QeError(message, hint=tr("Nothing was written. Read it again."), place=Place(shown_name(source)))
