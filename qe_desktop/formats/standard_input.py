"""Standard input where a command may name a file: what is piped into the program, copied as files are, once."""

from __future__ import annotations

import io
import os
import stat
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Final

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.limits import LARGEST
from qe_desktop.formats.regular_files import Watch, nobody, too_large, unreadable
from qe_desktop.wording import tr

SIGN = "-"
"""What stands for standard input among the arguments of a command."""
STANDARD_INPUT: Final = Path(SIGN)
"""Known by being this object, and not by its name: what a folder lists as `-` is a file."""
NAME = "stdin"
"""What a system or a gold is called that came this way, unless it is given a name."""
PIECE = 1 << 22
"""Bytes read between two looks at how many there are, and whether anyone still waits."""


def named_path(argument: str) -> Path:
    """The file that an argument names; `-` is standard input, and `./-` a file of that name."""
    return STANDARD_INPUT if argument == SIGN else Path(argument)


def refuse_twice(arguments: Iterable[str]) -> None:
    """QeError where several arguments, `-` or `NAME=-`, stand for standard input, of which there is one."""
    named = [one for one in arguments if one == SIGN or (one.endswith(f"={SIGN}") and not Path(one).exists())]
    if len(named) > 1:
        message = tr("standard input is named {n:,} times, and it is one file", "", len(named))
        raise QeError(message, hint=tr("Name files for the others."), place=Place(SIGN))


def read_standard_input(watch: Watch = nobody) -> bytes:
    """All that is piped in, from a program or a file.

    QeError where that is nothing, a terminal or a device, which would be waited for or never ends, or more than any
    file may hold.
    """
    place = Place(SIGN)
    stream = _stream()
    kept = io.BytesIO()
    try:
        while piece := stream.read(PIECE):
            watch()
            if kept.tell() + len(piece) > LARGEST:
                message = tr("more than {n:,} bytes come from standard input", "", LARGEST)
                raise QeError(message, hint=tr("Give it in parts."), place=place)
            kept.write(piece)
    except (OSError, ValueError) as error:
        raise unreadable(error, place) from None
    except MemoryError:
        raise too_large(place) from None
    return kept.getvalue()


def _stream() -> BinaryIO:
    """Standard input, where something can come from it and end."""
    stream = sys.stdin
    if stream is None or stream.closed:
        raise _nothing(tr("there is no standard input"))
    if stream.isatty():
        raise _nothing(tr("standard input is the keyboard, and no file is piped into it"))
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError):
        # a stream that another program made of what it has in memory
        return stream.buffer
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise _nothing(tr("standard input is a device, and no file is piped into it"))
    return stream.buffer


def _nothing(message: str) -> QeError:
    hint = tr("Name a file, or pipe one into the program: qe-desktop … < FILE.")
    return QeError(message, hint=hint, place=Place(SIGN))
