"""Files specified in command arguments: the files of named systems, and a file with the document of each segment."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.corpus import Documents, QeError, SourceLocation
from qe_desktop.formats.files import list_folder
from qe_desktop.formats.importing.roles import system_name
from qe_desktop.formats.text_files import HEAD_BYTES, STANDARD_INPUT, named_path, open_beginning, open_file
from qe_desktop.i18n.messages import join_names, tr


@dataclass(frozen=True, slots=True)
class NamedFile:
    """File and name of a system; `has_explicit_name` is true if the user specified the name."""

    name: str
    path: Path
    has_explicit_name: bool = False


PAIR_PLACEHOLDER = "{pair}"
"""Placeholder for the language pair in file names if several pairs are scored."""


def matching_name(name: str, names: Iterable[str]) -> str:
    """Return `name` if it is in `names`, else the only name that differs only in case, else an empty string."""
    names = list(names)
    matches = [name] if name in names else [candidate for candidate in names if candidate.lower() == name.lower()]
    return matches[0] if len(matches) == 1 else ""


def has_format(formats: Collection[str], path: Path) -> bool:
    """Return whether the format of a file is one of `formats`; True for unreadable files, to report their errors."""
    # imported here: other formats are needed only to scan directories
    from qe_desktop.formats.registry import detect_format

    try:
        return detect_format(open_beginning(path, HEAD_BYTES)).name in formats
    except QeError:
        return path.is_file()


def resolve_named_files(
    arguments: Sequence[str], has_content: Callable[[Path], bool], content: str
) -> tuple[list[NamedFile], list[str]]:
    """Return the system files that the arguments specify, and notes.

    Each argument is `NAME=FILE`, `FILE` or a directory. A directory stands for its files for which `has_content`
    returns True; a note lists the others. `content` names this content in messages. Raises QeError if an
    argument has another form, or if a directory cannot be read or has no suitable file.
    """
    files: list[NamedFile] = []
    notes: list[str] = []
    for argument in arguments:
        name, equals, file = argument.partition("=")
        path = named_path(argument)
        if path is STANDARD_INPUT:
            files.append(NamedFile(system_name(path), path))
        elif not argument or (equals and not path.exists() and not (name.strip() and file)):
            raise QeError(
                tr("“{name}” does not have the form NAME=FILE", name=argument),
                hint=tr("Use FILE, NAME=FILE or a folder."),
            )
        elif equals and not path.exists():
            files.append(NamedFile(name.strip(), named_path(file), has_explicit_name=True))
        elif path.is_dir():
            entries = list_folder(path)[0]
            matching = [entry for entry in entries if has_content(entry)]
            if not matching:
                raise QeError(
                    tr("the folder has no files with {content}", content=content),
                    hint=tr("Specify the systems' files."),
                    place=SourceLocation(argument),
                )
            skipped = [entry.name for entry in entries if entry not in matching]
            if skipped:
                notes.append(
                    tr(
                        "{files} {n:has|have} no {content} and {n:is|are} skipped",
                        "", len(skipped), files=join_names(skipped), content=content,
                    )
                )  # fmt: skip
            files += [NamedFile(system_name(entry), entry) for entry in matching]
        else:
            files.append(NamedFile(system_name(path), path))
    return files, notes


def check_unique_system(name: str, path: Path, files: dict[str, Path]) -> None:
    """Record in `files` the file of a system. Raises QeError if a file is already recorded for the system's name."""
    if name in files:
        raise QeError(
            tr("two systems are named “{name}”; the first is in {file}", name=name, file=files[name]),
            hint=tr("Use NAME=FILE to distinguish them."),
            place=SourceLocation(str(path)),
        )
    files[name] = path


def read_segment_documents(path: str, segments: int) -> Documents:
    """Read the document of each segment from a file.

    `segments` is the number of segments. Raises QeError unless the file is valid and has one line per segment.
    """
    from qe_desktop.formats.file_format import read_documents

    documents = read_documents(open_file(named_path(path)))
    if len(documents.of_segment) != segments:
        raise QeError(
            tr(
                "{lines:,} {lines:line|lines}, but there {segments:is|are} {segments:,} {segments:segment|segments}",
                lines=len(documents.of_segment),
                segments=segments,
            ),
            hint=tr("Use one line per segment, with the name of its document."),
            place=SourceLocation(path, min(len(documents.of_segment), segments) + 1),
        )
    return documents
