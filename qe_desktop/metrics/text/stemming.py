"""Stemming of words by language, with Snowball stemmers."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from threading import Lock

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr

STEMMER_BY_CODE = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""Default Snowball stemmer of each language, by ISO 639-1 code."""

_MAX_CACHED_STEMS = 1 << 20
"""Number of cached stems per language above which the cache is cleared."""


def stemmer_names() -> tuple[str, ...]:
    """Return the names of all stemmers: Snowball's languages, and `porter`.

    Lavie et al. 2004 use `porter`; its successor `english` stems some words differently.
    """
    import snowballstemmer

    return tuple(sorted(snowballstemmer.algorithms()))


def stemmer_for(language: str) -> str:
    """Return the stemmer for a language.

    Parameters
    ----------
    language
        Name of a stemmer, ISO 639-1 code, or a tag such as de-AT; case is ignored.

    Returns
    -------
    str
        Name of a Snowball stemmer.

    Raises
    ------
    QeError
        If there is no stemmer for the language.
    """
    available = stemmer_names()
    requested = language.strip().lower()
    for name in (
        requested,
        STEMMER_BY_CODE.get(requested),
        STEMMER_BY_CODE.get(requested.replace("_", "-").partition("-")[0]),
    ):
        if name in available:
            return name
    similar = get_close_matches(requested, available, 3, 0.7)
    raise QeError(
        tr("no stemmer for “{language}”", language=language),
        hint=tr("Use one of {names}.", names=", ".join(similar or available)),
    )


def stem_words(words: Sequence[str], language: str) -> list[str]:
    """Return the stem of each word.

    Parameters
    ----------
    words
        Words in lower case; endings with capital letters are not recognized.
    language
        Name, ISO 639-1 code or language tag, as in `stemmer_for`.

    Returns
    -------
    list of str
        Stems.

    Raises
    ------
    QeError
        If there is no stemmer for the language.
    """
    return _stemmer(stemmer_for(language)).stems(words)


class _Stemmer:
    """Stemmer of one language with a cache; thread-safe."""

    def __init__(self, name: str) -> None:
        import snowballstemmer

        self._stem = snowballstemmer.stemmer(name).stemWord
        self._stems: dict[str, str] = {}
        self._lock = Lock()

    def stems(self, words: Sequence[str]) -> list[str]:
        # a stemmer has mutable state while it stems a word
        with self._lock:
            cache = self._stems
            if len(cache) > _MAX_CACHED_STEMS:
                cache.clear()
            for word in set(words).difference(cache):
                cache[word] = self._stem(word)
            return [cache[word] for word in words]


@cache
def _stemmer(name: str) -> _Stemmer:
    return _Stemmer(name)
