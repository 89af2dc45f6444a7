"""QA checks of targets during editing: of edited segments, and of the text being typed.

The layers that `runner` creates contain the findings for the MT as loaded and do not change. Live checks find
problems in the current targets, for the editor and the list of QA results.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import (
    Corpus,
    Kind,
    Layer,
    LayerKey,
    Provenance,
    Reasons,
    ReviewStatus,
    TextColumn,
    TextRole,
    View,
    segment_sums,
)
from qe_desktop.corpus.text import Span
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.local_qe.qa_checks.check import NO_CONVENTIONS, Check, Conventions, QaIssue, SegmentFacts, SegmentPair
from qe_desktop.local_qe.qa_checks.copied_words import CopiedWords, collect_copied_words, loaded_pairs
from qe_desktop.local_qe.qa_checks.language_typography import usual_signs_of_texts
from qe_desktop.local_qe.qa_checks.punctuation import usual_marks_of_texts
from qe_desktop.local_qe.qa_checks.repetitions import CurrentTarget, RepetitionIndex, repetitions_of, same_variant
from qe_desktop.local_qe.qa_checks.runner import CHECKS, CHECKS_NAME, checks_from_notes
from qe_desktop.local_qe.tag_layers import BadSpan, SideText, detokenize_line, layers_from_spans, tokens_in_span

_TOKEN = re.compile(r"\S+")


class SegmentPairBuilder:
    """Builder of `SegmentPair` objects for segments of a corpus; targets are lines with codes (`Corpus.mt_line`)."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.is_raw = corpus.job is not None or TextRole.RAW_MT in corpus.texts
        self.is_source_raw = corpus.job is not None or TextRole.RAW_SOURCE in corpus.texts
        self._facts = SegmentFacts(corpus)

    def pair(self, segment: int, line: str) -> SegmentPair:
        """Return the pair of the source of `segment` and the target `line`.

        If a text is not raw, its tokenizer escapes are replaced.
        """
        source_line = self.corpus.source_line(segment)
        source, mt = strip_codes(source_line), strip_codes(line)
        has_codes = self.corpus.job is not None
        return SegmentPair(
            segment,
            source if self.is_source_raw else detokenize_line(source),
            mt if self.is_raw else detokenize_line(mt),
            self.is_raw,
            self.is_source_raw,
            source_line if has_codes else "",
            line if has_codes else "",
            *self._facts.of(segment),
        )

    def map_span(self, pair: SegmentPair, line: str, span: Span) -> Span:
        """Map a span of the MT of `pair` to the text of `line` without codes.

        Return an empty span at the end of that text if the span has no counterpart.
        """
        text = pair.mt if self.is_raw else strip_codes(line)
        if text == pair.mt:
            return span
        mt_spans, text_spans = _tokens(pair.mt), _tokens(text)
        _, tokens = tokens_in_span(mt_spans, pair.mt, span)
        if len(mt_spans) != len(text_spans) or span[0] == span[1] or not tokens:
            return len(text), len(text)
        return text_spans[tokens[0]][0], text_spans[tokens[-1]][1]


def _tokens(text: str) -> Sequence[Span]:
    return [match.span() for match in _TOKEN.finditer(text)]


def current_pairs(view: View) -> Iterator[tuple[str, str]]:
    """Yield the source and current target of each segment, raw if available.

    Yield nothing if the corpus has no source or no MT.
    """
    edited = set(view.post_edited_segments())
    for segment, (source, mt) in enumerate(loaded_pairs(view.corpus)):
        yield source, strip_codes(view.target(segment)) if segment in edited else mt


CONSISTENCY_CHECK = "consistency"
"""Name of the check that compares each target with the translations of equal sources."""


class TargetIssue(NamedTuple):
    """Problem in a target: its span in the text without codes, a message, and the name of the check.

    An empty span marks missing text.
    """

    span: Span
    reason: str
    check: str


class TargetChecks:
    """Findings for all edited segments; call `update_to_view` after the view has changed.

    For unedited segments, the tags in the loaded layers of QA checks are used (`checked_segments`). An exception raised
    by `check_cancelled` stops the creation or an update.
    """

    def __init__(
        self, view: View, checks: Sequence[Check], check_cancelled: Callable[[], object] = lambda: None
    ) -> None:
        self.view = view
        self.checks = tuple(checks)
        self._single_segment_checks = tuple(check for check in checks if check.name != CONSISTENCY_CHECK)
        self._pair_builder = SegmentPairBuilder(view.corpus)
        self._evidence_review = view.review
        self._copied_words = collect_copied_words(current_pairs(view), check_cancelled)
        self._conventions = Conventions(
            usual_marks_of_texts(current_pairs(view), SegmentFacts(view.corpus).languages()),
            usual_signs_of_texts(current_pairs(view), SegmentFacts(view.corpus).languages()),
        )
        check_cancelled()
        self._repetitions = (
            RepetitionIndex(view.corpus, check_cancelled)
            if len(self._single_segment_checks) < len(self.checks)
            else None
        )
        self._edited = np.zeros(view.corpus.size, bool)
        self._has_own_issue = np.zeros(view.corpus.size, bool)
        """Mask of the edited segments in which a check other than `CONSISTENCY_CHECK` finds a problem."""
        self._marked_segments_cache: tuple[object, NDArray[np.bool_]] | None = None
        self.update_to_view(
            view, {**dict.fromkeys(view.post_edited_segments()), **view.review.statuses}, check_cancelled
        )

    @property
    def is_evidence_outdated(self) -> bool:
        """Whether the review has changed since `copied_words` and `conventions` were computed.

        If so, findings that depend on them may be outdated.
        """
        return self._evidence_review is not self.view.review

    def copy(self) -> TargetChecks:
        """Return an independent copy, which may be updated on another thread."""
        duplicate = copy(self)
        duplicate._edited, duplicate._has_own_issue = self._edited.copy(), self._has_own_issue.copy()
        duplicate._repetitions = None if self._repetitions is None else self._repetitions.copy()
        return duplicate

    # --- implementation of `OtherSegments`

    @property
    def copied_words(self) -> CopiedWords:
        """Evidence on words that are in both source and MT, computed from all targets when this object was created."""
        return self._copied_words

    @property
    def conventions(self) -> Conventions:
        """Conventions of all targets, computed when this object was created."""
        return self._conventions

    def usual_translation(self, segment: int, text: str) -> tuple[int, str] | None:
        """First segment with the usual translation of the source of `segment`, and that translation.

        None if `text` is that translation, if the source has no usual translation, or if consistency is not checked.
        """
        if self._repetitions is None:
            return None
        is_confirmed = self.view.review.statuses.get(segment) is ReviewStatus.CONFIRMED
        is_reviewed = is_confirmed or text != strip_codes(self.view.corpus.mt_line(segment))
        result = self._repetitions.find_usual_translation(CurrentTarget(segment, text, is_reviewed))
        return None if result is None else (result, strip_codes(self.view.target(result)))

    def _current_target(self, segment: int) -> CurrentTarget:
        view = self.view
        is_reviewed = view.is_edited(segment) or view.review.statuses.get(segment) is ReviewStatus.CONFIRMED
        return CurrentTarget(segment, strip_codes(view.target(segment)), is_reviewed)

    # --- one target

    def issues(self, segment: int, line: str) -> tuple[TargetIssue, ...]:
        """Problems in `line` as the target of a segment, in text order."""
        pair = self._pair_builder.pair(segment, line)
        issues = {
            TargetIssue(self._pair_builder.map_span(pair, line, issue.span), issue.reason, check.name): None
            for check, issue in self._issues(pair)
            if not issue.is_in_source
        }
        return tuple(sorted(issues, key=lambda issue: issue.span))

    def current_issues(self, segment: int) -> tuple[SegmentPair, list[tuple[Check, QaIssue]]]:
        """Pair of the source and current target of a segment, and its problems, each with the check that found it."""
        pair = self._pair_builder.pair(segment, self.view.target(segment))
        return pair, list(self._issues(pair))

    def _issues(self, pair: SegmentPair) -> Iterator[tuple[Check, QaIssue]]:
        for check in _applicable_checks(self.checks, pair):
            yield from ((check, issue) for issue in check.find_in_segment(pair, self))

    def affected_segments(self, segments: Iterable[int]) -> set[int]:
        """Segments whose findings depend on the targets of `segments`.

        These are `segments` and, if consistency is checked, all segments with the source and variant of one of them.
        """
        affected = set(segments)
        if self._repetitions is None:
            return affected
        return affected.union(*(self._repetitions.members(segment).tolist() for segment in affected))

    # --- all targets

    def has_same_texts(self, view: View) -> bool:
        """Whether a view is based on the same texts as the checked view."""
        own_corpus, other_corpus = self.view.corpus, view.corpus
        return own_corpus is other_corpus or (
            own_corpus.texts == other_corpus.texts and own_corpus.job is other_corpus.job
        )

    def update_to_view(
        self, view: View, segments: Iterable[int], check_cancelled: Callable[[], object] = lambda: None
    ) -> None:
        """Update the findings to a view in which the targets or statuses of `segments` may have changed."""
        self.view = view
        changed_targets: list[CurrentTarget] = []
        for segment in segments:
            check_cancelled()
            edited = view.is_edited(segment)
            self._edited[segment] = edited
            self._has_own_issue[segment] = edited and self._has_issues(segment)
            changed_targets.append(self._current_target(segment))
        if self._repetitions is not None:
            self._repetitions.update_targets(changed_targets)

    def _has_issues(self, segment: int) -> bool:
        pair = self._pair_builder.pair(segment, self.view.target(segment))
        checks = _applicable_checks(self._single_segment_checks, pair)
        return any(not issue.is_in_source for check in checks for issue in check.find_in_segment(pair, self))

    def flagged_segments(self) -> NDArray[np.bool_]:
        """Mask of the segments with a finding, shape (segments,)."""
        flagged = np.where(self._edited, self._has_own_issue, self._marked_segments())
        if self._repetitions is None or not len(self._repetitions.is_inconsistent):
            return flagged
        return flagged | self._repetitions.is_inconsistent

    def _marked_segments(self) -> NDArray[np.bool_]:
        layers = self.view.corpus.layers
        if self._marked_segments_cache is None or self._marked_segments_cache[0] is not layers:
            self._marked_segments_cache = layers, checked_segments(self.view)
        return self._marked_segments_cache[1]


def _applicable_checks(checks: Sequence[Check], pair: SegmentPair) -> Sequence[Check]:
    """Checks that apply to a pair: all or, if the target is empty, only those that include empty targets."""
    return checks if pair.mt.strip() else [check for check in checks if check.includes_empty_targets]


def checked_segments(view: View) -> NDArray[np.bool_]:
    """Mask of the segments in which the QA checks tagged a word, gap or source word as BAD, shape (segments,)."""
    mask = np.zeros(view.corpus.size, bool)
    for kind in (Kind.WORDS, Kind.GAPS, Kind.SOURCE):
        layer = view.corpus.layers.get(LayerKey(Provenance.SYSTEM, CHECKS_NAME, kind))
        if layer is not None:
            mask |= segment_sums(layer.tags.values, layer.tags.offsets) > 0
    return mask


_ROLES = (TextRole.SOURCE, TextRole.MT, TextRole.RAW_SOURCE, TextRole.RAW_MT)


def recompute_reasons(corpus: Corpus, key: LayerKey, segment: int, checks: Sequence[Check] = CHECKS) -> Reasons | None:
    """Return the reasons stored in a layer; if a layer of QA checks has none, check `segment` again to compute them.

    Return None if there is no such layer, or if a layer not created by QA checks has no reasons. `checks` are all
    available checks. Word-list checks must be configured with the user's lists if the layer has findings of these
    checks.
    """
    layer = corpus.layers.get(key)
    if layer is None or layer.reasons is not None or not _is_check_layer(layer):
        return None if layer is None else layer.reasons
    names = checks_from_notes(layer.notes)
    reasons = _check_segment(corpus, tuple(check for check in checks if check.name in names), segment).get(key.kind)
    tags = layer.tags[segment]
    entries = () if reasons is None else reasons.by_segment.get(0, ())
    marked = tuple(reason for reason in entries if reason.position < len(tags) and tags[reason.position])
    return Reasons({segment: marked} if marked else {})


def check_layers(corpus: Corpus) -> frozenset[LayerKey]:
    """Keys of the layers that this program's QA checks created; layers named `CHECKS_NAME` from a file are left out."""
    return frozenset(key for key, layer in corpus.layers.items() if _is_check_layer(layer))


def _is_check_layer(layer: Layer) -> bool:
    key = layer.key
    return (
        key.provenance is Provenance.SYSTEM
        and key.name == CHECKS_NAME
        and layer.origin == CHECKS_NAME
        and key.kind.is_tags
    )


def _check_segment(corpus: Corpus, checks: tuple[Check, ...], segment: int) -> Mapping[Kind, Reasons]:
    """Reasons for the findings of checks in the loaded MT of a segment, by kind of tags.

    The reasons are those of a single-segment corpus, in which the segment has the number 0. The result is empty if
    the source or the tokens of the MT are missing.
    """
    texts = {role: TextColumn.of([corpus.texts[role][segment]]) for role in _ROLES if role in corpus.texts}
    sample = Corpus("one", 1, texts, eos=corpus.eos, language_pair=corpus.language_pair, languages=corpus.languages)
    mt, source = SideText.of(sample, TextRole.MT), SideText.of(sample, TextRole.SOURCE)
    if mt is None or mt.tokens is None or source is None:
        return {}
    loaded_pair = SegmentPairBuilder(corpus).pair(segment, corpus.mt_line(segment))
    pair = loaded_pair._replace(
        source=source.lines[0], mt=mt.lines[0], is_raw=mt.is_raw[0], is_source_raw=source.is_raw[0]
    )
    other_segments = _LoadedSegments(corpus)
    marks = [
        BadSpan(0, issue.span, issue.reason, issue.is_in_source)
        for check in _applicable_checks(checks, pair)
        for issue in check.find_in_segment(pair, other_segments)
    ]
    layers = layers_from_spans(sample, marks, CHECKS_NAME, mt, source)
    return {layer.key.kind: layer.reasons for layer in layers if layer.reasons is not None}


class _EveryWord(frozenset[str]):
    def __contains__(self, word: object) -> bool:
        return True


_EVERY_WORD = CopiedWords(translated=_EveryWord())


class _LoadedSegments:
    """Implementation of `OtherSegments` that uses the MT as loaded."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    @property
    def copied_words(self) -> CopiedWords:
        """Evidence that treats every word as usually translated, so that a reason is computed for each copied word.

        `recompute_reasons` discards the reasons of words that are not tagged as BAD.
        """
        return _EVERY_WORD

    @property
    def conventions(self) -> Conventions:
        """No conventions, so that a reason is computed for each deviation, whether or not it is tagged as BAD."""
        return NO_CONVENTIONS

    def usual_translation(self, segment: int, text: str) -> tuple[int, str] | None:
        """First segment with the usual translation of the source of `segment`, and that translation.

        None if `text` is that translation, or if the source has fewer than two different translations.
        """
        members = same_variant(self._corpus, segment, repetitions_of(self._corpus, segment)).tolist()
        lines = self._corpus.mt_lines(members)
        counts: Counter[str] = Counter()
        # a source may be repeated thousands of times, but it has few translations
        normalized = {line: " ".join(strip_codes(line).split()) for line in dict.fromkeys(lines)}
        for line, count in Counter(lines).items():
            counts[normalized[line]] += count
        counts.pop("", None)
        if len(counts) < 2:
            return None
        usual = max(counts, key=counts.__getitem__)
        if usual == " ".join(text.split()):
            return None
        index = next(index for index, line in enumerate(lines) if normalized[line] == usual)
        return members[index], strip_codes(lines[index])
