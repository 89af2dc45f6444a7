"""What a target that is typed says beside its MT: figures, marks on the words that were kept, and what was changed."""

from __future__ import annotations

import enum
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import EOS, TextRole, View
from qe_desktop.corpus.detokenized_text import TokenSpans, token_offsets
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import CodeDifferences, code_differences, parse_line_codes, strip_codes
from qe_desktop.formats.bilingual.tokenization import Spans, target_tokenizer
from qe_desktop.metrics.tags.post_edit_tags import TargetEdits, compute_target_edits
from qe_desktop.project.review.flagged_segments import STRONG_SUSPICION, word_suspicion
from qe_desktop.ui.inspect.postedit.target_editor import TextHighlight
from qe_desktop.ui.inspect.reader.inline_code_painting import PositionedCode, line_codes

FlaggedWords = NDArray[np.uint8]


class DiffType(enum.Enum):
    """What became of a run of words."""

    KEPT = "kept"
    REMOVED = "removed"
    ADDED = "added"


class DiffRun(NamedTuple):
    """Some text of MT or target, what became of it, and the codes of the target that stand in it."""

    change: DiffType
    text: str
    codes: tuple[PositionedCode, ...] = ()


class SegmentContext:
    """A segment as it was loaded, of a view: what its targets are held beside."""

    def __init__(self, view: View, segment: int) -> None:
        corpus = view.corpus
        self.segment = segment
        self.source, self.loaded = corpus.source_line(segment), corpus.mt_line(segment)
        self.text = strip_codes(self.loaded)
        self.cut = target_tokenizer(corpus)
        self.words: Spans = self.cut(self.text)
        tokens = corpus.tokens(TextRole.MT, segment)
        if corpus.eos and tokens[-1:] == [EOS]:
            tokens = tokens[:-1]
        self.tokens: TokenSpans | None = token_offsets(tokens, self.text)
        """Where the tokens that tags belong to stand in the text; None where that is not known."""
        self.doubts: FlaggedWords = word_suspicion(view, segment)
        self.labels = {} if corpus.job is None else dict(corpus.job.labels.get(segment, {}))

    def drafted(self, line: str) -> TargetDiff:
        """What a target says beside this."""
        return TargetDiff(self, line)


class TargetDiff:
    """A target, as a line with codes, beside what it was made of. What is not asked for is not computed."""

    def __init__(self, basis: SegmentContext, line: str) -> None:
        self.basis, self.line = basis, line
        self.text = strip_codes(line)
        self.words: Spans = basis.cut(self.text)

    @property
    def is_edited(self) -> bool:
        """Whether the target is another than the one loaded."""
        return self.line != self.basis.loaded

    @cached_property
    def codes(self) -> CodeDifferences:
        """What is wrong with its codes."""
        return code_differences(self.line, self.basis.source, self.basis.loaded)

    @property
    def is_refused(self) -> bool:
        """Whether its codes are such as no file takes: neither those of the source nor those that were loaded."""
        had, have = parse_line_codes(self.basis.loaded), parse_line_codes(self.line)
        return any(self.codes) and Counter(have) != Counter(had)

    @cached_property
    def edits(self) -> TargetEdits | None:
        """HTER, and tags of the words of the MT; None where the texts are too long."""
        ours = [self.basis.text[low:high] for low, high in self.basis.words]
        return compute_target_edits(ours, [self.text[low:high] for low, high in self.words])

    def marks(self) -> Iterator[TextHighlight]:
        """The doubtful words of the MT that the target still has, where they stand in it."""
        basis = self.basis
        if basis.tokens is None or self.edits is None:
            return
        kept = [(basis.words[one], self.words[other][0]) for one, other in self.edits.kept()]
        ends = [last for (_, last), _ in kept]
        for (low, high), doubt in zip(basis.tokens, basis.doubts.tolist(), strict=False):
            for (first, last), start in islice(kept, bisect_right(ends, low), None) if doubt else ():
                if first >= high:
                    break
                begin, end = max(low, first), min(high, last)
                yield TextHighlight(start + begin - first, start + end - first, doubt == STRONG_SUSPICION)

    def token_at(self, place: int) -> int | None:
        """The token of the MT that the target has at a character of its text; None where there is none."""
        if self.basis.tokens is None or self.edits is None:
            return None
        word = next((number for number, (low, high) in enumerate(self.words) if low <= place <= high), None)
        partner = {other: one for one, other in self.edits.pairs.tolist() if min(one, other) >= 0}
        if word is None or word not in partner:
            return None
        low, high = self.basis.words[partner[word]]
        return next(
            (number for number, (first, last) in enumerate(self.basis.tokens) if first < high and low < last), None
        )

    def token_by(self, place: int) -> int | None:
        """The same, or where the target has none there, that of the nearest word before; None where there is none."""
        number = max(0, bisect_right(self.words, place, key=lambda word: word[0]) - 1)
        found = (self.token_at(self.words[one][0]) for one in range(number, -1, -1) if self.words)
        return next((token for token in found if token is not None), None)

    def word_of(self, token: int) -> tuple[int, int] | None:
        """Where in the target's text the word begins and ends that is a token of the MT; None where there is none."""
        if self.basis.tokens is None or self.edits is None or token >= len(self.basis.tokens):
            return None
        first, last = self.basis.tokens[token]
        for one, other in self.edits.pairs.tolist():
            if min(one, other) >= 0 and self.basis.words[one][0] < last and first < self.basis.words[one][1]:
                start, end = self.words[other]
                return int(start), int(end)
        return None

    def beginning(self, token: int | None) -> tuple[int, int]:
        """The characters to begin to type at: the word that is a token of the MT, else before the first doubtful."""
        word = None if token is None else self.word_of(token)
        start = next((mark.start for mark in self.marks()), len(self.text))
        return word or (start, start)

    def runs(self) -> list[DiffRun]:
        """MT and target as one text: what was kept, removed and added, in order; of removed and added words that stand
        together the removed ones come first.
        """
        if self.edits is None:
            runs = [DiffRun(DiffType.REMOVED, self.basis.text), DiffRun(DiffType.ADDED, self.text)]
        else:
            runs = list(_merge_runs(self._steps(self.edits)))
        return _insert_codes(runs, line_codes(self.line))

    def _steps(self, edits: TargetEdits) -> Iterator[DiffRun]:
        ours, theirs = _WordReader(self.basis.text, self.basis.words), _WordReader(self.text, self.words)
        removed: list[str] = []
        added: list[str] = []
        for one, other in edits.pairs.tolist():
            if one >= 0 and other >= 0 and not edits.words[one]:
                yield from _replacement_runs(removed, added)
                ours.skip(one)
                yield DiffRun(DiffType.KEPT, theirs.take(other))
                continue
            if one >= 0:
                removed.append(ours.take(one))
            if other >= 0:
                added.append(theirs.take(other))
        yield from _replacement_runs(removed, added)


class _WordReader:
    """Gives the words of a text one after the other, each with what stands before it."""

    def __init__(self, text: str, spans: Spans) -> None:
        self._text, self._spans, self._at = text, spans, 0

    def take(self, word: int) -> str:
        low, high = self._at, self._spans[word][1]
        self._at = high
        return self._text[low:high]

    def skip(self, word: int) -> None:
        self._at = self._spans[word][1]


def _replacement_runs(removed: list[str], added: list[str]) -> Iterator[DiffRun]:
    if removed:
        yield DiffRun(DiffType.REMOVED, "".join(removed))
    if added:
        yield DiffRun(DiffType.ADDED, "".join(added))
    removed.clear()
    added.clear()


def _merge_runs(runs: Iterator[DiffRun]) -> Iterator[DiffRun]:
    held: DiffRun | None = None
    for run in runs:
        if held is not None and held.change is run.change:
            held = DiffRun(run.change, held.text + run.text)
            continue
        if held is not None:
            yield held
        held = run
    if held is not None:
        yield held


def _insert_codes(runs: list[DiffRun], codes: Sequence[PositionedCode]) -> list[DiffRun]:
    """The same with the codes of the target: what closes stands with the text before it, others with that behind."""
    if not codes:
        return runs
    if all(run.change is DiffType.REMOVED for run in runs):
        runs = [*runs, DiffRun(DiffType.ADDED, "")]
    left = [place for place, run in enumerate(runs) if run.change is not DiffType.REMOVED]
    ends = list(accumulate(len(runs[place].text) for place in left))
    own: dict[int, list[PositionedCode]] = {}
    found = 0
    for at, code in codes:
        # none stands before the one that was before it
        found = max(found, (bisect_left if code.kind is CodeKind.CLOSE else bisect_right)(ends, at))
        one = left[min(found, len(left) - 1)]
        text = runs[one].text
        own.setdefault(one, []).append(PositionedCode(min(len(text), at - ends[left.index(one)] + len(text)), code))
    return [run._replace(codes=tuple(own.get(place, ()))) for place, run in enumerate(runs)]


@dataclass(frozen=True, slots=True)
class EditCounts:
    """The figures of a draft: words of the MT, those edited, places where something was added, and HTER."""

    words: int
    edited: int
    added: int
    hter: float

    @classmethod
    def of(cls, draft: TargetDiff) -> EditCounts | None:
        """The figures; None where the texts are too long for them."""
        edits = draft.edits
        if edits is None:
            return None
        return cls(len(draft.basis.words), edits.edited, edits.filled, edits.hter)
