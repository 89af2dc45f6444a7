"""The files that a command names: of systems, with their names, and of documents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from qe_desktop.corpus import Documents, Place, QeError
from qe_desktop.formats import name_of, open_file, read_documents
from qe_desktop.formats.regular_files import listed
from qe_desktop.formats.standard_input import STANDARD_INPUT, named_path
from qe_desktop.wording import tr


def named_files(
    arguments: Sequence[str], holds: Callable[[Path], bool], what: str
) -> tuple[dict[str, Path], list[str]]:
    """The files that `NAME=FILE`, `FILE` and directories stand for, by their systems' names, and remarks.

    Of a directory, the files that hold what is wanted are taken; the rest is named in the remarks.
    """
    found: list[tuple[str, Path]] = []
    notes: list[str] = []
    for argument in arguments:
        name, equals, rest = argument.partition("=")
        path = named_path(argument)
        if path is STANDARD_INPUT:
            found.append((name_of(path), path))
        elif not argument or (equals and not path.exists() and not (name.strip() and rest)):
            raise QeError(
                tr("“{name}” names no system's file", name=argument),
                hint=tr("Give FILE, NAME=FILE or a directory."),
            )
        elif equals and not path.exists():
            found.append((name.strip(), named_path(rest)))
        elif path.is_dir():
            inside = listed(path)[0]
            wanted = [entry for entry in inside if holds(entry)]
            if not wanted:
                raise QeError(
                    tr("the directory holds no {content}", content=what),
                    hint=tr("Name the systems' files."),
                    place=Place(argument),
                )
            notes += [
                tr("{file} holds no {content} and is not scored", file=entry.name, content=what)
                for entry in inside
                if entry not in wanted
            ]
            found += [(name_of(entry), entry) for entry in wanted]
        else:
            found.append((name_of(path), path))
    files: dict[str, Path] = {}
    for name, path in found:
        if name in files:
            raise QeError(
                tr("two systems are called “{name}”, the other is {file}", name=name, file=files[name]),
                hint=tr("Tell them apart with NAME=FILE."),
                place=Place(str(path)),
            )
        files[name] = path
    return files, notes


def documents_of(path: str, segments: int) -> Documents:
    """The document of each segment from a file with one name a line."""
    documents = read_documents(open_file(named_path(path)))
    if len(documents.of_segment) != segments:
        raise QeError(
            tr(
                "{lines:,} lines, but there are {segments:,} segments",
                lines=len(documents.of_segment),
                segments=segments,
            ),
            hint=tr("One document name a line."),
            place=Place(path, min(len(documents.of_segment), segments) + 1),
        )
    return documents
