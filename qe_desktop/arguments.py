"""Arguments of the program as they are meant: what names a file is never an option.

A shell writes the names of files in the place of `*`, and whoever made a file chose its name.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

END_OF_OPTIONS = "--"


def escape_dash_files(arguments: Sequence[str]) -> list[str]:
    """The arguments, with `./` before each that begins with a dash and names a file here or stands after `--`.

    `-` stays: it is the standard input, and no option.
    """
    result: list[str] = []
    ended = False
    for argument in arguments:
        is_name = argument.startswith("-") and argument != "-" and (ended or os.path.lexists(argument))
        # a file may be called `--` as well, and then the options end here: the safe meaning of the two
        ended = ended or argument == END_OF_OPTIONS
        result.append(os.path.join(os.curdir, argument) if is_name and argument != END_OF_OPTIONS else argument)
    return result


def drop_end_of_options(arguments: Sequence[str]) -> list[str]:
    """The arguments without the `--` that ends options, where nothing parses them any further."""
    found = list(arguments)
    if END_OF_OPTIONS in found:
        found.remove(END_OF_OPTIONS)
    return found
