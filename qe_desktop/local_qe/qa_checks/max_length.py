"""Check for targets that exceed the maximum length stated in the file.

The limits are those of `TargetRules`, in characters (code points) or bytes (UTF-8) of the text without inline codes. In
a unit with several segments, the limits apply to each segment.
"""

from __future__ import annotations

from collections.abc import Iterator

from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    if not pair.rules.is_length_allowed(pair.mt):
        yield _issue(pair)


def _issue(pair: SegmentPair) -> QaIssue:
    """Return an issue for the characters beyond the maximum length; its span is empty if all of them are blank."""
    limit, mt = pair.rules.max_length, pair.mt
    if limit and len(mt) > limit:
        start, length = limit, len(mt)
        reason = tr(
            "{length:,} {length:character|characters}, {n:,} more than the {limit:,} that the file allows",
            "", length - limit, length=length, limit=limit,
        )  # fmt: skip
    else:
        encoded, limit = mt.encode(), pair.rules.max_bytes
        start, length = len(encoded[:limit].decode("utf-8", "ignore")), len(encoded)
        reason = tr(
            "{length:,} {length:byte|bytes}, {n:,} more than the {limit:,} that the file allows",
            "", length - limit, length=length, limit=limit,
        )  # fmt: skip
    return QaIssue((start, len(mt) if mt[start:].strip(f" {LINE_BREAK}") else start), reason)


CHECK = Check.of_each(
    "length",
    tr("Maximum length"),
    tr("A target that is longer than the maximum length that the file states for it in characters or bytes."),
    _find,
)
