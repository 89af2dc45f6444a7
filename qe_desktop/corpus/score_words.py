"""Scores that a file gives as words: which number stands for which, and what is said where the number is shown."""

from __future__ import annotations

from qe_desktop.corpus.layers import Layer
from qe_desktop.wording import tr

STUDIO = "studio-ranks"
"""The `form` of a layer whose numbers stand for the words of Trados Studio, the worst being 1."""
_WORDS = {STUDIO: (tr("Poor"), tr("Adequate"), tr("Good"))}


def word_of(layer: Layer, segment: int) -> str:
    """The word that a segment's score stands for; empty where it is a number, or there is none."""
    words, score = _WORDS.get(layer.form, ()), float(layer.scores[segment])
    return next((word for place, word in enumerate(words, 1) if place == score), "")


def rank_of(layer: Layer, segment: int) -> str:
    """The word with its number, and how many there are: "Adequate, 2 of 3"; empty where there is no word."""
    word = word_of(layer, segment)
    score = int(layer.scores[segment]) if word else 0
    return tr("{word}, {number} of {all}", word=word, number=score, all=len(_WORDS[layer.form])) if word else ""


def ranks_of(layer: Layer) -> str:
    """All words with their numbers, the best first; empty where scores are numbers."""
    words = _WORDS.get(layer.form, ())
    return ", ".join(f"{place} {word}" for place, word in reversed(list(enumerate(words, 1))))
