"""ICU messages: their arguments, such as `count` in `{count, plural, one {# file} other {# files}}`, and their errors.

Source: ICU documentation, Formatting Messages. Apostrophes quote braces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from qe_desktop.i18n.messages import tr

_TYPES = "plural|selectordinal|select|number|date|time|choice|spellout|ordinal|duration"
_ARGUMENT = re.compile(rf"\{{\s*+([\w.-]{{1,80}})\s*+(?:,\s*+({_TYPES})\b|(?=\}}))")
_TYPED = re.compile(rf"\{{\s*+[\w.-]{{1,80}}\s*+,\s*+(?:{_TYPES})\b")
_SIGN = re.compile(r"'[{}][^']*'|''|[{}]")
_SELECTOR = re.compile(r"(=?[\w-]{1,80})\s*$")
_WITH_BRANCHES = ("plural", "selectordinal", "select")


def has_icu_arguments(text: str) -> bool:
    """Whether a text has an argument with a type, so that it is an ICU message."""
    return _TYPED.search(text) is not None


@dataclass(slots=True)
class IcuMessage:
    """Arguments of a message with their types (empty if there is none), and its first error."""

    arguments: dict[str, str] = field(default_factory=dict)
    error: str = ""


@dataclass(slots=True)
class _OpenBrace:
    """Open brace: that of an argument with this name and type, or of a message within an argument (`name` is empty)."""

    name: str = ""
    type: str = ""
    selectors: list[str] = field(default_factory=list)


def parse_icu_message(text: str) -> IcuMessage:
    """Parse a message; arguments after the first error are included as well."""
    message = IcuMessage()
    opened: list[_OpenBrace] = []
    for match in _SIGN.finditer(text):
        if match[0] == "{":
            within = opened[-1] if opened else None
            opened.append(_open(text, match.start(), within, message))
        elif match[0] == "}":
            if not opened:
                message.error = message.error or tr("a closing brace has no opening brace")
                continue
            closed = opened.pop()
            if closed.type in _WITH_BRANCHES and "other" not in closed.selectors:
                message.error = message.error or tr("the argument “{name}” has no form “other”", name=closed.name)
    if opened:
        message.error = message.error or tr("a brace is not closed")
    return message


def _open(text: str, position: int, within: _OpenBrace | None, message: IcuMessage) -> _OpenBrace:
    """Brace at a position: in an argument with forms it begins a message, in a message an argument."""
    if within is not None and within.type in _WITH_BRANCHES:
        selector = _SELECTOR.search(text, max(0, position - 100), position)
        within.selectors.append(selector[1] if selector else "")
        return _OpenBrace()
    match = _ARGUMENT.match(text, position)
    if match is None:
        return _OpenBrace()
    name, kind = match[1], match[2] or ""
    # an argument that is also inserted as it is keeps its type
    message.arguments[name] = message.arguments.get(name) or kind
    return _OpenBrace(name, kind)
