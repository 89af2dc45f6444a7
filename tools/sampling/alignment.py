"""Word alignments: IBM model 1 in both directions, with a lexicon and a prior for the diagonal."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Sequence

from sampling.authored import Lexicon, Link, Segment, Tokens
from sampling.gold import Edits

EM_ROUNDS = 8
DIAGONAL = {"en-de": 5.0, "en-he": 5.0, "en-ja": 1.5}
NULL_SHARE = 0.05
CUE_COUNT = 30.0
SURE = 0.5
SUPPORT = 3
REACH = 2

_QUOTES = '"„“”»«「」'
_STOPS = {"，": ",", "、": ",", "。": ".", "！": "!", "？": "?", "：": ":", "；": ";", "–": "-", "—": "-"}


def punctuation_kind(token: str) -> str:
    """Return the kind of a punctuation mark, such as `"` for all quotation marks; empty for a word."""
    if any(character.isalnum() for character in token):
        return ""
    return '"' if token in _QUOTES else _STOPS.get(token, token)


def make_cue(lexicon: Lexicon) -> Callable[[str, str], float]:
    """Return a function that weights a source and a target word: 0 if unlinkable, above 1 if known, else 1."""
    memory: dict[tuple[str, str], float] = {}

    def weigh(source: str, target: str) -> float:
        kinds = punctuation_kind(source), punctuation_kind(target)
        if any(kinds):
            return CUE_COUNT if kinds[0] == kinds[1] else 0.0
        if lexicon.lonely(source):
            return 0.0
        digits = "".join(filter(str.isdigit, source))
        if source.lower() == target.lower() or lexicon.knows(source, target):
            return CUE_COUNT
        if digits and digits == "".join(filter(str.isdigit, target)):
            return CUE_COUNT
        alike = source[:5].lower() == target[:5].lower() and min(len(source), len(target)) > 5
        return CUE_COUNT / 2 if alike else 1.0

    def cue(source: str, target: str) -> float:
        pair = source, target
        if pair not in memory:
            memory[pair] = weigh(source, target)
        return memory[pair]

    return cue


Bitext = list[tuple[Tokens, Tokens]]
Cue = Callable[[str, str], float]


class Model1:
    """IBM model 1 with a diagonal prior and prior counts for known pairs; left words generate right words."""

    def __init__(self, bitext: Bitext, cue: Cue, diagonal: float) -> None:
        self._cue = cue
        self._diagonal = diagonal
        self._table: dict[tuple[str, str], float] = {}
        self._start: dict[str, float] = {"": 1.0 / len({word for _, right in bitext for word in right})}
        for _ in range(EM_ROUNDS):
            self._train(bitext)

    def _weight(self, left: str, right: str) -> float:
        if not left:
            return self._table.get((left, right), self._start[""])
        return self._table.get((left, right), self._cue(left, right) * self._start[""])

    def _train(self, bitext: Bitext) -> None:
        counts: dict[tuple[str, str], float] = defaultdict(float)
        totals: dict[str, float] = defaultdict(float)
        for lefts, rights in bitext:
            for right, shares in zip(rights, self.posteriors(lefts, rights), strict=True):
                for left, share in zip((*lefts, ""), shares, strict=True):
                    counts[left.lower(), right.lower()] += share
                    totals[left.lower()] += share
        for left, right in counts:
            if left and self._cue(left, right) > 1.0:
                counts[left, right] += self._cue(left, right)
                totals[left] += self._cue(left, right)
        self._table = {pair: count / totals[pair[0]] for pair, count in counts.items() if totals[pair[0]] > 0.0}

    def posteriors(self, lefts: Tokens, rights: Tokens) -> list[list[float]]:
        """Return, for each right word, the probability of each left word and, last, of no left word."""
        rows: list[list[float]] = []
        for j, right in enumerate(rights):
            place = (j + 0.5) / len(rights)
            prior = [math.exp(-self._diagonal * abs((i + 0.5) / len(lefts) - place)) for i in range(len(lefts))]
            scale = (1.0 - NULL_SHARE) / sum(prior)
            row = [
                0.0 if self._cue(left, right) == 0.0 else self._weight(left.lower(), right.lower()) * chance * scale
                for left, chance in zip(lefts, prior, strict=True)
            ]
            row.append(NULL_SHARE * self._weight("", right.lower()))
            total = sum(row)
            rows.append([value / total for value in row])
        return rows


class Aligner:
    """Aligner of source and target words, with one model for each direction."""

    def __init__(self, bitext: Bitext, lexicon: Lexicon, diagonal: float) -> None:
        cue = make_cue(lexicon)
        self._cue = cue
        self._onward = Model1(bitext, cue, diagonal)
        turned = [(right, left) for left, right in bitext]
        self._backward = Model1(turned, lambda left, right: cue(right, left), diagonal)
        self._support: dict[tuple[str, str], set[Tokens]] = defaultdict(set)
        for source, target in bitext:
            for left in source:
                for right in target:
                    self._support[left.lower(), right.lower()].add(source)

    def links(self, source: Tokens, target: Tokens) -> list[Link]:
        """Return the links between the words of a source and a target segment, sorted."""
        onward = self._onward.posteriors(source, target)
        backward = self._backward.posteriors(target, source)
        from_target = {(_best(row), j): row[_best(row)] for j, row in enumerate(onward) if _best(row) < len(source)}
        from_source = {(i, _best(row)): row[_best(row)] for i, row in enumerate(backward) if _best(row) < len(target)}
        known = self._known(source, target)
        settled = {source[i] for i, _ in known}, {target[j] for _, j in known}
        choices: dict[Link, float] = {}
        for (i, j), chance in (from_source | from_target).items():
            left, right = source[i], target[j]
            alone = left not in settled[0] and right not in settled[1]
            common = len(self._support[left.lower(), right.lower()]) >= SUPPORT
            if self._cue(left, right) > 1.0 or (alone and common):
                choices[i, j] = chance
        links = set(from_target) & set(from_source) & set(choices)
        likely = sorted(choices, key=lambda pair: (-choices[pair], pair))
        _extend(links, [(i, j) for i, j in likely if self._cue(source[i], target[j]) > 1.0], both=False)
        _extend(links, [pair for _, pair in sorted((self._distance(source, target, pair), pair) for pair in known)])
        _extend(links, [pair for pair in likely if choices[pair] >= SURE])
        return sorted(links)

    def _known(self, source: Tokens, target: Tokens) -> list[Link]:
        """Return the known pairs of words; short source words, which recur, must be near the diagonal."""
        return [
            (i, j)
            for i, left in enumerate(source)
            for j, right in enumerate(target)
            if not punctuation_kind(left)
            and self._cue(left, right) > 1.0
            and self._distance(source, target, (i, j)) <= (0.15 if len(left) < 4 else 1.0)
        ]

    @staticmethod
    def _distance(source: Tokens, target: Tokens, pair: Link) -> float:
        return abs((pair[0] + 0.5) / len(source) - (pair[1] + 0.5) / len(target))


def _extend(links: set[Link], candidates: Sequence[Link], *, both: bool = True) -> None:
    """Add, in order, candidates of which neither word has a link.

    If `both` is false, one of the two words may have links, if any leads to a word within `REACH` of the other word.
    """
    for i, j in candidates:
        targets = [right for left, right in links if left == i]
        sources = [left for left, right in links if right == j]
        if not targets and not sources:
            links.add((i, j))
        elif not both and not (targets and sources):
            places, place = (targets, j) if targets else (sources, i)
            if min(abs(place - other) for other in places) <= REACH:
                links.add((i, j))


def _best(row: Sequence[float]) -> int:
    """Return the index of the largest value; the first one if there are several."""
    return max(range(len(row)), key=lambda place: (row[place], -place))


def tag_source(segment: Segment, edits: Edits, mt_links: Sequence[Link], pe_links: Sequence[Link]) -> list[bool]:
    """Return for each source word whether it is BAD: translated wrongly or not at all."""
    kept = {j for _, j in edits.kept}
    bad = {i for i, j in mt_links if edits.word_bad[j]} | {i for i, j in pe_links if j not in kept}
    return [i in bad for i in range(len(segment.source))]
