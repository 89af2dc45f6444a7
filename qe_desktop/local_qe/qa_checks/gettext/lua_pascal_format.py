"""Parsers for Lua and Object Pascal format strings: types of the arguments, as in `msgfmt --check`."""

from __future__ import annotations

import re

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.gettext.format_syntax import (
    FormatSyntax,
    InvalidFormatError,
    name_difference,
    sequence_difference,
)

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
_INTEGER = "integer"
_PASCAL_KINDS = {**dict.fromkeys("dux", _INTEGER), **dict.fromkeys("efgnm", "float"), "s": "string", "p": "pointer"}


def parse_lua_format(text: str, translated: bool) -> tuple[str, ...]:
    """Types of the arguments of a Lua format string, in order. Raises InvalidFormatError if it is invalid."""
    return tuple(
        _kind(match, _LUA_KINDS.get(match["conversion"]))
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
        kind, index = _kind(match, _PASCAL_KINDS.get(_ascii_lower(match["conversion"]))), match["index"]
        items = [("", _INTEGER) for part in ("width", "precision") if match[part]]
        # an argument at run time determines which argument is used
        items.append(("", _INTEGER) if index == "*" else ("" if index is None else index.lstrip("0") or "0", kind))
        for number, argument in items:
            if not number:
                number, following = str(following), following + 1
            if arguments.setdefault(number, argument) != argument:
                raise InvalidFormatError(tr("argument {number} has several types", number=number))
    return arguments


def _ascii_lower(letter: str) -> str:
    return letter.lower() if letter.isascii() else letter


def _kind(match: re.Match[str], kind: str | None) -> str:
    """Return `kind`. Raises InvalidFormatError if `kind` is None because the conversion is unknown or missing."""
    if kind is None:
        raise InvalidFormatError.of_conversion(match[0], match["conversion"])
    return kind


LUA_SYNTAX = FormatSyntax("lua-format", "Lua", parse_lua_format, sequence_difference)
PASCAL_SYNTAX = FormatSyntax("object-pascal-format", "Object Pascal", parse_pascal_format, name_difference)
