"""Placeholders in texts: printf, Python, braces, shell variables and Qt, without knowledge of the program's language.

A percent sign after a digit, or before a space or a longer word, is part of a sentence: “50 % der”, “50% discount”.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from qe_desktop.local_qe.segment_text import Span

_NAME = r"[A-Za-z0-9_.\-\[\]:>#/@!]{1,80}"
_FLAGS = r"[-+#0']{0,5}(?:\*|\d{1,6})?(?:\.(?:\*|\d{1,6}))?(?:hh|h|ll|l|L|q|j|z|t)?"
_PATTERN = re.compile(
    rf"\$\{{{_NAME}\}}"
    rf"|%\({_NAME}\)[-+ #0]{{0,5}}\d{{0,6}}(?:\.\d{{1,6}})?[diouxXeEfFgGcrsa]"
    rf"|%\{{{_NAME}\}}"
    r"|\{\{[^{}]{1,80}\}\}"
    rf"|\{{(?=[^{{}}]{{0,20}}[A-Za-z0-9]){_NAME}\}}|\{{\}}"
    rf"|%(?P<number>[1-9]\d?)\$(?:{_FLAGS})(?P<numbered>[@diouxXeEfFgGcCsSpaA])"
    rf"|(?<![\d%])%(?:{_FLAGS})(?P<plain>[@diouxXeEfFgGcCsSpaA])(?![^\W\d_])"
    r"|(?<![\d%])%L?[1-9]\d?(?![\d%$])"
    r"|(?<![\d%])%n(?![^\W\d_])"
)
_CLASSES = {
    **dict.fromkeys("di", "d"), **dict.fromkeys("ouxX", "u"), **dict.fromkeys("eEfFgGaA", "f"),
    **dict.fromkeys("cC", "c"), **dict.fromkeys("sS", "s"), "@": "@", "p": "p",
}  # fmt: skip
"""Types of arguments by conversion."""


class Placeholder(NamedTuple):
    """Placeholder as written, its position, and for printf the number and type of its argument (else 0 and empty)."""

    text: str
    span: Span
    number: int = 0
    type: str = ""


def may_have_placeholders(text: str) -> bool:
    """Whether a text has a character that begins a placeholder."""
    return "%" in text or "{" in text


def find_placeholders(text: str) -> list[Placeholder]:
    """Placeholders of a text in their order; printf directives without a number are numbered."""
    placeholders: list[Placeholder] = []
    plain = 0
    for match in _PATTERN.finditer(text):
        if match["plain"]:
            plain += 1
            placeholders.append(Placeholder(match[0], match.span(), plain, _CLASSES[match["plain"]]))
        elif match["numbered"]:
            number = int(match["number"])
            placeholders.append(Placeholder(match[0], match.span(), number, _CLASSES[match["numbered"]]))
        else:
            placeholders.append(Placeholder(match[0], match.span()))
    return placeholders
