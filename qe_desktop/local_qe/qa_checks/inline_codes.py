"""Check for inline codes that are missing from the target, surplus, or in an invalid order.

Codes that are annotations, such as those that mark a term, may be in only one of the texts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair

_CODE = re.compile("⟨⟨|⟨(/?[0-9]{1,6}|[0-9]{1,6}/)⟩")


def _codes(line: str) -> list[tuple[str, int]]:
    """Codes of a line in order, each with its offset in the text without codes."""
    codes: list[tuple[str, int]] = []
    removed_chars = 0
    for code in _CODE.finditer(line):
        if code[1] is None:
            removed_chars += 1
        else:
            codes.append((code[0], code.start() - removed_chars))
            removed_chars += len(code[0])
    return codes


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    if "⟨" not in pair.source_line and "⟨" not in pair.mt_line:
        return
    source_codes, target_codes = [
        [(code, offset) for code, offset in _codes(line) if int(code[1:-1].strip("/")) not in pair.annotations]
        for line in (pair.source_line, pair.mt_line)
    ]
    unmatched_counts = Counter(code for code, _ in source_codes)
    matched: list[tuple[str, int]] = []
    for code, offset in target_codes:
        if unmatched_counts[code]:
            unmatched_counts[code] -= 1
            matched.append((code, offset))
        else:
            yield QaIssue(
                (offset, offset), tr("the code {code} is not in the source, or occurs there less often", code=code)
            )
    end = len(pair.mt)
    for code in unmatched_counts.elements():
        yield QaIssue((end, end), tr("the code {code} is missing from the target", code=code))
    yield from _order_issues(matched)


def _order_issues(codes: list[tuple[str, int]]) -> Iterator[QaIssue]:
    """Yield an issue for each closing code that precedes its opening code or ends a pair that overlaps another pair."""
    opened: list[str] = []
    numbers = {code[1:-1] for code, _ in codes}
    for code, offset in codes:
        number = code[1:-1]
        if number.endswith("/"):
            continue
        if not number.startswith("/"):
            opened.append(number)
        elif opened and opened[-1] == number[1:]:
            opened.pop()
        elif number[1:] in opened:
            opened.remove(number[1:])
            yield QaIssue((offset, offset), tr("the code {code} overlaps another code", code=code))
        elif number[1:] in numbers:
            yield QaIssue((offset, offset), tr("the closing code {code} does not close an open code", code=code))


CHECK = Check.of_each(
    "codes",
    tr("Inline codes"),
    tr("Inline codes that are missing, surplus, overlapping or closed before they are opened."),
    _find,
)
