"""Submissions of several teams: a folder for each, with files that are called predictions.txt or the like."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from qe_desktop.corpus import QeError
from qe_desktop.formats import score_tables, word_tables
from qe_desktop.formats.names import is_nameless, language_pair_of
from qe_desktop.formats.opening import open_file
from qe_desktop.formats.parts import gold_pairs
from qe_desktop.formats.planned_file import PlannedFile
from qe_desktop.formats.regular_files import Watch, size_of
from qe_desktop.formats.roles import Role
from qe_desktop.formats.sorting import WHOLE
from qe_desktop.wording import tr

SUBMITTED = (word_tables.FORMAT.name, score_tables.FORMAT.name)
"""The formats of submissions."""
DEEP = 3
"""How many folders deep a team's files are looked for, as in TASK/TEAM/PAIR/predictions.txt."""
_TASK = re.compile(
    r"(words?|sentences?|scores?|tags|tasks?|runs?|submissions?|predictions?|outputs?)([-_ ]?level)?([-_ ]?\d\w*)?"
    r"|t\d([-_ ](words?|sent\w*|da|mqm))?",
    re.IGNORECASE,
)
_FIRST_FIELD = re.compile(rb"^([^\t\n]{1,200})\t", re.MULTILINE)

Listed = Callable[[Path], tuple[list[Path], list[Path]]]


def submissions(folder: Path, listed: Listed, look: Callable[[Path], PlannedFile], watch: Watch) -> list[PlannedFile]:
    """The submissions in a folder and those in it, each named after its team; none of folders that hold texts."""
    return [
        _with_all_pairs(replace(file, name=_team(file.path, folder) or file.name, pairs=_pairs(file, folder)), watch)
        for file in _found(folder, listed, look, DEEP)
    ]


def _found(folder: Path, listed: Listed, look: Callable[[Path], PlannedFile], deep: int) -> list[PlannedFile]:
    try:
        files, folders = listed(folder)
    except QeError:
        return []
    seen = [look(path) for path in files if is_nameless(path.name)]
    if any(file.role.text is not None or file.gold for file in seen):
        return []
    inner = [file for one in folders if deep > 1 for file in _found(one, listed, look, deep - 1)]
    # one that cannot be read may be a submission, and nobody would know that it is missing
    wanted = [file for file in seen if file.problem or (file.format in SUBMITTED and file.role is Role.SYSTEM)]
    return [*wanted, *inner]


def for_gold(teams: Sequence[PlannedFile], beside: Sequence[PlannedFile], folder_pair: str) -> list[PlannedFile]:
    """The teams' files, of which those without rows of a pair with gold are left out, with a remark."""
    wanted = gold_pairs(beside) or ([folder_pair] if folder_pair else [])
    note = tr("it has no rows of a language pair with gold here")
    return [
        file.noted(note, Role.IGNORED) if wanted and file.pairs and not {*file.pairs} & {*wanted} else file
        for file in teams
    ]


def _between(path: Path, folder: Path) -> list[str]:
    """The names of the folders from `folder` down to the file."""
    return [folder.name, *path.relative_to(folder).parts[:-1]]


def _team(path: Path, folder: Path) -> str:
    """The last folder above the file that is not called after a language pair or a task; nothing where all are."""
    named = [name for name in _between(path, folder) if not _says_pair(name) and not _TASK.fullmatch(name)]
    return named[-1] if named else ""


def _says_pair(name: str) -> bool:
    return language_pair_of(name) == name.lower() or name.lower().startswith("multilingual")


def _pairs(file: PlannedFile, folder: Path) -> tuple[str, ...]:
    """The pairs of its rows, or else of its folder."""
    named = [name.lower() for name in _between(file.path, folder) if language_pair_of(name) == name.lower()]
    return file.pairs or tuple(named[-1:])


def _with_all_pairs(file: PlannedFile, watch: Watch) -> PlannedFile:
    """A large table with all its pairs, of which its beginning told only the first."""
    if not file.pairs or size_of(file.path) <= WHOLE:
        return file
    fields = dict.fromkeys(_FIRST_FIELD.findall(open_file(file.path, watch).data))
    return replace(file, pairs=tuple(field.decode("utf-8", "replace") for field in fields))
