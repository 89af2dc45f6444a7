"""Descriptions of the parts of a segment in the reader, for tooltips, the status bar and screen readers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, Reasons, TextRole, View
from qe_desktop.corpus.file_scores import file_score_meaning
from qe_desktop.corpus.tag_voting import VotingRule, marking_layers, segment_marks
from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.ui.action_registry import shortcut_text
from qe_desktop.ui.inspect.reader.segment_header import shown_scores
from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout, TextBlock
from qe_desktop.ui.inspect.reader.segment_words import TagRow, is_missing_mt_filled, order_systems
from qe_desktop.ui.inspect.reader.word_decorations import EditType, describe_code
from qe_desktop.ui.scores.number_format import format_probability
from qe_desktop.ui.widgets.glossary.terms import term_meaning
from qe_desktop.ui.widgets.tag_painter import OUTCOME_TEXTS, tag_outcome

MAX_REASONS = 4
"""Maximum number of lines with reasons; if there are more, an additional line states how many are left out."""
ReasonLookup = Callable[[Corpus, LayerKey, int], Reasons | None]
"""Function that returns the reasons for the BAD tags of a layer in a segment; None if they are unknown."""
_FLAGGED_ROLES = {Kind.WORDS: TextRole.MT, Kind.GAPS: TextRole.MT, Kind.SOURCE: TextRole.SOURCE}


class _Flag(NamedTuple):
    """Run of words or gaps [start, stop) that are flagged for the same reason."""

    start: int
    stop: int
    reason: str


def flag_reasons(view: View, segment: int, agreement: VotingRule, lookup: ReasonLookup) -> tuple[str, ...]:
    """Return the known reasons for flags in a segment as lines: for words, then gaps, then source words, in text order.

    Adjacent words that are flagged for the same reason share a line; identical lines are listed once. If there are more
    than `MAX_REASONS` lines, one more line states how many are left out. Most QE systems state no reasons. There are no
    lines if the segment has a target although its MT is empty.
    """
    if is_missing_mt_filled(view, segment):
        return ()
    lines: dict[str, None] = {}
    for kind, role in _FLAGGED_ROLES.items():
        column = view.corpus.text(role)
        tokens = [] if column is None else column.tokens(segment)
        for flag in _explained_flags(view, kind, segment, agreement, lookup):
            lines[_reason_line(flag, kind, tokens)] = None
    reasons = list(lines)
    left_out = len(reasons) - MAX_REASONS
    if left_out > 0:
        return (*reasons[:MAX_REASONS], _more_reasons(left_out))
    return tuple(reasons)


def _more_reasons(number: int) -> str:
    if key := shortcut_text("inspect.explain"):
        return tr("To see {n} more {n:reason|reasons}, hover over a flagged word or press {key}", "", number, key=key)
    return tr("To see {n} more {n:reason|reasons}, hover over a flagged word", "", number)


def _explained_flags(view: View, kind: Kind, segment: int, agreement: VotingRule, lookup: ReasonLookup) -> list[_Flag]:
    """Return the flags of words, gaps or source words (`kind`) with known reasons, sorted by position."""
    marks = segment_marks(view, kind, segment, agreement)
    if marks is None or not marks.any():
        return []
    flags: list[_Flag] = []
    for key in marking_layers(view, kind, segment):
        reasons = lookup(view.corpus, key, segment)
        entries = () if reasons is None else reasons.by_segment.get(segment, ())
        flags += _merge_adjacent((entry.text, entry.position) for entry in entries if marks[entry.position])
    return sorted(flags)


def _merge_adjacent(entries: Iterator[tuple[str, int]]) -> Iterator[_Flag]:
    """Yield one flag for each run of adjacent positions with the same reason; `entries` are (reason, position)."""
    flag: _Flag | None = None
    for reason, index in sorted(entries):
        if flag is not None and (flag.reason, flag.stop) == (reason, index):
            flag = flag._replace(stop=index + 1)
            continue
        if flag is not None:
            yield flag
        flag = _Flag(index, index + 1, reason)
    if flag is not None:
        yield flag


def _reason_line(flag: _Flag, kind: Kind, tokens: list[str]) -> str:
    """Return a line with the flagged words and the reason; a gap or the text end is denoted by the preceding word."""
    if kind is Kind.GAPS or flag.start >= len(tokens):
        before = tokens[min(flag.start, len(tokens)) - 1] if flag.start and tokens else ""
        if before:
            return tr("after “{word}”: {reason}", word=isolate_bidi(before), reason=flag.reason)
        return tr("at the start: {reason}", reason=flag.reason) if tokens else flag.reason
    words = isolate_bidi(" ".join(tokens[flag.start : flag.stop]))
    if kind is Kind.SOURCE:
        return tr("source “{words}”: {reason}", words=words, reason=flag.reason)
    return tr("“{words}”: {reason}", words=words, reason=flag.reason)


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
    """Return texts on the flags at a position: the systems, each with its P(BAD) and its reasons, if known.

    The reasons for adjacent BAD gaps follow. If no system states a reason, the description says so.
    """
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
            for text in (*_flagged_texts(view, [key]), *_flag_probabilities(page, [key], index), *layer_reasons)
        ]
    else:
        parts = [*_flagged_texts(view, keys), *_flag_probabilities(page, keys, index)]
        systems = [key for key in keys if key not in view.decisive_layers and key.provenance is Provenance.SYSTEM]
        if systems:
            parts.append(tr("{n:the system states|the systems state} no reason", "", len(systems)))
        elif any(key.provenance is Provenance.SYSTEM for key in keys):
            parts.append(tr("no reason is stated"))
    return parts + (_adjacent_gap_reasons(page, index, lookup) if kind is Kind.WORDS else [])


def _flagged_texts(view: View, keys: Sequence[LayerKey]) -> Iterator[str]:
    """Yield texts that name the QE systems that flag a word, and the QA checks if they flag it."""
    systems = [key for key in keys if key not in view.decisive_layers]
    names = join_names([key.display_name for key in systems])
    if any(key.provenance is not Provenance.SYSTEM for key in systems):
        # the view shows gold tags as flags if there are no systems
        yield tr("flagged by {name}", name=names)
    elif len(systems) == 1:
        yield tr("flagged by the QE system “{name}”", name=names)
    elif systems:
        yield tr("flagged by the QE systems {names}", names=names)
    if len(systems) < len(keys):
        yield tr("flagged by the QA checks")


def _flag_probabilities(page: SegmentLayout, keys: Sequence[LayerKey], index: int) -> list[str]:
    """Return one text per system in `keys` that states P(BAD) of a word, with its name if there are several."""
    texts = []
    for key in keys:
        probability = _probability(page.view, key, page.segment, index)
        if probability is not None:
            p = format_probability(probability)
            texts.append(
                tr("P(BAD) {p}", p=p) if len(keys) == 1 else tr("{name}: P(BAD) {p}", name=key.display_name, p=p)
            )
    return texts


def _reasons(view: View, key: LayerKey, segment: int, index: int, lookup: ReasonLookup) -> list[str]:
    """Return the reasons for a BAD tag; empty if they are unknown."""
    reasons = lookup(view.corpus, key, segment)
    return [] if reasons is None else reasons.at(segment, index)


def _adjacent_gap_reasons(page: SegmentLayout, word: int, lookup: ReasonLookup) -> list[str]:
    """Return the reasons for BAD gaps next to a word; the mouse can point at gaps only in gap mode."""
    view = page.view
    return [
        tr("QA checks, adjacent gap: {reason}", reason=reason)
        if key in view.decisive_layers
        else tr("{name}, adjacent gap: {reason}", name=key.display_name, reason=reason)
        for key in view.displayed_layers(Kind.GAPS)
        for gap in (word, word + 1)
        for reason in _reasons(view, key, page.segment, gap, lookup)
    ]


def _position_text(kind: Kind, index: int, tokens: tuple[str, ...], *, ending: bool) -> str:
    number, total = index + 1, len(tokens)
    if kind is not Kind.GAPS:
        if index >= total:
            return tr("end of the text (<EOS>): tag for words missing there") if ending and index == total else ""
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
    """Return a description of the edit of a post-edit word, or "kept" if the word is unchanged."""
    alignment, mt = page.word_alignment, page.block(Kind.WORDS)
    edit_type = None if alignment is None else alignment.edit_type(index)
    if alignment is None or mt is None or edit_type is None:
        return tr("kept")
    if edit_type is EditType.INSERTED:
        return tr("inserted: no aligned MT word")
    return tr("replaces “{word}”", word=mt.layout.tokens[min(alignment.mt_of(index))])


def _describe_mt_word(page: SegmentLayout, index: int) -> list[str]:
    """Return a list with a description of the edit of an MT word; empty if no aligned post-edit is shown."""
    alignment, post_edit = page.word_alignment, page.block(Kind.TRANSLATION)
    if alignment is None or post_edit is None or index >= len(alignment.post_edit_indices):
        return []
    aligned_word = alignment.post_edit_indices[index]
    if aligned_word is None:
        return [tr("post-edit: deleted")]
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
            is_named = line in block.named_lines
            if top <= y < top + (page.metrics.row_height if is_named else page.metrics.thin_row_spacing):
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
