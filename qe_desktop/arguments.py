"""Escaping of file names in the program's arguments, so that they are never parsed as options.

A shell expands `*` to file names, and another user may have created files whose names look like options.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

END_OF_OPTIONS = "--"
DEMO = "demo"
"""Argument that opens a sample; the next argument, if any, is the name of the sample."""
SAMPLE_NAMES = ("en-de", "en-he", "en-ja", "job")
"""Names of the samples; the first is the default."""


def escape_dash_files(arguments: Sequence[str]) -> list[str]:
    """Prepend `./` to each argument that begins with a dash and either names an existing path or follows `--`.

    `-` (standard input) and `--` (end of options) are unchanged.
    """
    result: list[str] = []
    ended = False
    for argument in arguments:
        is_name = argument.startswith("-") and argument != "-" and (ended or os.path.lexists(argument))
        # a file may be named `--` as well; ending the options here is the safe interpretation
        ended = ended or argument == END_OF_OPTIONS
        result.append(os.path.join(os.curdir, argument) if is_name and argument != END_OF_OPTIONS else argument)
    return result


def drop_end_of_options(arguments: Sequence[str]) -> list[str]:
    """Return the arguments without the first `--`, which ends options; for callers that do not parse options."""
    remaining = list(arguments)
    if END_OF_OPTIONS in remaining:
        remaining.remove(END_OF_OPTIONS)
    return remaining
