"""Parser for ICU messages: arguments, such as `count` in `{count, plural, one {# file} other {# files}}`, and errors.

Source: ICU documentation, Formatting Messages. Apostrophes quote braces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from qe_desktop.i18n.messages import tr

_TYPES = "plural|selectordinal|select|number|date|time|choice|spellout|ordinal|duration"
_ARGUMENT = re.compile(rf"\{{\s*+([\w.-]{{1,80}})\s*+(?:,\s*+({_TYPES})\b|(?=\}}))")
_TYPED = re.compile(rf"\{{\s*+[\w.-]{{1,80}}\s*+,\s*+(?:{_TYPES})\b")
_SIGN = re.compile(r"'[{}][^']*'|''|[{}]")
_SELECTOR = re.compile(r"(=?[\w-]{1,80})\s*$")
_TYPES_WITH_FORMS = ("plural", "selectordinal", "select")
_PLURAL_FORM = re.compile("zero|one|two|few|many|other|=[0-9]{1,9}")
MAX_FORM_DEPTH = 40
"""Maximum nesting depth of braces down to which the arguments within forms are recorded."""


def has_icu_arguments(text: str) -> bool:
    """Whether a text has an argument with a type, so that it is an ICU message."""
    return _TYPED.search(text) is not None


@dataclass(slots=True)
class IcuMessage:
    """Arguments of an ICU message with their types (empty if untyped), and the first error (empty if there is none).

    `forms` maps each argument with forms to these forms, and each form to the arguments that it contains.
    """

    arguments: dict[str, str] = field(default_factory=dict)
    forms: dict[str, dict[str, set[str]]] = field(default_factory=dict)
    error: str = ""


@dataclass(slots=True)
class _OpenBrace:
    """Open brace of an argument or, if `name` is empty, of a message within an argument.

    `selectors` are the names of the forms read so far in an argument. `selector` is the name of the form to which a
    message belongs. `inner_arguments` are the arguments within the brace.
    """

    name: str = ""
    type: str = ""
    selectors: list[str] = field(default_factory=list)
    selector: str = ""
    inner_arguments: set[str] = field(default_factory=set)


def parse_icu_message(text: str) -> IcuMessage:
    """Parse an ICU message; parsing continues after the first error."""
    message = IcuMessage()
    opened: list[_OpenBrace] = []
    for match in _SIGN.finditer(text):
        if match[0] == "{":
            parent = opened[-1] if opened else None
            opened.append(_open(text, match.start(), parent, message))
        elif match[0] == "}":
            if not opened:
                message.error = message.error or tr("a closing brace has no opening brace")
                continue
            closed = opened.pop()
            if closed.type in _TYPES_WITH_FORMS and "other" not in closed.selectors:
                message.error = message.error or tr("the argument “{name}” has no form “other”", name=closed.name)
            if opened and len(opened) <= MAX_FORM_DEPTH:
                _close(closed, opened[-1], message)
    if opened:
        message.error = message.error or tr("a brace is not closed")
    return message


def _open(text: str, position: int, parent: _OpenBrace | None, message: IcuMessage) -> _OpenBrace:
    """Return the brace at a position: it opens a message if `parent` has forms, otherwise an argument.

    The name of a form is added to `parent`, and an argument is added to `message`.
    """
    if parent is not None and parent.type in _TYPES_WITH_FORMS:
        selector = _SELECTOR.search(text, max(0, position - 100), position)
        parent.selectors.append(selector[1] if selector else "")
        return _OpenBrace(selector=parent.selectors[-1])
    match = _ARGUMENT.match(text, position)
    if match is None:
        return _OpenBrace()
    name, kind = match[1], match[2] or ""
    # an argument that also occurs without a type keeps its type
    message.arguments[name] = message.arguments.get(name) or kind
    return _OpenBrace(name, kind)


def _close(brace: _OpenBrace, outer: _OpenBrace, message: IcuMessage) -> None:
    """Add the arguments in a closed brace to `outer` and, if the brace encloses a form, also to `message.forms`."""
    if brace.name:
        brace.inner_arguments.add(brace.name)
    outer.inner_arguments |= brace.inner_arguments
    if brace.selector:
        forms = message.forms.setdefault(outer.name, {})
        # an argument may have its forms in several places
        forms[brace.selector] = forms.get(brace.selector, brace.inner_arguments) & brace.inner_arguments


def form_differences(source: IcuMessage, mt: IcuMessage) -> Iterator[str]:
    """Yield messages about errors in the forms of the arguments of a translated message.

    The forms of `select` must be the same as in the source. Plural forms depend on the language, but forms for exact
    numbers, such as `=0`, must be kept. A form of `select` must contain the arguments of the same form in the source. A
    plural form must contain the arguments that all plural forms in the source have in common, except the number itself.
    """
    for name, kind in source.arguments.items():
        source_forms, mt_forms = source.forms.get(name, {}), mt.forms.get(name, {})
        if not source_forms or not mt_forms or mt.arguments.get(name) != kind:
            continue
        is_select = kind == "select"
        for form in sorted(mt_forms.keys() - source_forms.keys()):
            if is_select:
                yield tr("the form “{form}” of the argument “{name}” is not in the source", form=form, name=name)
            elif _PLURAL_FORM.fullmatch(form) is None:
                yield tr("“{form}” is not a plural form; ICU messages have forms such as one, few and other", form=form)
        for form in sorted(source_forms.keys() - mt_forms.keys()):
            if is_select or form.startswith("="):
                yield tr("the form “{form}” of the argument “{name}” is missing", form=form, name=name)
        # the number itself may be left out in a form such as “one file”
        common = set.intersection(*source_forms.values()) - {name}
        for form, arguments in mt_forms.items():
            for argument in sorted((source_forms.get(form, set()) if is_select else common) - arguments):
                # an argument that is missing everywhere has its own message
                if argument in mt.arguments:
                    yield tr("the argument “{name}” is missing from the form “{form}”", name=argument, form=form)
