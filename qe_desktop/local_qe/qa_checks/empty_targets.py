"""Check for segments without a target, and for targets that are identical to their source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.foreign_scripts import has_foreign_letters
from qe_desktop.local_qe.qa_checks.text_shape import is_laid_out

_LOWER_CASE_WORD = re.compile(r"(?<!\S)[a-zà-öø-ÿͱ-ώа-џ]{2,}(?=[\s,.;:!?]|$)")
MIN_LOWER_CASE_WORDS = 3
"""Minimum number of lower-case words for a copied text to count as a sentence instead of a name or code."""


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    mt = pair.mt
    if not mt.strip():
        # a source without letters, such as a price, needs a target, too
        if pair.source.strip():
            yield QaIssue((0, 0), tr("the target is empty"))
    elif mt == pair.source and _is_copied_sentence(pair):
        yield QaIssue((0, len(mt)), tr("the target is the same as the source"))


def _is_copied_sentence(pair: SegmentPair) -> bool:
    """Whether a target that is equal to its source should have been translated.

    True if it has letters of a script that the target language does not use. Also true for a sentence: more than half
    of its words, and at least `MIN_LOWER_CASE_WORDS`, are in lower case, and it has no columns or line breaks
    (`is_laid_out`). Always false if source and target language are the same.
    """
    if pair.target_language and pair.source_language == pair.target_language:
        # a revision within one language
        return False
    if has_foreign_letters(pair.mt, pair.target_language):
        return True
    words = _LOWER_CASE_WORD.findall(pair.mt)
    return len(words) >= MIN_LOWER_CASE_WORDS and 2 * len(words) > len(pair.mt.split()) and not is_laid_out(pair.mt)


CHECK = Check.of_each(
    "empty",
    tr("Empty and copied targets"),
    tr(
        "A segment without a target, or with a copy of the source as its target. A copy is reported if it has letters "
        "of a script that the target language does not use. It is also reported if at least three of its words, and "
        "more than half, are in lower case."
    ),
    _find,
    empty_targets=True,
)
