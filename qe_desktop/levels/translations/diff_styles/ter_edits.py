"""TER edits: words inserted, deleted or substituted, and blocks shifted (Snover et al. 2006)."""

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
    sort_marks,
    step_marks,
)
from qe_desktop.levels.translations.diff_styles.token_spans import token_char_spans

SUBSTITUTED = MarkSign(MarkStyle.DASHED, tr("substituted"))
DELETED = MarkSign(MarkStyle.STRUCK, tr("deleted"))
INSERTED = MarkSign(MarkStyle.TICK, tr("inserted"))
SHIFTED = MarkSign(MarkStyle.WAVED, tr("shifted"))


def edit_marks(against: MarkingInput) -> TextMarks:
    """Mark the edits that turn a text into the compared text that needs the fewest edits (the first in a tie).

    Tokens are those of TER, case-insensitive and split as the settings of the metric specify. The result is empty
    without other texts, or if a text has more than `MAX_ALIGNED_TOKENS` tokens.
    """
    from qe_desktop.metrics.ter.ter_alignment import align_edits

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
