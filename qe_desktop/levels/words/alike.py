"""Whether a system tags what the gold tags, wherever the two come from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Place, QeError, TagColumn, refuse_all
from qe_desktop.wording import tr


def refuse_others(
    column: TagColumn, gold: TagColumn, whole: Place, at: Callable[[int], Place], gold_file: str = ""
) -> None:
    """QeError where tags are not of the segments and words that the gold's are of.

    `whole` is where too few or too many segments are, `at` where a segment is; the `gold_file` is named in hints.
    """
    if len(column) != len(gold):
        raise QeError(
            tr(
                "{found:,} {found:segment|segments}, but the gold has {expected:,}",
                found=len(column),
                expected=len(gold),
            ),
            hint=tr("Both must tag the same segments; the gold is {file}.", file=gold_file)
            if gold_file
            else tr("Both must tag the same segments."),
            place=whole,
        )
    found, expected = column.lengths(), gold.lengths()

    def fault(segment: int) -> Fault:
        return Fault(at(segment), _other_number(int(found[segment]), int(expected[segment])))

    refuse_all(np.flatnonzero(found != expected), fault, *_hints(found - expected, gold_file))


def _other_number(found: int, expected: int) -> str:
    return tr("{found} {found:tag|tags}, but the gold has {expected}", found=found, expected=expected)


def _hints(more: NDArray[np.int64], gold_file: str) -> tuple[str, str]:
    """What to do where segments have so many tags more than in the gold, and how the command line says it."""
    apart = np.unique(more)
    if not gold_file:
        return tr("Both must tag the same words."), ""
    if len(apart) == 1 and abs(int(apart[0])) == 1:
        hint = tr(
            "Each line differs by one: the tags may be of gaps, and the tag of <EOS> must be in all files or in none. "
            "The gold is {file}.",
            file=gold_file,
        )
        command_hint = tr(
            "Each line differs by one: tags of gaps are scored with --kind gaps, and the tag of <EOS> must be in all "
            "files or in none. The gold is {file}.",
            file=gold_file,
        )
        return hint, command_hint
    return tr("The gold is {file}.", file=gold_file), ""
