"""The plan of a corpus: which files there are, and what each of them is to be; a person may correct it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from qe_desktop.corpus import Kind, Place, QeError
from qe_desktop.formats.names import language_pair_of
from qe_desktop.formats.opening import shown_name
from qe_desktop.formats.roles import PART_FOLDERS, Role
from qe_desktop.formats.sorting import Seen, look, sorted_out

DEEP = 4
"""How many folders deep corpora are looked for."""
MOST = 2000
"""How many files are looked at; beyond that the folder is none of corpora but a whole disk."""


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file and what it is to be. `kind` is None where the number of tags decides; `name` is of the system.

    `problem` says why the file cannot be read; such a file is not loaded.
    """

    path: Path
    format: str
    description: str
    role: Role
    kind: Kind | None = None
    name: str = ""
    notes: tuple[str, ...] = ()
    problem: QeError | None = None


@dataclass(frozen=True, slots=True)
class Plan:
    """The files of one corpus."""

    name: str
    folder: str
    language_pair: str
    files: tuple[PlannedFile, ...]

    def with_role(self, path: Path, role: Role, kind: Kind | None = None, name: str | None = None) -> Plan:
        """This plan in which a file has another role; a KeyError for a file that is not in it."""
        if all(file.path != path for file in self.files):
            raise KeyError(path)
        files = [
            replace(file, role=role, kind=kind, name=file.name if name is None else name) if file.path == path else file
            for file in self.files
        ]
        return replace(self, files=tuple(files))

    def of(self, *roles: Role) -> list[PlannedFile]:
        """The readable files with one of these roles."""
        return [file for file in self.files if file.role in roles and file.problem is None]


def plan(paths: Sequence[Path], *, language_pair: str = "") -> list[Plan]:
    """Plans for files and folders: one for each folder that holds a corpus, and one for the files named singly.

    Files named beside a single folder join its plan. A file that cannot be read is in the plan with its problem.
    QeError where nothing is found, or nothing for the wanted language pair.
    """
    plans: list[Plan] = []
    single: list[Path] = []
    for path in paths:
        if path.is_dir():
            plans += _of_folder(path, DEEP, _Budget(path))
        else:
            single.append(path)
    if single and len(plans) == 1:
        kept = [file.path for file in plans[0].files]
        plans = [_planned([*kept, *single], plans[0].name, plans[0].folder, language_pair or plans[0].language_pair)]
    elif single:
        folder = single[0].parent
        plans.append(_planned(single, folder.resolve().name, str(folder), language_pair))
    if not plans:
        raise _nothing(paths)
    wanted = [found for found in plans if not language_pair or found.language_pair in ("", language_pair)]
    if not wanted:
        held = ", ".join(dict.fromkeys(found.language_pair for found in plans))
        message = f"there is nothing for {language_pair} here, only for {held}"
        raise QeError(message, hint="Choose one of these language pairs.", place=Place(shown_name(paths[0])))
    return wanted


def _nothing(paths: Sequence[Path]) -> QeError:
    """What to say where no file is part of a corpus: which files were looked at."""
    seen = [path.name for folder in paths if folder.is_dir() for path in sorted(folder.iterdir())]
    named = ", ".join(seen[:5]) + (f" and {len(seen) - 5:,} more" if len(seen) > 5 else "")
    message = f"none of these is part of a corpus: {named}" if seen else "the folder is empty"
    hint = "Give a folder with texts (such as .src and .mt) and tags."
    return QeError(message, hint=hint, place=Place(shown_name(paths[0])) if paths else None)


class _Budget:
    """How many files may still be looked at below a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.left = MOST

    def spend(self, files: int) -> None:
        """Take note of files; a QeError when there are too many."""
        self.left -= files
        if self.left < 0:
            message = f"there are more than {MOST:,} files in this folder"
            raise QeError(message, hint="Choose the folder of one corpus.", place=Place(shown_name(self.folder)))


def _of_folder(folder: Path, deep: int, budget: _Budget) -> list[Plan]:
    files, folders = _listed(folder)
    parts = [path for inner in folders if inner.name.lower() in PART_FOLDERS for path in _listed(inner)[0]]
    budget.spend(len(files) + len(parts) + len(folders))
    planned = _planned([*files, *parts], folder.resolve().name, str(folder), "")
    if planned.of(*(role for role in Role if role is not Role.IGNORED)) or any(file.problem for file in planned.files):
        return [planned]
    if deep == 0:
        return []
    return [found for inner in folders for found in _of_folder(inner, deep - 1, budget)]


def _listed(folder: Path) -> tuple[list[Path], list[Path]]:
    try:
        inside = sorted(path for path in folder.iterdir() if not path.name.startswith((".", "~")))
    except OSError as error:
        message = f"the folder cannot be read: {error.strerror or error}"
        raise QeError(message, hint="Check its rights.", place=Place(shown_name(folder))) from None
    return [path for path in inside if not path.is_dir()], [path for path in inside if path.is_dir()]


def _planned(paths: Sequence[Path], name: str, folder: str, language_pair: str) -> Plan:
    seen = [look(path) for path in dict.fromkeys(paths)]
    pair = language_pair or _pair_of(seen, folder)
    return Plan(name, folder, pair, tuple(_files(sorted_out(seen))))


def _files(sorted_files: Sequence[Seen]) -> Iterator[PlannedFile]:
    order = list(Role)
    for seen in sorted(sorted_files, key=lambda file: (file.problem is None, order.index(file.role))):
        yield PlannedFile(
            seen.path, seen.format, seen.description, seen.role, seen.kind, seen.name, seen.notes, seen.problem
        )


def _pair_of(seen: Sequence[Seen], folder: str) -> str:
    named = language_pair_of(Path(folder).resolve().name)
    of_files = [language_pair_of(file.path.name) for file in seen]
    of_tables = [pair for file in seen if len(file.pairs) == 1 for pair in file.pairs]
    return next((pair for pair in [named, *of_tables, *of_files] if pair), "")
