"""Word differences between two texts: the fewest word edits, in order.

Several alignments may have the fewest edits (Levenshtein 1966). Among them, the one with the fewest substitutions is
used: it matches the most words, which avoids marking the same word on both sides.
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
    sort_marks,
    step_marks,
)
from qe_desktop.levels.translations.diff_styles.token_spans import paired_words
from qe_desktop.metrics.ter.ter_alignment import EditAlignment, EditStep


def min_edit_alignment(ours: Sequence[str], theirs: Sequence[str]) -> EditAlignment:
    """Align the tokens of two texts with the fewest edits, without shifts; case-sensitive.

    Of these alignments, it is one with the fewest substitutions. In the result, `ours` is the MT and `theirs` the
    post-edit.
    """
    codes = {token: code for code, token in enumerate(dict.fromkeys((*ours, *theirs)))}
    our_codes, their_codes = (np.array([codes[token] for token in side], np.int64) for side in (ours, theirs))
    return EditAlignment(tuple(_steps(_table(our_codes, their_codes), our_codes, their_codes)), ())


def _edit(ours: Ints, theirs: Ints) -> int:
    """Return the cost of an edit. A substitution costs 1 more; all such surcharges together cost less than one edit."""
    return len(ours) + len(theirs) + 1


def _table(ours: Ints, theirs: Ints) -> Ints:
    """Return minimum costs of aligning the first i with the first j tokens, shape (i + 1, j + 1)."""
    edit = _edit(ours, theirs)
    along = np.arange(len(theirs) + 1) * edit
    table = np.empty((len(ours) + 1, len(theirs) + 1), np.int64)
    table[0] = along
    for row, token in enumerate(ours, 1):
        above = table[row - 1]
        best = above + edit
        best[1:] = np.minimum(best[1:], above[:-1] + np.where(theirs == token, 0, edit + 1))
        # moving along the row costs one edit per step
        table[row] = np.minimum.accumulate(best - along) + along
    return table


def _steps(table: Ints, ours: Ints, theirs: Ints) -> list[EditStep]:
    edit = _edit(ours, theirs)
    row, column = len(ours), len(theirs)
    steps: list[EditStep] = []
    while row or column:
        cost = table[row, column]
        if row and column:
            same = ours[row - 1] == theirs[column - 1]
            if cost == table[row - 1, column - 1] + (0 if same else edit + 1):
                row, column = row - 1, column - 1
                steps.append(EditStep("match" if same else "substitution", row, column, False))
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

    The comparison is case-sensitive. Words are split as a reader sees them, not as a metric tokenizes them. The result
    is empty without other texts, or if a text has more than `MAX_ALIGNED_TOKENS` words.
    """

    texts = (against.text, *against.others)
    spans = dict(zip(texts, paired_words(texts), strict=True))
    if not against.others or max(map(len, spans.values())) > MAX_ALIGNED_TOKENS:
        return ()
    tokens = {text: [text[start:end] for start, end in alignment] for text, alignment in spans.items()}
    nearest = nearest_text_index(
        lambda own_text, nearest_text: _distance(tokens[own_text], tokens[nearest_text]), against
    )
    own_text, nearest_text = against.text, against.others[nearest]
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
    name = names[mark.texts[0]]
    if mark.sign is REPLACED:
        return tr("{name} has “{word}” instead", name=name, word=mark.other)
    if mark.sign is MISSING:
        return tr("{name} has “{words}” at this position", name=name, words=mark.other)
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
