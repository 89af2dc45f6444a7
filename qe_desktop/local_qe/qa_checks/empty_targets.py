"""Check for segments without a target, and for a target that is a copy of a whole sentence of the source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair

_LETTER = re.compile(r"[^\W\d_]")
_LOWER_CASE_WORD = re.compile(r"(?<!\S)[a-zà-öø-ÿͱ-ώа-џ]{2,}(?=[\s,.;:!?]|$)")
MIN_WORDS = 3
"""Minimum number of words in lower case for a copy to be a sentence, not a name or code."""


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    mt = pair.mt
    if not mt.strip():
        if _LETTER.search(pair.source):
            yield QaIssue((0, 0), tr("the target is empty"))
    elif mt == pair.source and (not pair.language or pair.source_language != pair.language):
        words = _LOWER_CASE_WORD.findall(mt)
        # options and tables of codes have several spaces in a row
        if len(words) >= MIN_WORDS and 2 * len(words) > len(mt.split()) and "  " not in mt:
            yield QaIssue((0, len(mt)), tr("the target is the same as the source"))


CHECK = Check.of_each(
    "empty",
    tr("Empty and copied targets"),
    tr("A segment without a target, or with a target that is a copy of a source of at least three words."),
    _find,
    empty_targets=True,
)
