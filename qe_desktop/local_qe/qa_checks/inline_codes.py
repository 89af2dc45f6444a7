"""Inline codes that are missing in the target, surplus, or in invalid order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair

_CODE = re.compile("⟨⟨|⟨(/?[0-9]{1,6}|[0-9]{1,6}/)⟩")


def _codes(line: str) -> list[tuple[str, int]]:
    """Codes of a line in order, and their offsets in the text without codes."""
    codes: list[tuple[str, int]] = []
    taken = 0
    for code in _CODE.finditer(line):
        if code[1] is None:
            taken += 1
        else:
            codes.append((code[0], code.start() - taken))
            taken += len(code[0])
    return codes


def _number(code: str) -> str:
    return code[1:-1].strip("/")


def _without_marks(codes: list[tuple[str, int]], known: set[str]) -> list[tuple[str, int]]:
    """Codes of a target except for pairs whose number the source lacks (not `known`): these mark words or issues."""
    kinds: dict[str, set[str]] = {}
    for code, _ in codes:
        kinds.setdefault(_number(code), set()).add(code)
    marks = {
        number for number, forms in kinds.items() if number not in known and forms == {f"⟨{number}⟩", f"⟨/{number}⟩"}
    }
    return [(code, place) for code, place in codes if _number(code) not in marks]


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    if "⟨" not in pair.source_line and "⟨" not in pair.mt_line:
        return
    must = _codes(pair.source_line)
    have = _without_marks(_codes(pair.mt_line), {_number(code) for code, _ in must})
    left = Counter(code for code, _ in must)
    known: list[tuple[str, int]] = []
    for code, place in have:
        if left[code]:
            left[code] -= 1
            known.append((code, place))
        else:
            yield QaIssue(
                (place, place), tr("the code {code} is not in the source, or occurs there less often", code=code)
            )
    end = len(pair.mt)
    for code in left.elements():
        yield QaIssue((end, end), tr("the code {code} of the source is missing", code=code))
    yield from _disorder(known)


def _disorder(codes: list[tuple[str, int]]) -> Iterator[QaIssue]:
    """Closing codes that precede their opening code or overlap another pair."""
    opened: list[str] = []
    numbers = {code[1:-1] for code, _ in codes}
    for code, place in codes:
        number = code[1:-1]
        if number.endswith("/"):
            continue
        if not number.startswith("/"):
            opened.append(number)
        elif opened and opened[-1] == number[1:]:
            opened.pop()
        elif number[1:] in opened:
            opened.remove(number[1:])
            yield QaIssue((place, place), tr("the code {code} overlaps another code", code=code))
        elif number[1:] in numbers:
            yield QaIssue((place, place), tr("the code {code} is closed before it is opened", code=code))


CHECK = Check.of_each(
    "codes",
    tr("Inline codes"),
    tr("Missing or surplus inline codes, and codes that overlap."),
    _find,
)
