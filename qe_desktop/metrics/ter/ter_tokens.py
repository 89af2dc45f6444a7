"""Tokens as single characters, so that what compares segments compares short strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from qe_desktop.metrics.texts import Codes, Tokens


@dataclass(frozen=True, slots=True, eq=False)
class Letters:
    """The segments of several texts: `lines[text][segment]` has one character a token, the same for the same token.

    Characters mean something within a segment only. `shared[text]`, shape (segments,), says how many tokens a segment
    of a text has in common with the first text, in any order.
    """

    lines: list[list[str]]
    shared: Codes


def letters(texts: Sequence[Tokens], first: int, last: int) -> Letters:
    """Segments `first` to `last` (end exclusive) of texts that share a vocabulary."""
    offsets = [text.offsets[first : last + 1] - text.offsets[first] for text in texts]
    codes = [text.codes[text.offsets[first] : text.offsets[last]] for text in texts]
    segments = [np.repeat(np.arange(last - first), np.diff(ends)) for ends in offsets]
    size = 1 + max((int(code.max()) for code in codes if len(code)), default=0)
    keys, found = np.unique(np.concatenate(segments) * size + np.concatenate(codes), return_inverse=True)
    holder = keys // size
    # few characters for each segment: strings of small ones are compared fastest
    small = found - np.searchsorted(holder, np.arange(last - first))[np.concatenate(segments)]
    lines, counts = [], []
    begin = 0
    for ends in offsets:
        end = begin + int(ends[-1])
        whole = small[begin:end].astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
        places = ends.tolist()
        lines.append([whole[low:high] for low, high in pairwise(places)])
        counts.append(np.bincount(found[begin:end], minlength=len(keys)))
        begin = end
    both = [np.minimum(counts[0], count) for count in counts]
    shared = [np.bincount(holder, weights=count, minlength=last - first).astype(np.int64) for count in both]
    return Letters(lines, np.stack(shared))
