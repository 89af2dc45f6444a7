"""Parsers for Lisp and Scheme format strings: types of the arguments, as in `msgfmt --check`.

A text is not compared if its arguments depend on conditions or on the number of arguments.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.placeholders.format_syntax import (
    FormatSyntax,
    InvalidFormatError,
    sequence_difference,
)

_PARAMETER = r"(?:[+\-]?[0-9]++|'.|[Vv#])?+"
_DIRECTIVE = re.compile(
    rf"~(?P<parameters>{_PARAMETER}(?:,{_PARAMETER})*+)(?P<modifiers>[:@]*+)(?P<name>[^0-9,:@'#Vv+\-])", re.DOTALL
)
_FUNCTION = re.compile(r"[^/]*+/")
_REAL, _OBJECT, _FORMAT = "real", "object", "format string"
_COMMON_DIRECTIVES: dict[str, tuple[str, str]] = {
    **dict.fromkeys("as", (_OBJECT, "iiic")), **dict.fromkeys("dbox", ("integer", "icci")),
    "r": ("integer", "iicci"), "p": (_OBJECT, ""), "c": ("character", ""), "f": (_REAL, "iiicc"),
    **dict.fromkeys("eg", (_REAL, "iiiiccc")), "$": (_REAL, "iiic"), **dict.fromkeys("%&~|*", ("", "i")),
    "\n": ("", ""), "?": (_FORMAT, ""), "^": ("", "aaa"), "{": ("", "i"),
    **dict.fromkeys("()[]};", ("", "aaa")),
}  # fmt: skip
_LISP_DIRECTIVES = _COMMON_DIRECTIVES | {
    "w": (_OBJECT, ""), "/": (_OBJECT, ""), "t": ("", "ii"), "_": ("", ""), "i": ("", "i"),
    **dict.fromkeys("<>", ("", "aaaa")),
}  # fmt: skip
_SCHEME_DIRECTIVES = _COMMON_DIRECTIVES | {
    "y": (_OBJECT, ""), "k": (_FORMAT, ""), "i": ("complex", "iiicc"), "c": ("character", "i"),
    "/": ("", "i"), "t": ("", "iic"), "_": ("", "i"), "!": ("", ""), "q": ("", ""),
}  # fmt: skip
"""Argument type of each directive (empty if none), and types of its parameters: i integer, c character, a any."""
_NESTING = "()[]{}<>;"
_CLOSING = {")": "(", "]": "[", "}": "{", ">": "<"}
_WIDER_TYPES = {
    "integer": (_REAL, "complex", "integer or nil"), _REAL: ("complex",), "character": ("character or nil",),
}  # fmt: skip
"""Types that include each type, except `object`, which includes all types."""
LispArguments = tuple[str, ...] | None
"""Types of the arguments of a text, in order; None if the text is not compared."""


class _Block:
    """Arguments of a text, or of the body of an iteration or conditional, read directive by directive."""

    def __init__(self, opening: str = "") -> None:
        self.opening = opening
        self.types: list[str] = []
        self.position = 0
        self.is_compared, self.may_end_early = True, False

    def add_argument(self, kind: str) -> None:
        """Record a type for the next argument; if the argument already has a type, keep the narrower one.

        Raises InvalidFormatError if neither of the two types includes the other.
        """
        if self.may_end_early:
            self.is_compared = False
        self.types += [_OBJECT] * (self.position + 1 - len(self.types))
        earlier_kind = self.types[self.position]
        if _is_subtype(kind, earlier_kind):
            self.types[self.position] = kind
        elif not _is_subtype(earlier_kind, kind):
            raise InvalidFormatError(tr("argument {number} has several types", number=self.position + 1))
        self.position += 1


def _is_subtype(kind: str, wider_kind: str) -> bool:
    """Whether all values of `kind` are also values of `wider_kind`."""
    return wider_kind in (kind, _OBJECT, *_WIDER_TYPES.get(kind, ()))


def parse_lisp_format(directives: Mapping[str, tuple[str, str]], text: str, translated: bool) -> LispArguments:
    """Types of the arguments of a Lisp or Scheme format string. Raises InvalidFormatError if it is invalid."""
    blocks, openings = [_Block()], list[str]()
    position = text.find("~")
    while position >= 0:
        match = _DIRECTIVE.match(text, position)
        if match is None:
            raise InvalidFormatError.of_conversion(text[position : position + 20], "")
        end, name = match.end(), match["name"].lower()
        kind, parameters = directives.get(name, ("", None))
        if parameters is None:
            raise InvalidFormatError.of_conversion(match[0], name)
        if name == "/" and kind:
            function = _FUNCTION.match(text, end)
            if function is None:
                raise InvalidFormatError.of_conversion(text[position : position + 20], "")
            end = function.end()
        _take_parameters(match, parameters, blocks[-1])
        if name in _NESTING:
            _nest(match, name, blocks, openings)
        else:
            _apply(match, name, kind, blocks[-1], openings)
        position = text.find("~", end)
    if openings:
        raise InvalidFormatError(tr("“{directive}” is not closed", directive=f"~{openings[-1]}"))
    return tuple(blocks[0].types) if blocks[0].is_compared else None


def _take_parameters(match: re.Match[str], kinds: str, block: _Block) -> None:
    parameters = re.findall(r"'.|[^,]+|(?<=,)(?=,|$)|^(?=,)", match["parameters"], re.DOTALL)
    if len(parameters) > len(kinds):
        raise InvalidFormatError(tr("“{directive}” has too many parameters", directive=match[0]))
    for parameter, kind in zip(parameters, kinds, strict=False):
        if parameter in ("V", "v"):
            block.is_compared = block.is_compared and kind != "a"
            block.add_argument("character or nil" if kind == "c" else "integer or nil")
        elif parameter not in ("", "#") and kind != "a" and parameter.startswith("'") is not (kind == "c"):
            raise InvalidFormatError(tr("“{directive}” has a parameter of the wrong type", directive=match[0]))


def _nest(match: re.Match[str], name: str, blocks: list[_Block], openings: list[str]) -> None:
    """Begin, divide or end the part of a text that a nesting directive encloses.

    Raises InvalidFormatError if the directive is misplaced.
    """
    block, parameters, modifiers = blocks[-1], match["parameters"], match["modifiers"]
    if name in _CLOSING:
        if not openings or openings.pop() != _CLOSING[name]:
            raise InvalidFormatError(tr("“{directive}” has no matching opening directive", directive=match[0]))
        if name in "]}":
            _end_block(blocks)
    elif name == ";":
        if not openings or openings[-1] not in "[<":
            raise InvalidFormatError(tr("“{directive}” is in the wrong position", directive=match[0]))
    else:
        openings.append(name)
        if name == "{":
            block.is_compared = block.is_compared and not modifiers
            blocks.append(_Block(name))
        elif name == "[":
            block.is_compared = block.is_compared and not parameters and "@" not in modifiers
            block.add_argument(_OBJECT)
            blocks.append(_Block(name))


def _apply(match: re.Match[str], name: str, kind: str, block: _Block, openings: list[str]) -> None:
    """Apply a directive other than a nesting one to a block: add its arguments, or move to another argument.

    Raises InvalidFormatError if an argument has conflicting types.
    """
    parameters, modifiers = match["parameters"], match["modifiers"]
    if name == "^":
        block.may_end_early = True
        block.is_compared = block.is_compared and not parameters and "<" not in openings
    elif name == "*":
        _move(block, parameters, modifiers)
    elif kind:
        block.position -= int(name == "p" and ":" in modifiers and block.position > 0)
        # a parameter may state the character; with @, a format string uses the arguments of the text
        is_known = not (kind == "character" and parameters) and not (kind == _FORMAT and "@" in modifiers)
        block.is_compared = block.is_compared and is_known
        block.add_argument(kind)
        if kind == _FORMAT:
            block.add_argument("list")


def _end_block(blocks: list[_Block]) -> None:
    inner = blocks.pop()
    block = blocks[-1]
    block.is_compared = block.is_compared and inner.is_compared
    if inner.opening == "{":
        # a list of objects is a list of any type
        types = [] if inner.types == [_OBJECT] else inner.types
        block.add_argument(f"list {' '.join(types)}".rstrip())
    elif inner.types or inner.may_end_early:
        block.is_compared = False


def _move(block: _Block, parameters: str, modifiers: str) -> None:
    """Move by a number of arguments, forward or (`:`) backward, or move to the argument with a 0-based number (`@`)."""
    if parameters and not parameters.isdigit():
        block.is_compared = False
        return
    count = int(parameters[:6]) if parameters else int("@" not in modifiers)
    start = 0 if "@" in modifiers else block.position
    block.position = max(0, start - count if modifiers == ":" else start + count)


def _difference(expected: LispArguments, actual: LispArguments, may_omit: bool) -> str:
    if expected is None or actual is None:
        return ""
    if may_omit and len(actual) >= len(expected):
        # a plural form for only a few numbers may have more arguments, and narrower types
        narrower = zip(actual, expected, strict=False)
        actual = tuple(
            expected_kind if _is_subtype(actual_kind, expected_kind) else actual_kind
            for actual_kind, expected_kind in narrower
        )
    return sequence_difference(expected, actual, False)


LISP_SYNTAX = FormatSyntax("lisp-format", "Lisp", partial(parse_lisp_format, _LISP_DIRECTIVES), _difference)
SCHEME_SYNTAX = FormatSyntax("scheme-format", "Scheme", partial(parse_lisp_format, _SCHEME_DIRECTIVES), _difference)
