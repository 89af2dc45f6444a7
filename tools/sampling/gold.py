"""Gold tags: the fewest word edits between a machine translation and its post-edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sampling.authored import Link


@dataclass(frozen=True)
class Edits:
    """Minimum-edit alignment of an MT with its post-edit: number of edits, links of unchanged words, and gold tags."""

    count: int
    kept: tuple[Link, ...]
    word_bad: tuple[bool, ...]
    gap_bad: tuple[bool, ...]

    def interleaved(self) -> list[bool]:
        """Return the flags in file order: gap, word, gap, ..., word, gap."""
        return interleave(self.word_bad, self.gap_bad)


def likeness(left: str, right: str) -> int:
    """Return the total length of the common prefix and suffix of two words."""
    short = min(len(left), len(right))
    begin = 0
    while begin < short and left[begin] == right[begin]:
        begin += 1
    end = 0
    while end < short - begin and left[-1 - end] == right[-1 - end]:
        end += 1
    return begin + end


def align_edits(mt: Sequence[str], pe: Sequence[str]) -> Edits:
    """Align a translation with its post-edit with the fewest word edits, and derive the gold tags."""
    n, m = len(mt), len(pe)
    # a cell holds (edits, -kept words, -likeness of the substituted words) and the step that leads to it
    best: list[list[tuple[tuple[int, int, int], str]]] = [[((0, 0, 0), "")] * (m + 1) for _ in range(n + 1)]
    for i in range(n + 1):
        for j in range(m + 1):
            options: list[tuple[tuple[int, int, int], str]] = []
            if i and j:
                edits, kept, alike = best[i - 1][j - 1][0]
                if mt[i - 1] == pe[j - 1]:
                    options.append(((edits, kept - 1, alike), "keep"))
                else:
                    options.append(((edits + 1, kept, alike - likeness(mt[i - 1], pe[j - 1])), "replace"))
            if i:
                edits, kept, alike = best[i - 1][j][0]
                options.append(((edits + 1, kept, alike), "delete"))
            if j:
                edits, kept, alike = best[i][j - 1][0]
                options.append(((edits + 1, kept, alike), "insert"))
            if options:
                best[i][j] = min(options, key=lambda option: option[0])
    word_bad, gap_bad = [False] * n, [False] * (n + 1)
    links: list[Link] = []
    i, j = n, m
    while i or j:
        step = best[i][j][1]
        if step == "keep":
            links.append((i - 1, j - 1))
        elif step == "insert":
            gap_bad[i] = True
        else:
            word_bad[i - 1] = True
        i, j = i - (step != "insert"), j - (step != "delete")
    return Edits(best[n][m][0][0], tuple(reversed(links)), tuple(word_bad), tuple(gap_bad))


def interleave(words: Sequence[bool], gaps: Sequence[bool]) -> list[bool]:
    """Put n word flags between n + 1 gap flags."""
    flags = [gaps[0]]
    for word, gap in zip(words, gaps[1:], strict=True):
        flags += [word, gap]
    return flags
