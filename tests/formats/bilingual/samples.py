"""Small sample file of each dialect."""

from __future__ import annotations

from pathlib import Path

from qe_desktop.formats.bilingual import Document, parse_document

FOLDER = Path(__file__).parents[2] / "data" / "bilingual"
NAMES = (
    "plain.xlf", "studio.sdlxliff", "phrase.mxliff", "memoq.mqxliff", "okapi.xlf", "two.xlf", "memory.tmx",
    "catalogue.po", "table.csv", "table.tsv",
)  # fmt: skip


def read_sample(name: str) -> bytes:
    """Return the bytes of a sample file."""
    return (FOLDER / name).read_bytes()


def parse_sample(name: str) -> Document:
    """Return the parsed document of a sample file."""
    return parse_document(read_sample(name), name)


def line_pairs(document: Document) -> list[tuple[str, str]]:
    """Return the source and target lines of all segments."""
    return [(segment.source_line, segment.target_line) for segment in document.segments]
