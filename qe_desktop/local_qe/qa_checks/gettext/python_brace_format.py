"""Format strings of Python's `str.format`: fields of a text, as `msgfmt --check` sees them (python-brace-format)."""

from __future__ import annotations

import re

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.gettext.format_syntax import FormatSyntax, InvalidFormatError, name_difference

_NAME = r"(?:[A-Za-z_][A-Za-z0-9_]*+|[0-9]++)"
_FIELD = rf"{_NAME}(?:\.[A-Za-z_][A-Za-z0-9_]*+|\[{_NAME}\])*+"
_SPECIFICATION = (
    r"(?:[\x01-\x7f][<>=^]|[<>=^])?+[+\- ]?+#?+0?+[0-9]*+(?:\.[0-9]*+)?+[bcdoxXneEfFgG%]?+"
)  # fmt: skip
_DIRECTIVE = re.compile(rf"\{{({_FIELD}(?::(?:\{{{_FIELD}\}}|\{{\{{|{_SPECIFICATION}))?+)\}}")
_BRACE = re.compile(r"\{\{|\{")


def parse_brace_format(text: str, translated: bool) -> dict[str, str]:
    """Fields of a brace format string, with their specifications. Raises InvalidFormatError if it is invalid.

    The fields are keys, so that they can be compared like arguments with names; all values are empty.
    """
    fields: dict[str, str] = {}
    position = 0
    while (brace := _BRACE.search(text, position)) is not None:
        position = brace.end()
        if len(brace[0]) == 2:
            continue
        match = _DIRECTIVE.match(text, brace.start())
        if match is None:
            shown = text[brace.start() : brace.start() + 20]
            raise InvalidFormatError(tr("“{text}” does not begin with a field in braces", text=shown))
        fields[match[1]] = ""
        position = match.end()
    return fields


SYNTAX = FormatSyntax("python-brace-format", "Python", parse_brace_format, name_difference)
