"""Hand-written data: segments with their post-edits, and a lexicon for the alignment."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HEADER = "document\tsource\tMT\tpost-edit"
LEXICON_HEADER = "source\ttarget"

Tokens = tuple[str, ...]
Link = tuple[int, int]


class SampleError(ValueError):
    """Error in a hand-written file."""


@dataclass(frozen=True)
class Segment:
    """One hand-written line: the name of a document, and a source, its MT and its post-edit as tokens."""

    document: str
    source: Tokens
    mt: Tokens
    pe: Tokens


def read_authored(path: Path) -> list[Segment]:
    """Read ``authored.tsv``. Raises SampleError if it is invalid."""
    segments: list[Segment] = []
    finished: set[str] = set()
    for number, fields in _rows(path, HEADER, 4):
        document, *texts = fields
        for text in texts:
            if not text or text != " ".join(text.split()):
                raise SampleError(f"{path.name}, line {number}: empty text or stray white space")
        if segments and segments[-1].document != document:
            finished.add(segments[-1].document)
        if not document or document in finished:
            raise SampleError(f"{path.name}, line {number}: document {document!r} has no name or is not contiguous")
        source, mt, pe = (tuple(text.split(" ")) for text in texts)
        segments.append(Segment(document, source, mt, pe))
    return segments


def read_columns(path: Path, segments: int) -> dict[str, list[str]]:
    """Read the texts of each system or reference from the columns of a table; empty if the file is missing.

    Raises SampleError if the table is invalid or does not have `segments` rows.
    """
    if not path.exists():
        return {}
    header = path.read_text(encoding="utf-8").partition("\n")[0]
    names = header.split("\t")
    rows = _rows(path, header, len(names))
    if len(rows) != segments:
        raise SampleError(f"{path.name}: {len(rows)} segments, but {segments} in authored.tsv")
    for number, fields in rows:
        if any(not text or text != " ".join(text.split()) for text in fields):
            raise SampleError(f"{path.name}, line {number}: empty text or stray white space")
    return {name: [fields[place] for _, fields in rows] for place, name in enumerate(names)}


def _rows(path: Path, header: str, columns: int) -> list[tuple[int, list[str]]]:
    """Return the rows of a tab-separated file with their line numbers. Raises SampleError if it is invalid."""
    lines = path.read_text(encoding="utf-8").split("\n")
    if lines[0] != header or lines.pop() != "":
        raise SampleError(f"{path.name}: wrong header, or no line break at the end")
    rows = [(number, line.split("\t")) for number, line in enumerate(lines[1:], start=2)]
    for number, fields in rows:
        if len(fields) != columns:
            raise SampleError(f"{path.name}, line {number}: {columns} columns expected, {len(fields)} found")
    return rows


class Lexicon:
    """Hand-written word pairs, ignoring case; the target ``feuer*`` matches words with this prefix, ``-`` no word."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self._whole: set[tuple[str, str]] = set()
        self._lonely: set[str] = set()
        self._prefixes: dict[str, list[str]] = defaultdict(list)
        for source, target in pairs:
            if target == "-":
                self._lonely.add(source.lower())
            elif target.endswith("*"):
                self._prefixes[source.lower()].append(target[:-1].lower())
            else:
                self._whole.add((source.lower(), target.lower()))

    @classmethod
    def read(cls, path: Path) -> Lexicon:
        """Read ``lexicon.tsv``. Raises SampleError if it is invalid."""
        return cls([(fields[0], fields[1]) for _, fields in _rows(path, LEXICON_HEADER, 2)])

    def knows(self, source: str, target: str) -> bool:
        """Return whether the lexicon contains the pair."""
        source, target = source.lower(), target.lower()
        if (source, target) in self._whole:
            return True
        return any(target.startswith(prefix) for prefix in self._prefixes.get(source, ()))

    def lonely(self, source: str) -> bool:
        """Return whether a source word is listed with the target ``-``; such words are not linked."""
        return source.lower() in self._lonely
