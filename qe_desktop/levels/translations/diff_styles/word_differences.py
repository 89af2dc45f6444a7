"""Word differences between two texts: the fewest word edits, in order."""

from __future__ import annotations

from collections.abc import Sequence

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

REPLACED = MarkSign(MarkStyle.DASHED, tr("other word"))
ADDED = MarkSign(MarkStyle.DOUBLE, tr("only here"))
MISSING = MarkSign(MarkStyle.TICK, tr("not here"))


def difference_marks(against: MarkingInput) -> TextMarks:
    """Mark the words that differ from the nearest compared text, and the positions of missing words.

    The comparison is case-sensitive. Words are split as a reader sees them, not as by a metric.
    """
    from qe_desktop.levels.translations.diff_styles.min_edit_alignment import min_edit_alignment

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
    return tr("not in {name}", name=name)


DIFFERENCE_STYLE = DiffStyle(
    "differences",
    tr("differences"),
    tr("Words that are different, additional or missing compared with the other text"),
    (REPLACED, ADDED, MISSING),
    difference_marks,
    describe_difference,
    ("chrF",),
)
