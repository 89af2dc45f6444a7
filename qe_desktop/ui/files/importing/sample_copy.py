"""Sample job: a bundled bilingual file, of which a writable copy is opened."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from qe_desktop.corpus import QeError
from qe_desktop.formats.atomic_write import write_bytes
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.settings import FILE_VARIABLE
from qe_desktop.ui.shell.notices import Message

SAMPLE_ID = "job"
"""Id of the sample job among the bundled samples."""
SAMPLE_FILES = ("jobs/en-de/manuals.sdlxliff", "jobs/qe/sample-qe.tags")
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


def copy_sample(samples: Path, parent: Path, *, unchanged: bool = False) -> Path:
    """Return the folder in `parent` with the latest copy of the sample job; create a copy if there is none.

    If `unchanged` is true, return only a copy that the user has not changed; create a copy if there is none.
    Raises QeError if the sample job cannot be copied.
    """
    bundled = _bundled_files(samples)
    latest: Path | None = None
    for number in range(1, MAX_COPIES + 1):
        folder = parent / (FOLDER_NAME if number == 1 else f"{FOLDER_NAME} {number}")
        if unchanged and _is_unchanged(folder, bundled):
            return folder
        if folder.exists():
            latest = folder if all((folder / name).is_file() for name in bundled) else latest
            continue
        if latest is not None and not unchanged:
            return latest
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


def sample_copy_message(folder: Path, start_over: Callable[[str], object]) -> Message:
    """Return a message that a copy of the sample job was opened.

    If the copy was changed, the message has a button that calls `start_over` with the id of the sample job.
    """
    is_unchanged = _is_unchanged(folder, _bundled_files(icons.resource_folder() / "samples"))
    return Message(
        tr("This is a practice copy of the sample, in {folder}", folder=folder),
        buttons=() if is_unchanged else ((tr("Start with a new copy"), partial(start_over, SAMPLE_ID)),),
    )


def _bundled_files(samples: Path) -> dict[str, bytes]:
    return {Path(name).name: (samples / name).read_bytes() for name in SAMPLE_FILES}


def _is_unchanged(folder: Path, bundled: dict[str, bytes]) -> bool:
    try:
        return all((folder / name).read_bytes() == content for name, content in bundled.items())
    except OSError:
        return False
