"""Selection of one language pair from a file that contains several pairs, all with the same segment numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr

_TWO_LETTER_CODES = {
    "cze": "cs", "ces": "cs", "deu": "de", "ger": "de", "eng": "en", "fin": "fi", "ron": "ro", "rum": "ro",
    "rus": "ru", "tur": "tr", "fra": "fr", "fre": "fr", "spa": "es", "isl": "is", "ice": "is", "jpn": "ja",
    "zho": "zh", "chi": "zh", "hin": "hi", "ukr": "uk", "hau": "ha", "pol": "pl", "kor": "ko", "fas": "fa",
    "ara": "ar", "lav": "lv", "est": "et", "lit": "lt", "hun": "hu", "ita": "it", "por": "pt", "nld": "nl",
}  # fmt: skip
"""Two-letter language codes, by the three-letter codes that the shared tasks use."""


class SeveralPairsError(QeError):
    """Error for a file with several language pairs when no pair is requested."""


def pair_key(pair: str) -> str:
    """Return a key that is equal for all spellings of a language pair; it is for comparison only.

    >>> pair_key("en-DE") == pair_key("eng_deu") == pair_key("en-de")
    True
    """
    return "-".join(_TWO_LETTER_CODES.get(code, code) for code in re.split(r"[-_ ]+", pair.strip().lower()) if code)


def has_pair(pairs: Iterable[str], pair: str) -> bool:
    """Return whether `pairs` contain the language pair `pair` in any spelling."""
    return pair_key(pair) in map(pair_key, pairs)


def unique_pairs(pairs: Iterable[str]) -> list[str]:
    """Return each language pair once, in its first spelling."""
    spellings: dict[str, str] = {}
    for pair in pairs:
        spellings.setdefault(pair_key(pair), pair)
    return list(spellings.values())


def select_pair(opened: TextFile, pairs: Sequence[str], language_pair: str) -> list[int]:
    """Indices of those `pairs` of a rating file that are spellings of the requested language pair.

    Returns all indices if the file names no pair, or if it names only one and no pair is requested. Raises QeError if
    the requested pair is missing, or if the file names several pairs and no pair is requested.
    """
    named = [pair for pair in pairs if pair_key(pair)]
    if language_pair and named:
        requested = [number for number, pair in enumerate(pairs) if pair_key(pair) == pair_key(language_pair)]
        if not requested:
            raise _wrong_pair_error(", ".join(pairs), language_pair, opened.location())
        return requested
    if not language_pair and len(unique_pairs(named)) > 1:
        raise _several_pairs_error(", ".join(named), opened.location())
    return list(range(len(pairs)))


def select_pair_rows(pairs: Sequence[str], language_pair: str, opened: TextFile, line: int) -> list[int]:
    """Indices of those `pairs` of a tag or score table that are to be read; empty if the table names no pair.

    Raises QeError if the requested pair is missing (this error is located at `line`), or if the table names several
    pairs and no pair is requested.
    """
    if pairs and language_pair:
        indices = [number for number, pair in enumerate(pairs) if pair_key(pair) == pair_key(language_pair)]
        if not indices:
            raise _wrong_pair_error(list_names(pairs), language_pair, opened.location(line))
        return indices
    if len(unique_pairs(pairs)) > 1:
        raise _several_pairs_error(list_names(pairs), opened.location())
    return list(range(len(pairs)))


def _wrong_pair_error(pairs: str, requested: str, location: SourceLocation) -> QeError:
    message = tr("the file is for {pairs}, not for {wanted}", pairs=pairs, wanted=requested)
    return QeError(message, hint=tr("Use a file that contains the requested language pair."), place=location)


def _several_pairs_error(pairs: str, location: SourceLocation) -> QeError:
    message = tr("the file contains several language pairs: {pairs}", pairs=pairs)
    hint, command_hint = tr("Select one language pair."), tr("Select one language pair with --language-pair.")
    return SeveralPairsError(message, hint=hint, command_hint=command_hint, place=location)
