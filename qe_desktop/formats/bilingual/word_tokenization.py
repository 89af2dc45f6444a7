"""Rule-based tokenization of raw text: words of Unicode letters, digits and marks; other characters are single tokens.

In scripts without spaces, words follow the word boundaries of UAX 29: each Han or Hiragana character is a word, and so
is a run of Katakana characters. Thai, Lao and Khmer are split at spaces only. An apostrophe between letters is part of
a word.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby

import numpy as np

from qe_desktop.corpus import Corpus, TextColumn, TextRole
from qe_desktop.corpus.text import LF, SPACE, Span, Spans
from qe_desktop.formats.bilingual.segment_columns import iter_line_blocks, text_column

_HAN = "\u3005-\u3007\u3041-\u3096\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HAN_SUPPLEMENTARY = "\U00020000-\U0003ffff"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff\uff66-\uff9f"
_SUPPLEMENTARY = re.compile("[\U00010000-\U0010ffff]")
_BASIC_END = 0x10000
_MARK_BLOCKS = (range(0x10000, 0x20000), range(0xE0000, 0xE1000))
"""Code point ranges with all marks outside the BMP: the supplementary multilingual plane and variation selectors."""
_SIMPLE_WORD = re.compile(r"\w+(?:['’]\w+)*|\S")
"""Pattern of tokens in texts without marks and without Han, Hiragana or Katakana characters."""


@cache
def _marks(all_planes: bool) -> str:
    """Marks of the BMP or, with `all_planes`, of all planes, as the ranges of a character class.

    Planes without marks are skipped, which saves 0.1 s.
    """
    codes = (*range(_BASIC_END), *(code for block in _MARK_BLOCKS if all_planes for code in block))
    return _ranges([code for code in codes if unicodedata.category(chr(code))[0] == "M"])


@cache
def _special_pattern() -> re.Pattern[str]:
    """Pattern of the BMP characters that `_SIMPLE_WORD` does not handle; omitting other planes speeds up matching."""
    return re.compile(f"[{_HAN}{_KATAKANA}{_marks(False)}]")


@cache
def _word(all_planes: bool) -> re.Pattern[str]:
    marks, han = _marks(all_planes), _HAN + (_HAN_SUPPLEMENTARY if all_planes else "")
    letter = rf"(?:(?![{han}{_KATAKANA}])[\w{marks}])"
    return re.compile(rf"[{han}][{marks}]*|[{_KATAKANA}][{_KATAKANA}{marks}]*|{letter}+(?:['’]{letter}+)*|\S[{marks}]*")


def _ranges(codes: list[int]) -> str:
    """Format sorted code points as the ranges of a character class."""
    # consecutive code points have a constant difference from their list index
    runs = ([code for _, code in run] for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0]))
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)


def _rule(text: str) -> re.Pattern[str]:
    """Pattern that matches the tokens of a text: a simple, much faster pattern if it gives the same result."""
    if text.isascii():
        return _SIMPLE_WORD
    if _SUPPLEMENTARY.search(text) is not None:
        return _word(True)
    return _SIMPLE_WORD if _special_pattern().search(text) is None else _word(False)


def needs_full_rules(char: str) -> bool:
    """Whether texts with this character need the full pattern instead of `_SIMPLE_WORD`."""
    return not char.isascii() and (ord(char) >= _BASIC_END or _special_pattern().match(char) is not None)


def word_spans(text: str) -> list[tuple[int, int]]:
    """Spans of the words of a text, as character offsets; the ends are exclusive."""
    return [match.span() for match in _rule(text).finditer(text)]


def tokenize_text(text: str) -> str:
    """Tokenize a text and return its words, separated by spaces."""
    return " ".join(_rule(text).findall(text))


_COMMON_BYTES = b" \n0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""ASCII space, line feed and word characters, which require no special handling."""
_APOSTROPHES = "'’"
_STANDALONE_APOSTROPHE = re.compile(f"[{_APOSTROPHES}](?:(?<!\\w.)|(?!\\w))", re.DOTALL)
"""Pattern of an apostrophe that is not part of a word."""
_WORD = re.compile(r"\w")


def tokenize_column(texts: Sequence[str]) -> TextColumn:
    """Tokenize texts into a column, one text per line."""
    return tokenize_lines(text_column(texts))


def tokenize_lines(column: TextColumn) -> TextColumn:
    """Tokenize a column of raw lines (`text_column`)."""
    return TextColumn.from_bytes(b"".join(map(_tokenize_lines, iter_line_blocks(column))))


def _tokenize_lines(lines: bytes) -> bytes:
    chars = _unusual_chars(lines)
    special = "".join([char for char in chars if needs_full_rules(char)])
    if not special:
        return _tokenize_block(lines, chars)
    has_special = re.compile(f"[{re.escape(special)}]").search
    texts = lines.decode().split("\n")
    is_plain = [has_special(text) is None for text in texts]
    # texts with special characters are tokenized separately and leave an empty line here
    plain_texts = [text if is_common else "" for text, is_common in zip(texts, is_plain, strict=True)]
    tokenized = zip(
        texts,
        _tokenize_block("\n".join(plain_texts).encode(), chars - set(special)).split(b"\n"),
        is_plain,
        strict=True,
    )
    return b"\n".join([line if is_common else tokenize_text(text).encode() for text, line, is_common in tokenized])


def _unusual_chars(lines: bytes) -> set[str]:
    """Characters of a text that are not in `_COMMON_BYTES`."""
    return set(lines.translate(None, _COMMON_BYTES).decode())


def _tokenize_block(lines: bytes, chars: set[str]) -> bytes:
    """Tokenize lines that `_SIMPLE_WORD` can handle; `chars` are their characters that are not in `_COMMON_BYTES`."""
    if not chars.isdisjoint(_APOSTROPHES):
        lines = _STANDALONE_APOSTROPHE.sub(r" \g<0> ", lines.decode()).encode()
    for char in chars.difference(_APOSTROPHES):
        if char.isspace():
            lines = lines.replace(char.encode(), b" ")
        elif _WORD.match(char) is None:
            lines = lines.replace(char.encode(), f" {char} ".encode())
    return _collapse_spaces(lines)


def _collapse_spaces(lines: bytes) -> bytes:
    codes = np.frombuffer(lines, np.uint8)
    is_blank = codes == SPACE
    is_removed = is_blank.copy()
    # of consecutive spaces, only the last is kept, and none at the end of a line
    is_removed[:-1] &= is_blank[1:] | (codes[1:] == LF)
    codes = codes[~is_removed]
    line_starts = np.concatenate(([0], np.flatnonzero(codes[:-1] == LF) + 1))
    leading = line_starts[codes[line_starts] == SPACE]
    return (np.delete(codes, leading) if len(leading) else codes).tobytes()


_TOKEN = re.compile(r"\S+")


def target_tokenizer(corpus: Corpus) -> Callable[[str], Spans]:
    """Return the tokenizer for the targets of a corpus: `word_spans` if they are raw texts, otherwise `token_spans`."""
    as_written = corpus.job is not None or TextRole.RAW_MT in corpus.texts
    return word_spans if as_written else token_spans


def token_spans(text: str) -> Spans:
    """Spans of space-separated tokens, as character offsets; the ends are exclusive."""
    return [match.span() for match in _TOKEN.finditer(text)]


def project_tags(tags: Sequence[int], spans: Sequence[Span], other_spans: Sequence[Span]) -> list[int]:
    """Project the tags of `spans` onto `other_spans` of the same text; the spans in each list are in text order.

    A span in `other_spans` gets tag 1 if it overlaps a span with tag 1, otherwise tag 0.
    """
    projected = [0] * len(other_spans)
    ends, starts = [stop for _, stop in other_spans], [start for start, _ in other_spans]
    for (start, stop), tag in zip(spans, tags, strict=True):
        if tag:
            for index in range(bisect_left(ends, start + 1), bisect_left(starts, stop)):
                projected[index] = 1
    return projected
