"""Texts about a segment: its document, its scores as they are named in bilingual files, and notes on its tags."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from qe_desktop.corpus import DisplayText, Kind, LayerKey, Provenance, TextRole, View
from qe_desktop.corpus.file_scores import FILE_SCORES, file_score_title
from qe_desktop.corpus.layers import score_label_with_scale
from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.i18n.messages import join_names, tr
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW, InspectView
from qe_desktop.ui.scores.number_format import format_score


def file_score_text(name: str, score: float, decimals: int) -> str:
    """Return a score as text: a percentage as it is stated in the file, any other score with `decimals` decimals."""
    file_score = FILE_SCORES.get(name)
    if file_score is None or not file_score.is_percentage or math.isnan(score):
        return format_score(score, decimals)
    number = f"{score:g}"
    has_unit = file_score.has_unit and not (file_score.may_be_fraction and score <= 1)
    return tr("{number} %", number=number) if has_unit else number


def shown_scores(view: View, segment: int) -> list[LayerKey]:
    """Return the keys of the layers whose scores the header shows for a segment."""
    layers = [layer for key, layer in view.corpus.layers.items() if key.kind is Kind.SCORES]
    # a missing system score needs no note
    return [
        layer.key
        for layer in layers
        if score_label_with_scale(layer, segment)
        or layer.key.provenance is Provenance.GOLD
        or not math.isnan(layer.scores[segment])
    ]


def header_text(view: View, segment: int, view_mode: InspectView = EVALUATION_VIEW) -> str:
    """Return the document and the scores of a segment, for example "news · HTER .286".

    If `view_mode.flag_wording` is true, each score is named by its `file_score_title`.
    """
    scores = [text for _, text in _score_texts(view, segment, view_mode)]
    return " · ".join(filter(None, [_document(view, segment), *scores]))


def segment_facts(view: View, segment: int, view_mode: InspectView = EVALUATION_VIEW) -> tuple[str, str]:
    """Return the document of a segment and one of its scores: the gold score or, if there is none, the first score.

    A missing document or score is returned as an empty string.
    """
    scores = sorted(_score_texts(view, segment, view_mode), key=lambda score: score[0] is not Provenance.GOLD)
    return _document(view, segment), scores[0][1] if scores else ""


def _document(view: View, segment: int) -> str:
    documents = view.corpus.documents
    return "" if documents is None else escape_label(documents.name(segment))


_SCORE_NAMES = {"hter": "HTER", "ter": "TER", "mqm": "MQM"}
"""Display names of the scores whose layer is named after a file suffix, by that suffix."""


def _score_texts(view: View, segment: int, view_mode: InspectView) -> Iterator[tuple[Provenance, str]]:
    """Yield the provenance and the text of each score of a segment."""
    for key in shown_scores(view, segment):
        layer = view.corpus.layers[key]
        score, name = float(layer.scores[segment]), escape_label(_SCORE_NAMES.get(key.name, key.name))
        if view_mode.flag_wording:
            name = file_score_title(key.name)
        label = score_label_with_scale(layer, segment)
        if label:
            yield key.provenance, tr("{name}: {what}", name=name, what=label)
        elif not math.isnan(score):
            yield key.provenance, f"{name} {file_score_text(key.name, score, SCORE_DECIMALS)}"
        else:
            yield key.provenance, tr("no score in {gold}", gold=name)


def missing_tags_text(view: View, kind: Kind) -> str:
    """Return a note that lists the systems without tags of a kind; empty if every system has such tags.

    Without the note, these systems might be mistaken for systems that have no BAD tags.
    """
    corpus = view.corpus
    tagged = {key.name for key in view.tag_layers(kind) if key.provenance is Provenance.SYSTEM}
    contents_by_system: dict[str, list[str]] = {}
    for layer in corpus.layers.values():
        # probabilities are not listed, because a threshold turns them into tags
        if corpus.job is not None and layer.key.kind is Kind.SCORES:
            # scores of a bilingual file are in the header
            continue
        key, is_missing = layer.key, layer.key.name not in tagged and not view.is_hidden(layer.key)
        if key.provenance is Provenance.SYSTEM and is_missing and key.kind in _KIND_TEXTS:
            contents_by_system.setdefault(key.name, []).append(_KIND_TEXTS[key.kind])
    for name in () if view.compared_names else corpus.translations:
        if name not in tagged:
            contents_by_system.setdefault(name, []).append(tr("translations"))
    systems_by_contents: dict[str, list[str]] = {}
    for name, contents in contents_by_system.items():
        systems_by_contents.setdefault(join_names(list(dict.fromkeys(contents))), []).append(isolate_bidi(name))
    text = "; ".join(
        tr("{names} ({contents})", names=", ".join(names), contents=contents)
        for contents, names in systems_by_contents.items()
    )
    return _missing_kind_text(kind, text) if text else ""


def unaligned_texts(texts: Iterable[tuple[TextRole, DisplayText]]) -> list[str]:
    """Return a note for each text that is shown as tokens because its tokens do not match the raw text."""
    notes = {
        TextRole.SOURCE: tr("The source is shown tokenized because its tokens do not match the raw text"),
        TextRole.MT: tr("The MT is shown tokenized because its tokens do not match the raw text"),
        TextRole.POST_EDIT: tr("The post-edit is shown tokenized because its tokens do not match the raw text"),
        TextRole.REFERENCE: tr("The reference is shown tokenized because its tokens do not match the raw text"),
    }
    return [notes[role] for role, text in texts if text.is_unaligned]


SCORE_DECIMALS = 3
"""Number of decimals of the scores in the header; it is also the default in the segment list."""

_KIND_TEXTS = {
    Kind.WORDS: tr("word tags"),
    Kind.GAPS: tr("gap tags"),
    Kind.SOURCE: tr("source word tags"),
    Kind.SCORES: tr("segment scores"),
}


def _missing_kind_text(kind: Kind, systems: str) -> str:
    match kind:
        case Kind.GAPS:
            return tr("No gap tags: {systems}", systems=systems)
        case Kind.SOURCE:
            return tr("No source word tags: {systems}", systems=systems)
        case _:
            return tr("No word tags: {systems}", systems=systems)
