"""What is said on hover of what stands beside the words of a page: names of texts and rows, and scores."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF

from qe_desktop.corpus import Kind, Provenance, TextRole
from qe_desktop.outgoing import within
from qe_desktop.ui.inspect.code_signs import about_code
from qe_desktop.ui.inspect.page import Block, Page, Track
from qe_desktop.ui.parts.glossary import meaning
from qe_desktop.wording import side_by_side, tr

HTER = "hter"
_TERMS = {TextRole.MT: "mt", TextRole.POST_EDIT: "post-edit", TextRole.REFERENCE: "reference"}


def code_tip(page: Page, point: QPointF) -> str:
    """What the code at a point of the page stands for; empty where there is none."""
    job = page.view.corpus.job
    for block in page.blocks if job is not None else ():
        code = block.layout.code_at(point - block.origin(page.sizes.left))
        if code is not None:
            return about_code(code, {} if job is None else job.labels.get(page.segment, {}))
    return ""


def codes_beside(page: Page, place: int) -> list[str]:
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
        about_code(code, labels)
        for at, code in block.layout.codes
        if low <= at <= high and (gap or _belongs(words, place, at))
    ]


def _belongs(words: Sequence[tuple[int, int]], word: int, at: int) -> bool:
    """Whether what stands before a character touches a word, or else none beside it."""
    near = range(max(0, word - 1), min(len(words), word + 2))
    touched = [one for one in near if words[one][0] <= at <= words[one][1]]
    return word in touched or not touched


def tip_at(page: Page, point: QPointF) -> str:
    """The sentence for a point of the page beside its words; empty where there is none."""
    if point.y() < page.sizes.margin + page.sizes.row:
        return about_scores(page)
    if point.x() >= page.sizes.left:
        return ""
    for block in page.blocks:
        found = _beside(page, block, point.y())
        if found:
            return found
    return ""


def about_scores(page: Page) -> str:
    """What the scores above the words mean."""
    scores = [key for key in page.view.corpus.layers if key.kind is Kind.SCORES]
    if not scores:
        return ""
    said = [meaning("score")]
    if any(HTER in key.name.casefold() for key in scores):
        said = [tr("HTER: {meaning}", meaning=meaning("hter"))]
    if any(key.provenance is Provenance.GOLD for key in scores):
        said.append(tr("Gold: {meaning}", meaning=meaning("gold")))
    return side_by_side(" ", said)


def _beside(page: Page, block: Block, y: float) -> str:
    first = block.layout.lines[0].bottom if block.layout.lines else page.sizes.row
    if block.top <= y <= block.top + first:
        return meaning(_TERMS[block.role]) if block.role in _TERMS else ""
    for line in range(len(block.layout.lines)):
        for row, track in enumerate(block.tracks):
            top = page.row_top(block, line, row)
            if top <= y < top + page.sizes.row:
                key = track.tags or track.gaps
                return about_row(track, follows=key is not None and page.view.follows_text(key))
    return ""


def about_row(track: Track, *, follows: bool = False) -> str:
    """Whose tags a row has; `follows` says that they are made of the target."""
    if follows:
        return tr(
            "Made of the target as it is now ({name}): BAD words of the MT were replaced or taken out, and in BAD gaps "
            "something was put in.", name=within(track.name),
        )  # fmt: skip
    match track.provenance:
        case Provenance.GOLD:
            return meaning("gold")
        case Provenance.PERSON:
            return tr("The tags of {person}, who edits them here.", person=within(track.name))
        case Provenance.SYNTHETIC:
            return tr("Tags that were made of the gold by a rule, to hold systems against.")
        case _:
            return tr("What the system {system} said, which is never changed.", system=within(track.name))
