"""Words cut down to their stems, so that forms of one word count as the same: Snowball's stemmers by language."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from threading import Lock

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr

PORTER = "porter"
"""The stemmer that Lavie et al. 2004 use; “english” is its successor, and cuts other words otherwise."""

STEMMER_BY_CODE = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho",
    "sv": "swedish", "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip
"""Snowball's languages by ISO 639-1; where there are several stemmers of one language, the code means the usual one."""

_MAX_CACHED_STEMS = 1 << 20
"""Stems that are remembered of one language; beyond, it begins anew."""


def stemmer_names() -> tuple[str, ...]:
    """The names of all stemmers: `porter`, and Snowball's languages."""
    import snowballstemmer

    return tuple(sorted(snowballstemmer.algorithms()))


def stemmer_for(language: str) -> str:
    """The name of the stemmer that a name, an ISO 639-1 code or a tag such as de-AT means, whatever the case.

    QeError where there is none.
    """
    known = stemmer_names()
    asked = language.strip().lower()
    for name in (asked, STEMMER_BY_CODE.get(asked), STEMMER_BY_CODE.get(asked.replace("_", "-").partition("-")[0])):
        if name in known:
            return name
    near = get_close_matches(asked, known, 3, 0.7)
    raise QeError(
        tr("there is no stemmer “{language}”", language=language),
        hint=tr("Choose from {names}.", names=", ".join(near or known)),
    )


def stem_words(words: Sequence[str], language: str) -> list[str]:
    """The stem of each word; `language` as in `stemmer_named`, which says what is wrong with another one.

    The stemmers know words in lower case; capitals are taken for other letters, which no ending has.
    """
    return _stemmer(stemmer_for(language)).stems(words)


class _Stemmer:
    """One language's stemmer, which stems each different word once; any thread may ask."""

    def __init__(self, name: str) -> None:
        import snowballstemmer

        self._stem = snowballstemmer.stemmer(name).stemWord
        self._stems: dict[str, str] = {}
        self._lock = Lock()

    def stems(self, words: Sequence[str]) -> list[str]:
        # what stems a word keeps the word in itself meanwhile
        with self._lock:
            known = self._stems
            if len(known) > _MAX_CACHED_STEMS:
                known.clear()
            for word in set(words).difference(known):
                known[word] = self._stem(word)
            return [known[word] for word in words]


@cache
def _stemmer(name: str) -> _Stemmer:
    return _Stemmer(name)
