"""Entries of the legend, one for each kind of mark shown in a segment."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import Kind, LayerKey, Provenance, TextRole, View, display_text
from qe_desktop.corpus.tag_voting import (
    FULL_MARK,
    LIGHT_MARK,
    VotingRule,
    count_voters,
    flag_marks,
    flagging_layers,
    segment_marks,
    tagging_layers,
)
from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import join_names, tr
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW, InspectView
from qe_desktop.ui.inspect.postedit.status_symbols import NOTE_SYMBOL, STATUS_SYMBOLS
from qe_desktop.ui.inspect.reader.segment_words import WordAlignment, align_words, is_missing_mt_filled, tag_rows
from qe_desktop.ui.inspect.reader.word_decorations import EditType, find_spans, positioned_codes
from qe_desktop.ui.inspect.reader.word_layout import END_SIGN
from qe_desktop.ui.scores.number_format import format_probability
from qe_desktop.ui.widgets.tag_painter import TagOutcome, tag_outcome


class LegendSymbol(enum.Enum):
    """Symbols of the legend."""

    WORD = "word"
    """BAD word in the text."""
    WORD_LIGHT = "light"
    """Word tagged BAD by enough systems for the voting rule, but not by all."""
    BAD = "BAD"
    HIT = "hit"
    FALSE_ALARM = "false alarm"
    MISS = "miss"
    GAP = "gap"
    GAP_LIGHT = "gap-light"
    """Gap tagged BAD by enough systems for the voting rule, but not by all."""
    GAP_FALSE_ALARM = "gap false alarm"
    GAP_MISS = "gap miss"
    PROBABILITY = "probability"
    ALIGNED = "aligned"
    """Word aligned with the word at the cursor."""
    EDITED = "edited"
    SUBSTITUTED = "replaced"
    INSERTED = "new"
    DELETED = "removed"
    SEARCH_MATCH = "found"
    PARTLY_FLAGGED = "doubt"
    """Target word flagged by enough systems for the voting rule, but not by all."""
    TEXT_REMOVED = "removed-text"
    TEXT_ADDED = "added-text"
    TEXT_MOVED = "moved-text"
    """Words moved in the target or the post-edit; `TEXT_REMOVED` and `TEXT_ADDED` mark removed and added words."""
    CHECK_RESULT = "checked"
    """QA check result in the target being edited."""
    CODE = "code"
    STATUS = "status"
    """Status of a segment in the list, the sign of its note, or the sign for the end of the text."""


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """Symbol with its short label and glossary term."""

    symbol: LegendSymbol
    label: str
    term: str = ""
    """Glossary term; empty if the label is sufficient."""
    is_dotted: bool = False
    """Whether the sample is dotted, like the marks of source words."""
    letter: str = ""
    """Character that represents a status, a note or the end of the text; empty in other entries."""
    threshold: float | None = None
    """Probability above which a word is tagged BAD; None if the entry has no threshold or several."""


@dataclass(frozen=True, slots=True)
class LegendState:
    """State that determines the legend, in addition to the tags and texts of the segment."""

    agreement: VotingRule
    thresholds: Mapping[str, float]
    """Thresholds of P(BAD), by system name."""
    target: LayerKey | None = None
    """Layer whose edited tags are marked; None if there is none."""
    search_text: str = ""
    """Search text; empty if there is none."""
    changes: frozenset[LegendSymbol] = frozenset()
    """Symbols of the changes from the MT that are shown in the target panel or in the preview of a hidden post-edit."""
    is_editing: bool = False
    """Whether the target is being edited."""
    has_check_highlights: bool = False
    """Whether QA check results are highlighted in the target."""
    post_edit_shown: bool = False
    """Whether the post-edit is shown together with the source and the MT."""
    tags_shown: bool = True
    """Whether tags are shown."""
    view_mode: InspectView = EVALUATION_VIEW


_CHANGE_ENTRIES = (
    LegendEntry(LegendSymbol.TEXT_REMOVED, tr("removed"), "taken-out"),
    LegendEntry(LegendSymbol.TEXT_ADDED, tr("added"), "put-in"),
    LegendEntry(LegendSymbol.TEXT_MOVED, tr("moved"), "moved"),
)
_STATUS_ENTRIES = tuple(
    LegendEntry(LegendSymbol.STATUS, status.display_name, letter=letter) for status, letter in STATUS_SYMBOLS.items()
)
"""Entries for the statuses in the segment list."""
_ROLES = (TextRole.SOURCE, TextRole.MT, TextRole.POST_EDIT)
"""Texts that may contain inline codes and search matches."""


def legend_entries(view: View | None, kind: Kind, segment: int, state: LegendState) -> tuple[LegendEntry, ...]:
    """Return the entries for the marks in a segment; empty if there are no marks or `view` is None.

    `kind` is the kind of tags that are shown.
    """
    if view is None:
        return ()
    entries: list[LegendEntry] = []
    if state.tags_shown and not (state.view_mode.flag_wording and is_missing_mt_filled(view, segment)):
        entries += _tag_entries(view, kind, segment, state)
    alignment = align_words(view, segment) if state.post_edit_shown else None
    alignments = view.corpus.alignments
    if kind is not Kind.GAPS and (alignment is not None or (alignments is not None and len(alignments[segment]))):
        entries.append(LegendEntry(LegendSymbol.ALIGNED, tr("aligned"), "aligned"))
    if state.tags_shown and _has_edited_words(view, segment, state.target):
        entries.append(LegendEntry(LegendSymbol.EDITED, tr("edited"), "edited"))
    if alignment is not None:
        entries += _post_edit_entries(alignment)
    entries += [entry for entry in _CHANGE_ENTRIES if entry.symbol in state.changes]
    roles = [
        role
        for role in _ROLES
        if view.corpus.text(role) is not None and (state.post_edit_shown or role is not TextRole.POST_EDIT)
    ]
    displayed = {role: display_text(view.corpus, role, segment) for role in roles}
    if TextRole.MT in displayed and displayed[TextRole.MT].has_ending_tag:
        entries.append(LegendEntry(LegendSymbol.STATUS, tr("end of the text"), letter=END_SIGN))
    texts = [(role, text.text) for role, text in displayed.items()]
    if any(positioned_codes(view.corpus, role, segment, text) for role, text in texts):
        entries.append(LegendEntry(LegendSymbol.CODE, tr("inline code"), "code"))
    if state.has_check_highlights:
        entries.append(LegendEntry(LegendSymbol.CHECK_RESULT, tr("QA check result"), "checked"))
    if any(find_spans(state.search_text, text) for _, text in texts):
        entries.append(LegendEntry(LegendSymbol.SEARCH_MATCH, tr("search match"), "found"))
    if state.view_mode.flag_wording:
        entries += _STATUS_ENTRIES
        if view.note(segment):
            entries.append(LegendEntry(LegendSymbol.STATUS, tr("note"), letter=NOTE_SYMBOL))
    return tuple(entries)


def _tag_entries(view: View, kind: Kind, segment: int, state: LegendState) -> Iterator[LegendEntry]:
    """Yield the entries for tags in the source and the MT, in tag rows, and in the target being edited."""
    word_kind = Kind.SOURCE if kind is Kind.SOURCE else Kind.WORDS
    other_kind = Kind.WORDS if word_kind is Kind.SOURCE else Kind.SOURCE
    wording = _flag_entries if state.view_mode.flag_wording else _word_entries
    yield from wording(view, word_kind, segment, state)
    yield from _other_word_entries(view, other_kind, segment, state)
    yield from _row_entries(view, kind, segment, state)
    if state.is_editing and LIGHT_MARK in flag_marks(view, segment, state.agreement):
        is_any = _is_any(count_voters(view, flagging_layers(view, Kind.WORDS)), state)
        text = tr("open target: flagged by some systems") if is_any else tr("open target: flagged by a majority")
        yield LegendEntry(LegendSymbol.PARTLY_FLAGGED, text, "agreement")


def _marks(view: View, kind: Kind, segment: int, state: LegendState) -> set[int]:
    """Return the distinct marks, light or full, of the words or gaps of `kind` in a segment."""
    marks = segment_marks(view, kind, segment, state.agreement)
    return set() if marks is None else set(np.unique(marks).tolist()) - {0}


def _word_entries(view: View, kind: Kind, segment: int, state: LegendState) -> Iterator[LegendEntry]:
    """Yield entries for words tagged BAD by the reference or, without one, by enough systems for the voting rule."""
    marks, reference, dotted = _marks(view, kind, segment, state), view.reference_at(kind, segment), kind is Kind.SOURCE
    systems = count_voters(view, tagging_layers(view, kind))
    if reference is not None and marks:
        gold = reference.provenance is Provenance.GOLD
        text = tr("BAD in gold") if gold else tr("BAD by {person}", person=isolate_bidi(reference.name))
        yield LegendEntry(LegendSymbol.WORD, text, "gold" if gold else "layer", is_dotted=dotted)
        return
    if FULL_MARK in marks:
        has_several_systems = systems > 1
        text = tr("BAD by all {n}", "", systems) if has_several_systems else tr("BAD word")
        yield LegendEntry(LegendSymbol.WORD, text, "agreement" if has_several_systems else "bad", is_dotted=dotted)
    if LIGHT_MARK in marks:
        text = tr("BAD by some") if _is_any(systems, state) else tr("BAD by a majority")
        yield LegendEntry(LegendSymbol.WORD_LIGHT, text, "agreement", is_dotted=dotted)


def _flag_entries(view: View, kind: Kind, segment: int, state: LegendState) -> Iterator[LegendEntry]:
    """Yield the entries for flagged words in the MT."""
    marks, layers = _marks(view, kind, segment, state), tagging_layers(view, kind)
    systems = count_voters(view, layers)
    if FULL_MARK in marks:
        checked = any(view.segment_tags(key, segment).any() for key in layers if key in view.decisive_layers)
        if systems < 2:
            text = tr("flagged")
        elif checked:
            text = tr("flagged by all {n} or by QA checks", "", systems)
        else:
            text = tr("flagged by all {n}", "", systems)
        yield LegendEntry(LegendSymbol.WORD, text, "flagged")
    if LIGHT_MARK in marks:
        is_any = _is_any(systems, state)
        text = tr("flagged by some systems") if is_any else tr("flagged by a majority")
        yield LegendEntry(LegendSymbol.WORD_LIGHT, text, "flagged")


def _is_any(systems: int, state: LegendState) -> bool:
    """Return whether one of `systems` systems is enough for a light mark, according to the voting rule in `state`."""
    return state.agreement.for_system_count(systems) is VotingRule.ANY


def _other_word_entries(view: View, kind: Kind, segment: int, state: LegendState) -> Iterator[LegendEntry]:
    """Yield the entry for BAD source words if MT tags are selected, or for BAD MT words if source tags are selected."""
    marks, is_source = _marks(view, kind, segment, state), kind is Kind.SOURCE
    if not marks:
        return
    sign = LegendSymbol.WORD if FULL_MARK in marks else LegendSymbol.WORD_LIGHT
    if state.view_mode.flag_wording:
        yield LegendEntry(sign, tr("flagged in the source"), "flagged", is_dotted=True)
    else:
        yield LegendEntry(
            sign, tr("BAD in the source") if is_source else tr("BAD in the MT"), "bad", is_dotted=is_source
        )


_OUTCOME_ENTRIES = {
    TagOutcome.HIT: LegendEntry(LegendSymbol.HIT, tr("hit"), "hit"),
    TagOutcome.FALSE_ALARM: LegendEntry(LegendSymbol.FALSE_ALARM, tr("false alarm"), "false-alarm"),
    TagOutcome.MISS: LegendEntry(LegendSymbol.MISS, tr("miss"), "miss"),
    TagOutcome.BAD: LegendEntry(LegendSymbol.BAD, tr("BAD"), "bad"),
}

_GAP_ENTRIES = {
    TagOutcome.HIT: LegendEntry(LegendSymbol.GAP, tr("BAD gap"), "gap"),
    TagOutcome.BAD: LegendEntry(LegendSymbol.GAP, tr("BAD gap"), "gap"),
    TagOutcome.FALSE_ALARM: LegendEntry(LegendSymbol.GAP_FALSE_ALARM, tr("gap: false alarm"), "false-alarm"),
    TagOutcome.MISS: LegendEntry(LegendSymbol.GAP_MISS, tr("gap: miss"), "miss"),
}


def _row_entries(view: View, kind: Kind, segment: int, state: LegendState) -> Iterator[LegendEntry]:
    """Yield the entries for tag rows, gaps and probabilities."""
    word_kind = Kind.SOURCE if kind is Kind.SOURCE else Kind.WORDS
    rows = tag_rows(view, word_kind, segment) if state.view_mode.tag_rows else []
    outcomes = set[TagOutcome]().union(*(_outcomes(view, row.tags, segment) for row in rows))
    yield from (entry for outcome, entry in _OUTCOME_ENTRIES.items() if outcome in outcomes)
    if word_kind is Kind.WORDS:
        gaps = set[TagOutcome]().union(*(_outcomes(view, row.gaps, segment) for row in rows))
        is_any = _is_any(count_voters(view, tagging_layers(view, Kind.GAPS)), state)
        yield from _gap_entries(gaps, _marks(view, Kind.GAPS, segment, state), some=is_any)
    yield from _probability_entries([row.name for row in rows if row.probabilities is not None], state)


def _gap_entries(outcomes: set[TagOutcome], marks: set[int], *, some: bool) -> Iterator[LegendEntry]:
    """Yield the entries for gaps with `outcomes` in tag rows and with `marks` in the text.

    `some` states whether one system is enough for a light mark; otherwise, a majority is required.
    """
    if FULL_MARK in marks:
        outcomes = {*outcomes, TagOutcome.BAD}
    # a hit and a BAD gap look the same
    yield from dict.fromkeys(entry for outcome, entry in _GAP_ENTRIES.items() if outcome in outcomes)
    if LIGHT_MARK in marks:
        text = tr("gap BAD by some") if some else tr("gap BAD by a majority")
        yield LegendEntry(LegendSymbol.GAP_LIGHT, text, "agreement")


def _outcomes(view: View, key: LayerKey | None, segment: int) -> set[TagOutcome]:
    """Return the outcomes, except OK, of the tags that a layer has in a segment; empty if `key` is None."""
    if key is None:
        return set()
    tags, reference = view.segment_tags(key, segment), view.reference_at(key.kind, segment)
    if reference in (None, key):
        return {TagOutcome.BAD} if tags.any() else set()
    pairs = np.unique(tags * 2 + view.segment_tags(reference, segment)) if reference is not None else []
    return {tag_outcome(int(pair) // 2, int(pair) % 2) for pair in pairs} - {TagOutcome.OK}


def _probability_entries(names: list[str], state: LegendState) -> Iterator[LegendEntry]:
    if not names:
        return
    above = {name: state.thresholds[name] for name in names if name in state.thresholds}
    if not above:
        yield LegendEntry(LegendSymbol.PROBABILITY, tr("P(BAD) from 0 to 1"), "probability")
    elif len(set(above.values())) == 1 and len(above) == len(names):
        threshold = next(iter(above.values()))
        text = tr("P(BAD), BAD above {threshold}", threshold=format_probability(threshold))
        yield LegendEntry(LegendSymbol.PROBABILITY, text, "threshold", threshold=threshold)
    else:
        thresholds = [f"{format_probability(threshold)} ({isolate_bidi(name)})" for name, threshold in above.items()]
        yield LegendEntry(
            LegendSymbol.PROBABILITY,
            tr("P(BAD), BAD above {thresholds}", thresholds=join_names(thresholds)),
            "threshold",
        )


def _has_edited_words(view: View, segment: int, target: LayerKey | None) -> bool:
    """Return whether word tags of layer `target` were edited in a segment. Edited gap tags have no mark."""
    return target is not None and target.kind is not Kind.GAPS and bool(view.edited_positions(target, segment).size)


def _post_edit_entries(words: WordAlignment) -> Iterator[LegendEntry]:
    """Yield the entries for the words that the post-edit changed."""
    edit_type = {words.edit_type(word) for word in range(len(words.mt_indices))}
    if EditType.SUBSTITUTED in edit_type:
        yield LegendEntry(LegendSymbol.SUBSTITUTED, tr("substituted"), "replaced")
    if EditType.INSERTED in edit_type:
        yield LegendEntry(LegendSymbol.INSERTED, tr("inserted"), "new")
    if words.removed_words:
        yield LegendEntry(LegendSymbol.DELETED, tr("deleted"), "removed")
