"""Settings of QA checks and of custom QE systems."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Self

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.external.command import DEFAULT_TIMEOUT_MINUTES, QeCommand
from qe_desktop.local_qe.qa_checks import word_list_checks
from qe_desktop.local_qe.qa_checks.check import Check
from qe_desktop.local_qe.qa_checks.runner import CHECKS, configure_checks
from qe_desktop.local_qe.qa_checks.word_lists import WordLists, read_forbidden_words, read_terms
from qe_desktop.ui.settings import Settings

CHECK_SETTINGS = frozenset((Settings.disabled_checks.key, Settings.terms_file.key, Settings.forbidden_words_file.key))
"""Keys of the settings that change the results of QA checks."""
_FileState = tuple[str, int, int]
"""Path, modification time (ns) and size (bytes) of a file, which is read again if one of these values changes."""


@dataclass(frozen=True, slots=True)
class CheckSettings:
    """Settings of QA checks: names of the disabled checks, and paths of word lists (empty if none is selected).

    Instances are immutable, so that a job can read the word lists on its own thread.
    """

    off: tuple[str, ...] = ()
    terms_file: str = ""
    forbidden_words_file: str = ""

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the settings of QA checks that are currently stored in `settings`."""
        return cls(tuple(settings.disabled_checks), settings.terms_file, settings.forbidden_words_file)

    @property
    def has_lists(self) -> bool:
        """Whether at least one word list is selected."""
        return bool(self.terms_file or self.forbidden_words_file)

    @property
    def checks_without_list(self) -> frozenset[str]:
        """Names of the checks that find nothing because their word list is not selected."""
        files = {
            word_list_checks.TERMS_CHECK.name: self.terms_file,
            word_list_checks.FORBIDDEN_WORDS_CHECK.name: self.forbidden_words_file,
        }
        return frozenset(name for name, file in files.items() if not file)

    def without_lists(self) -> Self:
        """Return a copy of the settings in which no word list is selected."""
        return replace(self, terms_file="", forbidden_words_file="")

    def checks(self) -> tuple[Check, ...]:
        """Return the checks that are turned on. Raises QeError if a word list is invalid or cannot be read."""
        return tuple(check for check in self.all_checks() if check.name not in self.off)

    def are_all_off(self) -> bool:
        """Return whether all checks are turned off."""
        return all(check.name in self.off for check in CHECKS)

    def all_checks(self) -> tuple[Check, ...]:
        """Return all checks, including those turned off. Raises QeError if a word list is invalid or cannot be read."""
        return _configured_checks(_file_state(self.terms_file), _file_state(self.forbidden_words_file))


def count_terms(path: str) -> str:
    """Return a text with the number of terms in a file. Raises QeError if the file is invalid or cannot be read."""
    return tr("{n:,} {n:term|terms}", "", len(_read_list(read_terms, _file_state(path))))


def count_forbidden_words(path: str) -> str:
    """Return a text with the number of forbidden words and phrases in a file.

    Raises QeError if the file is invalid or cannot be read.
    """
    words = _read_list(read_forbidden_words, _file_state(path))
    return tr("{n:,} forbidden {n:word or phrase|words and phrases}", "", len(words))


def _file_state(path: str) -> _FileState:
    if not path:
        return "", 0, 0
    try:
        status = Path(path).stat()
    except OSError:
        # the error is reported when the file is read
        return path, 0, 0
    return path, status.st_mtime_ns, status.st_size


@lru_cache(maxsize=4)
def _configured_checks(terms_file: _FileState, forbidden_words_file: _FileState) -> tuple[Check, ...]:
    lists = WordLists(_read_list(read_terms, terms_file), _read_list(read_forbidden_words, forbidden_words_file))
    return configure_checks(CHECKS, lists)


def _read_list(read: Callable[[str], tuple[Any, ...]], file: _FileState) -> tuple[Any, ...]:
    return read(file[0]) if file[0] else ()


INVALID_MINUTES = -1.0
"""Invalid time limit, in minutes, that replaces a saved limit that is not a finite number."""


class SavedSystem(NamedTuple):
    """Saved system; if it is invalid, `command` is None and `problem` states why."""

    name: str
    line: str
    minutes: float
    command: QeCommand | None = None
    problem: str = ""


def saved_systems(settings: Settings) -> list[SavedSystem]:
    """Return the saved systems in order, including those with an invalid command or a repeated name.

    Entries whose name or command is not a string are skipped.
    """
    systems: list[SavedSystem] = []
    for row in settings.qe_systems:
        name, line = row.get("name"), row.get("command")
        if isinstance(name, str) and isinstance(line, str):
            minutes = _time_limit(row.get("minutes", DEFAULT_TIMEOUT_MINUTES))
            names = {system.name for system in systems if system.command is not None}
            systems.append(_validated_system(name, line, minutes, is_repeated=name in names))
    return systems


def _validated_system(name: str, line: str, minutes: float, *, is_repeated: bool) -> SavedSystem:
    try:
        command = QeCommand(name, line, minutes)
    except QeError as error:
        return SavedSystem(name, line, minutes, None, f"{error.message}. {error.hint}")
    return SavedSystem(name, line, minutes, None, repeated_name_problem()) if is_repeated else saved_system(command)


def _time_limit(value: object) -> float:
    try:
        minutes = float(value) if isinstance(value, int | float) else INVALID_MINUTES
    except OverflowError:
        # an integer in the settings may be too large for a float
        return INVALID_MINUTES
    return minutes if math.isfinite(minutes) else INVALID_MINUTES


def repeated_name_problem() -> str:
    """Return a message that the name of a system is already in use."""
    return tr("Another QE system already has this name. Enter a different name.")


def saved_system(command: QeCommand) -> SavedSystem:
    """Return the saved form of a valid command."""
    return SavedSystem(command.name, command.line, command.minutes, command)


def saved_commands(settings: Settings) -> tuple[QeCommand, ...]:
    """Return the valid saved commands in order."""
    return tuple(system.command for system in saved_systems(settings) if system.command is not None)


def save_systems(settings: Settings, systems: Iterable[SavedSystem]) -> None:
    """Replace all saved systems with `systems`."""
    settings.qe_systems = [
        {"name": system.name, "command": system.line, "minutes": system.minutes} for system in systems
    ]
