"""What is said on hover of what stands beside the words of a page: names of texts and rows, and scores."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF

from qe_desktop.corpus import Kind, Provenance, TextRole
from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.inspect.reader.inline_code_painting import describe_code
from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout, TagRow, TextBlock
from qe_desktop.ui.widgets.glossary import term_meaning

HTER = "hter"
_TERMS = {TextRole.MT: "mt", TextRole.POST_EDIT: "post-edit", TextRole.REFERENCE: "reference"}


def code_tooltip(page: SegmentLayout, point: QPointF) -> str:
    """What the code at a point of the page stands for; empty where there is none."""
    job = page.view.corpus.job
    for block in page.blocks if job is not None else ():
        code = block.layout.code_at(point - block.origin(page.sizes.left))
        if code is not None:
            return describe_code(code, {} if job is None else job.labels.get(page.segment, {}))
    return ""


def adjacent_codes(page: SegmentLayout, place: int) -> list[str]:
    """What the codes stand for that touch the word or gap which is worked on, or stand between it and the next."""
    job, block = page.view.corpus.job, page.block(page.kind)
    if job is None or block is None:
        return []
    words = block.layout.written.places
    gap = page.kind is Kind.GAPS
    low = words[place - 1][1] if 0 < place <= len(words) else 0
    after = place + (0 if gap else 1)
    high = words[after][0] if after < len(words) else len(block.layout.text)
    labels = job.labels.get(page.segment, {})
    return [
        describe_code(code, labels)
        for at, code in block.layout.codes
        if low <= at <= high and (gap or _touches_word(words, place, at))
    ]


def _touches_word(words: Sequence[tuple[int, int]], word: int, at: int) -> bool:
    """Whether what stands before a character touches a word, or else none beside it."""
    near = range(max(0, word - 1), min(len(words), word + 2))
    touched = [one for one in near if words[one][0] <= at <= words[one][1]]
    return word in touched or not touched


def tooltip_at(page: SegmentLayout, point: QPointF) -> str:
    """The sentence for a point of the page beside its words; empty where there is none."""
    if point.y() < page.sizes.margin + page.sizes.row:
        return scores_tooltip(page)
    if point.x() >= page.sizes.left:
        return ""
    for block in page.blocks:
        found = _label_tooltip(page, block, point.y())
        if found:
            return found
    return ""


def scores_tooltip(page: SegmentLayout) -> str:
    """What the scores above the words mean."""
    scores = [key for key in page.view.corpus.layers if key.kind is Kind.SCORES]
    if not scores:
        return ""
    said = [term_meaning("score")]
    if any(HTER in key.name.casefold() for key in scores):
        said = [tr("HTER: {meaning}", meaning=term_meaning("hter"))]
    if any(key.provenance is Provenance.GOLD for key in scores):
        said.append(tr("Gold: {meaning}", meaning=term_meaning("gold")))
    return join_localized(" ", said)


def _label_tooltip(page: SegmentLayout, block: TextBlock, y: float) -> str:
    first = block.layout.lines[0].bottom if block.layout.lines else page.sizes.row
    if block.top <= y <= block.top + first:
        return term_meaning(_TERMS[block.role]) if block.role in _TERMS else ""
    for line in range(len(block.layout.lines)):
        for row, track in enumerate(block.tracks):
            top = page.row_top(block, line, row)
            if top <= y < top + page.sizes.row:
                key = track.tags or track.gaps
                return tag_row_tooltip(track, follows=key is not None and page.view.follows_text(key))
    return ""


def tag_row_tooltip(track: TagRow, *, follows: bool = False) -> str:
    """Whose tags a row has; `follows` says that they are made of the target."""
    if follows:
        return tr(
            "Made of the target as it is now ({name}): BAD words of the MT were replaced or taken out, and in BAD gaps "
            "something was put in.", name=isolate_bidi(track.name),
        )  # fmt: skip
    match track.provenance:
        case Provenance.GOLD:
            return term_meaning("gold")
        case Provenance.PERSON:
            return tr("The tags of {person}, who edits them here.", person=isolate_bidi(track.name))
        case Provenance.SYNTHETIC:
            return tr("Tags that were made of the gold by a rule, to hold systems against.")
        case _:
            return tr("What the system {system} said, which is never changed.", system=isolate_bidi(track.name))
