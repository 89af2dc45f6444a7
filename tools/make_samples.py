"""Derive the bundled sample corpora from their hand-written texts.

Each folder ``resources/samples/<pair>`` holds two files written by hand, ``authored.tsv`` (document, source,
machine translation, post-edit) and ``lexicon.tsv`` (word pairs that help the word alignment; a trailing ``*`` matches
any ending, a lone ``-`` says that the source word has no counterpart beyond those listed).  Every other file of the
folder is derived here, always in the same way.

Gold tags
    The MT is aligned with its post-edit by the fewest word edits (case matters; of several such alignments the one
    that keeps most words, then the one whose substituted words look most alike).  A substituted or deleted MT word is
    BAD; a gap is BAD where post-edit words were inserted.  HTER is the number of edits over the post-edit's length.

Word alignments
    IBM model 1 with a prior for the diagonal is trained by EM in both directions over the source with the post-edit
    and the source with the MT together.  Pairs that the lexicon knows, equal strings and equal numbers start with
    prior counts; punctuation links only to punctuation of the same kind.  The links are those that both directions
    choose; then known pairs that one direction chooses for a word without a link, if it is a near neighbour of what
    its partner is linked to; then known pairs of two words without a link, the nearest to the diagonal first; then
    pairs of two words without a link of which one direction is sure.  A pair that is not known must occur together in
    several segments, and neither of its words may have a known partner in the segment.

Source tags
    A source word is BAD when it is linked to a BAD MT word, or, through the post-edit, to a word the MT lacks.

Simulated systems
    No real system stands behind the files in ``systems/``.  For each word of the MT

        score = signal x evidence + difficulty + common noise + own noise

    where the evidence is the gold tag (1 for BAD) with a little of its neighbours' tags, the difficulty belongs to the
    segment (normal noise plus its share of BAD words), the common noise is the same for the four systems and both
    noises are smoothed over neighbouring words, so that errors come in spans.  A system flags the ``rate`` x (number
    of BAD words in the gold) words that score highest; the published probability is the logistic of the distance to
    that threshold.  Gaps are treated likewise, with scores of their own.  All noise comes from ``random.Random``,
    seeded with the pair's number in ``SEEDS``, the pair's name and the system's name.

Run ``python tools/make_samples.py`` to rewrite the derived files, with ``--check`` to compare them only (exit code 1
if they differ).
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

SEEDS = {"en-de": 30, "en-he": 1090, "en-ja": 1528}
PAIRS = tuple(SEEDS)
SAMPLES = Path(__file__).resolve().parent.parent / "resources" / "samples"
HEADER = "document\tsource\tMT\tpost-edit"
LEXICON_HEADER = "source\ttarget"
BY_HAND = frozenset({"authored.tsv", "lexicon.tsv"})

EM_ROUNDS = 8
DIAGONAL = {"en-de": 5.0, "en-he": 5.0, "en-ja": 1.5}
NULL_SHARE = 0.05
CUE_COUNT = 30.0
SURE = 0.5
SUPPORT = 3
REACH = 2

Tokens = tuple[str, ...]
Link = tuple[int, int]


class SampleError(ValueError):
    """A hand-written file is not as it should be."""


@dataclass(frozen=True)
class Segment:
    """One authored line: a source, its machine translation and the post-edit, all as tokens."""

    document: str
    source: Tokens
    mt: Tokens
    pe: Tokens


@dataclass(frozen=True)
class Edits:
    """The minimum-edit alignment of a machine translation with its post-edit."""

    count: int
    kept: tuple[Link, ...]
    word_bad: tuple[bool, ...]
    gap_bad: tuple[bool, ...]

    def interleaved(self) -> list[bool]:
        """Return the flags in file order: gap, word, gap, ..., word, gap."""
        return interleave(self.word_bad, self.gap_bad)


@dataclass(frozen=True)
class System:
    """How one simulated system behaves.

    ``signal`` says how well it sees the gold, ``rate`` how many words it flags for each BAD word of the gold.
    """

    name: str
    signal: float
    rate: float
    probabilities: bool = False


SYSTEMS = (
    System("simulated-strong", signal=1.95, rate=1.0, probabilities=True),
    System("simulated-cautious", signal=1.75, rate=0.33),
    System("simulated-eager", signal=1.2, rate=2.6),
    System("simulated-weak", signal=0.5, rate=1.3, probabilities=True),
)


# ---------------------------------------------------------------------------------------------------------------------
# reading what was written by hand


def read_authored(path: Path) -> list[Segment]:
    """Read and check ``authored.tsv``."""
    segments: list[Segment] = []
    finished: set[str] = set()
    for number, fields in _rows(path, HEADER, 4):
        document, *texts = fields
        for text in texts:
            if not text or text != " ".join(text.split()):
                raise SampleError(f"{path.name}, line {number}: empty text or stray white space")
        if segments and segments[-1].document != document:
            finished.add(segments[-1].document)
        if not document or document in finished:
            raise SampleError(f"{path.name}, line {number}: document {document!r} is empty or not in one piece")
        source, mt, pe = (tuple(text.split(" ")) for text in texts)
        segments.append(Segment(document, source, mt, pe))
    return segments


def _rows(path: Path, header: str, columns: int) -> list[tuple[int, list[str]]]:
    """Return the numbered rows of a tab-separated file under its header."""
    lines = path.read_text(encoding="utf-8").split("\n")
    if lines[0] != header or lines.pop() != "":
        raise SampleError(f"{path.name}: header or last line end missing")
    rows = [(number, line.split("\t")) for number, line in enumerate(lines[1:], start=2)]
    for number, fields in rows:
        if len(fields) != columns:
            raise SampleError(f"{path.name}, line {number}: {columns} columns expected, {len(fields)} found")
    return rows


class Lexicon:
    """Word pairs written by hand, without regard to case; ``feuer*`` stands for any word that begins so."""

    def __init__(self, pairs: Sequence[tuple[str, str]]) -> None:
        self._whole: set[tuple[str, str]] = set()
        self._lonely: set[str] = set()
        self._prefixes: dict[str, list[str]] = defaultdict(list)
        for source, target in pairs:
            if target == "-":
                self._lonely.add(source.lower())
            elif target.endswith("*"):
                self._prefixes[source.lower()].append(target[:-1].lower())
            else:
                self._whole.add((source.lower(), target.lower()))

    @classmethod
    def read(cls, path: Path) -> Lexicon:
        """Read ``lexicon.tsv``."""
        return cls([(fields[0], fields[1]) for _, fields in _rows(path, LEXICON_HEADER, 2)])

    def knows(self, source: str, target: str) -> bool:
        """Tell whether the lexicon holds the pair."""
        source, target = source.lower(), target.lower()
        if (source, target) in self._whole:
            return True
        return any(target.startswith(prefix) for prefix in self._prefixes.get(source, ()))

    def lonely(self, source: str) -> bool:
        """Tell whether a source word has no counterpart but those listed."""
        return source.lower() in self._lonely


# ---------------------------------------------------------------------------------------------------------------------
# gold tags


def likeness(left: str, right: str) -> int:
    """Return the length of the common beginning and ending of two words."""
    short = min(len(left), len(right))
    begin = 0
    while begin < short and left[begin] == right[begin]:
        begin += 1
    end = 0
    while end < short - begin and left[-1 - end] == right[-1 - end]:
        end += 1
    return begin + end


def align_edits(mt: Sequence[str], pe: Sequence[str]) -> Edits:
    """Align a translation with its post-edit by the fewest word edits and read the gold tags off."""
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


# ---------------------------------------------------------------------------------------------------------------------
# word alignments

_QUOTES = '"„“”»«「」'
_STOPS = {"，": ",", "、": ",", "。": ".", "！": "!", "？": "?", "：": ":", "；": ";", "–": "-", "—": "-"}


def punctuation_kind(token: str) -> str:
    """Return what a punctuation mark counts as, the empty string for a word."""
    if any(character.isalnum() for character in token):
        return ""
    return '"' if token in _QUOTES else _STOPS.get(token, token)


def make_cue(lexicon: Lexicon) -> Callable[[str, str], float]:
    """Return a function that weighs a pair: 0 impossible, 1 nothing known, above 1 likely."""
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
    """IBM model 1 with a diagonal prior and prior counts for known pairs; it generates ``right`` from ``left``."""

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
        """Return for each right word the chance of each left word and, last, of none of them."""
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
    """Links source words with target words, by two models that read the corpus in opposite directions."""

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
        """Return the sorted links of a pair of segments."""
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
        """Return the known pairs of words; short words, which recur, must be near the diagonal."""
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
    """Add, in turn, candidates whose two words have no link yet (without ``both``: or one of them a link close by)."""
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
    """Return the place of the largest value, the first of equals."""
    return max(range(len(row)), key=lambda place: (row[place], -place))


def tag_source(segment: Segment, edits: Edits, mt_links: Sequence[Link], pe_links: Sequence[Link]) -> list[bool]:
    """Flag the source words that were translated wrongly or not at all."""
    kept = {j for _, j in edits.kept}
    bad = {i for i, j in mt_links if edits.word_bad[j]} | {i for i, j in pe_links if j not in kept}
    return [i in bad for i in range(len(segment.source))]


# ---------------------------------------------------------------------------------------------------------------------
# simulated systems


def _normals(generator: random.Random, count: int) -> list[float]:
    """Draw normal values from uniform ones (``gauss`` may change between Python versions, ``random`` does not)."""
    normal = NormalDist()
    return [normal.inv_cdf(min(max(generator.random(), 1e-12), 1.0 - 1e-12)) for _ in range(count)]


def _smooth(values: Sequence[float], side: float) -> list[float]:
    """Mix each value with its neighbours, which weigh ``side`` each; beyond the ends lies nothing."""
    padded = [0.0, *values, 0.0]
    return [side * padded[k - 1] + padded[k] + side * padded[k + 1] for k in range(1, len(padded) - 1)]


def simulate(system: System, pair: str, slot: str, gold: Sequence[Sequence[bool]]) -> list[list[float]]:
    """Return a simulated system's P(BAD) for the words (or the gaps) of every segment."""
    common = random.Random(f"{SEEDS[pair]} {pair} {slot} common")
    own = random.Random(f"{SEEDS[pair]} {pair} {slot} {system.name}")
    overall = sum(map(sum, gold)) / sum(map(len, gold))
    scores: list[list[float]] = []
    for flags in gold:
        difficulty = 0.35 * _normals(common, 1)[0] + 0.35 * _normals(own, 1)[0] + (sum(flags) / len(flags) - overall)
        shared = _smooth(_normals(common, len(flags)), 0.4)
        noise = _smooth(_normals(own, len(flags)), 0.4)
        evidence = _smooth([float(flag) for flag in flags], 0.12)
        scores.append(
            [
                system.signal * seen + difficulty + 0.45 * both + 0.75 * mine
                for seen, both, mine in zip(evidence, shared, noise, strict=True)
            ]
        )
    ranked = sorted((score for row in scores for score in row), reverse=True)
    flagged = max(1, round(system.rate * sum(map(sum, gold))))
    threshold = (ranked[flagged - 1] + ranked[flagged]) / 2.0
    return [[_probability(score - threshold) for score in row] for row in scores]


def _probability(distance: float) -> float:
    """Turn the distance to the threshold into a probability of four decimals that is never exactly one half."""
    value = round(1.0 / (1.0 + math.exp(-1.6 * distance)), 4)
    if value == 0.5:
        return 0.5001 if distance > 0.0 else 0.4999
    return value


# ---------------------------------------------------------------------------------------------------------------------
# the files


def _lines(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _tags(rows: Sequence[Sequence[bool]]) -> str:
    return _lines([" ".join("BAD" if flag else "OK" for flag in row) for row in rows])


def derive(folder: Path) -> dict[str, str]:
    """Return the derived files of one language pair, by their paths in its folder."""
    segments = read_authored(folder / "authored.tsv")
    edits = [align_edits(segment.mt, segment.pe) for segment in segments]
    bitext = [(segment.source, segment.pe) for segment in segments]
    bitext += [(segment.source, segment.mt) for segment in segments]
    aligner = Aligner(bitext, Lexicon.read(folder / "lexicon.tsv"), DIAGONAL[folder.name])
    mt_links = [aligner.links(segment.source, segment.mt) for segment in segments]
    pe_links = [aligner.links(segment.source, segment.pe) for segment in segments]
    source_bad = [tag_source(*parts) for parts in zip(segments, edits, mt_links, pe_links, strict=True)]
    files = {
        "sample.src": _lines([" ".join(segment.source) for segment in segments]),
        "sample.mt": _lines([" ".join(segment.mt) for segment in segments]),
        "sample.pe": _lines([" ".join(segment.pe) for segment in segments]),
        "sample.docs": _lines([segment.document for segment in segments]),
        "sample.tags": _tags([edit.interleaved() for edit in edits]),
        "sample.source_tags": _tags(source_bad),
        "sample.src-mt.alignments": _lines([" ".join(f"{i}-{j}" for i, j in links) for links in mt_links]),
        "sample.hter": _lines(
            [f"{edit.count / len(segment.pe):.6f}" for edit, segment in zip(edits, segments, strict=True)]
        ),
    }
    for system in SYSTEMS:
        words = simulate(system, folder.name, "words", [edit.word_bad for edit in edits])
        gaps = simulate(system, folder.name, "gaps", [edit.gap_bad for edit in edits])
        flags = [
            interleave([chance > 0.5 for chance in row], [chance > 0.5 for chance in between])
            for row, between in zip(words, gaps, strict=True)
        ]
        files[f"systems/{system.name}.tags"] = _tags(flags)
        if system.probabilities:
            rows = [" ".join(f"{chance:.4f}" for chance in row) for row in words]
            files[f"systems/{system.name}.probabilities"] = _lines(rows)
    return files


def differences(folder: Path) -> list[str]:
    """Name the derived files of a pair that are missing, differ from what would be written, or do not belong."""
    files = derive(folder)
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - BY_HAND
    wrong = [name for name, text in files.items() if name not in found or _read(folder / name) != text.encode()]
    return sorted([*wrong, *(found - set(files))])


def _read(path: Path) -> bytes:
    return path.read_bytes()


def write(folder: Path) -> list[str]:
    """Write the derived files of a pair and return their names."""
    files = derive(folder)
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    return sorted(files)


def main(arguments: Sequence[str] | None = None) -> int:
    """Rewrite or check the sample corpora; return the exit code."""
    parser = argparse.ArgumentParser(description="Derive the bundled sample corpora from their hand-written texts.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a file differs")
    parser.add_argument("--samples", type=Path, default=SAMPLES, help="the folder that holds one folder a pair")
    options = parser.parse_args(arguments)
    code = 0
    for pair in PAIRS:
        folder = options.samples / pair
        if not options.check:
            print(f"{pair}: {len(write(folder))} files written")
            continue
        for name in differences(folder):
            print(f"{pair}/{name} is not what tools/make_samples.py writes", file=sys.stderr)
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
