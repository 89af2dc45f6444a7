"""Descriptions of words and gaps in the reader, for tooltips, the status bar and screen readers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qe_desktop.corpus import Kind, LayerKey, Provenance, View
from qe_desktop.i18n.messages import join_names, tr
from qe_desktop.ui.inspect.reader.flag_reasons import ReasonLookup
from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout
from qe_desktop.ui.inspect.reader.tag_rows import order_systems
from qe_desktop.ui.inspect.reader.word_decorations import EditType
from qe_desktop.ui.scores.number_format import format_probability
from qe_desktop.ui.widgets.tag_painter import OUTCOME_TEXTS, tag_outcome

EditorLookup = Callable[[LayerKey, int], dict[int, str]]
"""Function that returns the names of the users who changed tags of a layer in a segment, by position."""


def describe_position(
    page: SegmentLayout, kind: Kind, index: int, edited_by: EditorLookup, lookup: ReasonLookup
) -> str:
    """Return a description of a word or gap: its text, followed by its tags in each layer, its flags or its edit.

    The parts are joined by semicolons. The description is empty if the text that contains the position is not shown.
    """
    view = page.view
    block = page.block(kind)
    if block is None:
        return ""
    tokens = block.layout.tokens
    ending = block.layout.display_text.has_ending_tag
    parts = [_position_text(kind, index, tokens[:-1] if ending else tokens, ending=ending)]
    if kind is Kind.TRANSLATION:
        return "; ".join([*parts, _describe_post_edit_word(page, index)])
    if page.view_mode.flag_wording:
        parts += _describe_flags(page, kind, index, lookup)
        return "; ".join(parts)
    reference = view.reference_at(kind, page.segment)
    for key in order_systems(view.displayed_layers_at(kind, page.segment), page.system_order):
        tags = view.segment_tags(key, page.segment)
        if index >= len(tags):
            continue
        gold_tag = (
            None if reference is None or key == reference else int(view.segment_tags(reference, page.segment)[index])
        )
        outcome = OUTCOME_TEXTS[tag_outcome(int(tags[index]), gold_tag)]
        editor = _editor_name(edited_by, key, page.segment, index)
        parts.append(_layer_text(key.display_name, outcome, editor, _probability(view, key, page.segment, index)))
        if tags[index]:
            parts += _reasons(view, key, page.segment, index, lookup)
    if kind is Kind.WORDS:
        parts += _adjacent_gap_reasons(page, index, lookup)
        parts += _describe_mt_word(page, index)
    return "; ".join(parts)


def _describe_flags(page: SegmentLayout, kind: Kind, index: int, lookup: ReasonLookup) -> list[str]:
    """Describe the flags at a position: the systems, each with its reasons, then the reasons for adjacent BAD gaps."""
    view, keys, reasons = page.view, list[LayerKey](), list[list[str]]()
    for key in view.displayed_layers_at(kind, page.segment):
        tags = view.segment_tags(key, page.segment)
        if index < len(tags) and tags[index]:
            keys.append(key)
            reasons.append(_reasons(view, key, page.segment, index, lookup))
    if any(reasons):
        # the reasons of a system follow its name
        parts = [
            text
            for key, layer_reasons in zip(keys, reasons, strict=True)
            for text in (_flagged_text([key]), *layer_reasons)
        ]
    else:
        parts = [_flagged_text(keys)] if keys else []
    return parts + (_adjacent_gap_reasons(page, index, lookup) if kind is Kind.WORDS else [])


def _flagged_text(keys: Sequence[LayerKey]) -> str:
    names = join_names([key.display_name for key in keys])
    if any(key.provenance is not Provenance.SYSTEM for key in keys):
        # the view shows gold tags as flags if there are no systems
        return tr("flagged by {name}", name=names)
    if len(keys) == 1:
        return tr("flagged by the QE system “{name}”", name=names)
    return tr("flagged by the QE systems {names}", names=names)


def _reasons(view: View, key: LayerKey, segment: int, index: int, lookup: ReasonLookup) -> list[str]:
    """Return the reasons for a BAD tag; empty if they are unknown."""
    reasons = lookup(view.corpus, key, segment)
    return [] if reasons is None else reasons.at(segment, index)


def _adjacent_gap_reasons(page: SegmentLayout, word: int, lookup: ReasonLookup) -> list[str]:
    """Return the reasons for BAD gaps next to a word; the mouse can point at gaps only in gap mode."""
    view = page.view
    return [
        tr("{name}, adjacent gap: {reason}", name=key.display_name, reason=reason)
        for key in view.displayed_layers(Kind.GAPS)
        for gap in (word, word + 1)
        for reason in _reasons(view, key, page.segment, gap, lookup)
    ]


def _position_text(kind: Kind, index: int, tokens: tuple[str, ...], *, ending: bool) -> str:
    number, total = index + 1, len(tokens)
    if kind is not Kind.GAPS:
        if index >= total:
            return tr("end of the text: tag for words missing there") if ending and index == total else ""
        if kind is Kind.SOURCE:
            return tr("source word {number} of {total}, “{word}”", number=number, total=total, word=tokens[index])
        if kind is Kind.TRANSLATION:
            return tr(
                "word {number} of {total} of the post-edit, “{word}”", number=number, total=total, word=tokens[index]
            )
        return tr("word {number} of {total}, “{word}”", number=number, total=total, word=tokens[index])
    if index == 0:
        return tr("gap before the first word")
    if index >= total:
        return tr("gap after the last word")
    return tr("gap between “{before}” and “{after}”", before=tokens[index - 1], after=tokens[index])


def _describe_post_edit_word(page: SegmentLayout, index: int) -> str:
    """Describe the edit of a post-edit word."""
    alignment, mt = page.word_alignment, page.block(Kind.WORDS)
    edit_type = None if alignment is None else alignment.edit_type(index)
    if alignment is None or mt is None or edit_type is None:
        return tr("kept")
    if edit_type is EditType.INSERTED:
        return tr("new: no aligned MT word")
    return tr("replaces “{word}”", word=mt.layout.tokens[min(alignment.mt_of(index))])


def _describe_mt_word(page: SegmentLayout, index: int) -> list[str]:
    """Return a list with a description of the edit of an MT word; empty if no aligned post-edit is shown."""
    alignment, post_edit = page.word_alignment, page.block(Kind.TRANSLATION)
    if alignment is None or post_edit is None or index >= len(alignment.post_edit_indices):
        return []
    aligned_word = alignment.post_edit_indices[index]
    if aligned_word is None:
        return [tr("post-edit: removed")]
    if aligned_word not in alignment.substituted_words:
        return [tr("post-edit: kept")]
    return [tr("post-edit: replaced by “{word}”", word=post_edit.layout.tokens[aligned_word])]


def _layer_text(name: str, outcome: str, editor: str, probability: float | None) -> str:
    """Return the name of a layer and the outcome of its tag, with the editor of the tag and P(BAD) if known."""
    p = "" if probability is None else format_probability(probability)
    if editor and p:
        return tr("{name}: {outcome}, edited by {editor}, P(BAD) {p}", name=name, outcome=outcome, editor=editor, p=p)
    if editor:
        return tr("{name}: {outcome}, edited by {editor}", name=name, outcome=outcome, editor=editor)
    if p:
        return tr("{name}: {outcome}, P(BAD) {p}", name=name, outcome=outcome, p=p)
    return tr("{name}: {outcome}", name=name, outcome=outcome)


def _editor_name(edited_by: EditorLookup, key: LayerKey, segment: int, index: int) -> str:
    return "" if key.provenance is Provenance.SYSTEM else edited_by(key, segment).get(index, "")


def _probability(view: View, key: LayerKey, segment: int, index: int) -> float | None:
    layer = view.corpus.layers.get(LayerKey(key.provenance, key.name, Kind.PROBABILITIES))
    if layer is None or key.kind is not Kind.WORDS:
        return None
    numbers = layer.numbers[segment]
    return float(numbers[index]) if index < len(numbers) else None
