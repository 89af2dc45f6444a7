"""Readable text of the source or MT of a corpus, with the positions of the tokens.

The text of a segment is its raw text. If there is none, or if the raw text does not consist of the segment's tokens,
the tokens joined by spaces are used instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qe_desktop.corpus import (
    EOS,
    RAW_ROLES,
    Corpus,
    DisplayText,
    Kind,
    TextColumn,
    TextRole,
    token_offsets,
    unescape_token,
)
from qe_desktop.corpus.text import Span


@dataclass(frozen=True, slots=True, eq=False)
class SideText:
    """Lines of text (one per segment), whether each line is raw, and the column of tokens.

    Tags apply to tokens: if `tokens` is None, the text cannot be tagged.
    """

    lines: list[str]
    is_raw: list[bool]
    tokens: TextColumn | None

    @classmethod
    def of(cls, corpus: Corpus, role: TextRole) -> SideText | None:
        """Return the text of a corpus for `role` (source or MT), or None if it has neither tokens nor raw text."""
        tokens, raw_text = corpus.texts.get(role), corpus.texts.get(RAW_ROLES[role])
        if tokens is None:
            return None if raw_text is None else cls(list(raw_text.lines()), [True] * len(raw_text), None)
        words = [_words(tokens, segment) for segment in range(len(tokens))]
        token_lines = [" ".join(map(unescape_token, line_tokens)) for line_tokens in words]
        if raw_text is None:
            return cls(token_lines, [False] * len(token_lines), tokens)
        lines = list(raw_text.lines())
        has_token_offsets = [
            token_offsets(line_tokens, line) is not None for line_tokens, line in zip(words, lines, strict=True)
        ]
        return cls(
            [
                line if fit else token_text
                for line, token_text, fit in zip(lines, token_lines, has_token_offsets, strict=True)
            ],
            has_token_offsets,
            tokens,
        )

    def token_spans(self, segment: int) -> list[Span]:
        """Return the span of each token in the segment's line; a final `<EOS>` is an empty span at the end of the line.

        The result is empty if the text has no column of tokens.
        """
        if self.tokens is None:
            return []
        words, line = _words(self.tokens, segment), self.lines[segment]
        positions = token_offsets(words, line) if self.is_raw[segment] else None
        if positions is None:
            positions = DisplayText.of_tokens([*map(unescape_token, words)]).token_spans
        ending = [(len(line), len(line))] * (len(self.tokens.tokens(segment)) - len(words))
        return [*positions, *ending]

    def locate_tokens(self, segment: int, span: Span) -> tuple[Kind, range]:
        """Return the kind and range of the tokens that overlap a span of the segment's line.

        If no token overlaps the span, return the kind and range of the gap at the start of the span.
        """
        return tokens_in_span(self.token_spans(segment), self.lines[segment], span)


def tokens_in_span(token_spans: Sequence[Span], line: str, span: Span) -> tuple[Kind, range]:
    """Return the kind and range of the tokens of a line that overlap a span of the line.

    `token_spans` are the positions of the tokens. If no token overlaps the span, return the kind and range of the gap
    at the start of the span. Spaces at the start and end of the span are ignored.
    """
    start, stop = span
    start += len(line[start:stop]) - len(line[start:stop].lstrip())
    stop -= len(line[start:stop]) - len(line[start:stop].rstrip())
    inside = [token for token, (begin, end) in enumerate(token_spans) if begin < stop and start < end and start < stop]
    if inside:
        return Kind.WORDS, range(inside[0], inside[-1] + 1)
    gap = sum(1 for begin, end in token_spans if begin < end and end <= start)
    return Kind.GAPS, range(gap, gap + 1)


def detokenize_line(line: str) -> str:
    """Unescape the tokens of a line, and remove a final `<EOS>`; the tokens remain separated by spaces."""
    return " ".join(map(unescape_token, _strip_final_eos(line.split(" "))))


def _words(column: TextColumn, segment: int) -> list[str]:
    return _strip_final_eos(column.tokens(segment))


def _strip_final_eos(tokens: list[str]) -> list[str]:
    return tokens[:-1] if tokens and tokens[-1] == EOS else tokens
