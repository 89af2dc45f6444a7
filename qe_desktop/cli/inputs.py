"""The gold and the systems that a command names, read and checked against each other."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Kind, Place, QeError, TagColumn, TextColumn, faults_of
from qe_desktop.formats import (
    TAG_FORMATS,
    Lines,
    ReadTags,
    interleave,
    name_of,
    open_file,
    read_documents,
    read_tags,
    read_text,
    recognise,
)
from qe_desktop.formats.folders import listed
from qe_desktop.formats.opening import HEAD, open_beginning

WordKind = Literal["words", "gaps", "source", "all"]
WORD_KINDS: tuple[WordKind, ...] = ("words", "gaps", "source", "all")


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
    gold: str,
    systems: Sequence[str],
    *,
    kind: WordKind,
    mt: str | None,
    language_pair: str | None,
    lines: str | None = None,
) -> Tagged:
    """Read what `score words` and `compare words` are given; a QeError names the file and line that do not fit."""
    text = read_text(Path(mt)) if mt else None
    said = said_of_lines(lines)
    read = _read(Path(gold), kind, text, language_pair, said)
    tags = _column(read, kind)
    if kind == "source" and text is not None:
        _refuse_words(Path(gold), tags, text)
    files, remarks = named_files(systems)
    notes = [*read.notes, *remarks]
    names, columns = [], []
    for named in files:
        other = _read(named.path, kind, text, language_pair, said, tags.lengths())
        column = _column(other, kind)
        _check(named.path, other, column, Path(gold), tags)
        names.append(named.name)
        columns.append(column)
        notes += [f"{named.name}: {note}" for note in other.notes if note not in read.notes]
    return Tagged(tags, tuple(names), tuple(columns), read.form, tuple(dict.fromkeys(notes)))


def said_of_lines(value: str | None) -> Lines | None:
    """What `--lines` says; None where it is not given."""
    return None if value is None else Lines[value.upper()]


def _read(
    path: Path,
    kind: WordKind,
    text: TextColumn | None,
    language_pair: str | None,
    lines: Lines | None,
    like: NDArray[np.int64] | None = None,
) -> ReadTags:
    wanted: Kind | Literal["all"] = "all" if kind == "all" else Kind(kind)
    # source tags belong to the source's tokens, so the MT says nothing about them
    mt = None if kind == "source" else text
    return read_tags(path, wanted, mt=mt, language_pair=language_pair or "", lines=lines, like=like)


def _column(read: ReadTags, kind: WordKind) -> TagColumn:
    if kind != "all":
        return read.columns[Kind(kind)]
    if Kind.GAPS in read.columns:
        return interleave(read.columns[Kind.WORDS], read.columns[Kind.GAPS])
    return read.columns[Kind.WORDS]


def _refuse_words(path: Path, tags: TagColumn, mt: TextColumn) -> None:
    """Tags of gaps and words are no source tags, and can be told apart when the MT is given."""
    counts = mt.token_counts()
    if len(tags) == len(counts) and len(tags) and np.array_equal(tags.lengths(), 2 * counts.astype(np.int64) + 1):
        raise QeError(
            "these are tags of gaps and words (2n+1 for n MT tokens), not of source words",
            hint="Give the file with the source tags, or --kind words, gaps or all.",
            place=Place(str(path)),
        )


def _check(path: Path, read: ReadTags, column: TagColumn, gold_path: Path, gold: TagColumn) -> None:
    if len(column) != len(gold):
        beyond = min(len(column), len(gold))
        # behind the last segment of joined lines there is no line to name
        named = read.first_lines is None or beyond < len(column)
        raise QeError(
            f"{len(column):,} segments, but the gold has {len(gold):,}",
            hint=f"Both must tag the same segments; the gold is {gold_path}.",
            place=Place(str(path), read.line(beyond) if named else None),
        )
    wrong = np.flatnonzero(column.lengths() != gold.lengths())
    if len(wrong):
        faults = [
            Fault(Place(str(path), read.line(int(line))), _lengths(len(column[line]), len(gold[line])))
            for line in wrong[:10]
        ]
        raise faults_of(faults[0].message, faults, hint=f"The gold is {gold_path}.", count=len(wrong))


def _lengths(found: int, expected: int) -> str:
    return f"{found} tags, but the gold has {expected}"


def named_files(arguments: Sequence[str]) -> tuple[list[Named], list[str]]:
    """The files that `NAME=FILE`, `FILE` and directories stand for, with their systems' names, and remarks.

    Of a directory, the files that hold tags are taken; the rest is named in the remarks.
    """
    found: list[Named] = []
    notes: list[str] = []
    for argument in arguments:
        name, equals, rest = argument.partition("=")
        path = Path(argument)
        if not argument or (equals and not path.exists() and not (name.strip() and rest)):
            raise QeError(f"“{argument}” names no system's file", hint="Give FILE, NAME=FILE or a directory.")
        if equals and not path.exists():
            found.append(Named(name.strip(), Path(rest)))
        elif path.is_dir():
            inside = listed(path)[0]
            tagged = [entry for entry in inside if holds_tags(entry)]
            if not tagged:
                raise QeError("the directory holds no tags", hint="Name the systems' files.", place=Place(argument))
            notes += [f"{entry.name} holds no tags and is not scored" for entry in inside if entry not in tagged]
            found += [Named(name_of(entry), entry) for entry in tagged]
        else:
            found.append(Named(name_of(path), path))
    seen: dict[str, Path] = {}
    for named in found:
        if named.name in seen:
            raise QeError(
                f"two systems are called “{named.name}”, the other is {seen[named.name]}",
                hint="Tell them apart with NAME=FILE.",
                place=Place(str(named.path)),
            )
        seen[named.name] = named.path
    return found, notes


def holds_tags(path: Path) -> bool:
    """Whether a file is to be read as tags: those that cannot be read are, so that what is wrong with them is said."""
    try:
        return recognise(open_beginning(path, HEAD)).name in TAG_FORMATS
    except QeError:
        return path.is_file()


def documents_of(path: str, segments: int) -> NDArray[np.int32]:
    """The document of each segment from a file with one name a line."""
    documents = read_documents(open_file(Path(path)))
    if len(documents.of_segment) != segments:
        raise QeError(
            f"{len(documents.of_segment):,} lines, but there are {segments:,} segments",
            hint="One document name a line.",
            place=Place(path, min(len(documents.of_segment), segments) + 1),
        )
    return documents.of_segment


def add_lines(parser: argparse.ArgumentParser) -> None:
    """The option that says what lines are where no line has more than one tag."""
    parser.add_argument(
        "--lines", choices=("segments", "tokens"),
        help="where no line has more than one tag, what a line is: a segment, or a token, with empty lines between "
        "segments; needed where neither empty lines nor the MT nor the gold tell",
    )  # fmt: skip
