"""Parsers for Java format strings: types of the arguments, as in `msgfmt --check`.

The strings are those of `MessageFormat` (java-format), in which a choice contains further format strings, or of
`java.util.Formatter` (java-printf-format).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.placeholders.format_syntax import FormatSyntax, InvalidFormatError, name_difference

MAX_DEPTH = 8
"""Maximum depth of nested choices; deeper ones are rejected."""
MAX_EXCERPT_CHARS = 20
"""Maximum number of characters of an invalid directive in a message."""
_OBJECT, _NUMBER, _DATE = "object", "number", "date"
_SPECIAL = re.compile(r"''|['{}]")
_BRACE = re.compile(r"[{}]")
_ELEMENT = re.compile(r"(?P<number>[0-9]++)(?:,(?P<kind>time|date|number|choice)(?:,(?P<style>.*+))?+)?+", re.DOTALL)
_NUMBER_PATTERN = r"[^0#]*+(?=[0#])(?:#,?+)*+(?:0,?+)*+(?:\.0*+#*+)?+(?:E0++)?+[^;]*+"
_NUMBER_STYLE = re.compile(rf"{_NUMBER_PATTERN}(?:;{_NUMBER_PATTERN})*+")
_ESCAPE = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|.)", re.DOTALL)
_CHOICE = re.compile(r"(?P<limit>(?:\\(?!u2264).|[^\\<#|])*+)(?P<sign>[<#]|\\u2264|\||$)", re.DOTALL)
_QUOTE = re.compile(r"''|'|[^']++")
_QUOTED_CHAR = "\N{NULL}"
"""Character that replaces each quoted character, so that patterns match only unquoted characters."""


def parse_message_format(text: str, translated: bool) -> dict[str, str]:
    """Types of the arguments of a MessageFormat string, by number. Raises InvalidFormatError if it is invalid."""
    arguments: dict[str, str] = {}
    for number, kind in _message_arguments(text, 0):
        known = arguments.setdefault(number, kind)
        if _OBJECT not in (known, kind) and known != kind:
            raise InvalidFormatError(tr("argument {number} has several types", number=number))
        if known == _OBJECT:
            arguments[number] = kind
    return arguments


def _message_arguments(text: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the number and type of each argument of a text. Raises InvalidFormatError if the text is invalid."""
    position, quoted = 0, False
    while (match := _SPECIAL.search(text, position)) is not None:
        position = match.end()
        if match[0] == "'":
            quoted = not quoted
        elif quoted or match[0] == "''":
            continue
        elif match[0] == "}":
            raise InvalidFormatError(tr("a closing brace has no opening brace"))
        else:
            end = _closing_brace(text, position)
            yield from _element_arguments(text[position:end], depth)
            position = end + 1


def _closing_brace(text: str, start: int) -> int:
    """Offset of the brace that closes the directive whose content begins at `start`; quoted braces count, too.

    Raises InvalidFormatError if the directive is not closed.
    """
    depth = 0
    for match in _BRACE.finditer(text, start):
        depth += 1 if match[0] == "{" else -1
        if depth < 0:
            return match.start()
    raise InvalidFormatError(tr("a brace is not closed"))


def _element_arguments(element: str, depth: int) -> Iterator[tuple[str, str]]:
    match = _ELEMENT.fullmatch(element)
    if match is None:
        raise InvalidFormatError(
            tr(
                "“{directive}” has an unknown format or no argument number",
                directive=f"{{{element[:MAX_EXCERPT_CHARS]}}}",
            )
        )
    number, kind, style = str(int(match["number"][-MAX_EXCERPT_CHARS:])), match["kind"], match["style"]
    if kind == "choice":
        yield from _choice_arguments(style or "", depth + 1)
    elif kind == "number" and style is not None and not _is_number_style(style):
        raise InvalidFormatError(tr("“{style}” is not a number format", style=style[:MAX_EXCERPT_CHARS]))
    yield number, _OBJECT if kind is None else _DATE if kind in ("time", "date") else _NUMBER


def _is_number_style(style: str) -> bool:
    if style in ("currency", "percent", "integer"):
        return True
    _, unquoted = _without_quotes(_ESCAPE.sub(_QUOTED_CHAR, style))
    return _NUMBER_STYLE.fullmatch(unquoted) is not None


def _without_quotes(text: str) -> tuple[str, str]:
    """Return a text without its quotes, and a copy of the result with `_QUOTED_CHAR` for each quoted character."""
    plain: list[str] = []
    unquoted: list[str] = []
    quoted = False
    for match in _QUOTE.finditer(text):
        if match[0] == "'":
            quoted = not quoted
            continue
        part = "'" if match[0] == "''" else match[0]
        plain.append(part)
        unquoted.append(_QUOTED_CHAR * len(part) if quoted else part)
    return "".join(plain), "".join(unquoted)


def _choice_arguments(style: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the number and type of each argument in the forms of a choice, such as `0#none|1#one|1<{0} files`.

    Raises InvalidFormatError if the choice is invalid.
    """
    if depth > MAX_DEPTH:
        raise InvalidFormatError(tr("choices are nested too deeply"))
    plain, unquoted = _without_quotes(style)
    position = 0
    while position < len(plain):
        match = _CHOICE.match(unquoted, position)
        if match is None or not match["sign"]:
            # an incomplete last choice has no effect
            return
        if not match["limit"] or match["sign"] == "|":
            raise InvalidFormatError(tr("a form of a choice does not begin with a number followed by < or #"))
        start = match.end()
        end = unquoted.find("|", start)
        end = len(plain) if end < 0 else end
        yield from _message_arguments(plain[start:end], depth)
        position = end + 1


_PRINTF = re.compile(
    r"%(?:(?P<last><)|(?P<number>[0-9]++)\$)?+(?P<flags>[#0\- +,(]*+)(?P<width>[0-9]++)?+"
    r"(?P<point>\.)?+(?P<precision>(?(point)[0-9]*+|))(?P<conversion>[tT]?+.?+)",
    re.DOTALL,
)
_SIGNS = "0 +,("
_CONVERSIONS: dict[str, tuple[str, str]] = {
    "%": ("", f"#{_SIGNS}."), "n": ("", f"#-{_SIGNS}.w"), "d": ("integer", "#."),
    **dict.fromkeys("bBhHsS", ("general", _SIGNS)), **dict.fromkeys("cC", ("character", f"#{_SIGNS}.")),
    **dict.fromkeys("oxX", ("integer", ",.")), **dict.fromkeys("eEfgG", ("float", "")),
    **dict.fromkeys("aA", ("float", ",(")),
    **{f"{first}{letter}": (_DATE, f"#{_SIGNS}.") for first in "tT" for letter in "HIklMSLNpzZsQBbhAaCYyjmdeRTrDFc"},
}  # fmt: skip
"""Argument type (empty if no argument) and forbidden flags of each conversion; `w` is a width, `.` a precision."""


def parse_printf_format(text: str, translated: bool) -> dict[str, str]:
    """Types of the arguments of a Formatter string, by number. Raises InvalidFormatError if it is invalid."""
    arguments: dict[str, str] = {}
    unnumbered, last = 0, ""
    for match in _PRINTF.finditer(text):
        kind = _printf_kind(match)
        if match["last"] and not last:
            raise InvalidFormatError(tr("“{directive}” has no preceding argument", directive=match[0]))
        number = last if match["last"] else (match["number"] or "").lstrip("0")
        if match["number"] and not number:
            raise InvalidFormatError(tr("“{directive}” has the argument number 0", directive=match[0]))
        if not kind:
            continue
        if not number:
            unnumbered += 1
            number = str(unnumbered)
        last = number
        if arguments.setdefault(number, kind) != kind:
            raise InvalidFormatError(tr("argument {number} has several types", number=number))
    return arguments


def _printf_kind(match: re.Match[str]) -> str:
    """Type of the argument of a directive; empty if there is none.

    Raises InvalidFormatError if the directive is invalid.
    """
    conversion = match["conversion"]
    if match["point"] and not match["precision"]:
        raise InvalidFormatError(tr("“{directive}” has no precision after the point", directive=match[0]))
    known = _CONVERSIONS.get(conversion)
    if known is None:
        raise InvalidFormatError.of_conversion(match[0], "" if conversion in ("t", "T") else conversion)
    kind, forbidden = known
    used = match["flags"] + (match["point"] or "") + ("w" if match["width"] else "")
    if not {*used}.isdisjoint(forbidden):
        raise InvalidFormatError(
            tr("“{directive}” has a flag, width or precision that its conversion does not allow", directive=match[0])
        )
    return kind


MESSAGE_SYNTAX = FormatSyntax("java-format", "Java MessageFormat", parse_message_format, name_difference)
PRINTF_SYNTAX = FormatSyntax("java-printf-format", "Java", parse_printf_format, name_difference)
