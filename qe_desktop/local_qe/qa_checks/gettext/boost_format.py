"""Parser of Boost format strings (boost-format), which determines arguments as `msgfmt --check` does."""

from __future__ import annotations

import re

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.gettext.format_syntax import FormatSyntax, InvalidFormatError, name_difference

_DIRECTIVE = re.compile(
    r"%(?:(?P<plain>[0-9]++)%|(?P<bar>\|)?+(?:(?P<number>[0-9]++)\$)?+[ +\-#0'=_]*+"
    r"(?:(?P<width>\*)(?:(?P<width_number>[0-9]++)\$)?+|[0-9]++)?+"
    r"(?:\.(?:(?P<precision>\*)(?:(?P<precision_number>[0-9]++)\$)?+|[0-9]*+))?+"
    r"[hlL]*+(?P<conversion>(?(bar)(?:T[^\n]|[^T|])?\||.?)))",
    re.DOTALL,
)
_ANY = "any"
_KINDS = {
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
        match = _DIRECTIVE.match(text, position)
        if match is None:
            raise InvalidFormatError.of_conversion(text[position : position + 20], "")
        for number, kind in _arguments(match):
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


def _arguments(match: re.Match[str]) -> list[tuple[str | None, str]]:
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
    kind = _KINDS.get(conversion[:1])
    if kind is None or (conversion == "T" and not match["bar"]):
        raise InvalidFormatError.of_conversion(match[0], conversion)
    return [*arguments, (match["number"], kind)] if kind else arguments


SYNTAX = FormatSyntax("boost-format", "Boost", parse_boost_format, name_difference)
