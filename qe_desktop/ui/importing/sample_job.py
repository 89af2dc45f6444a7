"""The sample of a translator's job: what is worked on is a copy in a place of the person's own."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from qe_desktop.corpus import QeError
from qe_desktop.formats.writing import write_bytes
from qe_desktop.ui.settings import FILE_VARIABLE
from qe_desktop.wording import tr

JOB = "job"
"""What the sample is called among the others."""
FILES = ("jobs/en-de/manuals.sdlxliff", "jobs/qe/strong.tags")
"""The file, and beside it what a QE system said of its words."""
NAME = "QE Desktop sample job"
MOST = 1000
"""Copies that somebody worked on, beside which a further one is made."""


def own_place() -> Path:
    """Where a person keeps documents; beside the settings where a file for these was named."""
    named = os.environ.get(FILE_VARIABLE)
    settings = Path(named).resolve() if named else None
    if settings is not None and (settings.is_file() or not settings.exists()):
        # a device in their place says that nothing shall be kept
        return settings.parent
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return documents if documents.is_dir() and os.access(documents, os.W_OK) else Path.home()


def copied(samples: Path, place: Path) -> Path:
    """A folder with a copy of the job as it is bundled: one that nobody has worked on yet, or a new one."""
    bundled = {Path(name).name: (samples / name).read_bytes() for name in FILES}
    for number in range(1, MOST + 1):
        folder = place / (NAME if number == 1 else f"{NAME} {number}")
        if _is_untouched(folder, bundled):
            return folder
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            message = tr("the sample job could not be copied to {folder}", folder=folder)
            raise QeError(message, hint=str(error.strerror or error)) from error
        for name, content in bundled.items():
            write_bytes(folder / name, content)
        return folder
    message = tr("there are too many copies of the sample job in {folder}", folder=place)
    raise QeError(message, hint=tr("Move them elsewhere."))


def _is_untouched(folder: Path, bundled: dict[str, bytes]) -> bool:
    try:
        return all((folder / name).read_bytes() == content for name, content in bundled.items())
    except OSError:
        return False
