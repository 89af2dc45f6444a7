"""The one kind of error that bad input brings: what is wrong, where, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.escaping import escape_terminal
from qe_desktop.i18n.messages import join_localized, tr

MAX_MESSAGE_CHARS = 500
"""Maximum length of a location, message or hint on one line, in characters; longer ones are shortened in the middle."""
MAX_LISTED_FAULTS = 10
"""How many of a file's faults are listed before only their number is given."""


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """Where something is: a file, and in it a line (from 1) or nothing."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in one place."""

    place: SourceLocation
    message: str

    def __str__(self) -> str:
        return f"{_part(str(self.place))}: {_part(self.message)}"


class QeError(Exception):
    """Invalid input or a request that cannot be met, reported to the user.

    `message` describes the problem without a final full stop, `hint` what to do, `command_hint` the same for the
    command line, with its options. `faults` lists the first `SHOWN` locations, `more` counts the rest.
    """

    def __init__(
        self, message: str, *, hint: str = "", command_hint: str = "", place: SourceLocation | None = None,
        faults: Sequence[Fault] = (), more: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.command_hint = command_hint or hint
        self.faults = tuple(faults[:MAX_LISTED_FAULTS])
        self.more = more + max(0, len(faults) - MAX_LISTED_FAULTS)
        self.place = place or (self.faults[0].place if self.faults else None)

    def line(self, *, command_line: bool = False) -> str:
        """The whole error as one line: `FILE:LINE: what is wrong. What to do about it.`

        Of bounded length, and without anything that a terminal would obey. The `command_line` may name its options.
        """
        hint = self.command_hint if command_line else self.hint
        total = len(self.faults) + self.more
        message = _part(self.message.rstrip(".") if self.message.endswith(".") else self.message)
        others = self._other_files()
        if others:
            files = _part(", ".join(others))
            message = tr(
                "{message} (and {n:,} more {n:location|locations}, also in {files})",
                "", total - 1, message=message, files=files,
            )  # fmt: skip
        elif total > 1:
            message = tr("{message} (and {n:,} more {n:location|locations})", "", total - 1, message=message)
        said = join_localized(". ", (message, _part(hint))) if hint else join_localized("", (message, "."))
        return join_localized(": ", (_part(str(self.place)), said)) if self.place else said

    def _other_files(self) -> list[str]:
        """The files of the faults but for that of the place, which the line begins with."""
        files = dict.fromkeys(_without_index(fault.place.file) for fault in self.faults)
        return [file for file in files if self.place is None or file != _without_index(self.place.file)]

    def __str__(self) -> str:
        return self.line()


def _without_index(file: str) -> str:
    """Of a value's place, such as `gold[3]`, whose it is; a file's name as it is."""
    return re.sub(r"(?<=\S)\[\d+\]$", "", file)


def _part(text: str) -> str:
    return escape_terminal(text, MAX_MESSAGE_CHARS)


class Faults:
    """Counts what is wrong in a file, and words the first of it."""

    def __init__(self) -> None:
        self.first: list[Fault] = []
        self.count = 0

    def add(self, wrong: Sequence[int] | NDArray[np.integer[Any]], fault: Callable[[int], Fault]) -> None:
        """So many more, such as lines or rows, which `fault` words."""
        self.count += len(wrong)
        self.first += [fault(int(one)) for one in wrong[: MAX_LISTED_FAULTS - len(self.first)]]

    def refuse(self, hint: str, command_hint: str = "") -> None:
        """QeError where anything is wrong."""
        if self.count:
            more = self.count - len(self.first)
            raise QeError(
                self.first[0].message, hint=hint, command_hint=command_hint, faults=self.first, more=more
            )  # fmt: skip


def raise_for_rows(
    wrong: Sequence[int] | NDArray[np.integer[Any]], fault: Callable[[int], Fault], hint: str, command_hint: str = ""
) -> None:
    """QeError where anything is wrong, such as lines or rows; `fault` words one of them."""
    faults = Faults()
    faults.add(wrong, fault)
    faults.refuse(hint, command_hint)
