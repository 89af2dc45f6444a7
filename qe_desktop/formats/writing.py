"""Writing files: all of a file or nothing, never half of one in the place of the old."""

from __future__ import annotations

import gzip
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.opening import shown_name


@contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` once all is written; compressed where its name ends in .gz.

    QeError where the folder is missing or cannot be written to.
    """
    beside = path.parent / f".qe-desktop-{secrets.token_hex(6)}.tmp"
    try:
        if path.is_dir():
            raise IsADirectoryError(0, "this is a folder")
        with beside.open("xb") as plain:
            if path.suffix == ".gz":
                # no name and no time inside, so that equal content gives equal files
                with gzip.GzipFile("", "wb", compresslevel=6, fileobj=plain, mtime=0) as packed:
                    yield cast(BinaryIO, packed)
            else:
                yield plain
        if path.exists():
            beside.chmod(path.stat().st_mode & 0o777)
        os.replace(beside, path)
    except OSError as error:
        reason = error.strerror or str(error)
        hint = "Check that the folder exists and may be written to."
        raise QeError(f"the file cannot be written: {reason}", hint=hint, place=Place(shown_name(path))) from None
    finally:
        beside.unlink(missing_ok=True)
