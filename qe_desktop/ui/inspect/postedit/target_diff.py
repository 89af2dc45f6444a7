"""Diff between a target and the MT of its segment: edit statistics, highlights of flagged words, and changes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, islice
from typing import NamedTuple

from qe_desktop.corpus import EOS, TextRole, View
from qe_desktop.corpus.tag_voting import DEFAULT_VOTING_RULE, FULL_MARK, MarkArray, VotingRule, flag_marks
from qe_desktop.corpus.text import Spans
from qe_desktop.corpus.text_spans import TokenSpans, token_offsets
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import CodeDifferences, code_differences, has_codes_of, strip_codes
from qe_desktop.formats.bilingual.word_tokenization import target_tokenizer
from qe_desktop.metrics.tags.post_edit_tags import TargetEdits, compute_target_edits
from qe_desktop.project.review.target_changes import (
    AlignedWords,
    ChangeKind,
    ChangeRun,
    SplitText,
    align_words,
    aligned_by_tercom,
    change_runs,
    compare_targets,
)
from qe_desktop.ui.inspect.postedit.target_editor import TextHighlight
from qe_desktop.ui.inspect.reader.word_decorations import PositionedCode, line_codes


class DiffRun(NamedTuple):
    """Run of MT or target words with the same change; `codes` are the inline codes of the target in the run.

    `move` is the 1-based number of the moved block that the run belongs to; 0 if there is none.
    """

    change: ChangeKind
    text: str
    codes: tuple[PositionedCode, ...] = ()
    move: int = 0


class SegmentContext:
    """Source and MT of a segment, for comparison with targets of the segment."""

    def __init__(
        self, view: View, segment: int, agreement: VotingRule = DEFAULT_VOTING_RULE, flag_view: View | None = None
    ) -> None:
        """`flag_view` is the view whose flags are highlighted, which can have fewer layers; None stands for `view`."""
        corpus = view.corpus
        self.segment = segment
        self.source, self.mt = corpus.source_line(segment), corpus.mt_line(segment)
        self.target_in_file = corpus.target_line(segment)
        """Target in the bilingual file as loaded; the MT if there is no file.

        Saving accepts the inline codes of this target.
        """
        self.text = strip_codes(self.mt)
        self.tokenize = target_tokenizer(corpus)
        self.words: Spans = self.tokenize(self.text)
        tokens = corpus.tokens(TextRole.MT, segment)
        if corpus.eos and tokens[-1:] == [EOS]:
            tokens = tokens[:-1]
        self.tokens: TokenSpans | None = token_offsets(tokens, self.text)
        """Offsets of the tagged MT tokens in `text`; None if unknown."""
        self.flags: MarkArray = flag_marks(flag_view or view, segment, agreement)
        self.labels = {} if corpus.job is None else dict(corpus.job.labels.get(segment, {}))
        self.annotations = frozenset() if corpus.job is None else corpus.job.annotations.get(segment, frozenset())

    def diff_with(self, line: str) -> TargetDiff:
        """Return the diff between the MT of this segment and `line`, which is a target with codes."""
        return TargetDiff(self, line)


class TargetDiff:
    """Diff between a target, which is a line with codes, and the MT of its segment; computed on demand."""

    def __init__(self, basis: SegmentContext, line: str) -> None:
        self.context, self.line = basis, line
        self.text = strip_codes(line)
        self.words: Spans = basis.tokenize(self.text)

    @property
    def is_edited(self) -> bool:
        """Whether the target differs from the MT."""
        return self.line != self.context.mt

    @cached_property
    def codes(self) -> CodeDifferences:
        """Problems with the target's inline codes."""
        basis = self.context
        return code_differences(self.line, basis.source, basis.target_in_file, basis.annotations)

    @property
    def is_refused(self) -> bool:
        """Whether saving reports missing, extra or misplaced inline codes in the target.

        False if the codes equal those of the target in the file, which saving accepts.
        """
        return self.codes.are_errors and not has_codes_of(
            self.line, self.context.target_in_file, self.context.annotations
        )

    @cached_property
    def _texts(self) -> tuple[SplitText, SplitText]:
        return SplitText(self.context.text, self.context.words), SplitText(self.text, self.words)

    @cached_property
    def edits(self) -> TargetEdits | None:
        """HTER and tags of the MT words; None if the MT or the target is too long."""
        mt, target = self._texts
        return compute_target_edits(mt.words, target.words)

    @cached_property
    def word_alignment(self) -> AlignedWords | None:
        """Word alignment of the MT and the target, for changes and highlights.

        The texts may be longer than `edits` allows. None if the MT or the target is too long even for this alignment.
        """
        mt, target = self._texts
        by_tercom = None if self.edits is None else aligned_by_tercom(self.edits.words, self.edits.pairs)
        return align_words(mt.words, target.words, by_tercom)

    def highlights(self) -> Iterator[TextHighlight]:
        """Yield the highlights of flagged MT words that the target still contains."""
        basis = self.context
        if basis.tokens is None or self.word_alignment is None:
            return
        unchanged = [
            (basis.words[mt_word], self.words[target_word][0])
            for mt_word, target_word, is_kept in self.word_alignment
            if is_kept
        ]
        ends = [last for (_, last), _ in unchanged]
        for (start_of_token, end_of_token), mark in zip(basis.tokens, basis.flags.tolist(), strict=False):
            for (first, last), start in islice(unchanged, bisect_right(ends, start_of_token), None) if mark else ():
                if first >= end_of_token:
                    break
                begin, end = max(start_of_token, first), min(end_of_token, last)
                yield TextHighlight(start + begin - first, start + end - first, mark == FULL_MARK)

    def token_at(self, offset: int) -> int | None:
        """Return the index of the MT token that is aligned with the target word at an offset; None if there is none."""
        word = next((number for number, (low, high) in enumerate(self.words) if low <= offset <= high), None)
        return None if word is None else self._aligned_token(word)

    def _aligned_token(self, word: int) -> int | None:
        if self.context.tokens is None or self.word_alignment is None:
            return None
        mt_word_of = {
            target_word: mt_word for mt_word, target_word, _ in self.word_alignment if min(mt_word, target_word) >= 0
        }
        if word not in mt_word_of:
            return None
        low, high = self.context.words[mt_word_of[word]]
        return next(
            (number for number, (first, last) in enumerate(self.context.tokens) if first < high and low < last), None
        )

    def nearest_token(self, offset: int) -> int | None:
        """Return the index of the MT token aligned with the last aligned target word at or before an offset.

        None if no target word at or before the offset is aligned.
        """
        number = max(0, bisect_right(self.words, offset, key=lambda word: word[0]) - 1)
        tokens = (self._aligned_token(word) for word in range(number, -1, -1))
        return next((token for token in tokens if token is not None), None)

    def target_span_of(self, token: int) -> tuple[int, int] | None:
        """Return the span of the target words aligned with an MT token; None if no target word is aligned with it.

        An MT token may consist of several words, such as "e-mail". Punctuation at the ends of the span is left out
        unless only punctuation is aligned.
        """
        if self.context.tokens is None or self.word_alignment is None or token >= len(self.context.tokens):
            return None
        first, last = self.context.tokens[token]
        spans = [
            self.words[target_word]
            for mt_word, target_word, _ in self.word_alignment
            if min(mt_word, target_word) >= 0
            and self.context.words[mt_word][0] < last
            and first < self.context.words[mt_word][1]
        ]
        spans = [span for span in spans if self.text[span[0]].isalnum()] or spans
        return (spans[0][0], spans[-1][1]) if spans else None

    def initial_span(self, token: int | None) -> tuple[int, int]:
        """Return the initial selection for editing: the target words aligned with an MT token, or an empty span.

        The span is empty if `token` is None or not aligned. It is then at the first highlighted word or, if no word is
        highlighted, at the end of the text.
        """
        word = None if token is None else self.target_span_of(token)
        start = next((mark.start for mark in self.highlights()), len(self.text))
        return word or (start, start)

    def runs(self) -> list[DiffRun]:
        """Return the runs of kept, removed and added words, in order; removed words precede words added in their place.

        If the MT or the target is too long to compare, the result is the whole MT as removed and the whole target as
        added.
        """
        return _with_codes(change_runs(*self._texts, self.word_alignment), self.line)


def changes_between(before: str, after: str, tokenize: Callable[[str], Spans]) -> list[DiffRun]:
    """Return the changes from `before` to `after`, which are targets of a segment, given as lines with codes."""
    return _with_codes(compare_targets([(strip_codes(before), strip_codes(after))], tokenize)[0], after)


def _with_codes(changes: Iterable[ChangeRun], line: str) -> list[DiffRun]:
    """Return `changes` as runs, with the inline codes of `line`, which is the text after the changes."""
    return _insert_codes([DiffRun(run.kind, run.text, (), run.move) for run in changes], line_codes(line))


def _insert_codes(runs: list[DiffRun], codes: Sequence[PositionedCode]) -> list[DiffRun]:
    """Return `runs` with the inline codes of the target added.

    Between two runs, a closing code is added to the preceding run, any other code to the following run.
    """
    if not codes:
        return runs
    if all(run.change is ChangeKind.REMOVED for run in runs):
        runs = [*runs, DiffRun(ChangeKind.ADDED, "")]
    shown_runs = [run_number for run_number, run in enumerate(runs) if run.change is not ChangeKind.REMOVED]
    ends = list(accumulate(len(runs[run_number].text) for run_number in shown_runs))
    codes_by_run: dict[int, list[PositionedCode]] = {}
    index = 0
    for at, code in codes:
        # codes keep their order
        index = max(index, (bisect_left if code.kind is CodeKind.CLOSE else bisect_right)(ends, at))
        run_index = shown_runs[min(index, len(shown_runs) - 1)]
        text = runs[run_index].text
        codes_by_run.setdefault(run_index, []).append(
            PositionedCode(min(len(text), at - ends[shown_runs.index(run_index)] + len(text)), code)
        )
    return [run._replace(codes=tuple(codes_by_run.get(run_number, ()))) for run_number, run in enumerate(runs)]
