"""Tag layers of a system, built from BAD spans: tags of words, gaps and source words, with reasons for BAD tags."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, QeError, Reasons, TagColumn, TextRole
from qe_desktop.corpus.text import Span
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.segment_text import SideText


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
