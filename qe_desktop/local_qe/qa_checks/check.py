"""QA check with the functions that find problems, and the pairs of source and MT that it examines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeVar

from qe_desktop.corpus import Corpus, ReviewStatus
from qe_desktop.corpus.languages import parse_language
from qe_desktop.corpus.text import Span
from qe_desktop.corpus.translation_job import NO_RULES, JobFile, TargetRules
from qe_desktop.local_qe.qa_checks.copied_words import CopiedWords
from qe_desktop.local_qe.qa_checks.word_lists import WordLists


class SegmentPair(NamedTuple):
    """Source and MT of a segment as texts without inline codes, and properties of the segment that checks need.

    Languages are in lower case, without region, and empty if unknown. `target_region` is the region of the MT's
    language in upper case. `is_raw` states whether the MT is raw text, in which spaces are significant, and
    `is_source_raw` whether the source is raw text. `source_line` and `mt_line` are the texts with inline codes
    (`TranslationJob`), and `file_format` is the format of the bilingual file; all three are empty if the corpus is not
    from bilingual files. `rules` are the requirements of the file for the target. `annotations` are the
    numbers of the inline codes that are not part of the text's format (`TranslationJob`). `files` are all bilingual
    files of the corpus; empty unless there are several.
    """

    segment: int
    source: str
    mt: str
    is_raw: bool = True
    is_source_raw: bool = True
    source_line: str = ""
    mt_line: str = ""
    source_language: str = ""
    target_language: str = ""
    target_region: str = ""
    file_format: str = ""
    rules: TargetRules = NO_RULES
    annotations: Set[int] = frozenset()
    files: Sequence[JobFile] = ()


class QaIssue(NamedTuple):
    """Problem in a segment: a span and a localized message. An empty span marks missing text.

    The span is in the source if `is_in_source` is true, otherwise in the MT.
    """

    span: Span
    reason: str
    is_in_source: bool = False


SegmentPairs = Iterable[SegmentPair]
"""Segments to check; only some checks include segments without an MT. Can be iterated over more than once."""


MIN_CONVENTION_COUNT, MIN_CONVENTION_RATIO = 5, 0.1
"""Thresholds for conventions: minimum number of segments with a deviation, and share that must be exceeded.

The share is the fraction of segments with the deviation among all segments in which the deviation is possible.
"""
EndMarkPair = tuple[str, str]
"""Kinds of the punctuation marks that end a source and its target; an empty string for a text without such a mark."""
EndMarks = tuple[str, EndMarkPair]
"""Target language, and kinds of the marks that end a source and its target."""
ForeignMark = tuple[str, str]
"""Target language, and a punctuation mark of another script."""


class Conventions(NamedTuple):
    """Deviations that are conventions of a corpus, and therefore not reported as problems.

    `end_marks` are pairs of different marks that end source and target, and `foreign_marks` are marks of other scripts;
    both state the target language.
    """

    end_marks: frozenset[EndMarks] = frozenset()
    foreign_marks: frozenset[ForeignMark] = frozenset()


NO_CONVENTIONS = Conventions()
_Deviation = TypeVar("_Deviation")


def usual_deviations(counts: Mapping[_Deviation, int], totals: Mapping[_Deviation, int]) -> frozenset[_Deviation]:
    """Return the deviations that are frequent enough to be conventions.

    For each deviation, `counts` has the number of segments with it, and `totals` the number in which it is possible.
    """
    return frozenset(
        deviation
        for deviation, count in counts.items()
        if count >= MIN_CONVENTION_COUNT and count > MIN_CONVENTION_RATIO * totals[deviation]
    )


class OtherSegments(Protocol):
    """Information from other segments that is needed to check a single segment."""

    @property
    def copied_words(self) -> CopiedWords:
        """Evidence from all segments on words that are in both source and MT."""
        ...

    @property
    def conventions(self) -> Conventions:
        """Typographic deviations that are conventions, because many targets share them."""
        ...

    def usual_translation(self, segment: int, text: str) -> tuple[int, str] | None:
        """Index of the first segment that has the usual translation of the source of `segment`, and this translation.

        None if `text`, the target of `segment`, is the usual translation, or if no translation is usual.
        """
        ...


@dataclass(frozen=True, slots=True)
class Check:
    """QA check: `name` is its id in settings and commands, `title` its localized name, `description` an explanation.

    `find` checks all segments, and `find_in_segment` checks a single one, whose target may have been edited. Segments
    without a target are checked only if `includes_empty_targets` is true. `configure` returns the check configured with
    the user's word lists; it is None if the check does not use word lists.
    """

    name: str
    title: str
    description: str
    find: Callable[[SegmentPairs], Iterator[tuple[int, QaIssue]]]
    find_in_segment: Callable[[SegmentPair, OtherSegments], Iterable[QaIssue]]
    includes_empty_targets: bool = False
    configure: Callable[[WordLists], Check] | None = None

    @classmethod
    def of_each(
        cls, name: str, title: str, rule: str, find: Callable[[SegmentPair], Iterable[QaIssue]],
        *, empty_targets: bool = False, configure: Callable[[WordLists], Check] | None = None,
    ) -> Check:  # fmt: skip
        """Create a check that examines each segment independently of the other segments."""

        def find_all(pairs: SegmentPairs) -> Iterator[tuple[int, QaIssue]]:
            for pair in pairs:
                for issue in find(pair):
                    yield pair.segment, issue

        return cls(name, title, rule, find_all, lambda pair, other_segments: find(pair), empty_targets, configure)


Languages = tuple[str, str, str]
"""Source and target language in lower case, and the region of the target language; each is empty if unknown."""
Facts = tuple[str, str, str, str, TargetRules, Set[int], Sequence[JobFile]]
"""Languages and region, file format, rules, annotations and files of a segment, as in `SegmentPair`.

The files are all bilingual files of the corpus if there are several, otherwise none.
"""
_NO_NUMBERS: Set[int] = frozenset()


class SegmentFacts:
    """Languages, file format, rules and other properties of each segment (see `Facts`).

    Languages in the rules of a segment take precedence over those of the corpus.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._job = corpus.job
        self._size = corpus.size
        self._files = corpus.job.files if corpus.job is not None and len(corpus.job.files) > 1 else ()
        self._source, self._target = corpus.source_and_target()

    def rows(self) -> Iterator[Facts]:
        """Yield the properties of each segment, in order."""
        job = self._job
        if job is None or not job.files:
            yield from [(*self._languages(NO_RULES), "", NO_RULES, _NO_NUMBERS, ())] * self._size
            return
        rules, annotations = job.rules, job.annotations
        for file in job.files:
            common = (*self._languages(NO_RULES), file.form, NO_RULES, _NO_NUMBERS, self._files)
            if not rules and not annotations:
                yield from [common] * file.count
                continue
            for segment in file.segments:
                yield self._facts(segment, file.form) if segment in rules or segment in annotations else common

    def languages(self) -> Iterator[tuple[str, str]]:
        """Yield the source and target language of each segment, in order."""
        return (row[:2] for row in self.rows())

    def of(self, segment: int) -> Facts:
        """Return the properties of one segment."""
        job = self._job
        if job is None or not job.files:
            return (*self._languages(NO_RULES), "", NO_RULES, _NO_NUMBERS, ())
        return self._facts(segment, job.file_of(segment).form)

    def is_locked(self, segment: int) -> bool:
        """Whether the target of a segment is locked."""
        return self._job is not None and int(self._job.statuses[segment]) == ReviewStatus.LOCKED

    def _facts(self, segment: int, form: str) -> Facts:
        assert self._job is not None
        rules = self._job.rules.get(segment, NO_RULES)
        annotations = self._job.annotations.get(segment, _NO_NUMBERS)
        return (*self._languages(rules), form, rules, annotations, self._files)

    def _languages(self, rules: TargetRules) -> Languages:
        return parse_languages(rules.source_language or self._source, rules.language or self._target)


@lru_cache(maxsize=256)
def parse_languages(source: str, target: str) -> Languages:
    """Parse the language tags of source and target.

    All results are empty if the target language is unknown, because a single language might belong to either text.
    """
    tag = parse_language(target)
    return (parse_language(source).language, tag.language, tag.region) if tag.language else ("", "", "")
