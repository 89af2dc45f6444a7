"""Where a project says that translators' files lie: what is refused of it, whoever made the project."""

from __future__ import annotations

from pathlib import Path

from qe_desktop.corpus import JobFile, Place, QeError
from qe_desktop.formats.regular_files import Watch, bytes_of, nobody, shown_name
from qe_desktop.wording import tr

SUFFIXES = frozenset((
    ".xlf", ".xliff", ".xlif", ".xml", ".sdlxliff", ".mxliff", ".mqxliff", ".mqxlz", ".tmx", ".po", ".pot",
    ".csv", ".tsv", ".tab", ".txt", ".xlsx",
))  # fmt: skip
"""How names of translators' files end; a file that is not there yet is written under no other one."""


def refuse_misplaced(file: JobFile, path: Path, watch: Watch = nobody) -> None:
    """QeError where a path that a project names for a file of it cannot be that of such a file: it is not whole, ends
    otherwise, or something else stands there than a translator's file of that dialect.
    """
    there = _there(path)
    if there is None or path.suffix.lower() not in SUFFIXES or (there and not _is_alike(file, path, watch)):
        message = tr("the project names a path for {file} that is none of such a file", file=file.name)
        hint = tr("Nothing was written. Save it elsewhere: File ▸ Save a copy.")
        raise QeError(message, hint=hint, place=Place(shown_name(path)))


def _there(path: Path) -> bool | None:
    """Whether anything stands at a path; None for one that leads nowhere, or elsewhere from other folders."""
    if not path.is_absolute() or "\0" in str(path):
        return None
    try:
        return path.exists()
    except OSError:
        return None


def _is_alike(file: JobFile, path: Path, watch: Watch) -> bool:
    """Whether a file of the same dialect lies there. QeError where it cannot be read."""
    from qe_desktop.formats.bilingual import document_of
    from qe_desktop.formats.bilingual.job import choice_of

    data = bytes_of(path, watch)
    if data == file.data:
        return True
    try:
        return document_of(data, path.name, choice_of(file)).form == file.form
    except QeError:
        return False
