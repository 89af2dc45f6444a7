"""Check of the maximum length that the file states for a target.

The limit is that of `TargetRules`, in characters (code points) of the text without inline codes. In a unit with several
segments, it is a limit for each of them.
"""

from __future__ import annotations

from collections.abc import Iterator

from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, OtherSegments, QaIssue, SegmentPair, SegmentPairs


def _find(pairs: SegmentPairs) -> Iterator[tuple[int, QaIssue]]:
    for pair in pairs:
        if pair.rules.max_length and len(pair.mt) > pair.rules.max_length:
            yield pair.segment, _issue(pair)


def _issue(pair: SegmentPair) -> QaIssue:
    """Issue that marks the characters after the maximum length."""
    limit, mt = pair.rules.max_length, pair.mt
    reason = tr(
        "{length:,} {length:character|characters}, {n:,} more than the {limit:,} that the file allows",
        "",
        len(mt) - limit,
        length=len(mt),
        limit=limit,
    )
    return QaIssue((limit, len(mt) if mt[limit:].strip(f" {LINE_BREAK}") else limit), reason)


def _at(pair: SegmentPair, others: OtherSegments) -> Iterator[QaIssue]:
    return (issue for _, issue in _find([pair]))


CHECK = Check(
    "length",
    tr("Maximum length"),
    tr("A target that is longer than the maximum length that the file states for it in characters."),
    _find,
    _at,
)
