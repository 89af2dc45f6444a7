"""Parsers for C# format strings and Perl brace format strings: arguments, as in `msgfmt --check`."""

from __future__ import annotations

import re

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.gettext.format_syntax import FormatSyntax, InvalidFormatError, name_difference

MAX_EXCERPT_CHARS = 20
"""Maximum number of characters of an invalid directive in a message."""
_BRACE = re.compile(r"\{\{|\}\}|[{}]")
_CSHARP = re.compile(r"\{(?P<number>[0-9]++)(?:,-?+[0-9]++)?+(?::[^}]*+)?+\}")
_PERL = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*+)\}")


def parse_csharp_format(text: str, translated: bool) -> int:
    """Number of arguments that a C# format string needs: its highest argument number plus 1, or 0 without arguments.

    Raises InvalidFormatError if the string is invalid.
    """
    count = position = 0
    while (brace := _BRACE.search(text, position)) is not None:
        position = brace.end()
        if len(brace[0]) == 2:
            continue
        match = _CSHARP.match(text, brace.start())
        if match is None:
            excerpt = text[brace.start() : brace.start() + MAX_EXCERPT_CHARS]
            raise InvalidFormatError(
                tr("“{text}” does not begin with an argument number in braces", text=excerpt)
                if brace[0] == "{"
                else tr("a closing brace has no opening brace")
            )
        count = max(count, int(match["number"][-MAX_EXCERPT_CHARS:]) + 1)
        position = match.end()
    return count


def _csharp_difference(expected: int, actual: int, may_omit: bool) -> str:
    # a form that applies to few numbers may lack arguments
    if actual == expected or (may_omit and actual < expected):
        return ""
    return tr(
        "the source needs {n:,} format {n:argument|arguments}, but the target needs {count:,}", "", expected,
        count=actual,
    )  # fmt: skip


def parse_perl_format(text: str, translated: bool) -> dict[str, str]:
    """Names in braces in a Perl format string, as keys with empty values; braces around anything else are literal."""
    return dict.fromkeys(_PERL.findall(text), "")


def _perl_difference(expected: dict[str, str], actual: dict[str, str], may_omit: bool) -> str:
    # names that the program does not know remain in the text
    known = {name: kind for name, kind in actual.items() if name in expected}
    return name_difference(expected, known, may_omit)


CSHARP_SYNTAX = FormatSyntax("csharp-format", "C#", parse_csharp_format, _csharp_difference)
PERL_SYNTAX = FormatSyntax("perl-brace-format", "Perl", parse_perl_format, _perl_difference)
