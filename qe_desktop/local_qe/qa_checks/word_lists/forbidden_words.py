"""Check for words in targets that are on the user's list of forbidden words."""

from __future__ import annotations

from collections.abc import Iterator

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.word_lists.word_lists import NO_WORD_LISTS, PhraseIndex, WordLists


def forbidden_words_check(lists: WordLists) -> Check:
    """Return the check for the forbidden words in `lists`; it finds nothing if there are none."""
    index = PhraseIndex(lists.forbidden)

    def issues(pair: SegmentPair) -> Iterator[QaIssue]:
        for match in index.find(pair.mt):
            yield QaIssue(match.span, tr("“{word}” is a forbidden word", word=lists.forbidden[match.entry]))

    return Check.of_each(
        "forbidden",
        tr("Forbidden words"),
        tr("Words and phrases from your list of forbidden words. Case is ignored, except for entries in capitals."),
        issues,
        configure=forbidden_words_check,
    )


CHECK = forbidden_words_check(NO_WORD_LISTS)
