"""Fuzzy matching of command names."""

from __future__ import annotations

_WORD_START_BONUS, _WITHIN_WORD_BONUS = 2000.0, 1000.0
"""Bonuses that exceed any score of scattered letters: for whole query words at the start of words, and within words."""


def fuzzy_match(query: str, text: str) -> tuple[float, list[int]] | None:
    """Match the letters of `query` in `text`, in order; return the score and the positions, None if there is no match.

    Words of `query` that begin words of `text` score highest, as do letters that all begin words; then words within
    other words; then scattered letters, of which those at the start of words and adjacent ones score more. Shorter
    texts score more than longer ones.

    >>> fuzzy_match("of", "Open folder…")[1]
    [0, 5]
    >>> fuzzy_match("xq", "Open folder…") is None
    True
    """
    wanted = [letter for letter in query.casefold() if not letter.isspace()]
    folded = [letter.casefold() for letter in text]
    best = _match_words(query.casefold().split(), folded)
    starts = [place for place, letter in enumerate(folded) if wanted and letter == wanted[0]] if wanted else [0]
    for start in starts:
        places = _match_positions(wanted, folded, start)
        if places is not None:
            value = _match_score(places, folded) + _WORD_START_BONUS * all(
                _is_word_start(folded, place) for place in places
            )
            if best is None or value > best[0]:
                best = (value, places)
    return best


def _match_words(words: list[str], folded: list[str]) -> tuple[float, list[int]] | None:
    """Match whole words in order, at the start of words if possible; return the score and the positions."""
    for begins in (True, False):
        places: list[int] = []
        for word in words:
            at = places[-1] + 1 if places else 0
            fits = (
                place for place in range(at, len(folded) - len(word) + 1)
                if folded[place : place + len(word)] == list(word) and (_is_word_start(folded, place) or not begins)
            )  # fmt: skip
            start = next(fits, None)
            if start is None:
                break
            places += range(start, start + len(word))
        else:
            return (
                (_match_score(places, folded) + (_WORD_START_BONUS if begins else _WITHIN_WORD_BONUS), places)
                if places
                else None
            )
    return None


def _match_positions(wanted: list[str], folded: list[str], start: int) -> list[int] | None:
    places: list[int] = []
    at = start
    for letter in wanted:
        ahead = [place for place in range(at, len(folded)) if folded[place] == letter]
        if not ahead:
            return None
        near = ahead[0]
        # the start of a later word is a better match than a letter within this word
        place = near if near == at else next((index for index in ahead if _is_word_start(folded, index)), near)
        rest = wanted[len(places) + 1 :]
        if place != near and not _matches_at(rest, folded, place + 1):
            place = near
        places.append(place)
        at = place + 1
    return places


def _matches_at(wanted: list[str], folded: list[str], at: int) -> bool:
    letters = iter(folded[at:])
    return all(letter in letters for letter in wanted)


def _is_word_start(folded: list[str], place: int) -> bool:
    return place == 0 or not folded[place - 1].isalnum()


def _match_score(places: list[int], folded: list[str]) -> float:
    value = 0.0
    for index, place in enumerate(places):
        value += 3.0 if _is_word_start(folded, place) else 1.0
        if index and place == places[index - 1] + 1:
            value += 2.0
    return value - len(folded) / 100 - (places[0] if places else 0) / 50
