"""The texts of many segments as columns: as they are, without codes, and as lines with codes.

All is made in blocks, small enough for the cache, and for other threads to have a turn between them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import TextColumn
from qe_desktop.formats.bilingual.codes import Content, text_of
from qe_desktop.formats.bilingual.lines import BREAK, BREAKS, line_of

BLOCK = 1 << 12
"""Texts of a block."""
_DOUBLED = "⟨"


def written_column(texts: Sequence[str]) -> TextColumn:
    """Texts as they are, each on one line."""
    return TextColumn.from_bytes(b"".join([_lines(texts[low : low + BLOCK]) for low in range(0, len(texts), BLOCK)]))


def _lines(texts: Sequence[str]) -> bytes:
    joined = "\n".join([*texts, ""])
    if "\r" in joined or joined.count("\n") > len(texts):
        joined = "".join([f"{BREAKS.sub(BREAK, text)}\n" for text in texts])
    return joined.encode()


def blocks_of(written: TextColumn) -> Iterator[bytes]:
    """The lines of such a column in blocks, each line with its end."""
    low = 0
    for end in (*written.ends[BLOCK - 1 :: BLOCK].tolist(), len(written.data) - 1):
        if low <= end:
            yield written.data[low : end + 1]
        low = end + 1


@dataclass(frozen=True, slots=True, eq=False)
class Texts:
    """The sources or the targets of many segments: their `contents`, these without codes (`texts`), and one on a line
    each (`written`). `others` are the lines with codes of those where it is another one, by number.
    """

    contents: list[Content]
    texts: list[str]
    written: TextColumn
    others: dict[int, str]

    @classmethod
    def of(cls, contents: list[Content]) -> Texts:
        """Those of contents; empty ones where there is none."""
        texts: list[str] = []
        others: dict[int, str] = {}
        add = texts.append
        for number, content in enumerate(contents):
            # nearly all are one run of text
            text = content[0] if len(content) == 1 else None
            if text.__class__ is not str:
                text = text_of(content)
                if content:
                    others[number] = line_of(content)
            elif _DOUBLED in text:
                others[number] = line_of(content)
            add(text)
        return cls(contents, texts, written_column(texts), others)

    def lines(self) -> TextColumn:
        """Contents as lines with codes."""
        written, numbers = self.written, list(self.others)
        if not numbers:
            return written
        data = memoryview(written.data)
        pieces: list[bytes | memoryview] = []
        low = 0
        places = zip(written.starts[numbers].tolist(), written.ends[numbers].tolist(), strict=True)
        for line, (start, end) in zip(self.others.values(), places, strict=True):
            pieces += data[low:start], line.encode()
            low = end
        return TextColumn.from_bytes(b"".join([*pieces, data[low:]]))
