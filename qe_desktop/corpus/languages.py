"""Language tags (BCP 47: RFC 5646, section 2.1), language pairs, writing directions, and languages by script."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

MAX_DIRECTION_LINES = 200
"""Maximum number of evenly spaced lines of a column from which the writing direction is determined."""
MAX_COUNTED_CHARS = 300
"""Maximum number of characters examined per line."""


class Direction(enum.StrEnum):
    """Writing direction; `NONE` if no letter determines it."""

    LEFT_TO_RIGHT = "ltr"
    RIGHT_TO_LEFT = "rtl"
    NONE = "auto"


def majority_direction(texts: Iterable[str]) -> Direction:
    """Direction of the majority of letters (Unicode bidirectional classes L, R and AL); left to right in a tie.

    The result is `NONE` if there are no such letters. Because all letters count, a name in another script at the
    beginning of a line does not determine the direction.

    >>> str(majority_direction(["iPhone הוא טלפון חכם"]))
    'rtl'
    >>> str(majority_direction(["123 ."]))
    'auto'
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(map(unicodedata.bidirectional, text[:MAX_COUNTED_CHARS]))
    left, right = counts["L"], counts["R"] + counts["AL"]
    if not left and not right:
        return Direction.NONE
    return Direction.RIGHT_TO_LEFT if right > left else Direction.LEFT_TO_RIGHT


_TAG = re.compile(
    r"(?P<language>[a-z]{2,3}(?P<extended>(?:-[a-z]{3}){0,3}))(?:-(?P<script>[a-z]{4}))?(?:-(?P<region>[a-z]{2}|[0-9]{3}))?"
    r"(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?",
    re.IGNORECASE,
)
_TWO_LETTER_CODES = frozenset((
    "aa", "ab", "ae", "af", "ak", "am", "an", "ar", "as", "av", "ay", "az", "ba", "be", "bg", "bh", "bi", "bm",
    "bn", "bo", "br", "bs", "ca", "ce", "ch", "co", "cr", "cs", "cu", "cv", "cy", "da", "de", "dv", "dz", "ee",
    "el", "en", "eo", "es", "et", "eu", "fa", "ff", "fi", "fj", "fo", "fr", "fy", "ga", "gd", "gl", "gn", "gu",
    "gv", "ha", "he", "hi", "ho", "hr", "ht", "hu", "hy", "hz", "ia", "id", "ie", "ig", "ii", "ik", "io", "is",
    "it", "iu", "iw", "ja", "ji", "jv", "ka", "kg", "ki", "kj", "kk", "kl", "km", "kn", "ko", "kr", "ks", "ku",
    "kv", "kw", "ky", "la", "lb", "lg", "li", "ln", "lo", "lt", "lu", "lv", "mg", "mh", "mi", "mk", "ml", "mn",
    "mr", "ms", "mt", "my", "na", "nb", "nd", "ne", "ng", "nl", "nn", "no", "nr", "nv", "ny", "oc", "oj", "om",
    "or", "os", "pa", "pi", "pl", "ps", "pt", "qu", "rm", "rn", "ro", "ru", "rw", "sa", "sc", "sd", "se", "sg",
    "si", "sk", "sl", "sm", "sn", "so", "sq", "sr", "ss", "st", "su", "sv", "sw", "ta", "te", "tg", "th", "ti",
    "tk", "tl", "tn", "to", "tr", "ts", "tt", "tw", "ty", "ug", "uk", "ur", "uz", "ve", "vi", "vo", "wa", "wo",
    "xh", "yi", "yo", "za", "zh", "zu",
))  # fmt: skip
"""Two-letter language codes: ISO 639-1, and the deprecated codes `iw`, `ji` and `bh`."""
_RIGHT_TO_LEFT_SCRIPTS = frozenset((
    "adlm", "arab", "aran", "hebr", "mand", "mend", "nkoo", "rohg", "samr", "syrc", "thaa",
))  # fmt: skip
_RIGHT_TO_LEFT = frozenset((
    "ar", "arc", "arz", "ary", "arb", "apc", "azb", "bal", "bgn", "ckb", "dv", "fa", "fas", "ara", "heb", "he",
    "iw", "ji", "ks", "lrc", "mzn", "nqo", "pes", "pnb", "prs", "ps", "pus", "sd", "snd", "syr", "ug", "uig",
    "ur", "urd", "yi", "yid",
))  # fmt: skip
"""Languages usually written right to left (CLDR, likely subtags); Arabic script is assumed for `ks` and `sd`."""


class LanguageTag(NamedTuple):
    """Parts of a language tag: language in lower case, script in title case, region in upper case; empty if absent."""

    language: str = ""
    script: str = ""
    region: str = ""


def parse_language(name: str) -> LanguageTag:
    """Parse a language tag such as `zh-Hant-TW` or `pt_br`; all parts are empty if the tag is invalid.

    >>> parse_language("zh-Hant-TW")
    LanguageTag(language='zh', script='Hant', region='TW')
    >>> parse_language("pt_br").region
    'BR'
    """
    match = _TAG.fullmatch(name.strip().replace("_", "-"))
    if match is None:
        return LanguageTag()
    language = match["language"].partition("-")[0].lower()
    return LanguageTag(language, (match["script"] or "").title(), (match["region"] or "").upper())


def is_known_language(name: str) -> bool:
    """Whether a language tag begins with a known two-letter language code."""
    return parse_language(name).language in _TWO_LETTER_CODES


@lru_cache(maxsize=256)
def language_direction(name: str) -> Direction:
    """Writing direction of a tag's script or, if the tag has no script, of its language; `NONE` if the tag is invalid.

    >>> [str(language_direction(name)) for name in ("ar-EG", "az-Arab", "ur-Latn", "de", "")]
    ['rtl', 'rtl', 'ltr', 'ltr', 'auto']
    """
    tag = parse_language(name)
    if not tag.language:
        return Direction.NONE
    is_rtl = tag.script.lower() in _RIGHT_TO_LEFT_SCRIPTS if tag.script else tag.language in _RIGHT_TO_LEFT
    return Direction.RIGHT_TO_LEFT if is_rtl else Direction.LEFT_TO_RIGHT


def split_language_pair(pair: str) -> tuple[str, str]:
    """Split a language pair such as `en-de` into source and target, without changing their spelling.

    If there are several possible splits, those with known language codes, regions in capitals and a short source are
    preferred. A single language is returned as the source, with an empty target. Any other text is split at the first
    hyphen or underscore; a text without either is returned as the source.

    >>> split_language_pair("zh-Hant-TW-en")
    ('zh-Hant-TW', 'en')
    >>> split_language_pair("en-pt-BR")
    ('en', 'pt-BR')
    """
    pair = pair.strip()
    separator_indices = [index for index, sign in enumerate(pair) if sign in "-_"]
    splits = [(cost, index) for index in separator_indices if (cost := _cost(pair, index)) is not None]
    if splits:
        index = min(splits)[1]
        return pair[:index], pair[index + 1 :]
    if parse_language(pair).language or not separator_indices:
        return pair, ""
    return pair[: separator_indices[0]], pair[separator_indices[0] + 1 :]


def _cost(pair: str, index: int) -> tuple[int, ...] | None:
    """Cost of splitting a pair at an index; None if a part is not a language tag or begins with a region."""
    halves = [_TAG.fullmatch(half.replace("_", "-")) for half in (pair[:index], pair[index + 1 :])]
    tags = [half for half in halves if half is not None]
    capitals = pair.isupper()
    # in mixed case, capitals indicate a region
    if len(tags) < 2 or any(half["language"][:2].isupper() and not capitals for half in tags):
        return None
    primary = [half["language"].partition("-")[0].lower() for half in tags]
    return (
        sum(len(code) == 2 and code not in _TWO_LETTER_CODES for code in primary),
        "_" in pair and pair[index] == "_",
        sum(bool(half["extended"]) for half in tags),
        sum((half["region"] or "").islower() for half in tags),
        index,
    )


MAX_SCRIPT_LINES = 500
"""Maximum number of evenly spaced lines of a column from which the script is determined."""
MIN_SCRIPT_SHARE = 0.2
"""Share of letters in a script above which a language of the script is assumed; Han, kana and Hangul count as one."""
MIN_KANA_SHARE = 0.2
"""Share of kana among Han, kana and Hangul above which a text is Japanese; Chinese texts may have kana in names."""

_HAN = re.compile("[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
_KANA = re.compile("[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f]")
_HANGUL = re.compile("[\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7fb\uffa1-\uffdc]")


def cjk_language(lines: Iterable[str]) -> str:
    """Return `zh`, `ja` or `ko` if over `MIN_SCRIPT_SHARE` of the letters are Han, kana or Hangul, else empty.

    >>> cjk_language(["他说：“BLEU 是 0。”"])
    'zh'
    >>> cjk_language(["犬が公園を走る。"]), cjk_language(["개가 달린다."]), cjk_language(["Tokyo (東京) is far."])
    ('ja', 'ko', '')
    """
    text = "".join(line[:MAX_COUNTED_CHARS] for line in lines)
    han, kana, hangul = (len(script.findall(text)) for script in (_HAN, _KANA, _HANGUL))
    characters = han + kana + hangul
    if not characters or characters <= MIN_SCRIPT_SHARE * sum(map(str.isalpha, text)):
        return ""
    if 2 * hangul > characters:
        return "ko"
    return "ja" if kana > MIN_KANA_SHARE * characters else "zh"


_OTHER_UNSPACED: Mapping[str, re.Pattern[str]] = {
    "th": re.compile("[\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46]"),
    "lo": re.compile("[\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf]"),
    "km": re.compile("[\u1780-\u17b3]"),
    "my": re.compile("[\u1000-\u102a\u103f\u1050-\u1055\uaa60-\uaa76]"),
}
"""Patterns, by language, for letters of scripts without spaces between words; Han and kana are not included."""
MIN_UNSPACED_CHARS = 10
"""Number of characters per space above which a text counts as untokenized.

Tokens in scripts without spaces have 2 to 5 characters on average.
"""


def script_language(lines: Iterable[str]) -> str:
    """Return the language whose script is used (`zh`, `ja`, `ko`, `th`, `lo`, `km` or `my`); empty for other scripts.

    >>> script_language(["犬が公園を走る。"]), script_language(["วันนี้อากาศดี"]), script_language(["a dog"])
    ('ja', 'th', '')
    """
    lines = list(lines)
    language = cjk_language(lines)
    if language:
        return language
    text = "".join(line[:MAX_COUNTED_CHARS] for line in lines)
    letter_count = sum(map(str.isalpha, text))
    for name, script in _OTHER_UNSPACED.items():
        if len(script.findall(text)) > MIN_SCRIPT_SHARE * letter_count:
            return name
    return ""


def has_hardly_any_spaces(lines: Iterable[str]) -> bool:
    """Return whether lines have so few spaces (see `MIN_UNSPACED_CHARS`) that they cannot be tokenized text."""
    characters = spaces = 0
    for line in lines:
        words = line[:MAX_COUNTED_CHARS].split()
        characters += sum(map(len, words))
        spaces += max(0, len(words) - 1)
    return characters > MIN_UNSPACED_CHARS * spaces
