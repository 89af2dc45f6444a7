"""Reader of Qt Linguist translations (.ts); every text is validated before use."""

from __future__ import annotations

import gettext
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

from qe_desktop.escaping import escape_terminal
from qe_desktop.i18n.messages import PLURAL_SEPARATOR, Language, tr

MAX_TRANSLATION_BYTES = 20_000_000
"""Maximum size of a translation file in bytes."""

_DEFAULT_PLURAL_RULE = "n != 1"
PLURAL_RULES = {
    "ja": "0", "ko": "0", "zh": "0", "vi": "0", "id": "0", "th": "0",
    "fr": "n > 1", "pt_BR": "n > 1",
    "cs": "n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2", "sk": "n == 1 ? 0 : n >= 2 && n <= 4 ? 1 : 2",
    "pl": "n == 1 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 10 || n % 100 > 20) ? 1 : 2",
    "ru": "n % 10 == 1 && n % 100 != 11 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 10 || n % 100 > 20) ? 1 : 2",
    "uk": "n % 10 == 1 && n % 100 != 11 ? 0 : n % 10 >= 2 && n % 10 <= 4 && (n % 100 < 10 || n % 100 > 20) ? 1 : 2",
    "lt": "n % 10 == 1 && n % 100 != 11 ? 0 : n % 10 != 0 && (n % 100 < 10 || n % 100 > 20) ? 1 : 2",
    "lv": "n % 10 == 1 && n % 100 != 11 ? 0 : n != 0 ? 1 : 2",
    "ar": "n == 0 ? 0 : n == 1 ? 1 : n == 2 ? 2 : n % 100 >= 3 && n % 100 <= 10 ? 3 : n % 100 >= 11 ? 4 : 5",
}  # fmt: skip
"""Plural rules by language code, with the forms in the order of Qt Linguist; other languages use the English rule."""


class InvalidTranslationError(Exception):
    """Error for a file that is not a valid translation of this program."""


def read_language(path: str) -> Language:
    """Read the translation in a .ts file.

    Raises InvalidTranslationError if the file cannot be read, is too large, or is not a translation. It is also raised
    if a text has a placeholder or percent sign that its source lacks.
    """
    display_path = escape_terminal(path, 500)
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_TRANSLATION_BYTES + 1)
        if len(data) > MAX_TRANSLATION_BYTES:
            raise InvalidTranslationError(tr("{file}: too large for a translation file", file=display_path))
        root = ElementTree.fromstring(data)
    except (OSError, ElementTree.ParseError, LookupError, ValueError) as error:
        raise InvalidTranslationError(f"{display_path}: {error}") from None
    if root.tag != "TS":
        raise InvalidTranslationError(tr("{file}: not a Qt Linguist translation file", file=display_path))
    code = root.get("language", "")
    texts: dict[tuple[str, str], tuple[str, ...]] = {}
    for source, comment, forms in _messages(root):
        invalid_form = next((form for form in forms if not _has_only_source_placeholders(form, source)), None)
        if invalid_form is not None:
            text = escape_terminal(invalid_form, 200)
            raise InvalidTranslationError(
                tr(
                    "{file}: “{text}” has a placeholder or percent sign that is not in its source text",
                    file=display_path,
                    text=text,
                )
            )
        texts[source, comment] = forms
    return Language(code, texts, plural_rule(code))


def plural_rule(code: str) -> Callable[[int], int]:
    """Return the plural rule for a language code, such as `pl` or `pt_BR`; the English rule if the code is unknown."""
    rule: Callable[[int], int] = gettext.c2py(
        PLURAL_RULES.get(code, PLURAL_RULES.get(code.split("_")[0], _DEFAULT_PLURAL_RULE))
    )
    return rule


def _messages(root: ElementTree.Element) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield the source, the comment and the plural forms of each translated text."""
    for message in root.iter("message"):
        translation = message.find("translation")
        if translation is None or translation.get("type") in ("vanished", "obsolete"):
            continue
        forms = tuple(form.text or "" for form in translation.iter("numerusform")) or (translation.text or "",)
        if all(forms):
            yield message.findtext("source", ""), message.findtext("comment", ""), forms


def _has_only_source_placeholders(form: str, source: str) -> bool:
    """Return whether all placeholders of a translation, and any percent sign in it, also occur in its source."""
    return set(_placeholders(form)) <= set(_placeholders(source)) and ("%" in source or "%" not in form)


def _placeholders(text: str) -> Iterator[tuple[str, str]]:
    """Yield the name and format of each placeholder in a text; all plural forms count as the same format."""
    try:
        for _, name, format_spec, conversion in string.Formatter().parse(text):
            if name is not None:
                is_plural = PLURAL_SEPARATOR in (format_spec or "") and "{" not in (format_spec or "")
                yield name, PLURAL_SEPARATOR if is_plural else f"{conversion or ''}:{format_spec}"
    except ValueError:
        yield text, "unbalanced braces"
