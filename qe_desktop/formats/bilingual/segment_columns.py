"""The texts of many segments as columns: as they are, without codes, and as lines with codes.

All is made in blocks, small enough for the cache, and for other threads to have a turn between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO

from qe_desktop.corpus import TextColumn
from qe_desktop.formats.bilingual.codes import Content, text_of
from qe_desktop.formats.bilingual.lines import BREAK, BREAKS, line_of

BLOCK = 1 << 12
"""Texts of a block."""
REST = 1 << 20
"""Bytes of a piece where nothing else cuts them."""
_DOUBLED = "⟨"


def written_column(texts: Sequence[str]) -> TextColumn:
    """Texts as they are, each on one line."""
    return TextColumn.from_bytes(joined(_lines(texts[low : low + BLOCK]) for low in range(0, len(texts), BLOCK)))


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


def joined(pieces: Iterable[bytes | memoryview]) -> bytes:
    """Pieces one after the other, without a copy of all of them in which no other thread has a turn."""
    whole = BytesIO()
    for piece in pieces:
        whole.write(piece)
    return whole.getvalue()


class Texts:
    """The sources or the targets of many segments, as they come one after the other.

    `coded` are the contents with codes, and `others` the lines with codes of those where these are others than the
    texts, by number. `are_empty` tells of each whether there is none.
    """

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._written: TextColumn | None = None
        self.coded: dict[int, Content] = {}
        self.others: dict[int, str] = {}
        self.are_empty: list[bool] = []

    def add(self, contents: Sequence[Content]) -> None:
        """More of them; empty ones where there is none."""
        for low in range(0, len(contents), BLOCK):
            self._add(contents[low : low + BLOCK])

    def _add(self, contents: Sequence[Content]) -> None:
        texts = []
        for number, content in enumerate(contents, len(self.are_empty)):
            # nearly all are one run of text
            text = content[0] if len(content) == 1 else None
            if not isinstance(text, str):
                text = text_of(content)
                if content:
                    self.coded[number] = content
                    self.others[number] = line_of(content)
            elif _DOUBLED in text:
                self.others[number] = line_of(content)
            texts.append(text)
        self._pieces.append(_lines(texts))
        self.are_empty += [not content for content in contents]

    @property
    def written(self) -> TextColumn:
        """All without codes, one on a line each; nothing more can be added."""
        if self._written is None:
            self._written = TextColumn.from_bytes(joined(self._pieces))
            self._pieces.clear()
        return self._written

    def lines(self) -> TextColumn:
        """All as lines with codes."""
        written, numbers = self.written, list(self.others)
        if not numbers:
            return written
        data = memoryview(written.data)
        places = zip(written.starts[numbers].tolist(), written.ends[numbers].tolist(), strict=True)

        def pieces() -> Iterator[memoryview | bytes]:
            low = 0
            for line, (start, end) in zip(self.others.values(), places, strict=True):
                yield data[low:start]
                yield line.encode()
                low = end
            yield from (data[at : at + REST] for at in range(low, len(data), REST))

        return TextColumn.from_bytes(joined(pieces()))
