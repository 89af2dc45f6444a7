"""What a page of the reader says of its segment beside the texts: its number, scores, and what is not there."""

from __future__ import annotations

import math
from collections.abc import Iterable

from qe_desktop.corpus import DisplayText, Kind, Provenance, TextRole, View
from qe_desktop.corpus.layers import score_rank
from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.i18n.messages import join_names, tr


def header_text(view: View, segment: int) -> str:
    """The segment's number, document and scores: "segment 3 · news · HTER .286"."""
    corpus = view.corpus
    parts = [tr("segment {number:,}", number=segment + 1)]
    if corpus.documents is not None:
        parts.append(escape_label(corpus.documents.name(segment)))
    for key, layer in corpus.layers.items():
        if key.kind is Kind.SCORES:
            score, name = float(layer.scores[segment]), escape_label(key.name)
            rank = score_rank(layer, segment)
            if rank:
                parts.append(tr("{name}: {what}", name=name, what=rank))
            elif not math.isnan(score):
                parts.append(f"{name} {score:.3f}")
            elif key.provenance is Provenance.GOLD:
                # of systems that say nothing of the segment there is nothing to say
                parts.append(tr("left out by {gold}", gold=name))
    return " · ".join(parts)


def missing_tags_text(view: View, kind: Kind) -> str:
    """The systems without tags of the kind looked at, so that none is missed, or taken for one that found no fault."""
    corpus = view.corpus
    tagged = {key.name for key in view.tracks(kind) if key.provenance is Provenance.SYSTEM}
    has: dict[str, list[str]] = {}
    for layer in corpus.layers.values():
        # probabilities are tags as soon as there is a threshold
        if corpus.job is not None and layer.key.kind is Kind.SCORES:
            # what a translator's file says of a segment stands above it
            continue
        if layer.key.provenance is Provenance.SYSTEM and layer.key.name not in tagged and layer.key.kind in _KIND_TEXTS:
            has.setdefault(layer.key.name, []).append(_KIND_TEXTS[layer.key.kind])
    for name in corpus.translations:
        if name not in tagged:
            has.setdefault(name, []).append(tr("translations"))
    alike: dict[str, list[str]] = {}
    for name, things in has.items():
        alike.setdefault(join_names(list(dict.fromkeys(things))), []).append(isolate_bidi(name))
    said = "; ".join(
        tr("{names} {n:has|have} {things}", "", len(names), names=", ".join(names), things=things)
        for things, names in alike.items()
    )
    return _missing_kind_text(kind, said) if said else ""


def unaligned_texts(shown: Iterable[tuple[TextRole, DisplayText]]) -> list[str]:
    """The texts that are not shown as they were written because their tokens were not found in that."""
    said = {
        TextRole.SOURCE: tr("The source is shown as its tokens: the text as written does not consist of them"),
        TextRole.MT: tr("The MT is shown as its tokens: the text as written does not consist of them"),
    }
    return [said[role] for role, text in shown if text.unaligned]


_KIND_TEXTS = {
    Kind.WORDS: tr("tags of words"),
    Kind.GAPS: tr("tags of gaps"),
    Kind.SOURCE: tr("tags of source words"),
    Kind.SCORES: tr("scores of segments"),
}


def _missing_kind_text(kind: Kind, said: str) -> str:
    match kind:
        case Kind.GAPS:
            return tr("Without tags of gaps: {systems}", systems=said)
        case Kind.SOURCE:
            return tr("Without tags of source words: {systems}", systems=said)
        case _:
            return tr("Without tags of words: {systems}", systems=said)
