"""Command line of an external QE system, with placeholders for input and output files."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr

SOURCE, MT, SOURCE_TOKENS, MT_TOKENS, OUT = "source", "mt", "source_tokens", "mt_tokens", "out"
PLACEHOLDERS = (SOURCE, MT, SOURCE_TOKENS, MT_TOKENS, OUT)
"""Placeholders in a command line: for input files with raw text or tokens, and for the output file."""
DEFAULT_TIMEOUT_MINUTES = 60.0
MAX_TIMEOUT_MINUTES = 1000
MAX_COMMAND_NAME_CHARS = 60


@dataclass(frozen=True, slots=True)
class QeCommand:
    """QE command: name of the system, command line with placeholders in braces, and time limit in minutes.

    The command line is not run by a shell, so it cannot contain pipes or variables. It is split into words as by a
    POSIX shell (on Windows, backslashes are literal); words that contain spaces are enclosed in quotation marks. A
    relative file name, such as `./qe.py`, refers to a file in `folder` if there is such a file. Raises QeError if the
    name, the command line or the time limit is invalid, or if a required placeholder is missing.
    """

    name: str
    line: str
    minutes: float = DEFAULT_TIMEOUT_MINUTES
    folder: str = ""

    def __post_init__(self) -> None:
        if not self.name.strip() or len(self.name) > MAX_COMMAND_NAME_CHARS or not self.name.isprintable():
            message = tr("a QE system needs a name of at most {n} printable characters", "", MAX_COMMAND_NAME_CHARS)
            raise QeError(message, hint=tr("For example, use the name “my-qe”."))
        if not 0 < self.minutes <= MAX_TIMEOUT_MINUTES:
            message = tr(
                "the time limit of {name} must be above 0 and at most {most} minutes",
                name=self.name,
                most=MAX_TIMEOUT_MINUTES,
            )
            raise QeError(message, hint=tr("For example, use {usual:.0f} minutes.", usual=DEFAULT_TIMEOUT_MINUTES))
        used = self._used_placeholders()
        if OUT not in used or not {MT, MT_TOKENS} & used:
            message = tr("the command of {name} lacks a placeholder for the MT or for the result", name=self.name)
            raise QeError(message, hint=_HINT)

    def _words(self) -> list[str]:
        try:
            words = shlex.split(self.line, posix=os.name != "nt")
        except ValueError:
            message = tr("the command of {name} has an unbalanced quotation mark", name=self.name)
            raise QeError(message, hint=tr("Put quotation marks around arguments that contain spaces.")) from None
        if os.name == "nt":
            words = [
                word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word for word in words
            ]
        if "\0" in self.line:
            message = tr("the command of {name} contains a NUL character", name=self.name)
            raise QeError(message, hint=tr("Remove this character."))
        if not words:
            raise QeError(tr("the command of {name} is empty", name=self.name), hint=_HINT)
        return words

    def _used_placeholders(self) -> set[str]:
        used: set[str] = set()
        for word in self._words():
            used |= {name for name in re.findall(r"\{(\w+)\}", word) if name in PLACEHOLDERS}
        return used

    @property
    def takes_tokens(self) -> bool:
        """Whether the command reads the MT only as tokens, so that each space-separated input word is a token."""
        return MT not in self._used_placeholders()

    def arguments(self, files: Mapping[str, str]) -> list[str]:
        """Return the program and its arguments, with placeholders replaced by file names; other braces are literal."""
        words = [re.sub(r"\{(\w+)\}", lambda match: files.get(match[1], match[0]), word) for word in self._words()]
        return [self._resolve_path(word) for word in words]

    def _resolve_path(self, word: str) -> str:
        """Path of the file that `word` names in the command's folder; `word` itself if there is no such file."""
        if not self.folder or os.path.isabs(word):
            return word
        path_in_folder = os.path.join(self.folder, word)
        is_path = os.sep in word or "." in word
        return path_in_folder if is_path and os.path.isfile(path_in_folder) else word


_HINT = tr("For example: python3 /home/me/qe.py {source} {mt} {out}. For tokens, use {mt_tokens} instead of {mt}.")
_COMMAND_HINT = tr("For example: --qe NAME='python3 /home/me/qe.py {source} {mt} {out}'")


def parse_commands(values: Sequence[str], folder: str = "") -> tuple[QeCommand, ...]:
    """Parse values of `--qe NAME='command …'` options. Raises QeError if a value is invalid or a name is repeated."""
    commands: dict[str, QeCommand] = {}
    for value in values:
        name, equals, line = value.partition("=")
        if not equals:
            raise QeError(tr("“{value}” does not have the form NAME=COMMAND", value=value), hint=_COMMAND_HINT)
        if name in commands:
            message = tr("there are two QE systems named {name}", name=name)
            raise QeError(message, hint=tr("Use a unique name for each."))
        commands[name] = QeCommand(name, line, folder=folder)
    return tuple(commands.values())


def extract_qe_values(arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split arguments into the values of `--qe` options and the remaining arguments.

    Arguments after `--` are not interpreted as options. Raises QeError if a `--qe` option has no value.
    """
    values: list[str] = []
    remaining: list[str] = []
    argument_iterator = iter(arguments)
    for argument in argument_iterator:
        if argument == "--":
            remaining += [argument, *argument_iterator]
        elif argument == "--qe":
            value = next(argument_iterator, None)
            if value is None:
                raise QeError(tr("--qe takes a name and a command"), hint=_COMMAND_HINT)
            values.append(value)
        elif argument.startswith("--qe="):
            values.append(argument.removeprefix("--qe="))
        else:
            remaining.append(argument)
    return values, remaining
