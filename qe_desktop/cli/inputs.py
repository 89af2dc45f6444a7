"""The gold and the systems that a command names, read and checked against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Documents, Fault, Kind, Place, QeError, TagColumn, TextColumn, faults_of
from qe_desktop.formats import ReadTags, interleave, open_file, read_tags

WordKind = Literal["words", "gaps", "source", "all"]
WORD_KINDS: tuple[WordKind, ...] = ("words", "gaps", "source", "all")
SUFFIXES = (".gz", ".txt", ".tsv", ".tags", ".predictions", ".source_tags", ".src_tags", ".gaps")


@dataclass(frozen=True, slots=True)
class Tagged:
    """Gold tags and each system's, all of the same segments and lengths."""

    gold: TagColumn
    names: tuple[str, ...]
    systems: tuple[TagColumn, ...]
    form: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """A file with the name of the system that made it."""

    name: str
    path: Path


def read_tagged(
    gold: str, systems: Sequence[str], *, kind: WordKind, mt: str | None, language_pair: str | None
) -> Tagged:
    """Read what `score words` and `compare words` are given; a QeError names the file and line that do not fit."""
    text = text_column(mt) if mt else None
    read = _read(Path(gold), kind, text, language_pair)
    tags = _column(read, kind)
    notes = list(read.notes)
    names, columns = [], []
    for named in named_files(systems):
        other = _read(named.path, kind, text, language_pair)
        column = _column(other, kind)
        _check(named.path, column, Path(gold), tags)
        names.append(named.name)
        columns.append(column)
        notes += [f"{named.name}: {note}" for note in other.notes if note not in read.notes]
    return Tagged(tags, tuple(names), tuple(columns), read.form, tuple(dict.fromkeys(notes)))


def _read(path: Path, kind: WordKind, text: TextColumn | None, language_pair: str | None) -> ReadTags:
    wanted: Kind | Literal["all"] = "all" if kind == "all" else Kind(kind)
    # source tags belong to the source's tokens, so the MT says nothing about them
    return read_tags(path, wanted, mt=None if kind == "source" else text, language_pair=language_pair or "")


def _column(read: ReadTags, kind: WordKind) -> TagColumn:
    if kind != "all":
        return read.columns[Kind(kind)]
    if Kind.GAPS in read.columns:
        return interleave(read.columns[Kind.WORDS], read.columns[Kind.GAPS])
    return read.columns[Kind.WORDS]


def _check(path: Path, column: TagColumn, gold_path: Path, gold: TagColumn) -> None:
    if len(column) != len(gold):
        raise QeError(
            f"{len(column):,} segments, but the gold has {len(gold):,}",
            hint=f"Both must tag the same segments; the gold is {gold_path}.",
            place=Place(str(path), min(len(column), len(gold)) + 1),
        )
    wrong = np.flatnonzero(column.lengths() != gold.lengths())
    if len(wrong):
        faults = [
            Fault(Place(str(path), int(line) + 1), _lengths(len(column[line]), len(gold[line]))) for line in wrong[:10]
        ]
        raise faults_of(faults[0].message, faults, hint=f"The gold is {gold_path}.", count=len(wrong))


def _lengths(found: int, expected: int) -> str:
    return f"{found} tags, but the gold has {expected}"


def named_files(arguments: Sequence[str]) -> list[Named]:
    """The files that `NAME=FILE`, `FILE` and directories stand for, each with its system's name."""
    found: list[Named] = []
    for argument in arguments:
        name, equals, rest = argument.partition("=")
        path = Path(argument)
        if equals and rest and not path.exists():
            found.append(Named(name, Path(rest)))
        elif path.is_dir():
            inside = sorted(entry for entry in path.iterdir() if entry.is_file() and not entry.name.startswith("."))
            if not inside:
                raise QeError("the directory holds no files", hint="Name the systems' files.", place=Place(argument))
            found += [Named(system_name(entry), entry) for entry in inside]
        else:
            found.append(Named(system_name(path), path))
    seen: dict[str, Path] = {}
    for named in found:
        if named.name in seen:
            raise QeError(
                f"two systems are called “{named.name}”, the other is {seen[named.name]}",
                hint="Tell them apart with NAME=FILE.",
                place=Place(str(named.path)),
            )
        seen[named.name] = named.path
    return found


def system_name(path: Path) -> str:
    """The name of the system that a file belongs to: the file's name without what only tells its format."""
    name = path.name
    while True:
        suffix = next((suffix for suffix in SUFFIXES if name.lower().endswith(suffix) and len(name) > len(suffix)), "")
        if not suffix:
            return name
        name = name[: -len(suffix)]


def text_column(path: str) -> TextColumn:
    """A text file's lines."""
    opened = open_file(Path(path))
    return TextColumn.from_bytes(opened.data, opened.start)


def documents_of(path: str, segments: int) -> NDArray[np.int32]:
    """The document of each segment from a file with one name a line."""
    column = text_column(path)
    if len(column) != segments:
        raise QeError(
            f"{len(column):,} lines, but there are {segments:,} segments",
            hint="One document name a line.",
            place=Place(path, min(len(column), segments) + 1),
        )
    return Documents.from_names(list(column.lines())).of_segment
