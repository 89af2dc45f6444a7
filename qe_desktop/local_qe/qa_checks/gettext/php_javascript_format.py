"""Parsers for PHP and JavaScript format strings: types of the arguments, as in `msgfmt --check`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.gettext.format_syntax import FormatSyntax, InvalidFormatError, name_difference

_INTEGERS = dict.fromkeys("bdoxX", "integer")
_PHP = re.compile(
    r"%(?:%|(?:(?P<number>[0-9]++)\$)?+(?:[\- 0]|'[^\n])*+[0-9]*+(?:\.[0-9]++)?+l?+(?P<conversion>.?))", re.DOTALL
)
_PHP_KINDS = {**_INTEGERS, **dict.fromkeys("ef", "float"), "u": "integer", "c": "character", "s": "string"}
_JSON = "JSON"
_JAVASCRIPT = re.compile(
    r"%(?:(?P<number>[0-9]++)\$)?+[\-+ 0I]*+[0-9]*+(?:\.[0-9]*+)?+(?P<conversion>.?)", re.DOTALL
)  # fmt: skip
_JAVASCRIPT_KINDS = {**_INTEGERS, "f": "float", "c": "character", "s": "string", "j": _JSON, "%": ""}


def parse_php_format(text: str, translated: bool) -> dict[str, str]:
    """Types of the arguments of a PHP format string, by number. Raises InvalidFormatError if it is invalid."""
    return _parse(text, _PHP, _PHP_KINDS)[0]


def parse_javascript_format(text: str, translated: bool) -> dict[str, str]:
    """Types of the arguments of a JavaScript format string, by number. Raises InvalidFormatError if it is invalid."""
    arguments, is_mixed = _parse(text, _JAVASCRIPT, _JAVASCRIPT_KINDS)
    if is_mixed:
        raise InvalidFormatError(tr("arguments with and without numbers are mixed"))
    return arguments


def _parse(text: str, directive: re.Pattern[str], kinds: Mapping[str, str]) -> tuple[dict[str, str], bool]:
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
