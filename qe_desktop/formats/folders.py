"""What is in a folder, found at once or refused: a folder of a hundred thousand files is none of a corpus."""

from __future__ import annotations

import os
from pathlib import Path

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.limits import MOST_FILES
from qe_desktop.formats.regular_files import shown_name
from qe_desktop.wording import tr


def listed(folder: Path, most: int = MOST_FILES) -> tuple[list[Path], list[Path]]:
    """The files and the folders in a folder, both sorted, without those whose names begin with a dot or a tilde.

    QeError where it cannot be read, or as soon as there are more than `most` of them.
    """
    files: list[Path] = []
    folders: list[Path] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith((".", "~")):
                    continue
                if len(files) + len(folders) >= most:
                    raise too_many(folder, most)
                (folders if entry.is_dir() else files).append(folder / entry.name)
    except OSError as error:
        message = tr("the folder cannot be read: {reason}", reason=error.strerror or error)
        raise QeError(message, hint=tr("Check its rights."), place=Place(shown_name(folder))) from None
    return sorted(files), sorted(folders)


def too_many(folder: Path, most: int) -> QeError:
    """What to say about a folder that holds more files than the `most` that are looked at."""
    message = tr("there are more than {n:,} files in this folder", "", most)
    return QeError(message, hint=tr("Choose the folder of one corpus."), place=Place(shown_name(folder)))
