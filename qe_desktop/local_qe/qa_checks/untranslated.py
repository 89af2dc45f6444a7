"""Words left as they are in the source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qe_desktop.highlights.checks.check import Check, Found, Others, Pair, Pairs
from qe_desktop.wording import tr

LETTERS = 4
"""Letters that a word has at least."""
_LETTER = "A-Za-zÀ-ÖØ-öø-ɏͰ-ԯ"
"""Letters of the scripts that know capitals, which tell names."""
_RUN = re.compile(f"[{_LETTER}]{{{LETTERS},}}")
_WORD = re.compile(
    rf"(?<![{_LETTER}\d@#/.\\&$%<_-])[{_LETTER}]+(?:['’][{_LETTER}]+)?(?![{_LETTER}\d_@/\\>]|[.-][{_LETTER}\d])"
)
_NAME = re.compile(r"(\S+)\s+$")


def _find(pairs: Pairs) -> Iterator[tuple[int, Found]]:
    left: list[tuple[int, int, int, str]] = []
    own: set[str] = set()
    for pair in pairs:
        words = words_in(pair.mt)
        kept = words & words_in(pair.source)
        own |= words - kept
        if any(map(str.islower, kept)):
            left += [(pair.segment, *found.span(), found[0]) for found in _left(pair)]
    return ((segment, _said(low, high, word)) for segment, low, high, word in left if word not in own)


def _at(pair: Pair, others: Others) -> Iterator[Found]:
    for found in _left(pair):
        if not others.has_of_itself(found[0]):
            yield _said(*found.span(), found[0])


def _said(low: int, high: int, word: str) -> Found:
    return Found((low, high), tr("“{word}” stands in the source in the same way", word=word))


def words_in(text: str) -> set[str]:
    """The words of a text that are long enough to be looked at."""
    return set(_RUN.findall(text))


def _left(pair: Pair) -> Iterator[re.Match[str]]:
    held = {found[0] for found in _WORD.finditer(pair.source) if _is_common(found[0])}
    for found in _WORD.finditer(pair.mt) if held else ():
        if found[0] in held and not _ends_a_name(pair, found):
            yield found


def _ends_a_name(pair: Pair, word: re.Match[str]) -> bool:
    """Whether a word follows one with a capital that it follows in the source too, as in Calosoma sycophanta."""
    before = _NAME.search(pair.mt, max(0, word.start() - 40), word.start())
    return before is not None and before[1][:1].isupper() and f"{before[1]} {word[0]}" in pair.source


def _is_common(word: str) -> bool:
    """Whether a word is no name, abbreviation or code: small letters, and enough of them."""
    return len(word) >= LETTERS and word.islower()


CHECK = Check(
    "untranslated",
    tr("Words left as in the source"),
    tr(
        "A word of four small letters or more that stands in source and MT alike, unless it is the end of a name, or "
        "another segment has it in the MT and not in the source."
    ),
    _find,
    _at,
)
