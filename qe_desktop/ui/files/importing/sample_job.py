"""Sample job: a bundled bilingual file, of which a writable copy is opened."""

from __future__ import annotations

import os
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from qe_desktop.corpus import QeError
from qe_desktop.formats.io.atomic_write import write_bytes
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.settings import FILE_VARIABLE

SAMPLE_ID = "job"
"""Id of the sample job among the bundled samples."""
SAMPLE_FILES = ("jobs/en-de/manuals.sdlxliff", "jobs/qe/strong.tags")
"""Files of the sample job, relative to the folder of samples: a bilingual file and the word tags of a QE system."""
FOLDER_NAME = "QE Desktop sample job"
MAX_COPIES = 1000
"""Maximum number of copies of the sample job in a folder."""


def documents_folder() -> Path:
    """Return the folder for copies of the sample job.

    If a settings file was specified, its folder is returned. Otherwise, the user's documents folder is returned or, if
    the documents folder is missing or not writable, the home folder.
    """
    named = os.environ.get(FILE_VARIABLE)
    settings = Path(named).resolve() if named else None
    if settings is not None and (settings.is_file() or not settings.exists()):
        # if the settings file is a device, nothing is stored permanently
        return settings.parent
    documents = Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation))
    return documents if documents.is_dir() and os.access(documents, os.W_OK) else Path.home()


def copy_sample(samples: Path, parent: Path) -> Path:
    """Return a folder in `parent` with an unchanged copy of the sample job; create a copy if there is none.

    Raises QeError if the sample job cannot be copied.
    """
    bundled = {Path(name).name: (samples / name).read_bytes() for name in SAMPLE_FILES}
    for number in range(1, MAX_COPIES + 1):
        folder = parent / (FOLDER_NAME if number == 1 else f"{FOLDER_NAME} {number}")
        if _is_untouched(folder, bundled):
            return folder
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            message = tr("cannot copy the sample files to {folder}", folder=folder)
            raise QeError(message, hint=str(error.strerror or error)) from error
        for name, content in bundled.items():
            write_bytes(folder / name, content)
        return folder
    message = tr("there are too many copies of the sample files in {folder}", folder=parent)
    raise QeError(message, hint=tr("Move them to another folder."))


def _is_untouched(folder: Path, bundled: dict[str, bytes]) -> bool:
    try:
        return all((folder / name).read_bytes() == content for name, content in bundled.items())
    except OSError:
        return False
