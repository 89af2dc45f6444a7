"""The one way of every text for people: whole sentences with named places, in English or as a translation has them.

`tr` is written as Qt's is, so that `pyside6-lupdate` finds each text where it stands. Places are named (`{file}`) and
filled after the text is translated. A number chooses its words within the sentence, `{n:segment|segments}`: English
has two forms, other languages have their own. What is spoken is set once, before any text is made.

A text in another language knows what it is in English (`in_english`): that is what JSON, TSV and signatures hold.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PLURAL_SEPARATOR = "|"
"""Stands between the forms of which a number chooses one."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language that the program can speak: its texts by source and comment, and the rule of its numbers.

    `texts` holds one form of a text, or one for each form of a number. What a translation lacks stays English.
    """

    code: str
    texts: Mapping[tuple[str, str], tuple[str, ...]]
    form: Callable[[int], int]

    def text(self, source: str, comment: str, n: int | None) -> str | None:
        """A text as it is said here, its places still open; None where it is not translated."""
        forms = self.texts.get((source, comment))
        if forms is None:
            return None
        return forms[min(self.form(n), len(forms) - 1)] if n is not None else forms[0]


ENGLISH = Language("en", {}, lambda number: int(number != 1))

_DOTTED = ("tr", "az")
"""Languages that keep the dot of a capital i, for an I without one is another letter."""

_spoken = ENGLISH


def set_language(language: Language) -> None:
    """Say every text from now on in a language. Texts that are made already stay as they are."""
    global _spoken
    _spoken = language


def current_language() -> Language:
    """What is spoken now."""
    return _spoken


class LocalizedStr(str):
    """A text in another language than English, which knows its English; it is shown as any other text."""

    __slots__ = ("english",)
    english: str


def tr(text: str, comment: str = "", n: int | None = None, /, **places: object) -> str:
    """The text in the language that is spoken, its `places` filled.

    A text with `places` writes braces that are none as `{{`; one without is taken as it is. `n` is the number that the
    whole sentence turns on: it is a place of its own, and a translation may have one sentence for each of its forms.
    `comment` tells texts apart that English writes alike.
    """
    if n is not None:
        places["n"] = n
    if _spoken is ENGLISH:
        return _fill_placeholders(text, ENGLISH, places)
    said = _spoken.text(text, comment, n)
    # what is not translated is English, with English numbers
    shown = _fill_placeholders(text, ENGLISH, places) if said is None else _fill_placeholders(said, _spoken, places)
    return _with_english(
        shown, _fill_placeholders(text, ENGLISH, {name: _argument_in_english(value) for name, value in places.items()})
    )


def join_localized(between: str, parts: Iterable[str]) -> str:
    """Whole texts side by side, as `between.join` has them."""
    parts = list(parts)
    return _with_english(between.join(parts), between.join(map(to_english, parts)))


def sentence_case(text: str) -> str:
    """A text as it stands at the beginning of a sentence: its first letter as a capital, the rest as it is.

    Only where the script knows such capitals: Georgian has capitals, and begins no sentence with them.
    """
    return _with_english(_capitalized(text, _spoken), _capitalized(to_english(text), ENGLISH))


def _capitalized(text: str, language: Language) -> str:
    if text[:1] == "i" and language.code.partition("_")[0] in _DOTTED:
        return f"İ{text[1:]}"
    return text[:1].title() + text[1:]


def join_names(names: Sequence[str]) -> str:
    """Names in a sentence: “A”, “A and B”, “A, B and C”."""
    if len(names) < 2:
        return names[0] if names else ""
    return tr("{names} and {last}", names=join_localized(", ", names[:-1]), last=names[-1])


def to_english(value: Any) -> Any:
    """What is exchanged, the same in every language: texts in English, also within plain values such as JSON has."""
    if isinstance(value, str):
        return value.english if isinstance(value, LocalizedStr) else value
    if isinstance(value, dict):
        return {to_english(name): to_english(held) for name, held in value.items()}
    return [to_english(held) for held in value] if isinstance(value, list | tuple) else value


def map_localized(text: str, change: Callable[[str], str]) -> str:
    """A text with something changed in it, in English as well."""
    return _with_english(change(text), change(to_english(text)))


def retranslate(text: str) -> str:
    """A text that was kept in English, in the language spoken; as it is where it has places or is not translated."""
    said = _spoken.text(text, "", None)
    return text if said is None else _with_english(said, text)


def _with_english(shown: str, english: str) -> str:
    if shown == english:
        return shown
    said = LocalizedStr(shown)
    said.english = english
    return said


def _argument_in_english(value: object) -> object:
    # what says nothing of how it is formatted is formatted as its text is, which may be one of ours
    return to_english(str(value) if type(value).__format__ is object.__format__ else value)


def _fill_placeholders(text: str, language: Language, places: Mapping[str, object]) -> str:
    if not places:
        return text
    return (
        _PlaceholderFiller(language).vformat(text, (), places) if PLURAL_SEPARATOR in text else text.format_map(places)
    )


class _PlaceholderFiller(string.Formatter):
    """Fills the places of a text; a number chooses between the forms that stand in its place."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        forms = format_spec.split(PLURAL_SEPARATOR)
        return format(value, format_spec) if len(forms) == 1 else forms[min(self._language.form(value), len(forms) - 1)]
