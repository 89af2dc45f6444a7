"""Tag layers of a system, built from BAD spans in the readable texts of source and MT.

The text of a segment is its raw text. If there is none, or if the raw text does not consist of the segment's tokens,
the tokens joined by spaces are used instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from qe_desktop.corpus import (
    EOS,
    RAW_ROLES,
    Corpus,
    DisplayText,
    Kind,
    Layer,
    LayerKey,
    Provenance,
    QeError,
    Reasons,
    TagColumn,
    TextColumn,
    TextRole,
    token_offsets,
    unescape_token,
)
from qe_desktop.corpus.text import Span
from qe_desktop.i18n.messages import tr


@dataclass(frozen=True, slots=True, eq=False)
class SideText:
    """Lines of text, whether each line is raw (otherwise the tokens, joined by spaces), and the column of tokens.

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


class BadSpan(NamedTuple):
    """BAD span in the MT line of a segment or, with `is_in_source`, in the source line.

    An empty span marks missing text.
    """

    segment: int
    span: Span
    reason: str = ""
    is_in_source: bool = False


def layers_from_spans(
    corpus: Corpus,
    bad_spans: Iterable[BadSpan],
    name: str,
    mt: SideText,
    source: SideText | None,
    *,
    origin: str = "",
    notes: tuple[str, ...] = (),
    check_cancelled: Callable[[], object] = lambda: None,
) -> tuple[Layer, ...]:
    """Build tag layers from BAD spans; a layer of gaps or of source words is omitted if it has no BAD tag.

    If the words include `<EOS>`, its tag is BAD if the gap after the last word is BAD. `check_cancelled` may raise an
    exception to stop the conversion. Raises QeError if the corpus has no tokenized MT.
    """
    offsets_by_kind = {kind: corpus.offsets(kind) for kind in (Kind.WORDS, Kind.GAPS, Kind.SOURCE)}
    if offsets_by_kind[Kind.WORDS] is None:
        raise QeError(tr("there is no tokenized MT to tag"), hint=tr("Also open the tokenized MT."))
    values = {
        kind: (offsets, np.zeros(int(offsets[-1]), np.uint8))
        for kind, offsets in offsets_by_kind.items()
        if offsets is not None
    }
    reasons: dict[Kind, list[tuple[int, int, str]]] = {kind: [] for kind in values}
    for number, mark in enumerate(bad_spans):
        if not number % 1024:
            check_cancelled()
        for kind, token_range in _token_offsets(corpus, mark, mt, source):
            offsets, tags = values[kind]
            start, stop = int(offsets[mark.segment]), int(offsets[mark.segment + 1])
            marked = range(token_range.start, min(token_range.stop, stop - start))
            tags[start + marked.start : start + marked.stop] = 1
            if mark.reason:
                reasons[kind] += [(mark.segment, token, mark.reason) for token in marked]
    layers = []
    for kind, (offsets, tags) in values.items():
        if kind is Kind.WORDS or tags.any():
            key = LayerKey(Provenance.SYSTEM, name, kind)
            layer_reasons = Reasons.of(reasons[kind])
            layers.append(
                Layer(
                    key,
                    TagColumn(tags, offsets),
                    origin,
                    "n",
                    notes,
                    layer_reasons if layer_reasons.by_segment else None,
                )
            )
    return tuple(layers)


def _token_offsets(corpus: Corpus, mark: BadSpan, mt: SideText, source: SideText | None) -> list[tuple[Kind, range]]:
    if mark.is_in_source:
        if source is None or source.tokens is None:
            return []
        kind, token_range = source.locate_tokens(mark.segment, mark.span)
        return [(Kind.SOURCE, token_range)] if kind is Kind.WORDS else []
    kind, token_range = mt.locate_tokens(mark.segment, mark.span)
    if kind is Kind.GAPS and corpus.eos:
        words = len(corpus.texts[TextRole.MT].tokens(mark.segment))
        if token_range.start >= words:
            return [(Kind.GAPS, token_range), (Kind.WORDS, range(words, words + 1))]
    return [(kind, token_range)]
