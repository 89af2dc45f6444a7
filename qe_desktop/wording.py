"""The one way of every text for people: whole sentences with named places, in English or as a translation has them.

`tr` is written as Qt's is, so that `pyside6-lupdate` finds each text where it stands. Places are named (`{file}`) and
filled after the text is translated. A number chooses its words within the sentence, `{n:segment|segments}`: English
has two forms, other languages have their own. What is spoken is set once, before any text is made.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

BETWEEN_FORMS = "|"
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

_spoken = ENGLISH


def speak(language: Language) -> None:
    """Say every text from now on in a language. Texts that are made already stay as they are."""
    global _spoken
    _spoken = language


class _Said(str):
    """A translated text, which knows what it is in English."""

    english: str


def in_english(text: str) -> str:
    """A text that `tr` made, as it is in English: for a log or a file that is not to depend on who wrote it."""
    return text.english if isinstance(text, _Said) else text


def tr(text: str, comment: str = "", n: int | None = None, /, **places: object) -> str:
    """The text in the language that is spoken, its `places` filled.

    A text with `places` writes braces that are none as `{{`; one without is taken as it is. `n` is the number that the
    whole sentence turns on: it is a place of its own, and a translation may have one sentence for each of its forms.
    `comment` tells texts apart that English writes alike.
    """
    if n is not None:
        places["n"] = n
    said = None if _spoken is ENGLISH else _spoken.text(text, comment, n)
    # what is not translated is English, with English numbers
    if said is None:
        return _filled(text, ENGLISH, places)
    result = _Said(_filled(said, _spoken, places))
    english = {name: in_english(value) if isinstance(value, str) else value for name, value in places.items()}
    result.english = _filled(text, ENGLISH, english)
    return result


def _filled(text: str, language: Language, places: Mapping[str, object]) -> str:
    if not places:
        return text
    return _Places(language).vformat(text, (), places) if BETWEEN_FORMS in text else text.format_map(places)


class _Places(string.Formatter):
    """Fills the places of a text; a number chooses between the forms that stand in its place."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        forms = format_spec.split(BETWEEN_FORMS)
        return format(value, format_spec) if len(forms) == 1 else forms[min(self._language.form(value), len(forms) - 1)]
