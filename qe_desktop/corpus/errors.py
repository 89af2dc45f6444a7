"""QeError, the exception for errors that are reported to the user; it states what is wrong, where, and what to do."""

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
"""Maximum number of characters of a location, message or hint; longer texts are shortened in the middle."""
MAX_LISTED_FAULTS = 10
"""Maximum number of errors that are listed for a file; further errors are only counted."""


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """File and 1-based line number of an error; `line` is None if the error does not concern a single line."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Fault:
    """One error at one location."""

    place: SourceLocation
    message: str

    def __str__(self) -> str:
        return f"{_part(str(self.place))}: {_part(self.message)}"


class QeError(Exception):
    """Error for invalid input or for a request that cannot be met, to be reported to the user.

    `message` describes the problem, without a final full stop. `hint` says what to do; `command_hint` is the hint for
    users of the command line, and may name options (default: `hint`). `place` is the location of the error (default:
    the location of the first fault). `faults` lists the first `MAX_LISTED_FAULTS` errors, and `more` counts the rest.
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
        """Format the error as one line: `FILE:LINE: what is wrong. What to do about it.`

        The length of each part is limited, and invisible characters are escaped. `command_line` selects the hint for
        the command line.
        """
        hint = self.command_hint if command_line else self.hint
        total = len(self.faults) + self.more
        message = _part(self.message.rstrip(".") if self.message.endswith(".") else self.message)
        fault_files = self._other_files()
        if fault_files:
            files = _part(", ".join(fault_files))
            message = tr(
                "{message} (and {n:,} more {n:location|locations}, also in {files})",
                "", total - 1, message=message, files=files,
            )  # fmt: skip
        elif total > 1:
            message = tr("{message} (and {n:,} more {n:location|locations})", "", total - 1, message=message)
        text = join_localized(". ", (message, _part(hint))) if hint else join_localized("", (message, "."))
        return join_localized(": ", (_part(str(self.place)), text)) if self.place else text

    def _other_files(self) -> list[str]:
        """Return the files with errors, except the file of `place`, which is named at the beginning of the line."""
        files = dict.fromkeys(_without_index(fault.place.file) for fault in self.faults)
        return [file for file in files if self.place is None or file != _without_index(self.place.file)]

    def __str__(self) -> str:
        return self.line()


def _without_index(file: str) -> str:
    """Remove a number in brackets from the end of an argument name: `gold[3]` becomes `gold`."""
    return re.sub(r"(?<=\S)\[\d+\]$", "", file)


def _part(text: str) -> str:
    return escape_terminal(text, MAX_MESSAGE_CHARS)


class Faults:
    """Collector of the errors in a file; it counts all errors and keeps the first `MAX_LISTED_FAULTS`."""

    def __init__(self) -> None:
        self.first: list[Fault] = []
        self.count = 0

    def add(self, indices: Sequence[int] | NDArray[np.integer[Any]], error_at: Callable[[int], Fault]) -> None:
        """Add an error for each line or row index in `indices`; `error_at` creates the error for an index."""
        self.count += len(indices)
        self.first += [error_at(int(index)) for index in indices[: MAX_LISTED_FAULTS - len(self.first)]]

    def raise_if_any(self, hint: str, command_hint: str = "") -> None:
        """Raise QeError if errors have been added."""
        if self.count:
            more = self.count - len(self.first)
            raise QeError(
                self.first[0].message, hint=hint, command_hint=command_hint, faults=self.first, more=more
            )  # fmt: skip


def raise_for_rows(
    indices: Sequence[int] | NDArray[np.integer[Any]],
    error_at: Callable[[int], Fault],
    hint: str,
    command_hint: str = "",
) -> None:
    """Raise QeError if there are `indices` of invalid lines or rows; `error_at` creates the error for an index."""
    faults = Faults()
    faults.add(indices, error_at)
    faults.raise_if_any(hint, command_hint)
