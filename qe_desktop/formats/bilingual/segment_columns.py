"""Columns of segment data, from which a corpus is built."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO

from qe_desktop.corpus import LayerKey, TagColumn, TextColumn
from qe_desktop.corpus.layers import Scores
from qe_desktop.corpus.translation_job import NO_RULES, TargetRules
from qe_desktop.formats.bilingual.inline_codes import Content, content_text
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, LINE_BREAK_PATTERN, content_to_line
from qe_desktop.formats.bilingual.segments import Quality, Segment

TEXTS_PER_BLOCK = 1 << 12
"""Number of texts or lines that are joined or returned at a time."""
REMAINDER_BLOCK_BYTES = 1 << 20
"""Size in bytes of the blocks in which the data after the last line with codes is copied."""
_CODE_START = "⟨"


def text_column(texts: Sequence[str]) -> TextColumn:
    """Column of texts, one per line; line breaks within a text become U+2028."""
    return TextColumn.from_bytes(
        join_columns(_lines(texts[start : start + TEXTS_PER_BLOCK]) for start in range(0, len(texts), TEXTS_PER_BLOCK))
    )


def _lines(texts: Sequence[str]) -> bytes:
    joined = "\n".join([*texts, ""])
    if "\r" in joined or joined.count("\n") > len(texts):
        joined = "".join([f"{LINE_BREAK_PATTERN.sub(LINE_BREAK, text)}\n" for text in texts])
    return joined.encode()


def iter_line_blocks(column: TextColumn) -> Iterator[bytes]:
    """Iterate over the lines of a column in blocks, each line with its line end."""
    start = 0
    for end in (*column.ends[TEXTS_PER_BLOCK - 1 :: TEXTS_PER_BLOCK].tolist(), len(column.data) - 1):
        if start <= end:
            yield column.data[start : end + 1]
        start = end + 1


def join_columns(pieces: Iterable[bytes | memoryview]) -> bytes:
    """Join pieces one at a time instead of in one large copy, so that other threads can run meanwhile."""
    buffer = BytesIO()
    for piece in pieces:
        buffer.write(piece)
    return buffer.getvalue()


class SegmentTexts:
    """Sources or targets of segments, added in order.

    `contents_with_codes` maps segment numbers to contents with codes. `differing_lines` maps segment numbers to lines
    with codes (`plain_lines`), if these lines differ from the plain text. `are_empty` has one flag per segment: whether
    its content is empty (`()`).
    """

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._plain_text_column: TextColumn | None = None
        self.contents_with_codes: dict[int, Content] = {}
        self.differing_lines: dict[int, str] = {}
        self.are_empty: list[bool] = []

    def add(self, contents: Sequence[Content]) -> None:
        """Append contents, which are empty for segments without a source or target."""
        for start in range(0, len(contents), TEXTS_PER_BLOCK):
            self._add(contents[start : start + TEXTS_PER_BLOCK])

    def _add(self, contents: Sequence[Content]) -> None:
        texts = []
        for number, content in enumerate(contents, len(self.are_empty)):
            # most contents are a single run of text
            text = content[0] if len(content) == 1 else None
            if not isinstance(text, str):
                text = content_text(content)
                if content:
                    self.contents_with_codes[number] = content
                    self.differing_lines[number] = content_to_line(content)
            elif _CODE_START in text:
                self.differing_lines[number] = content_to_line(content)
            texts.append(text)
        self._pieces.append(_lines(texts))
        self.are_empty += [not content for content in contents]

    @property
    def plain_text_column(self) -> TextColumn:
        """Column of the texts without codes; after the first access, nothing can be added."""
        if self._plain_text_column is None:
            self._plain_text_column = TextColumn.from_bytes(join_columns(self._pieces))
            self._pieces.clear()
        return self._plain_text_column

    def lines(self) -> TextColumn:
        """Column of the texts as lines with codes (`plain_lines`)."""
        plain_column, numbers = self.plain_text_column, list(self.differing_lines)
        if not numbers:
            return plain_column
        data = memoryview(plain_column.data)
        spans = zip(plain_column.starts[numbers].tolist(), plain_column.ends[numbers].tolist(), strict=True)

        def pieces() -> Iterator[memoryview | bytes]:
            position = 0
            for line, (start, end) in zip(self.differing_lines.values(), spans, strict=True):
                yield data[position:start]
                yield line.encode()
                position = end
            yield from (
                data[offset : offset + REMAINDER_BLOCK_BYTES]
                for offset in range(position, len(data), REMAINDER_BLOCK_BYTES)
            )

        return TextColumn.from_bytes(join_columns(pieces()))


@dataclass(slots=True)
class SegmentColumns:
    """Columns of segment data, and whether any segment has issues or a separate MT (`loaded_target`)."""

    sources: SegmentTexts = field(default_factory=SegmentTexts)
    targets: SegmentTexts = field(default_factory=SegmentTexts)
    states: list[str] = field(default_factory=list)
    locks: list[bool] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    notes: list[tuple[str, ...]] = field(default_factory=list)
    reviewer_notes: list[str] = field(default_factory=list)
    qualities: list[tuple[Quality, ...]] = field(default_factory=list)
    rules: dict[int, TargetRules] = field(default_factory=dict)
    """Rules by 0-based segment number; segments without rules are left out."""
    has_issues: bool = False
    has_loaded_targets: bool = False

    def add(self, segments: Sequence[Segment]) -> None:
        """Append segments."""
        start = len(self.states)
        self.sources.add([segment.source for segment in segments])
        self.targets.add([segment.target or () for segment in segments])
        self.states += [segment.state for segment in segments]
        self.locks += [segment.locked for segment in segments]
        self.origins += [segment.origin for segment in segments]
        self.notes += [segment.notes for segment in segments]
        self.reviewer_notes += [segment.note for segment in segments]
        self.qualities += [segment.qualities for segment in segments]
        self.rules |= {
            number: segment.rules for number, segment in enumerate(segments, start) if segment.rules is not NO_RULES
        }
        self.has_issues = self.has_issues or any([segment.issues for segment in segments])
        self.has_loaded_targets = self.has_loaded_targets or any(
            [segment.loaded_target is not None for segment in segments]
        )


def segment_columns(documents: Sequence[Sequence[Segment]]) -> SegmentColumns:
    """Columns of the segments of several files, concatenated."""
    columns = SegmentColumns()
    for segments in documents:
        columns.add(segments)
    return columns


@dataclass(frozen=True, slots=True, eq=False)
class SideColumns:
    """Columns of a document other than source and target.

    `documents` has one document name per segment; empty if there are none. Each column of `tags` has one tag per MT
    word, gap or source word. `words` has the words of the MT, separated by spaces; None if `word_tokenization` yields
    these words. If `eos` is true, each MT has one more word tag, for a virtual `<EOS>`. `scores` are NaN for segments
    without a score.
    """

    documents: tuple[str, ...] = ()
    tags: Mapping[LayerKey, TagColumn] = field(default_factory=dict)
    scores: Mapping[LayerKey, Scores] = field(default_factory=dict)
    words: TextColumn | None = None
    eos: bool = False


NO_SIDE_COLUMNS = SideColumns()
