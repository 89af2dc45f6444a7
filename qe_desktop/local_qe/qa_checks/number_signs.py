"""Check for minus signs that a number has in only one of source and target: -5 °C and 5 °C."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.number_parsing import ParsedNumber
from qe_desktop.local_qe.segment_text import Span

_MARKS = "\u200e\u200f\u061c\u2066-\u2069"
_MINUS = re.compile(rf"(?:^|(?<=[\s(\[=:,;\"'“„«{_MARKS}]))(?<!\d\s)[-−][{_MARKS}]?(?=\d)")
"""Pattern of a minus sign; hyphens, and dashes in ranges, do not match."""
_ANY_MINUS_BEFORE, _ANY_MINUS_AFTER = re.compile(rf"[-−–‐‑－][{_MARKS}\s]?$"), re.compile(rf"[{_MARKS}]?[-−–]")
_WORD = re.compile(
    "minus|negativ|negatív|moins|menos|meno|mínus|минус|мінус|miinus|mínusz|eksi|âm|below|unter|零下|负|負|マイナス|영하|마이너스"
    "|ناقص|منفی|سالب|תחת|מינוס|ऋण|शून्य से नीचे|ลบ",
    re.IGNORECASE,
)
"""Pattern of words that stand for a minus sign."""


def has_minus(text: str) -> bool:
    """Whether any number in a text has a minus sign."""
    return _MINUS.search(text) is not None


def sign_issues(
    pair: SegmentPair, matched: Mapping[int, int], source: tuple[ParsedNumber, ...], mt: tuple[ParsedNumber, ...]
) -> Iterator[QaIssue]:
    """Issues in pairs of matched numbers of which only one has a minus sign; `matched` maps MT to source indices."""
    in_source, in_mt = [{match.end() for match in _MINUS.finditer(text)} for text in (pair.source, pair.mt)]
    if _WORD.search(pair.mt if in_source else pair.source):
        return
    for mt_index, source_index in matched.items():
        span, source_span = mt[mt_index].span, source[source_index].span
        if source_span[0] in in_source and not _has_sign(pair.mt, span):
            yield QaIssue(span, tr("the minus sign of {number} is missing", number=pair.source[slice(*source_span)]))
        elif span[0] in in_mt and not _has_sign(pair.source, source_span):
            yield QaIssue((span[0] - 1, span[1]), tr("this number has no minus sign in the source"))


def _has_sign(text: str, number: Span) -> bool:
    """Whether a number may have a sign: any dash before it or, as in right-to-left text, after it."""
    before = text[max(0, number[0] - 2) : number[0]]
    after = text[number[1] : number[1] + 2]
    return bool(_ANY_MINUS_BEFORE.search(before) or _ANY_MINUS_AFTER.match(after))
