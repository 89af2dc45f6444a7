"""Parsers for format strings as in printf: C, Boost, PHP, JavaScript, Lua, Object Pascal (as in `msgfmt --check`)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.placeholders.format_syntax import (
    FormatSyntax,
    InvalidFormatError,
    name_difference,
    sequence_difference,
)

_C = re.compile(
    r"%(?:(?P<number>[0-9]++)\$)?+(?P<flags>[ +\-#0'I]*+)"
    r"(?:(?P<width>\*)(?:(?P<width_number>[0-9]++)\$)?+|[0-9]++)?+"
    r"(?:\.(?:(?P<precision>\*)(?:(?P<precision_number>[0-9]++)\$)?+|[0-9]*+))?+"
    r"(?:<PRI(?P<macro>[diuoxX])(?P<macro_size>MAX|PTR|(?:LEAST|FAST)?(?:8|16|32|64))>"
    r"|(?P<size>[hlLqjzZt]*+)(?P<conversion>.?))",
    re.DOTALL,
)
_C_KINDS = {
    "c": "character", "C": "wide character", "s": "string", "S": "wide string", "p": "pointer", "n": "count",
    **dict.fromkeys("di", "integer"), **dict.fromkeys("uoxX", "unsigned"), **dict.fromkeys("eEfFgGaA", "float"),
}  # fmt: skip
"""Types of arguments by conversion; `%%` and `%m` have none."""
_C_SIZED = frozenset(("integer", "unsigned", "count"))
_C_SIZES = {"L": "long long", "q": "long long", "j": "intmax", "z": "size", "Z": "size", "t": "ptrdiff"}


def parse_c_format(text: str, translated: bool) -> tuple[str, ...]:
    """Types of the arguments of a C format string, in order. Raises InvalidFormatError if the string is invalid."""
    unnumbered: list[str] = []
    numbered: dict[int, str] = {}
    for match in _C.finditer(text):
        if "I" in match["flags"] and not translated:
            raise InvalidFormatError.of_conversion(match[0], "I")
        for number, kind in _c_arguments(match):
            if number is None:
                unnumbered.append(kind)
            elif int(number) == 0:
                raise InvalidFormatError(tr("“{directive}” has the argument number 0", directive=match[0]))
            elif numbered.setdefault(int(number), kind) != kind:
                raise InvalidFormatError(tr("argument {number} has several types", number=number))
    if unnumbered and numbered:
        raise InvalidFormatError(tr("arguments with and without numbers are mixed"))
    missing = next((number for number in range(1, len(numbered) + 1) if number not in numbered), 0)
    if missing:
        raise InvalidFormatError(tr("argument {number} is not used, but later ones are", number=missing))
    return tuple(unnumbered) if unnumbered else tuple(numbered[number] for number in sorted(numbered))


def _c_arguments(match: re.Match[str]) -> list[tuple[str | None, str]]:
    """Number (None if it has none) and type of each argument of a directive, in the order width, precision, value.

    Raises InvalidFormatError if the directive is invalid.
    """
    arguments = [(match[f"{part}_number"], "integer") for part in ("width", "precision") if match[part]]
    kind = _c_kind(match)
    return [*arguments, (match["number"], kind)] if kind else arguments


def _c_kind(match: re.Match[str]) -> str:
    """Type of the value of a directive; empty for `%%` and `%m`. Raises InvalidFormatError for an invalid directive."""
    if match["macro"]:
        return f"{_C_KINDS[match['macro']]} {match['macro_size']}"
    conversion = match["conversion"]
    if conversion in ("%", "m"):
        return ""
    kind = _C_KINDS.get(conversion)
    if kind is None:
        raise InvalidFormatError.of_conversion(match[0], conversion)
    size = _c_size(match["size"])
    if kind in _C_SIZED:
        return f"{kind} {size}".rstrip()
    if kind in ("character", "string"):
        return f"wide {kind}" if size in ("long", "long long") else kind
    return f"{kind} {size}" if kind == "float" and size == "long long" else kind


def _c_size(letters: str) -> str:
    size = ""
    for letter in letters:
        if letter == "h":
            size = "char" if size in ("short", "char") else "short"
        elif letter == "l":
            size = "long long" if size in ("long", "long long") else "long"
        else:
            size = _C_SIZES[letter]
    return size


C_SYNTAX = FormatSyntax("c-format", "C", parse_c_format, sequence_difference)


_BOOST = re.compile(
    r"%(?:(?P<plain>[0-9]++)%|(?P<bar>\|)?+(?:(?P<number>[0-9]++)\$)?+[ +\-#0'=_]*+"
    r"(?:(?P<width>\*)(?:(?P<width_number>[0-9]++)\$)?+|[0-9]++)?+"
    r"(?:\.(?:(?P<precision>\*)(?:(?P<precision_number>[0-9]++)\$)?+|[0-9]*+))?+"
    r"[hlL]*+(?P<conversion>(?(bar)(?:T[^\n]|[^T|])?\||.?)))",
    re.DOTALL,
)
_ANY = "any"
_BOOST_KINDS = {
    **dict.fromkeys("sS", _ANY), **dict.fromkeys("diouxX", "integer"), **dict.fromkeys("eEfgG", "float"),
    **dict.fromkeys("cC", "character"), "p": "pointer", "n": "", "t": "", "T": "",
}  # fmt: skip
"""Argument types by conversion; conversions for line breaks and tabs take no argument."""


def parse_boost_format(text: str, translated: bool) -> dict[str, str]:
    """Argument types of a Boost format string, by number. Raises InvalidFormatError for an invalid format string."""
    kinds: dict[str, str] = {}
    unnumbered, is_numbered = 0, False
    position = text.find("%")
    while position >= 0:
        match = _BOOST.match(text, position)
        if match is None:
            raise InvalidFormatError.of_conversion(text[position : position + 20], "")
        for number, kind in _boost_arguments(match):
            if number is None:
                unnumbered += 1
            elif int(number) == 0:
                raise InvalidFormatError(tr("“{directive}” has the argument number 0", directive=match[0]))
            else:
                is_numbered = True
            name = str(unnumbered if number is None else int(number))
            earlier_kind = kinds.get(name, _ANY)
            kinds[name] = earlier_kind if kind == _ANY else kind
            if _ANY not in (kind, earlier_kind) and kind != earlier_kind:
                raise InvalidFormatError(tr("argument {number} has several types", number=name))
        position = text.find("%", match.end())
    if unnumbered and is_numbered:
        raise InvalidFormatError(tr("arguments with and without numbers are mixed"))
    return kinds


def _boost_arguments(match: re.Match[str]) -> list[tuple[str | None, str]]:
    """Numbers (None if not numbered) and types of the arguments of a directive: width, precision, value.

    Raises InvalidFormatError if the directive is invalid.
    """
    if match["plain"]:
        return [(match["plain"], _ANY)]
    arguments = [(match[f"{part}_number"], "integer") for part in ("width", "precision") if match[part]]
    conversion = match["conversion"].removesuffix("|") if match["bar"] else match["conversion"]
    if conversion == "%" and match[0] == "%%":
        return []
    if match["bar"] and not conversion:
        return [*arguments, (match["number"], _ANY)]
    kind = _BOOST_KINDS.get(conversion[:1])
    if kind is None or (conversion == "T" and not match["bar"]):
        raise InvalidFormatError.of_conversion(match[0], conversion)
    return [*arguments, (match["number"], kind)] if kind else arguments


BOOST_SYNTAX = FormatSyntax("boost-format", "Boost", parse_boost_format, name_difference)


_INTEGER_KINDS = dict.fromkeys("bdoxX", "integer")
_PHP = re.compile(
    r"%(?:%|(?:(?P<number>[0-9]++)\$)?+(?:[\- 0]|'[^\n])*+[0-9]*+(?:\.[0-9]++)?+l?+(?P<conversion>.?))", re.DOTALL
)
_PHP_KINDS = {**_INTEGER_KINDS, **dict.fromkeys("ef", "float"), "u": "integer", "c": "character", "s": "string"}
_JSON = "JSON"
_JAVASCRIPT = re.compile(
    r"%(?:(?P<number>[0-9]++)\$)?+[\-+ 0I]*+[0-9]*+(?:\.[0-9]*+)?+(?P<conversion>.?)", re.DOTALL
)  # fmt: skip
_JAVASCRIPT_KINDS = {**_INTEGER_KINDS, "f": "float", "c": "character", "s": "string", "j": _JSON, "%": ""}


def parse_php_format(text: str, translated: bool) -> dict[str, str]:
    """Types of the arguments of a PHP format string, by number. Raises InvalidFormatError if it is invalid."""
    return _parse_directives(text, _PHP, _PHP_KINDS)[0]


def parse_javascript_format(text: str, translated: bool) -> dict[str, str]:
    """Types of the arguments of a JavaScript format string, by number. Raises InvalidFormatError if it is invalid."""
    arguments, is_mixed = _parse_directives(text, _JAVASCRIPT, _JAVASCRIPT_KINDS)
    if is_mixed:
        raise InvalidFormatError(tr("arguments with and without numbers are mixed"))
    return arguments


def _parse_directives(text: str, directive: re.Pattern[str], kinds: Mapping[str, str]) -> tuple[dict[str, str], bool]:
    """Return the types of the arguments by number, and whether the text mixes arguments with and without numbers.

    Raises InvalidFormatError if the text is not a valid format string.
    """
    arguments: dict[str, str] = {}
    unnumbered, is_numbered = 0, False
    for match in directive.finditer(text):
        conversion = match["conversion"]
        if conversion is None:
            continue
        if match["number"] and not int(match["number"]):
            raise InvalidFormatError(tr("“{directive}” has the argument number 0", directive=match[0]))
        kind = kinds.get(conversion)
        if kind is None:
            raise InvalidFormatError.of_conversion(match[0], conversion)
        if not kind:
            continue
        if match["number"]:
            number, is_numbered = str(int(match["number"])), True
        else:
            unnumbered += 1
            number = str(unnumbered)
        if arguments.setdefault(number, kind) != kind:
            raise InvalidFormatError(tr("argument {number} has several types", number=number))
    return arguments, is_numbered and unnumbered > 0


def _javascript_difference(expected: dict[str, str], actual: dict[str, str], may_omit: bool) -> str:
    """Message about the first difference between the arguments; empty if there is none.

    With `may_omit`, the target may omit arguments, and JSON matches any type.
    """
    if may_omit:
        # JSON can show a value of any type
        actual = {name: expected.get(name, kind) if kind == _JSON else kind for name, kind in actual.items()}
        expected = {name: actual.get(name, kind) if kind == _JSON else kind for name, kind in expected.items()}
    return name_difference(expected, actual, may_omit)


PHP_SYNTAX = FormatSyntax("php-format", "PHP", parse_php_format, name_difference)
JAVASCRIPT_SYNTAX = FormatSyntax("javascript-format", "JavaScript", parse_javascript_format, _javascript_difference)


# Lua allows two digits, which newer versions of gettext check
_LUA = re.compile(r"%(?:%|[0-9]{0,2}+(?:\.[0-9]{0,2}+)?+(?P<conversion>.?+))", re.DOTALL)
_LUA_KINDS = {
    "c": "character", "s": "string", "q": "quoted string", **dict.fromkeys("diouxX", "integer"),
    **dict.fromkeys("aAeEfgG", "float"),
}  # fmt: skip
_PASCAL = re.compile(
    r"%(?:%|(?:(?P<index>\*|[0-9]*+):)?+-?+(?:(?P<width>\*)|[0-9]++)?+"
    r"(?:\.(?:(?P<precision>\*)|[0-9]*+))?+(?P<conversion>.?+))",
    re.DOTALL,
)
_PASCAL_INTEGER = "integer"
_PASCAL_KINDS = {
    **dict.fromkeys("dux", _PASCAL_INTEGER),
    **dict.fromkeys("efgnm", "float"),
    "s": "string",
    "p": "pointer",
}


def parse_lua_format(text: str, translated: bool) -> tuple[str, ...]:
    """Types of the arguments of a Lua format string, in order. Raises InvalidFormatError if it is invalid."""
    return tuple(
        _check_kind(match, _LUA_KINDS.get(match["conversion"]))
        for match in _LUA.finditer(text)
        if match["conversion"] is not None
    )


def parse_pascal_format(text: str, translated: bool) -> dict[str, str]:
    """Types of the arguments of an Object Pascal format string, by 0-based number.

    Raises InvalidFormatError if the string is invalid. An explicit index does not change which argument a directive
    without an index uses.
    """
    arguments: dict[str, str] = {}
    following = 0
    for match in _PASCAL.finditer(text):
        if match["conversion"] is None:
            continue
        kind, index = _check_kind(match, _PASCAL_KINDS.get(_ascii_lower(match["conversion"]))), match["index"]
        items = [("", _PASCAL_INTEGER) for part in ("width", "precision") if match[part]]
        # with the index *, the value of an argument determines at run time which argument is used
        items.append(
            ("", _PASCAL_INTEGER) if index == "*" else ("" if index is None else index.lstrip("0") or "0", kind)
        )
        for number, argument in items:
            if not number:
                number, following = str(following), following + 1
            if arguments.setdefault(number, argument) != argument:
                raise InvalidFormatError(tr("argument {number} has several types", number=number))
    return arguments


def _ascii_lower(letter: str) -> str:
    return letter.lower() if letter.isascii() else letter


def _check_kind(match: re.Match[str], kind: str | None) -> str:
    """Return `kind`. Raises InvalidFormatError if `kind` is None because the conversion is unknown or missing."""
    if kind is None:
        raise InvalidFormatError.of_conversion(match[0], match["conversion"])
    return kind


LUA_SYNTAX = FormatSyntax("lua-format", "Lua", parse_lua_format, sequence_difference)
PASCAL_SYNTAX = FormatSyntax("object-pascal-format", "Object Pascal", parse_pascal_format, name_difference)
