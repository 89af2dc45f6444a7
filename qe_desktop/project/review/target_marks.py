"""Where the words that a layer calls BAD stand in the targets as they are now, for files that can mark them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from qe_desktop.corpus import EOS, LayerKey, ReviewStatus, TextRole, View, segment_sums
from qe_desktop.corpus.detokenized_text import token_offsets
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.tokenization import Span, Spans, target_tokenizer
from qe_desktop.formats.io.files import CheckCancelled, never_cancelled
from qe_desktop.metrics.tags.post_edit_tags import compute_target_edits

SEGMENTS_PER_CHECK = 256
"""Segments between two looks at whether anybody still waits."""


@dataclass(slots=True, eq=False)
class TargetMarks:
    """The marks of a layer.

    `spans` are the places of BAD words in the texts of targets, without codes, by segment; `gone` how many BAD words
    stand nowhere any longer, for somebody edited them, or their segment is locked and takes no marks.
    """

    layer: LayerKey
    spans: dict[int, Spans] = field(default_factory=dict)
    gone: int = 0

    @property
    def system(self) -> str:
        """Who says so, as files have it: the name of a system or a person; gold has none."""
        return self.layer.name or self.layer.provenance.value


def target_marks(view: View, layer: LayerKey, watch: CheckCancelled = never_cancelled) -> TargetMarks:
    """What a layer of words calls BAD. A word that was edited is another one, of which the layer says nothing."""
    found = TargetMarks(layer)
    tags = view.tags(layer)
    cut = target_tokenizer(view.corpus)
    for place, segment in enumerate(np.flatnonzero(segment_sums(tags.values, tags.offsets)).tolist()):
        if place % SEGMENTS_PER_CHECK == 0:
            watch()
        bad = tags[segment].tolist()
        tokens = view.corpus.tokens(TextRole.MT, segment)
        if tokens[-1:] == [EOS]:
            # it stands for what is missing, and is no word
            tokens, bad = tokens[:-1], bad[:-1]
        loaded, target = strip_codes(view.corpus.mt_line(segment)), strip_codes(view.target(segment))
        places = token_offsets(tokens, loaded) if view.status(segment) is not ReviewStatus.LOCKED else None
        marked = [] if places is None else [span for span, tag in zip(places, bad, strict=False) if tag]
        if marked and loaded != target:
            marked = _surviving_spans(marked, loaded, cut(loaded), target, cut(target))
        if marked:
            found.spans[segment] = marked
        found.gone += max(0, sum(bad) - len(marked))
    return found


def _surviving_spans(marked: Spans, loaded: str, words: Spans, target: str, others: Spans) -> Spans:
    """The places in a target of what is marked in the MT, as far as it is still there."""
    edits = compute_target_edits(_split_words(loaded, words), _split_words(target, others))
    kept = [] if edits is None else [(words[one], others[other]) for one, other in edits.kept()]
    ends = [last for (_, last), _ in kept]
    found: list[Span] = []
    for low, high in marked:
        for (first, last), (start, _) in kept[bisect_right(ends, low) :]:
            if first >= high:
                break
            found.append((start + max(low, first) - first, start + min(high, last) - first))
    return found


def _split_words(text: str, words: Sequence[Span]) -> list[str]:
    return [text[low:high] for low, high in words]
