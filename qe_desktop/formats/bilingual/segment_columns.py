"""The segments of files as columns, which hold what a corpus needs of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO

from qe_desktop.corpus import LayerKey, TagColumn, TextColumn
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.bilingual.inline_codes import Content, content_text
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, LINE_BREAK_PATTERN, content_to_line
from qe_desktop.formats.bilingual.segments import Quality, Segment

TEXTS_PER_BLOCK = 1 << 12
"""Texts of a block."""
REMAINDER_BLOCK_BYTES = 1 << 20
"""Bytes of a piece where nothing else cuts them."""
_DOUBLED = "⟨"


def text_column(texts: Sequence[str]) -> TextColumn:
    """Texts as they are, each on one line."""
    return TextColumn.from_bytes(
        join_columns(_lines(texts[low : low + TEXTS_PER_BLOCK]) for low in range(0, len(texts), TEXTS_PER_BLOCK))
    )


def _lines(texts: Sequence[str]) -> bytes:
    joined = "\n".join([*texts, ""])
    if "\r" in joined or joined.count("\n") > len(texts):
        joined = "".join([f"{LINE_BREAK_PATTERN.sub(LINE_BREAK, text)}\n" for text in texts])
    return joined.encode()


def iter_line_blocks(written: TextColumn) -> Iterator[bytes]:
    """The lines of such a column in blocks, each line with its end."""
    low = 0
    for end in (*written.ends[TEXTS_PER_BLOCK - 1 :: TEXTS_PER_BLOCK].tolist(), len(written.data) - 1):
        if low <= end:
            yield written.data[low : end + 1]
        low = end + 1


def join_columns(pieces: Iterable[bytes | memoryview]) -> bytes:
    """Pieces one after the other, without a copy of all of them in which no other thread has a turn."""
    whole = BytesIO()
    for piece in pieces:
        whole.write(piece)
    return whole.getvalue()


class SegmentTexts:
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
        for low in range(0, len(contents), TEXTS_PER_BLOCK):
            self._add(contents[low : low + TEXTS_PER_BLOCK])

    def _add(self, contents: Sequence[Content]) -> None:
        texts = []
        for number, content in enumerate(contents, len(self.are_empty)):
            # nearly all are one run of text
            text = content[0] if len(content) == 1 else None
            if not isinstance(text, str):
                text = content_text(content)
                if content:
                    self.coded[number] = content
                    self.others[number] = content_to_line(content)
            elif _DOUBLED in text:
                self.others[number] = content_to_line(content)
            texts.append(text)
        self._pieces.append(_lines(texts))
        self.are_empty += [not content for content in contents]

    @property
    def written(self) -> TextColumn:
        """All without codes, one on a line each; nothing more can be added."""
        if self._written is None:
            self._written = TextColumn.from_bytes(join_columns(self._pieces))
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
            yield from (data[at : at + REMAINDER_BLOCK_BYTES] for at in range(low, len(data), REMAINDER_BLOCK_BYTES))

        return TextColumn.from_bytes(join_columns(pieces()))


@dataclass(slots=True)
class SegmentColumns:
    """What a corpus needs of segments, one entry each; whether any has issues, or an MT beside its target."""

    sources: SegmentTexts = field(default_factory=SegmentTexts)
    targets: SegmentTexts = field(default_factory=SegmentTexts)
    states: list[str] = field(default_factory=list)
    locks: list[bool] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    notes: list[tuple[str, ...]] = field(default_factory=list)
    qualities: list[tuple[Quality, ...]] = field(default_factory=list)
    has_issues: bool = False
    has_loaded: bool = False

    def add(self, segments: Sequence[Segment]) -> None:
        """More segments, that are there."""
        self.sources.add([one.source for one in segments])
        self.targets.add([one.target or () for one in segments])
        self.states += [one.state for one in segments]
        self.locks += [one.locked for one in segments]
        self.origins += [one.origin for one in segments]
        self.notes += [one.notes for one in segments]
        self.qualities += [one.qualities for one in segments]
        self.has_issues = self.has_issues or any([one.issues for one in segments])
        self.has_loaded = self.has_loaded or any([one.loaded is not None for one in segments])


def segment_columns(documents: Sequence[Sequence[Segment]]) -> SegmentColumns:
    """The columns of the segments of several files, one after the other."""
    columns = SegmentColumns()
    for segments in documents:
        columns.add(segments)
    return columns


@dataclass(frozen=True, slots=True, eq=False)
class SideColumns:
    """Columns over the segments of a document. `documents` are names, one a segment, or none at all.

    `tags` are of the words of the MT (or of its gaps, or of the source), one for each. `words` are those of the MT with
    blanks between them, where the rule of `words` does not find them. `eos` says that each MT has one more tag, for a
    virtual `<EOS>`. `scores` are NaN where a segment has none.
    """

    documents: tuple[str, ...] = ()
    tags: Mapping[LayerKey, TagColumn] = field(default_factory=dict)
    scores: Mapping[LayerKey, Scores] = field(default_factory=dict)
    words: TextColumn | None = None
    eos: bool = False


NO_SIDE_COLUMNS = SideColumns()
