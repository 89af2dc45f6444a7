"""The files that a command names: of systems, with their names, and of documents; and which file holds what."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.corpus import Documents, QeError, SourceLocation
from qe_desktop.formats.importing.file_names import system_name
from qe_desktop.formats.io.files import list_folder
from qe_desktop.formats.io.text_files import HEAD_BYTES, STANDARD_INPUT, named_path, open_beginning, open_file
from qe_desktop.i18n.messages import tr


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A file with the name of its system; `said` says that a person gave the name."""

    name: str
    path: Path
    said: bool = False


PAIR_PLACEHOLDER = "{pair}"
"""What stands for the language pair in the names of files, where several are scored at once."""


def add_language_pair(parser: argparse.ArgumentParser) -> None:
    """The option that chooses among several language pairs in files, or several of them; what is read has one."""
    about = tr(
        "the pair to take from files with several, such as en-de; of several pairs each is scored, and {pair} in the "
        "name of a file stands for each",
        pair=PAIR_PLACEHOLDER,
    )
    parser.add_argument("--language-pair", nargs="+", action="extend", metavar="LP", default=[], help=about)


def matching_name(name: str, names: Iterable[str]) -> str:
    """The one of some names that is this, or else the only one that is but for its case; nothing where none or several
    are.
    """
    names = list(names)
    found = [name] if name in names else [one for one in names if one.lower() == name.lower()]
    return found[0] if len(found) == 1 else ""


def has_format(formats: Collection[str], path: Path) -> bool:
    """Whether a file is to be read in one of these formats: what cannot be read is, so that it is said what is wrong
    with it.
    """
    # other formats than the one that is read are needed where a directory is looked through
    from qe_desktop.formats.registry import detect_format

    try:
        return detect_format(open_beginning(path, HEAD_BYTES)).name in formats
    except QeError:
        return path.is_file()


def resolve_named_files(
    arguments: Sequence[str], holds: Callable[[Path], bool], what: str
) -> tuple[list[NamedFile], list[str]]:
    """The files that `NAME=FILE`, `FILE` and directories stand for, with their systems' names, and remarks.

    Of a directory, the files that hold what is wanted are taken; the rest is named in the remarks.
    """
    found: list[NamedFile] = []
    notes: list[str] = []
    for argument in arguments:
        name, equals, rest = argument.partition("=")
        path = named_path(argument)
        if path is STANDARD_INPUT:
            found.append(NamedFile(system_name(path), path))
        elif not argument or (equals and not path.exists() and not (name.strip() and rest)):
            raise QeError(
                tr("“{name}” names no system's file", name=argument),
                hint=tr("Give FILE, NAME=FILE or a directory."),
            )
        elif equals and not path.exists():
            found.append(NamedFile(name.strip(), named_path(rest), said=True))
        elif path.is_dir():
            inside = list_folder(path)[0]
            wanted = [entry for entry in inside if holds(entry)]
            if not wanted:
                raise QeError(
                    tr("the directory holds no {content}", content=what),
                    hint=tr("Name the systems' files."),
                    place=SourceLocation(argument),
                )
            notes += [
                tr("{file} holds no {content} and is not scored", file=entry.name, content=what)
                for entry in inside
                if entry not in wanted
            ]
            found += [NamedFile(system_name(entry), entry) for entry in wanted]
        else:
            found.append(NamedFile(system_name(path), path))
    return found, notes


def check_unique_system(name: str, path: Path, files: dict[str, Path]) -> None:
    """Note in which file a system is; QeError where another one of this name is in one of them."""
    if name in files:
        raise QeError(
            tr("two systems are called “{name}”, the other is {file}", name=name, file=files[name]),
            hint=tr("Tell them apart with NAME=FILE."),
            place=SourceLocation(str(path)),
        )
    files[name] = path


def read_segment_documents(path: str, segments: int) -> Documents:
    """The document of each segment from a file with one name a line."""
    from qe_desktop.formats.plain_text import read_documents

    documents = read_documents(open_file(named_path(path)))
    if len(documents.of_segment) != segments:
        raise QeError(
            tr(
                "{lines:,} {lines:line|lines}, but there are {segments:,} {segments:segment|segments}",
                lines=len(documents.of_segment),
                segments=segments,
            ),
            hint=tr("One document name a line."),
            place=SourceLocation(path, min(len(documents.of_segment), segments) + 1),
        )
    return documents
