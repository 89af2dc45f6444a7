"""Finding a command by a few of its letters."""

from __future__ import annotations


def match(query: str, text: str) -> tuple[float, list[int]] | None:
    """How well the letters of `query` stand in `text`, in order, and where; None where they do not.

    Letters at the start of words and letters next to each other count more, and a shorter text is the better one.

    >>> match("of", "Open folder…")[1]
    [0, 5]
    >>> match("xq", "Open folder…") is None
    True
    """
    wanted = [letter for letter in query.casefold() if not letter.isspace()]
    folded = [letter.casefold() for letter in text]
    best: tuple[float, list[int]] | None = None
    starts = [place for place, letter in enumerate(folded) if wanted and letter == wanted[0]] if wanted else [0]
    for start in starts:
        places = _places(wanted, folded, start)
        if places is not None:
            value = _value(places, folded)
            if best is None or value > best[0]:
                best = (value, places)
    return best


def _places(wanted: list[str], folded: list[str], start: int) -> list[int] | None:
    places: list[int] = []
    at = start
    for letter in wanted:
        ahead = [place for place in range(at, len(folded)) if folded[place] == letter]
        if not ahead:
            return None
        near = ahead[0]
        # the start of a later word is a better guess than a letter somewhere within this one
        place = near if near == at else next((one for one in ahead if _begins(folded, one)), near)
        rest = wanted[len(places) + 1 :]
        if place != near and not _holds(rest, folded, place + 1):
            place = near
        places.append(place)
        at = place + 1
    return places


def _holds(wanted: list[str], folded: list[str], at: int) -> bool:
    letters = iter(folded[at:])
    return all(letter in letters for letter in wanted)


def _begins(folded: list[str], place: int) -> bool:
    return place == 0 or not folded[place - 1].isalnum()


def _value(places: list[int], folded: list[str]) -> float:
    value = 0.0
    for index, place in enumerate(places):
        value += 3.0 if _begins(folded, place) else 1.0
        if index and place == places[index - 1] + 1:
            value += 2.0
    return value - len(folded) / 100 - (places[0] if places else 0) / 50
