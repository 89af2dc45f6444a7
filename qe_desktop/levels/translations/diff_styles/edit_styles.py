"""Diff styles that mark word edits: differences without shifts, and TER edits with shifts.

If several alignments have the fewest edits (Levenshtein 1966), one with the fewest substitutions is used. It matches
the most words, which avoids marking a word as different although it is in both texts.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.corpus.columns import Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.translations.diff_styles.marks import (
    MAX_ALIGNED_TOKENS,
    DiffStyle,
    MarkingInput,
    MarkSign,
    MarkStyle,
    StepSigns,
    TextMark,
    TextMarks,
    nearest_text_index,
    paired_words,
    sort_marks,
    step_marks,
    token_char_spans,
)
from qe_desktop.metrics.ter.ter_edits import EditAlignment, EditStep, align_edits


def min_edit_alignment(text_tokens: Sequence[str], compared_tokens: Sequence[str]) -> EditAlignment:
    """Align the tokens of two texts with the fewest edits, without shifts; case-sensitive.

    Of several such alignments, one with the fewest substitutions is returned. In its steps, `mt` is an index into
    `text_tokens`, and `post_edit` an index into `compared_tokens`.
    """
    codes = {token: code for code, token in enumerate(dict.fromkeys((*text_tokens, *compared_tokens)))}
    text_codes, compared_codes = (
        np.array([codes[token] for token in side], np.int64) for side in (text_tokens, compared_tokens)
    )
    return EditAlignment(tuple(_steps(_table(text_codes, compared_codes), text_codes, compared_codes)), ())


def _edit_cost(text_tokens: Ints, compared_tokens: Ints) -> int:
    """Return the cost of an insertion or deletion.

    A substitution costs 1 more. The sum of all these surcharges is less than the cost of one edit.
    """
    return len(text_tokens) + len(compared_tokens) + 1


def _table(text_tokens: Ints, compared_tokens: Ints) -> Ints:
    """Return the minimum costs of aligning the first i tokens of the text with the first j compared tokens.

    The element at index (i, j) is the cost; shape (text tokens + 1, compared tokens + 1).
    """
    edit = _edit_cost(text_tokens, compared_tokens)
    row_costs = np.arange(len(compared_tokens) + 1) * edit
    table = np.empty((len(text_tokens) + 1, len(compared_tokens) + 1), np.int64)
    table[0] = row_costs
    for row, token in enumerate(text_tokens, 1):
        above = table[row - 1]
        best = above + edit
        best[1:] = np.minimum(best[1:], above[:-1] + np.where(compared_tokens == token, 0, edit + 1))
        # moving along the row costs one edit per step
        table[row] = np.minimum.accumulate(best - row_costs) + row_costs
    return table


def _steps(table: Ints, text_tokens: Ints, compared_tokens: Ints) -> list[EditStep]:
    edit = _edit_cost(text_tokens, compared_tokens)
    row, column = len(text_tokens), len(compared_tokens)
    steps: list[EditStep] = []
    while row or column:
        cost = table[row, column]
        if row and column:
            is_same = text_tokens[row - 1] == compared_tokens[column - 1]
            if cost == table[row - 1, column - 1] + (0 if is_same else edit + 1):
                row, column = row - 1, column - 1
                steps.append(EditStep("match" if is_same else "substitution", row, column, False))
                continue
        if row and cost == table[row - 1, column] + edit:
            row -= 1
            steps.append(EditStep("deletion", row, None, False))
        else:
            column -= 1
            steps.append(EditStep("insertion", None, column, False))
    return steps[::-1]


REPLACED = MarkSign(MarkStyle.DASHED, tr("different word"))
ADDED = MarkSign(MarkStyle.DOUBLE, tr("additional word"))
MISSING = MarkSign(MarkStyle.TICK, tr("missing words"))


def difference_marks(against: MarkingInput) -> TextMarks:
    """Mark the words that differ from the nearest compared text, and the positions of missing words.

    The comparison is case-sensitive. Words are separated as a reader would separate them, not by the tokenizer of a
    metric. The result is empty without other texts, or if a text has more than `MAX_ALIGNED_TOKENS` words.
    """

    texts = (against.text, *against.other_texts)
    spans = dict(zip(texts, paired_words(texts), strict=True))
    if not against.other_texts or max(map(len, spans.values())) > MAX_ALIGNED_TOKENS:
        return ()
    tokens = {text: [text[start:end] for start, end in alignment] for text, alignment in spans.items()}
    nearest = nearest_text_index(
        lambda own_text, nearest_text: _distance(tokens[own_text], tokens[nearest_text]), against
    )
    own_text, nearest_text = against.text, against.other_texts[nearest]
    alignment = min_edit_alignment(tokens[own_text], tokens[nearest_text])
    signs = StepSigns(REPLACED, ADDED, MISSING)
    return sort_marks(
        step_marks(alignment, own_text, spans[own_text], nearest_text, spans[nearest_text], nearest, signs)
    )


def _distance(tokens: Sequence[str], other_tokens: Sequence[str]) -> int:
    from rapidfuzz.distance import Levenshtein

    return int(Levenshtein.distance(tokens, other_tokens))


def describe_difference(mark: TextMark, names: Sequence[str]) -> str:
    """Describe a mark of a difference."""
    name = names[mark.text_indices[0]]
    if mark.sign is REPLACED:
        return tr("{name} has “{word}” instead", name=name, word=mark.other_words)
    if mark.sign is MISSING:
        return tr("{name} has “{words}” at this position", name=name, words=mark.other_words)
    return tr("no counterpart in {name}", name=name)


DIFFERENCE_STYLE = DiffStyle(
    "differences",
    tr("differences"),
    tr("Words that are different, additional or missing compared with the other text"),
    (REPLACED, ADDED, MISSING),
    difference_marks,
    describe_difference,
    ("chrF",),
)


SUBSTITUTED = MarkSign(MarkStyle.DASHED, tr("substituted"))
DELETED = MarkSign(MarkStyle.STRUCK, tr("deleted"))
INSERTED = MarkSign(MarkStyle.TICK, tr("inserted"))
SHIFTED = MarkSign(MarkStyle.WAVED, tr("shifted"))


def edit_marks(against: MarkingInput) -> TextMarks:
    """Mark the edits that turn a text into the compared text that needs the fewest edits (the first in a tie).

    Tokens are those of TER, case-insensitive and split as the settings of the metric specify. The result is empty
    without other texts, or if a text has more than `MAX_ALIGNED_TOKENS` tokens.
    """

    texts = (against.text, *against.other_texts)
    tokens, *tokenized = against.settings.ter_tokenizer(texts)
    if not tokenized or max(map(len, (tokens, *tokenized))) > MAX_ALIGNED_TOKENS:
        return ()
    alignments = [align_edits(tokens, compared) for compared in tokenized]
    best = min(range(len(alignments)), key=lambda number: alignments[number].edits)
    text, compared = against.text, against.other_texts[best]
    signs = StepSigns(SUBSTITUTED, DELETED, INSERTED, SHIFTED)
    text_spans, compared_spans = token_char_spans(text, tokens), token_char_spans(compared, tokenized[best])
    return sort_marks(step_marks(alignments[best], text, text_spans, compared, compared_spans, best, signs))


def describe_edit(mark: TextMark, names: Sequence[str]) -> str:
    """Describe an edit."""
    name = names[mark.text_indices[0]]
    if mark.sign is SUBSTITUTED:
        return tr("would be replaced by “{word}” from {name}", word=mark.other_words, name=name)
    if mark.sign is INSERTED:
        return tr("“{words}” from {name} would be inserted at this position", words=mark.other_words, name=name)
    if mark.sign is DELETED:
        return tr("would be deleted: no counterpart in {name}", name=name)
    if mark.other_position:
        return tr(
            "would be shifted from position {here} to match position {there} of {name}",
            here=mark.position,
            there=mark.other_position,
            name=name,
        )
    return tr("would be shifted from position {here}", here=mark.position)


EDIT_STYLE = DiffStyle(
    "edits",
    tr("edits and shifts"),
    tr("The edits that turn the text into the other text: substitutions, deletions, insertions and block shifts"),
    (SUBSTITUTED, DELETED, INSERTED, SHIFTED),
    edit_marks,
    describe_edit,
    ("TER", "WER", "PER"),
)
