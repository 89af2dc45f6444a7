"""Random pairs of token sequences with many repeats; the second is often an edited copy of the first."""

from __future__ import annotations

import random

from hypothesis import strategies as st


def edit_randomly(tokens: list[str], dice: random.Random, words: int, changes: int) -> list[str]:
    """Return the tokens with random block moves, substitutions, deletions and insertions."""
    tokens = list(tokens)
    for _ in range(changes):
        if not tokens:
            break
        first = dice.randrange(len(tokens))
        kind = dice.random()
        if kind < 0.4:
            last = min(len(tokens), first + dice.randint(1, 12))
            block = tokens[first:last]
            del tokens[first:last]
            index = dice.randint(0, len(tokens))
            tokens[index:index] = block
        elif kind < 0.6:
            tokens[first] = f"w{dice.randrange(words)}"
        elif kind < 0.8:
            del tokens[first]
        else:
            tokens.insert(first, f"w{dice.randrange(words)}")
    return tokens


def random_pair(seed: int, max_length: int) -> tuple[list[str], list[str]]:
    """Return an MT and a reference of at most `longest` tokens before edits."""
    dice = random.Random(seed)
    words = dice.choice([1, 2, 3, 5, 10, 40, 300])
    mt = [f"w{dice.randrange(words)}" for _ in range(dice.randint(0, max_length))]
    if dice.random() < 0.6:
        return mt, edit_randomly(mt, dice, words, dice.randint(0, 10))
    return mt, [f"w{dice.randrange(words)}" for _ in range(dice.randint(0, max_length))]


short_pairs = st.integers(0, 2**32).map(lambda seed: random_pair(seed, 22))
"""Pairs too short for the beam to matter."""
long_pairs = st.integers(0, 2**32).map(lambda seed: random_pair(seed, 90))
