"""Tooltips of inline codes, labels and scores in the reader."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF

from qe_desktop.corpus import Kind, Provenance, TextRole
from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.inspect.reader.file_scores import file_score_meaning
from qe_desktop.ui.inspect.reader.inline_code_painting import describe_code
from qe_desktop.ui.inspect.reader.segment_header import shown_scores
from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout, TextBlock
from qe_desktop.ui.inspect.reader.tag_rows import TagRow
from qe_desktop.ui.widgets.glossary.terms import term_meaning

HTER = "hter"
_TERMS = {TextRole.MT: "mt", TextRole.POST_EDIT: "post-edit", TextRole.REFERENCE: "reference"}


def code_tooltip(page: SegmentLayout, point: QPointF) -> str:
    """Return a description of the inline code at a point; empty if there is none."""
    job = page.view.corpus.job
    for block in page.blocks if job is not None else ():
        code = block.layout.code_at(point - block.origin(page.metrics.left))
        if code is not None:
            return describe_code(code, {} if job is None else job.labels.get(page.segment, {}))
    return ""


def adjacent_codes(page: SegmentLayout, index: int) -> list[str]:
    """Return descriptions of the inline codes next to a word or gap of the current kind."""
    job, block = page.view.corpus.job, page.block(page.kind)
    if job is None or block is None:
        return []
    words = block.layout.display_text.token_spans
    gap = page.kind is Kind.GAPS
    start = words[index - 1][1] if 0 < index <= len(words) else 0
    after = index + (0 if gap else 1)
    high = words[after][0] if after < len(words) else len(block.layout.text)
    labels = job.labels.get(page.segment, {})
    return [
        describe_code(code, labels)
        for at, code in block.layout.codes
        if start <= at <= high and (gap or _touches_word(words, index, at))
    ]


def _touches_word(words: Sequence[tuple[int, int]], word: int, at: int) -> bool:
    """Return whether a code at offset `at` touches `word`, or touches neither the previous nor the next word."""
    neighbours = range(max(0, word - 1), min(len(words), word + 2))
    adjacent = [index for index in neighbours if words[index][0] <= at <= words[index][1]]
    return word in adjacent or not adjacent


def tooltip_at(page: SegmentLayout, point: QPointF) -> str:
    """Return the tooltip of the text label or row label at a point; empty if there is none."""
    if point.x() >= page.metrics.left:
        return ""
    for block in page.blocks:
        label_text = _label_tooltip(page, block, point.y())
        if label_text:
            return label_text
    return ""


def scores_tooltip(page: SegmentLayout) -> str:
    """Return an explanation of the scores in the header; empty if there are none."""
    scores = shown_scores(page.view, page.segment)
    if not scores:
        return ""
    without_hter = [key for key in scores if HTER not in key.name.casefold()]
    meanings = [file_score_meaning(key.name) for key in without_hter] if page.view_mode.flag_wording else []
    sentences = list(filter(None, meanings))
    if len(without_hter) < len(scores):
        sentences.append(tr("HTER: {meaning}", meaning=term_meaning("hter")))
    sentences = sentences or [term_meaning("score")]
    if any(key.provenance is Provenance.GOLD for key in scores):
        sentences.append(tr("Gold: {meaning}", meaning=term_meaning("gold")))
    return join_localized(" ", sentences)


def _label_tooltip(page: SegmentLayout, block: TextBlock, y: float) -> str:
    first = block.layout.lines[0].bottom if block.layout.lines else page.metrics.row_height
    if block.top <= y <= block.top + first:
        meaning = term_meaning(_TERMS[block.role]) if block.role in _TERMS else ""
        return join_localized(" ", filter(None, [meaning, page.missing_tags if block.tag_rows else ""]))
    for line in range(len(block.layout.lines)):
        for row, track in enumerate(block.tag_rows):
            top = page.row_top(block, line, row)
            if (
                top
                <= y
                < top + (page.metrics.row_height if line == block.named_line else page.metrics.thin_row_spacing)
            ):
                key = track.tags or track.gaps
                return tag_row_tooltip(track, is_derived=key is not None and page.view.is_derived(key))
    return ""


def tag_row_tooltip(track: TagRow, *, is_derived: bool = False) -> str:
    """Return an explanation of a tag row; `is_derived` is true if the tags are derived from the target."""
    if is_derived:
        return tr(
            "Tags derived from the current target ({name}). BAD MT words were replaced or deleted; BAD gaps mark "
            "insertions.",
            name=isolate_bidi(track.name),
        )  # fmt: skip
    match track.provenance:
        case Provenance.GOLD:
            return term_meaning("gold")
        case Provenance.PERSON:
            return tr("Annotation layer of {person}; its tags can be edited.", person=isolate_bidi(track.name))
        case Provenance.SYNTHETIC:
            return tr("Synthetic tags derived from the gold, for comparison with systems.")
        case _:
            return tr("Tags of system {system}; edits never change them.", system=isolate_bidi(track.name))
