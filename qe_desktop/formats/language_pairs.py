"""Selection of one language pair in files with several, in which all pairs use the same segment numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr

_THREE = {
    "cze": "cs", "ces": "cs", "deu": "de", "ger": "de", "eng": "en", "fin": "fi", "ron": "ro", "rum": "ro",
    "rus": "ru", "tur": "tr", "fra": "fr", "fre": "fr", "spa": "es", "isl": "is", "ice": "is", "jpn": "ja",
    "zho": "zh", "chi": "zh", "hin": "hi", "ukr": "uk", "hau": "ha", "pol": "pl", "kor": "ko", "fas": "fa",
    "ara": "ar", "lav": "lv", "est": "et", "lit": "lt", "hun": "hu", "ita": "it", "por": "pt", "nld": "nl",
}  # fmt: skip
"""Two-letter language codes by the three-letter codes of the shared tasks."""


def select_pair(opened: TextFile, pairs: Sequence[str], language_pair: str) -> int:
    """Index of the language pair to read among those of a rating file; 0 if none is requested and there is only one.

    Two- and three-letter codes are equivalent, so that "de-en" matches "deu-eng". If the file names no pair, 0 is
    returned for any request. Raises QeError if the requested pair is missing, or if there are several and none is
    requested.
    """
    if language_pair:
        wanted = _plain(language_pair)
        for place, pair in enumerate(pairs):
            if _plain(pair) == wanted:
                return place
        if any(_plain(pair) for pair in pairs):
            raise _another(", ".join(pairs), language_pair, opened.place())
    elif len(pairs) > 1:
        raise _several(", ".join(pairs), opened.place())
    return 0


def select_pair_rows(pairs: Sequence[str], language_pair: str, opened: TextFile, line: int) -> list[int]:
    """Indices of the pairs to read among those of a tag or score table; empty if it names none.

    Raises QeError if the requested pair is missing (located at `line`), or if there are several and none is requested.
    """
    if pairs and language_pair:
        wanted = [number for number, pair in enumerate(pairs) if pair.lower() == language_pair.lower()]
        if not wanted:
            raise _another(list_names(pairs), language_pair, opened.place(line))
        return wanted
    if len(pairs) > 1:
        raise _several(list_names(pairs), opened.place())
    return list(range(len(pairs)))


def _another(pairs: str, wanted: str, place: SourceLocation) -> QeError:
    message = tr("the file is for {pairs}, not for {wanted}", pairs=pairs, wanted=wanted)
    return QeError(message, hint=tr("Use the file for this language pair."), place=place)


def _several(pairs: str, place: SourceLocation) -> QeError:
    message = tr("the file contains several language pairs: {pairs}", pairs=pairs)
    hint, command_hint = tr("Select one of them."), tr("Select one of them (--language-pair).")
    return QeError(message, hint=hint, command_hint=command_hint, place=place)


def _plain(pair: str) -> str:
    return "-".join(_THREE.get(code, code) for code in re.split(r"[-_ ]+", pair.strip().lower()) if code)
