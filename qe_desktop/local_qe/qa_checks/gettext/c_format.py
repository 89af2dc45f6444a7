"""Parser for C format strings: types of the arguments, as in `msgfmt --check` (GNU gettext manual, c-format)."""

from __future__ import annotations

import re

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.gettext.format_syntax import FormatSyntax, InvalidFormatError, sequence_difference

_DIRECTIVE = re.compile(
    r"%(?:(?P<number>[0-9]++)\$)?+(?P<flags>[ +\-#0'I]*+)"
    r"(?:(?P<width>\*)(?:(?P<width_number>[0-9]++)\$)?+|[0-9]++)?+"
    r"(?:\.(?:(?P<precision>\*)(?:(?P<precision_number>[0-9]++)\$)?+|[0-9]*+))?+"
    r"(?:<PRI(?P<macro>[diuoxX])(?P<macro_size>MAX|PTR|(?:LEAST|FAST)?(?:8|16|32|64))>"
    r"|(?P<size>[hlLqjzZt]*+)(?P<conversion>.?))",
    re.DOTALL,
)
_KINDS = {
    "c": "character", "C": "wide character", "s": "string", "S": "wide string", "p": "pointer", "n": "count",
    **dict.fromkeys("di", "integer"), **dict.fromkeys("uoxX", "unsigned"), **dict.fromkeys("eEfFgGaA", "float"),
}  # fmt: skip
"""Types of arguments by conversion; `%%` and `%m` have none."""
_SIZED = frozenset(("integer", "unsigned", "count"))
_SIZES = {"L": "long long", "q": "long long", "j": "intmax", "z": "size", "Z": "size", "t": "ptrdiff"}


def parse_c_format(text: str, translated: bool) -> tuple[str, ...]:
    """Types of the arguments of a C format string, in order. Raises InvalidFormatError if the string is invalid."""
    unnumbered: list[str] = []
    numbered: dict[int, str] = {}
    for match in _DIRECTIVE.finditer(text):
        if "I" in match["flags"] and not translated:
            raise InvalidFormatError.of_conversion(match[0], "I")
        for number, kind in _arguments(match):
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


def _arguments(match: re.Match[str]) -> list[tuple[str | None, str]]:
    """Number (None if it has none) and type of each argument of a directive, in the order width, precision, value.

    Raises InvalidFormatError if the directive is invalid.
    """
    arguments = [(match[f"{part}_number"], "integer") for part in ("width", "precision") if match[part]]
    kind = _kind(match)
    return [*arguments, (match["number"], kind)] if kind else arguments


def _kind(match: re.Match[str]) -> str:
    """Type of the value of a directive; empty for `%%` and `%m`. Raises InvalidFormatError for an invalid directive."""
    if match["macro"]:
        return f"{_KINDS[match['macro']]} {match['macro_size']}"
    conversion = match["conversion"]
    if conversion in ("%", "m"):
        return ""
    kind = _KINDS.get(conversion)
    if kind is None:
        raise InvalidFormatError.of_conversion(match[0], conversion)
    size = _size(match["size"])
    if kind in _SIZED:
        return f"{kind} {size}".rstrip()
    if kind in ("character", "string"):
        return f"wide {kind}" if size in ("long", "long long") else kind
    return f"{kind} {size}" if kind == "float" and size == "long long" else kind


def _size(letters: str) -> str:
    size = ""
    for letter in letters:
        if letter == "h":
            size = "char" if size in ("short", "char") else "short"
        elif letter == "l":
            size = "long long" if size in ("long", "long long") else "long"
        else:
            size = _SIZES[letter]
    return size


SYNTAX = FormatSyntax("c-format", "C", parse_c_format, sequence_difference)
