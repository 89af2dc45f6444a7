"""The one way of every text for people: whole sentences with named places, in English or as a translation has them.

`tr` is written as Qt's is, so that `pyside6-lupdate` finds each text where it stands. Places are named (`{file}`) and
filled after the text is translated. A number chooses its words within the sentence, `{n:segment|segments}`: English
has two forms, other languages have their own. What is spoken is set once, before any text is made.

What a project keeps, a file hands on or a log holds is English, whoever writes it: `kept` gives that of a text, and
`again` says a kept text in the language spoken.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping
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


def tr(text: str, comment: str = "", n: int | None = None, /, **places: object) -> str:
    """The text in the language that is spoken, its `places` filled.

    A text with `places` writes braces that are none as `{{`; one without is taken as it is. `n` is the number that the
    whole sentence turns on: it is a place of its own, and a translation may have one sentence for each of its forms.
    `comment` tells texts apart that English writes alike.
    """
    if n is not None:
        places["n"] = n
    if _spoken is ENGLISH:
        return _filled(text, places, ENGLISH)
    english = _filled(text, {name: _kept(value) for name, value in places.items()}, ENGLISH)
    said = _spoken.text(text, comment, n)
    # what is not translated is English, with English numbers
    return Spoken(_filled(text, places, ENGLISH) if said is None else _filled(said, places, _spoken), english)


class Spoken(str):
    """A text in the language that is spoken, which knows what it is in English."""

    __slots__ = ("english",)
    english: str

    def __new__(cls, said: str, english: str) -> Spoken:
        """The text as it is said, and in English."""
        made = super().__new__(cls, said)
        made.english = english
        return made


def kept(text: str) -> str:
    """A text as it is kept, exchanged and logged: in English, as far as it was made by `tr`."""
    return str(_kept(text))


def again(text: str) -> str:
    """A text without places that was kept, in the language spoken; as it is where no translation has it."""
    said = _spoken.text(text, "", None)
    return text if said is None else Spoken(said, text)


def commas(texts: Iterable[str]) -> str:
    """Texts with commas between them, which know what they are in English together."""
    each = list(texts)
    said, english = ", ".join(each), ", ".join(map(kept, each))
    return said if said == english else Spoken(said, english)


def _kept(value: object) -> object:
    return value.english if isinstance(value, Spoken) else value


def _filled(text: str, places: Mapping[str, object], language: Language) -> str:
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
