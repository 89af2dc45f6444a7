"""Placeholders in texts: printf, Python, braces, shell variables and Qt, without knowledge of the program's language.

A percent sign after a digit, or before a space or a longer word, is part of a sentence: “50 % der”, “50% discount”.
Words of scripts without capitals may follow a directive, because some of these scripts have no spaces between words:
“第%d行”. Before other words, as in “%sAuthor”, a percent sign begins a directive only if the other text of the segment
has the same directive. `%%` is a literal percent sign of a format string. In Turkish and Basque, the percent sign
precedes the number: “%50 indirim” looks like an argument of Qt (`percentages`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from qe_desktop.corpus.text import Span
from qe_desktop.local_qe.qa_checks.text_shape import CASED_LETTERS

_NAME = r"[A-Za-z0-9_.\-\[\]:>#/@!]{1,80}"
_FLAGS = r"[-+#0']{0,5}(?:\*|\d{1,6})?(?:\.(?:\*|\d{1,6}))?(?:hh|h|ll|l|L|q|j|z|t)?"
_PATTERN = re.compile(
    # `%%` is matched first, so that its second sign does not begin a placeholder
    r"%%"
    rf"|\$\{{{_NAME}\}}"
    rf"|%\({_NAME}\)[-+#0]{{0,5}}\d{{0,6}}(?:\.\d{{1,6}})?[diouxXeEfFgGcrsa]"
    rf"|%\{{{_NAME}\}}"
    # Ruby, Boost
    rf"|%<[A-Za-z_]\w{{0,80}}>[-+#0]{{0,5}}\d{{0,6}}(?:\.\d{{1,6}})?[diouxXeEfgGcsaA](?![{CASED_LETTERS}])"
    r"|(?<!\d)%[1-9]\d?%(?!\d)|(?<!\d)%\|(?=[^|]*\d)[-+#0=_ ']{0,5}(?:\d{1,2}\$)?[-+#0=_ ']{0,5}\d{0,6}[A-Za-z]?\|"
    r"|\{\{[^{}]{1,80}\}\}"
    rf"|\{{(?=[^{{}}]{{0,20}}[A-Za-z0-9]){_NAME}\}}|\{{\}}"
    rf"|%(?P<number>[1-9]\d?)\$(?:{_FLAGS})(?P<numbered>[@diouxXeEfFgGcCsSpaA])"
    rf"|(?<!\d)%(?:{_FLAGS})(?P<plain>[@diouxXeEfFgGcCsSpaA])(?P<joined>[{CASED_LETTERS}])?"
    r"|(?<!\d)%L?[1-9]\d?(?![\d%$])"
    rf"|(?<!\d)%n(?![{CASED_LETTERS}])"
)
LITERAL_PERCENT = "%%"
_CLASSES = {
    **dict.fromkeys("di", "d"), **dict.fromkeys("ouxX", "u"), **dict.fromkeys("eEfFgGaA", "f"),
    **dict.fromkeys("cC", "c"), **dict.fromkeys("sS", "s"), "@": "@", "p": "p",
}  # fmt: skip
"""Types of arguments by conversion."""
_QT = re.compile(r"%([1-9]\d?)")
_PERCENTAGE = re.compile(
    r"(?<![\d%])(\d{1,6})(?:[.,]\d{1,6})?[\s\u00a0\u202f]?"
    r"(?:[%٪％]|per\s?cent|pro[csz]ent|pourcent|pour cent|por ?cien|por cento|per cento|процент|відсот)",
    re.IGNORECASE,
)


_DATE_DIRECTIVE = r"%[-_0^#EO]?[aAbBcCdDeFgGhHIjklmMnpPrRStTuUVwWxXyYzZ]"
_DATE_DIRECTIVES = re.compile(rf"(?P<date>(?<!\d){_DATE_DIRECTIVE})|%%|%")
_DATE_ONLY = re.compile(r"%[-_0^#EO]?[bBhHIjklMPrRTUVwWyYzZ]|%[de].?%m|%m.?%[de]")
"""Directives that only date formats have, and day and month next to each other."""


class Placeholder(NamedTuple):
    """Placeholder as written, its position, and for printf the number and type of its argument (else 0 and empty)."""

    text: str
    span: Span
    number: int = 0
    type: str = ""

    @property
    def is_directive(self) -> bool:
        """Whether this is a directive of printf or Python."""
        return self.number > 0 or self.text.startswith("%(")

    @property
    def is_date_directive(self) -> bool:
        """Whether this may be a directive of a date format."""
        return re.fullmatch(_DATE_DIRECTIVE, self.text) is not None

    @property
    def qt_number(self) -> int:
        """Number of an argument of Qt such as %1; 0 if this is another placeholder."""
        match = _QT.fullmatch(self.text)
        return 0 if match is None else int(match[1])


def may_have_placeholders(text: str) -> bool:
    """Whether a text has % or {, one of which every placeholder contains."""
    return "%" in text or "{" in text


def is_date_format(text: str) -> bool:
    """Whether a text is a date format of strftime: several directives, all valid in dates, at least one in dates only.

    >>> is_date_format("%Y-%m-%d %H:%M"), is_date_format("%d of %d"), is_date_format("%s on %Y-%m-%d")
    (True, False, False)
    """
    directives = [match for match in _DATE_DIRECTIVES.finditer(text) if match[0] != LITERAL_PERCENT]
    are_dates = len(directives) > 1 and all(match["date"] for match in directives)
    return are_dates and _DATE_ONLY.search(text) is not None


def percentages(text: str) -> set[int]:
    """Integer parts of the percentages in a text that have the percent sign or word after the number."""
    return {int(match[1]) for match in _PERCENTAGE.finditer(text)}


def find_placeholders(text: str, other: str = "") -> list[Placeholder]:
    """Placeholders of a text in their order; printf directives without a number are numbered.

    `other` is the other text of the segment.
    """
    placeholders: list[Placeholder] = []
    plain = 0
    other_directives: set[str] | None = None
    for match in _PATTERN.finditer(text):
        if match["plain"]:
            span = match.start(), match.end("plain")
            directive = text[slice(*span)]
            if match["joined"]:
                if other_directives is None:
                    other_directives = {other[found.start() : found.end("plain")] for found in _PATTERN.finditer(other)}
                if directive not in other_directives:
                    continue
            plain += 1
            placeholders.append(Placeholder(directive, span, plain, _CLASSES[match["plain"]]))
        elif match["numbered"]:
            number = int(match["number"])
            placeholders.append(Placeholder(match[0], match.span(), number, _CLASSES[match["numbered"]]))
        elif match[0] != LITERAL_PERCENT:
            placeholders.append(Placeholder(match[0], match.span()))
    return placeholders


def literal_percents(text: str) -> int:
    """Number of literal percent signs of a format string."""
    return sum(match[0] == LITERAL_PERCENT for match in _PATTERN.finditer(text))
