"""Legend below the reader: the marks that can be on screen, with samples drawn by the same code as the marks."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QTextLayout
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Kind, Provenance, TextRole, View
from qe_desktop.corpus.tag_voting import VotingRule, has_several_taggers, tagging_layers
from qe_desktop.escaping import isolate_bidi
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import LineCode
from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW, InspectView
from qe_desktop.ui.inspect.reader.inline_code_painting import draw_code
from qe_desktop.ui.inspect.reader.word_decorations import (
    EditType,
    draw_edit_type,
    draw_edited,
    draw_probability,
    draw_search_match,
    issue_format,
)
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.glossary import term_meaning
from qe_desktop.ui.widgets.inline_legend import SAMPLE_LETTERS, InlineLegend
from qe_desktop.ui.widgets.tag_painter import TagOutcome, TagPainter


class LegendSymbol(enum.Enum):
    """Symbols of the legend."""

    WORD = "word"
    """A BAD word in the text."""
    WORD_LIGHT = "light"
    """A word tagged BAD by some systems only."""
    BAD = "BAD"
    HIT = "hit"
    FALSE_ALARM = "false alarm"
    MISS = "miss"
    GAP = "gap"
    PROBABILITY = "probability"
    EDITED = "edited"
    REPLACED = "replaced"
    NEW = "new"
    REMOVED = "removed"
    FOUND = "found"
    DOUBT = "doubt"
    """A target word flagged by some systems only."""
    TAKEN_OUT = "removed-text"
    PUT_IN = "added-text"
    """Words deleted from the MT and words inserted in the target."""
    CHECKED = "checked"
    """A check result in the target being edited."""
    CODE = "code"


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """Symbol with its short label and glossary term."""

    sign: LegendSymbol
    text: str
    term: str
    dotted: bool = False
    """Whether the words are source words."""
    threshold: float | None = None
    """Threshold above which a probability is BAD."""


_GAP_ENTRY = LegendEntry(LegendSymbol.GAP, tr("gap"), "gap")


@dataclass(frozen=True, slots=True)
class LegendState:
    """State that the legend depends on in addition to the view.

    It consists of the voting rule, the thresholds by system, whether there are edited tags, search matches, reviewed
    targets and check results, whether the post-edit is shown, and what the Inspect area shows.
    """

    agreement: VotingRule
    thresholds: Mapping[str, float]
    edited: bool = False
    found: bool = False
    reviewing: bool = False
    checked: bool = False
    post_edit: bool = False
    inspected: InspectView = EVALUATION_VIEW


def legend_entries(view: View | None, kind: Kind, seen: LegendState) -> tuple[LegendEntry, ...]:
    """Return the legend entries for a kind of tags; empty if there is nothing to explain."""
    if view is None:
        return ()
    if seen.inspected.tag_rows:
        rows = [*_tag_row_entries(view, kind), *_probability_entries(view, kind, seen)]
    else:
        rows = [_GAP_ENTRY] if view.shown(Kind.GAPS) else []
    entries = [*(_flag_entries if seen.inspected.flag_wording else _word_entries)(view, kind, seen), *rows]
    if seen.edited:
        entries.append(LegendEntry(LegendSymbol.EDITED, tr("edited"), "edited"))
    if seen.post_edit and TextRole.MT in view.corpus.texts and TextRole.POST_EDIT in view.corpus.texts:
        entries.append(LegendEntry(LegendSymbol.REPLACED, tr("substituted"), "replaced"))
        entries.append(LegendEntry(LegendSymbol.NEW, tr("inserted"), "new"))
        entries.append(LegendEntry(LegendSymbol.REMOVED, tr("deleted"), "removed"))
    if seen.reviewing:
        entries += _target_entries(view)
    if seen.checked:
        entries.append(LegendEntry(LegendSymbol.CHECKED, tr("QA check result"), "checked"))
    if seen.found:
        entries.append(LegendEntry(LegendSymbol.FOUND, tr("search match"), "found"))
    return tuple(entries)


def _target_entries(view: View) -> Iterator[LegendEntry]:
    """Yield the entries for a target being edited and its diff."""
    if sum(key.provenance is Provenance.SYSTEM for key in view.tracks(Kind.WORDS)) > 1:
        yield LegendEntry(LegendSymbol.DOUBT, tr("flagged by some"), "agreement")
    yield LegendEntry(LegendSymbol.TAKEN_OUT, tr("removed"), "taken-out")
    yield LegendEntry(LegendSymbol.PUT_IN, tr("added"), "put-in")
    if view.corpus.job is not None and view.corpus.job.has_codes:
        yield LegendEntry(LegendSymbol.CODE, tr("inline code"), "code")


def _word_entries(view: View, kind: Kind, seen: LegendState) -> Iterator[LegendEntry]:
    """Yield the entries for words flagged by the reference or by enough systems."""
    word_kind = Kind.SOURCE if kind is Kind.SOURCE else Kind.WORDS
    reference, dotted = view.reference(word_kind), word_kind is Kind.SOURCE
    tracks = [key for key in view.tracks(word_kind) if key != reference]
    if reference is not None:
        gold = reference.provenance is Provenance.GOLD
        text = tr("BAD in gold") if gold else tr("BAD by {person}", person=isolate_bidi(reference.name))
        yield LegendEntry(LegendSymbol.WORD, text, "gold" if gold else "layer", dotted=dotted)
        if view.is_whole(reference):
            return
    if has_several_taggers(view, word_kind):
        yield LegendEntry(LegendSymbol.WORD, tr("BAD by all {n}", "", len(tracks)), "agreement", dotted=dotted)
        agreement = seen.agreement.among(len(tracks))
        if agreement is not VotingRule.ALL:
            text = tr("by some") if agreement is VotingRule.ANY else tr("by a majority")
            yield LegendEntry(LegendSymbol.WORD_LIGHT, text, "agreement", dotted=dotted)
    elif tracks:
        yield LegendEntry(LegendSymbol.WORD, tr("BAD word"), "bad", dotted=dotted)


def _flag_entries(view: View, kind: Kind, seen: LegendState) -> Iterator[LegendEntry]:
    """Yield the entries for flagged words of the MT."""
    systems = tagging_layers(view, kind) or view.tracks(kind)
    if not systems:
        return
    if len(systems) == 1:
        yield LegendEntry(LegendSymbol.WORD, tr("flagged"), "flagged")
        return
    yield LegendEntry(LegendSymbol.WORD, tr("flagged by all {n}", "", len(systems)), "flagged")
    agreement = seen.agreement.among(len(systems))
    if agreement is not VotingRule.ALL:
        text = tr("by some") if agreement is VotingRule.ANY else tr("by a majority")
        yield LegendEntry(LegendSymbol.WORD_LIGHT, text, "flagged")


def _tag_row_entries(view: View, kind: Kind) -> Iterator[LegendEntry]:
    """Yield the entries for tag rows and gaps."""
    kinds = (Kind.SOURCE,) if kind is Kind.SOURCE else (Kind.WORDS, Kind.GAPS)
    scored = [key for tag_kind in kinds for key in view.shown(tag_kind) if view.reference(tag_kind) not in (None, key)]
    if scored:
        yield LegendEntry(LegendSymbol.HIT, tr("hit"), "hit")
        yield LegendEntry(LegendSymbol.FALSE_ALARM, tr("false alarm"), "false-alarm")
        yield LegendEntry(LegendSymbol.MISS, tr("miss"), "miss")
    if any(
        view.shown(tag_kind) and (not scored or not _has_full_reference(view, tag_kind))
        for tag_kind in kinds
        if tag_kind is not Kind.GAPS
    ):
        yield LegendEntry(LegendSymbol.BAD, tr("BAD"), "bad")
    if Kind.GAPS in kinds and view.shown(Kind.GAPS):
        yield _GAP_ENTRY


def _has_full_reference(view: View, kind: Kind) -> bool:
    """Return whether there is a reference against which all segments can be scored."""
    reference = view.reference(kind)
    return reference is not None and view.is_whole(reference)


def _probability_entries(view: View, kind: Kind, seen: LegendState) -> Iterator[LegendEntry]:
    names = [layer.key.name for layer in view.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES)]
    if kind is Kind.SOURCE or not names:
        return
    above = {name: seen.thresholds[name] for name in names if name in seen.thresholds}
    if not above:
        yield LegendEntry(LegendSymbol.PROBABILITY, tr("P(BAD) from 0 to 1"), "probability")
    elif len(set(above.values())) == 1:
        threshold = next(iter(above.values()))
        text = tr("P(BAD), BAD above {threshold:.2f}", threshold=threshold)
        yield LegendEntry(LegendSymbol.PROBABILITY, text, "threshold", threshold=threshold)
    else:
        each = [f"{threshold:.2f} ({isolate_bidi(name)})" for name, threshold in above.items()]
        yield LegendEntry(
            LegendSymbol.PROBABILITY, tr("P(BAD), BAD above {thresholds}", thresholds=join_names(each)), "threshold"
        )


STEPS = 8
"""Number of shades from P(BAD) 0 to 1."""
_OUTCOMES = {
    LegendSymbol.BAD: TagOutcome.BAD,
    LegendSymbol.HIT: TagOutcome.HIT,
    LegendSymbol.FALSE_ALARM: TagOutcome.FALSE_ALARM,
    LegendSymbol.MISS: TagOutcome.MISS,
}
_EDITS = {
    LegendSymbol.REPLACED: EditType.REPLACED,
    LegendSymbol.NEW: EditType.NEW,
    LegendSymbol.REMOVED: EditType.REMOVED,
}


class TagLegend(InlineLegend[LegendEntry]):
    """Samples of the marks with labels; the glossary explains them on hover."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[LegendEntry, ...] = ()

    @property
    def entries(self) -> tuple[LegendEntry, ...]:
        """Entries of the legend."""
        return self._entries

    def show_entries(self, entries: tuple[LegendEntry, ...]) -> None:
        """Show these entries."""
        if entries != self._entries:
            self._entries = entries
            descriptions = [f"{entry.text}: {term_meaning(entry.term)}" for entry in entries]
            self.setAccessibleDescription(join_localized(" ", descriptions))
            self.updateGeometry()
            self.update()

    def explain(self, entry: LegendEntry) -> str:
        """Return the glossary entry of a mark."""
        return term_meaning(entry.term)

    def draw_sample(self, painter: QPainter, box: QRectF, entry: LegendEntry, theme: Theme) -> None:
        """Draw the sample of an entry."""
        sign = entry.sign
        if sign in _OUTCOMES:
            TagPainter(theme).paint_bar(painter, box, _OUTCOMES[sign])
        elif sign is LegendSymbol.GAP:
            tip = QPointF(box.center().x(), box.bottom() - box.height() * 0.1)
            TagPainter(theme).paint_gap(painter, tip, box.height() * 0.5, TagOutcome.BAD)
        elif sign is LegendSymbol.CODE:
            draw_code(painter, box, LineCode(CodeKind.OPEN, 1), painter.font(), theme)
        elif sign is LegendSymbol.PROBABILITY:
            _draw_scale(painter, box, entry.threshold, theme)
        else:
            _draw_on_letters(painter, box, entry, theme)


def _draw_on_letters(painter: QPainter, box: QRectF, entry: LegendEntry, theme: Theme) -> None:
    sign = entry.sign
    if sign is LegendSymbol.CHECKED:
        _draw_wave(painter, box, theme)
        return
    if sign in (LegendSymbol.TAKEN_OUT, LegendSymbol.PUT_IN, LegendSymbol.DOUBT):
        _draw_in_target(painter, box, sign, theme)
        return
    if sign in (LegendSymbol.WORD, LegendSymbol.WORD_LIGHT):
        partial = sign is LegendSymbol.WORD_LIGHT
        TagPainter(theme, dotted=entry.dotted).paint_word(painter, box, partial=partial)
    painter.setPen(theme.text)
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip), SAMPLE_LETTERS)
    if sign in _EDITS:
        draw_edit_type(painter, box, _EDITS[sign], theme)
    elif sign is LegendSymbol.EDITED:
        draw_edited(painter, box, theme)
    elif sign is LegendSymbol.FOUND:
        draw_search_match(painter, box, theme.accent)


def _draw_in_target(painter: QPainter, box: QRectF, sign: LegendSymbol, theme: Theme) -> None:
    """Draw a sample as it looks in the text editor, which uses character formats."""
    fill = {LegendSymbol.TAKEN_OUT: theme.bad_fill, LegendSymbol.PUT_IN: theme.ok_fill}.get(sign)
    if fill is not None:
        painter.fillRect(box, fill)
    colour = theme.bad if sign is LegendSymbol.TAKEN_OUT else theme.text
    painter.setPen(colour)
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip), SAMPLE_LETTERS)
    width = painter.fontMetrics().horizontalAdvance(SAMPLE_LETTERS)
    word = QRectF(box.center().x() - width / 2, box.top(), width, box.height())
    if sign is LegendSymbol.DOUBT:
        TagPainter(theme, 1.3, dotted=True, filled=False).paint_word(painter, word)
        return
    painter.setPen(QPen(theme.ok if sign is LegendSymbol.PUT_IN else theme.bad, 1.3))
    y = box.top() + box.height() * 0.56 if sign is LegendSymbol.TAKEN_OUT else box.bottom() - 1
    painter.drawLine(QLineF(word.left(), y, word.right(), y))


def _draw_wave(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """Draw a wavy underline as in the text editor."""
    whole = QTextLayout.FormatRange()
    whole.start, whole.length, whole.format = 0, len(SAMPLE_LETTERS), issue_format(theme)
    layout = QTextLayout(SAMPLE_LETTERS, painter.font())
    layout.setFormats([whole])
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    painter.setPen(theme.text)
    left = box.center().x() - line.naturalTextWidth() / 2
    layout.draw(painter, QPointF(left, box.center().y() - line.height() / 2))


def _draw_scale(painter: QPainter, box: QRectF, threshold: float | None, theme: Theme) -> None:
    """Draw the shades from 0 to 1 with a line at the threshold."""
    width = box.width() / STEPS
    for step in range(STEPS):
        # shades are drawn slightly wider than their rectangle
        rect = QRectF(box.left() + step * width + 1, box.top(), width - 2, box.height())
        draw_probability(painter, rect, step / (STEPS - 1), theme)
    if threshold is not None:
        x = box.left() + threshold * box.width()
        painter.setPen(QPen(theme.text, 1.4))
        painter.drawLine(QLineF(x, box.top() - 1, x, box.bottom() + 2))
