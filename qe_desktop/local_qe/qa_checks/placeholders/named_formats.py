"""Parsers for format strings with names or braces: C#, Perl, Python and shell (as in `msgfmt --check`)."""

from __future__ import annotations

import re
from typing import NamedTuple

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.placeholders.format_syntax import (
    FormatSyntax,
    InvalidFormatError,
    name_difference,
    sequence_difference,
)

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
    # a plural form for only a few numbers may lack arguments
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


_PARENTHESIS = re.compile(r"[()]")
_DIRECTIVE_REST = re.compile(
    r"[\-+ #0]*+(?:(?P<width>\*)|[0-9]++)?+(?:\.(?:(?P<precision>\*)|(?P<digits>[0-9]*+)))?+[hlL]?+(?P<conversion>.?)",
    re.DOTALL,
)
_PYTHON_KINDS = {
    "%": "", "c": "character", "s": "string", "r": "string", **dict.fromkeys("idouxX", "integer"),
    **dict.fromkeys("eEfgG", "float"),
}  # fmt: skip
_ANY = "any"
"""Type of a string argument with precision 0, which accepts any value."""
_FIELD_NAME = r"(?:[A-Za-z_][A-Za-z0-9_]*+|[0-9]++)"
_FIELD = rf"{_FIELD_NAME}(?:\.[A-Za-z_][A-Za-z0-9_]*+|\[{_FIELD_NAME}\])*+"
_SPECIFICATION = (
    r"(?:[\x01-\x7f][<>=^]|[<>=^])?+[+\- ]?+#?+0?+[0-9]*+(?:\.[0-9]*+)?+[bcdoxXneEfFgG%]?+"
)  # fmt: skip
_REPLACEMENT_FIELD = re.compile(rf"\{{({_FIELD}(?::(?:\{{{_FIELD}\}}|\{{\{{|{_SPECIFICATION}))?+)\}}")
_OPENING_BRACE = re.compile(r"\{\{|\{")


class PythonArguments(NamedTuple):
    """Types of the arguments of a format string: `named` by name, `unnamed` in order; at least one of them is empty."""

    named: dict[str, str]
    unnamed: tuple[str, ...]


def parse_python_format(text: str, translated: bool) -> PythonArguments:
    """Arguments of a Python format string. Raises InvalidFormatError if it is invalid."""
    named: dict[str, str] = {}
    unnamed: list[str] = []
    start = text.find("%")
    while start >= 0:
        name, position = _python_name(text, start + 1)
        match = _DIRECTIVE_REST.match(text, position)
        assert match is not None
        kind = _python_kind(text[start : match.end()], match)
        unnamed += ["integer" for part in ("width", "precision") if match[part]]
        if name is not None:
            named[name] = _common_type(name, named.get(name, kind), kind)
        elif kind:
            unnamed.append(kind)
        if named and unnamed:
            raise InvalidFormatError(tr("arguments with and without names are mixed"))
        start = text.find("%", match.end())
    return PythonArguments(named, tuple(unnamed))


def _python_name(text: str, start: int) -> tuple[str | None, int]:
    """Name in balanced parentheses at `start` and the position after them; None and `start` if there are none.

    Raises InvalidFormatError if a parenthesis is not closed.
    """
    if not text.startswith("(", start):
        return None, start
    depth = 0
    for match in _PARENTHESIS.finditer(text, start):
        depth += 1 if match[0] == "(" else -1
        if depth == 0:
            return text[start + 1 : match.start()], match.end()
    raise InvalidFormatError(tr("a parenthesis is not closed"))


def _python_kind(directive: str, match: re.Match[str]) -> str:
    kind = _PYTHON_KINDS.get(match["conversion"])
    if kind is None:
        raise InvalidFormatError.of_conversion(directive, match["conversion"])
    digits = match["digits"]
    return _ANY if kind == "string" and digits and not digits.strip("0") else kind


def _common_type(name: str, earlier_kind: str, kind: str) -> str:
    """Type of an argument that occurs several times; `any` matches all types.

    Raises InvalidFormatError if the types differ.
    """
    if kind in (earlier_kind, _ANY):
        return earlier_kind
    if earlier_kind == _ANY:
        return kind
    raise InvalidFormatError(tr("the argument “{name}” has several types", name=name))


def _python_difference(expected: PythonArguments, actual: PythonArguments, may_omit: bool) -> str:
    if (expected.named and actual.unnamed) or (expected.unnamed and actual.named):
        return tr("only one of source and target has named arguments")
    if may_omit:
        expected, actual = _replace_any_types(expected, actual)
    names = name_difference(expected.named, actual.named, may_omit)
    # the % operator accepts only the exact number of arguments without names
    return names or sequence_difference(expected.unnamed, actual.unnamed, False)


def _replace_any_types(expected: PythonArguments, actual: PythonArguments) -> tuple[PythonArguments, PythonArguments]:
    """Return the arguments of both texts, with each type `any` replaced by the argument's type in the other text."""
    named = {name: actual.named.get(name, kind) if kind == _ANY else kind for name, kind in expected.named.items()}
    actual_named = {name: named.get(name, kind) if kind == _ANY else kind for name, kind in actual.named.items()}
    if len(expected.unnamed) != len(actual.unnamed):
        return expected._replace(named=named), actual._replace(named=actual_named)
    pairs = zip(expected.unnamed, actual.unnamed, strict=True)
    resolved = [
        (target, target) if source == _ANY else (source, source if target == _ANY else target)
        for source, target in pairs
    ]
    return (
        PythonArguments(named, tuple(source for source, _ in resolved)),
        PythonArguments(actual_named, tuple(target for _, target in resolved)),
    )


def parse_python_brace_format(text: str, translated: bool) -> dict[str, str]:
    """Fields of a brace format string with their format specifications, as keys with empty values.

    `name_difference` can then compare the fields like named arguments. Raises InvalidFormatError if the string is
    invalid.
    """
    fields: dict[str, str] = {}
    position = 0
    while (brace := _OPENING_BRACE.search(text, position)) is not None:
        position = brace.end()
        if len(brace[0]) == 2:
            continue
        match = _REPLACEMENT_FIELD.match(text, brace.start())
        if match is None:
            excerpt = text[brace.start() : brace.start() + MAX_EXCERPT_CHARS]
            raise InvalidFormatError(tr("“{text}” does not begin with a valid field in braces", text=excerpt))
        fields[match[1]] = ""
        position = match.end()
    return fields


PYTHON_SYNTAX = FormatSyntax("python-format", "Python", parse_python_format, _python_difference)
PYTHON_BRACE_SYNTAX = FormatSyntax("python-brace-format", "Python", parse_python_brace_format, name_difference)


_VARIABLE = re.compile(r"\$(?:([A-Za-z_][A-Za-z0-9_]*+)|\{([A-Za-z_][A-Za-z0-9_]*+)\})?")


def parse_sh_format(text: str, translated: bool) -> dict[str, str]:
    """Variables of a shell format string, as keys with empty values.

    Raises InvalidFormatError if the string is invalid.
    """
    variables: dict[str, str] = {}
    for match in _VARIABLE.finditer(text):
        if match[0] == "$":
            excerpt = text[match.start() : match.start() + MAX_EXCERPT_CHARS]
            raise InvalidFormatError(tr("the $ in “{text}” is not followed by a variable name", text=excerpt))
        variables[match[1] or match[2]] = ""
    return variables


SH_SYNTAX = FormatSyntax("sh-format", "shell", parse_sh_format, name_difference)
