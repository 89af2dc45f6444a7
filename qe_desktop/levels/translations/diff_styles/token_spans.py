"""Character spans of tokens in the original text, even if the tokenizer changed characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from qe_desktop.corpus.text import Span

_ENTITIES = {'"': "&quot;", "&": "&amp;", "<": "&lt;", ">": "&gt;"}
"""Entities that some tokenizers decode, keyed by the decoded character."""


def token_char_spans(text: str, tokens: Sequence[str]) -> list[Span]:
    """Return the span of each token in the text, in the order of the tokens, without overlaps.

    If the tokenizer only lowercased letters, decoded entities or inserted spaces, each token covers its original
    characters. After other changes, a token covers only those of its characters that can be matched; unmatched tokens
    have empty spans.
    """
    return _match_characters(text, tokens) or _match_runs(text, tokens)


def _match_characters(text: str, tokens: Sequence[str]) -> list[Span] | None:
    """Return the spans of tokens, matched character by character; None if the tokens differ from the text."""
    spans: list[Span] = []
    joined_tokens = "".join(tokens)
    offset = read = 0
    for token in tokens:
        start = -1
        end = read + len(token)
        while read < end:
            while offset < len(text) and text[offset].isspace():
                offset += 1
            if offset == len(text):
                return None
            text_chars, token_chars = _consumed_chars(text, offset, joined_tokens, read)
            if not text_chars or read + token_chars > end:
                return None
            start = offset if start < 0 else start
            offset, read = offset + text_chars, read + token_chars
        spans.append((start, offset) if start >= 0 else (offset, offset))
    return spans if not text[offset:].strip() else None


def _consumed_chars(text: str, offset: int, flat: str, read: int) -> tuple[int, int]:
    """Return the lengths of the next match, in `text` at `offset` and in `flat` at `read`; (0, 0) if they differ.

    The match is one character of `text` or an entity.
    """
    entity = _ENTITIES.get(flat[read], "")
    if entity and text.startswith(entity, offset) and not flat.startswith(entity, read):
        return len(entity), 1
    for form in (text[offset], text[offset].lower()):
        if flat.startswith(form, read):
            return 1, len(form)
    return 0, 0


def _match_runs(text: str, tokens: Sequence[str]) -> list[Span]:
    """Return the spans of tokens, matched by the longest common runs of characters."""
    from difflib import SequenceMatcher

    text_forms = [(form, offset) for offset, character in enumerate(text) for form in _normalize_character(character)]
    token_forms = [
        (form, number)
        for number, token in enumerate(tokens)
        for character in token
        for form in _normalize_character(character)
    ]
    matcher = SequenceMatcher(None, [form for form, _ in text_forms], [form for form, _ in token_forms], autojunk=False)
    offsets: dict[int, list[int]] = {}
    for block in matcher.get_matching_blocks():
        for step in range(block.size):
            offsets.setdefault(token_forms[block.b + step][1], []).append(text_forms[block.a + step][1])
    spans: list[Span] = []
    last = 0
    for number in range(len(tokens)):
        token_offsets = offsets.get(number)
        start, end = (max(last, token_offsets[0]), max(last, token_offsets[-1] + 1)) if token_offsets else (last, last)
        spans.append((start, end))
        last = end
    return spans


def _normalize_character(character: str) -> str:
    return "".join(unicodedata.normalize("NFKC", character).lower().split())


_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Character ranges of scripts without spaces between words: Thai, Lao, Burmese, Khmer, kana, Han."""
MAX_UNSPACED_WORD_CHARS = 10
"""Maximum number of characters of a word in a script without spaces; longer runs are sentences.

Runs that consist of katakana are words of any length.
"""
_UNSPACED_CHAR = re.compile(f"[{_UNSPACED}]")
_KATAKANA = re.compile("[\u30a0-\u30ff\uff66-\uff9f]+")


def paired_words(texts: Sequence[str]) -> list[list[Span]]:
    """Return the spans of the words of compared texts; punctuation marks are separate words.

    If any text has an untokenized sentence in a script without spaces, each character of such scripts is a word in all
    texts.
    """
    by_character = any(_is_sentence(token) for text in texts for token in text.split())
    return [list(_words(text, by_character)) for text in texts]


def _is_sentence(token: str) -> bool:
    if len(token) <= MAX_UNSPACED_WORD_CHARS or _KATAKANA.fullmatch(token):
        return False
    return len(_UNSPACED_CHAR.findall(token)) > MAX_UNSPACED_WORD_CHARS


def _words(text: str, by_character: bool) -> Iterator[Span]:
    for token in re.finditer(r"\S+", text):
        start, end = token.span()
        graphemes = list(_grapheme_spans(text, start, end))
        word_start: int | None = None
        for number, (first, last) in enumerate(graphemes):
            is_separate = _is_punctuation(text, graphemes, number) or (
                by_character and _UNSPACED_CHAR.match(text, first) is not None
            )
            if is_separate and word_start is not None:
                yield word_start, first
                word_start = None
            if is_separate:
                yield first, last
            elif word_start is None:
                word_start = first
        if word_start is not None:
            yield word_start, end


def _grapheme_spans(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the spans of graphemes: characters with their combining marks, joiners and joined characters."""
    first = start
    for offset in range(start + 1, end):
        if not (_joins(text[offset]) or text[offset - 1] == "\u200d"):
            yield first, offset
            first = offset
    if end > start:
        yield first, end


def _joins(character: str) -> bool:
    kind = unicodedata.category(character)
    return kind[0] == "M" or kind == "Cf" or "\U0001f3fb" <= character <= "\U0001f3ff"


def _is_punctuation(text: str, graphemes: Sequence[Span], number: int) -> bool:
    """Return whether the grapheme at index `number` is punctuation or a symbol.

    The result is False between letters or digits, as in "don't" and "3,5".
    """
    if unicodedata.category(text[graphemes[number][0]])[0] not in "PS":
        return False
    inside = 0 < number < len(graphemes) - 1
    return not (inside and all(text[graphemes[neighbour][0]].isalnum() for neighbour in (number - 1, number + 1)))
