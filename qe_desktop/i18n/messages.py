"""Translatable texts: whole sentences with named placeholders, in English or in the current language.

`tr` has the signature of Qt's `tr`, so that `pyside6-lupdate` finds every text. Placeholders are named (`{file}`) and
filled after translation. A number selects a plural form within the sentence, as in `{n:segment|segments}`. English has
two plural forms; other languages may have more or fewer. The language is set once, before any text is created.

A translated text keeps its English source (`to_english`), which JSON, TSV and signatures use.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PLURAL_SEPARATOR = "|"
"""Separator of the plural forms in a placeholder."""


@dataclass(frozen=True, slots=True)
class Language:
    """Translations into a language, by English source and comment, and the plural rule of the language (`form`).

    `texts` contains one translation per text, or one for each plural form. Untranslated texts stay English.
    """

    code: str
    texts: Mapping[tuple[str, str], tuple[str, ...]]
    form: Callable[[int], int]

    def text(self, source: str, comment: str, n: int | None) -> str | None:
        """Return the translation of a text, with unfilled placeholders; None if the text has no translation.

        `n` selects the plural form; if it is None, the first form is returned.
        """
        forms = self.texts.get((source, comment))
        if forms is None:
            return None
        return forms[min(self.form(n), len(forms) - 1)] if n is not None else forms[0]


ENGLISH = Language("en", {}, lambda number: int(number != 1))

_DOTTED_I_LANGUAGES = ("tr", "az")
"""Languages in which i keeps its dot as a capital (İ), because I without a dot is a different letter."""

_language = ENGLISH


def set_language(language: Language) -> None:
    """Set the language of texts that are created after this call; existing texts do not change."""
    global _language
    _language = language


def current_language() -> Language:
    """Return the current language."""
    return _language


class LocalizedStr(str):
    """Translated string that keeps its English source (`english`)."""

    __slots__ = ("english",)
    english: str


def tr(text: str, comment: str = "", n: int | None = None, /, **values: object) -> str:
    """Return a text in the current language, with its placeholders replaced by `values`.

    Literal braces must be doubled, except in a text without `values` and `n`, which is used unchanged. `n` is a number
    on which the whole sentence depends: a translation may contain one sentence per plural form. `n` also replaces
    `{n}`. `comment` distinguishes texts that are identical in English.
    """
    if n is not None:
        values["n"] = n
    if _language is ENGLISH:
        return _fill_placeholders(text, ENGLISH, values)
    translation = _language.text(text, comment, n)
    # untranslated texts stay English, with English number formats
    localized = (
        _fill_placeholders(text, ENGLISH, values)
        if translation is None
        else _fill_placeholders(translation, _language, values)
    )
    return _with_english(
        localized,
        _fill_placeholders(text, ENGLISH, {name: _argument_in_english(value) for name, value in values.items()}),
    )


def join_localized(separator: str, parts: Iterable[str]) -> str:
    """Join whole texts as `str.join` does, both in the current language and in English."""
    parts = list(parts)
    return _with_english(separator.join(parts), separator.join(map(to_english, parts)))


def sentence_case(text: str) -> str:
    """Capitalize the first letter of a text and leave the rest unchanged.

    Texts in scripts that do not begin sentences with capitals, such as Georgian, are unchanged.
    """
    return _with_english(_capitalized(text, _language), _capitalized(to_english(text), ENGLISH))


def _capitalized(text: str, language: Language) -> str:
    if text[:1] == "i" and language.code.partition("_")[0] in _DOTTED_I_LANGUAGES:
        return f"İ{text[1:]}"
    return text[:1].title() + text[1:]


def join_names(names: Sequence[str]) -> str:
    """Join names for a sentence: “A”, “A and B”, “A, B and C”; empty if there are none."""
    if len(names) < 2:
        return names[0] if names else ""
    return tr("{names} and {last}", names=join_localized(", ", names[:-1]), last=names[-1])


def to_english(value: Any) -> Any:
    """Return a text in English, or a JSON-like value with all its texts in English, for data exchange.

    Tuples become lists; other values are unchanged.
    """
    if isinstance(value, str):
        return value.english if isinstance(value, LocalizedStr) else value
    if isinstance(value, dict):
        return {to_english(name): to_english(item) for name, item in value.items()}
    return [to_english(item) for item in value] if isinstance(value, list | tuple) else value


def retranslate(text: str) -> str:
    """Translate a text that was stored in English; return it unchanged if it has no translation."""
    translation = _language.text(text, "", None)
    return text if translation is None else _with_english(translation, text)


def _with_english(text: str, english: str) -> str:
    if text == english:
        return text
    localized = LocalizedStr(text)
    localized.english = english
    return localized


def _argument_in_english(value: object) -> object:
    # values without a format of their own are formatted as text, which may be a localized text
    return to_english(str(value) if type(value).__format__ is object.__format__ else value)


def _fill_placeholders(text: str, language: Language, values: Mapping[str, object]) -> str:
    if not values:
        return text
    return (
        _PlaceholderFiller(language).vformat(text, (), values) if PLURAL_SEPARATOR in text else text.format_map(values)
    )


class _PlaceholderFiller(string.Formatter):
    """Formatter that fills the placeholders of a text; a number selects one of the plural forms in its placeholder."""

    def __init__(self, language: Language) -> None:
        self._language = language

    def format_field(self, value: Any, format_spec: str) -> str:
        forms = format_spec.split(PLURAL_SEPARATOR)
        return format(value, format_spec) if len(forms) == 1 else forms[min(self._language.form(value), len(forms) - 1)]
