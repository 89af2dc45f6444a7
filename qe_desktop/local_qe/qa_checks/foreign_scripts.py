"""Detection of text copied from source to target in a script that the target language does not use.

Only non-Latin scripts count, because texts of all languages may contain Latin letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from qe_desktop.corpus.text import Span

_LETTERS_BY_SCRIPT = {
    "arabic": r"\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06fa-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc",
    "armenian": r"\u0531-\u0556\u0561-\u0587",
    "bengali": r"\u0980-\u09e3",
    "cyrillic": r"\u0400-\u052f",
    "devanagari": r"\u0900-\u0963\u0971-\u097f",
    "georgian": r"\u10a0-\u10ff\u1c90-\u1cbf",
    "greek": r"\u0370-\u03ff\u1f00-\u1fff",
    "han": r"\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
    "hangul": r"\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3",
    "hebrew": r"\u05b0-\u05ea",
    "kana": r"\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f",
    "khmer": r"\u1780-\u17d3",
    "tamil": r"\u0b80-\u0bd7",
    "telugu": r"\u0c00-\u0c63",
    "thai": r"\u0e01-\u0e4e",
}
_SCRIPTS_BY_LANGUAGE = {
    "ja": ("han", "kana"),
    "ko": ("hangul", "han"),
    **dict.fromkeys(("zh", "yue", "wuu"), ("han",)),
    **dict.fromkeys(("ar", "fa", "ur", "ps", "ckb", "ug", "sd"), ("arabic",)),
    **dict.fromkeys(("he", "yi"), ("hebrew",)),
    **dict.fromkeys(("hi", "mr", "ne", "sa"), ("devanagari",)),
    **dict.fromkeys(("ru", "uk", "be", "bg", "mk", "kk", "ky", "tg", "tt"), ("cyrillic",)),
    "bn": ("bengali",), "as": ("bengali",), "el": ("greek",), "hy": ("armenian",), "ka": ("georgian",),
    "km": ("khmer",), "ta": ("tamil",), "te": ("telugu",), "th": ("thai",),
    **dict.fromkeys((
        "af", "ca", "cs", "cy", "da", "de", "en", "eo", "es", "et", "eu", "fi", "fr", "ga", "gl", "hr", "hu", "id",
        "is", "it", "la", "lb", "lt", "lv", "ms", "mt", "nb", "nl", "nn", "no", "pl", "pt", "ro", "sk", "sl", "sq",
        "sv", "sw", "tr", "vi",
    ), ()),
}  # fmt: skip
"""Non-Latin scripts that each language uses; languages with alternative scripts, such as Serbian, are omitted."""
MIN_LETTERS = 4
"""Minimum number of letters in copied text; shorter copies are symbols or examples, as in “the kanji 東京”."""
_OPENING = "([{（「『【《\"'“„«‘‚"


@lru_cache(maxsize=64)
def _foreign_run(language: str, min_letters: int) -> re.Pattern[str] | None:
    """Return a pattern of at least `min_letters` adjacent letters of scripts that a language does not use.

    None if the scripts of the language are not known.
    """
    used_scripts = _SCRIPTS_BY_LANGUAGE.get(language)
    if used_scripts is None:
        return None
    letters = "".join(letters for script, letters in _LETTERS_BY_SCRIPT.items() if script not in used_scripts)
    return re.compile(f"[{letters}]{{{min_letters},}}")


def has_foreign_letters(text: str, language: str) -> bool:
    """Whether a text has at least `MIN_LETTERS` letters of non-Latin scripts that a language does not use.

    False if the scripts of the language are not known.
    """
    if text.isascii() or (pattern := _foreign_run(language, 1)) is None:
        return False
    return sum(map(len, pattern.findall(text))) >= MIN_LETTERS


def copied_foreign_runs(source: str, mt: str, language: str) -> Iterator[tuple[Span, str]]:
    """Yield the span and text of each run of foreign letters in the MT that is also in the source.

    Foreign letters are those of non-Latin scripts that the language does not use. Runs of fewer than `MIN_LETTERS`
    letters, and runs after an opening bracket or quotation mark, are omitted. Yield nothing if the scripts of the
    language are not known.
    """
    if mt.isascii() or (pattern := _foreign_run(language, MIN_LETTERS)) is None:
        return
    source_runs: set[str] | None = None
    for match in pattern.finditer(mt):
        if match.start() and mt[match.start() - 1] in _OPENING:
            continue
        if source_runs is None:
            source_runs = set(pattern.findall(source))
        if match[0] in source_runs:
            yield match.span(), match[0]
