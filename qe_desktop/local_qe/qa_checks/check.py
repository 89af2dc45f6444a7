"""QA check: name, description, and functions that find problems; conventions of a corpus are not reported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

from qe_desktop.corpus.target_rules import NO_RULES, TargetRules
from qe_desktop.corpus.text import Span
from qe_desktop.corpus.translation_job import JobFile
from qe_desktop.local_qe.qa_checks.copied_words import CopiedWords
from qe_desktop.local_qe.qa_checks.word_lists.word_lists import WordLists


class SegmentPair(NamedTuple):
    """Source and MT of a segment as text without codes, and properties of the segment that checks need.

    Languages are in lower case, without region, and empty if unknown. `is_raw` is whether the MT is raw, so that its
    spaces are significant, and `is_source_raw` whether the source is raw. `source_line` and `mt_line` are the texts
    with their inline codes (`TranslationJob`), empty unless the corpus is from bilingual files. `target_region` is the
    region of the MT's language in upper case, `file_format` the format of the file, and `rules` its requirements for
    targets. `annotations` are the numbers of codes that are not part of the text's format (`TranslationJob`), and
    `files` all bilingual files of the corpus if there are several.
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
    """Span of the MT or of the source, and a localized message about it; an empty span marks a gap."""

    span: Span
    reason: str
    is_in_source: bool = False


SegmentPairs = Iterable[SegmentPair]
"""Segments to check: those with an MT and, for some checks, those without; can be iterated over several times."""


MIN_CONVENTION_COUNT, MIN_CONVENTION_RATIO = 5, 0.1
"""Thresholds for a convention: minimum number of segments with a deviation, and a share that must be exceeded.

The share is relative to the segments in which the deviation is possible.
"""
EndMarkPair = tuple[str, str]
"""Kinds of the marks that end a source and its target; empty if there is none."""
EndMarks = tuple[str, EndMarkPair]
"""Target language, and different marks at the ends of source and target."""
ForeignMark = tuple[str, str]
"""Target language, and a punctuation mark of another script."""


class Conventions(NamedTuple):
    """Deviations that are conventions of a corpus: differing marks at the ends of texts, and marks of other scripts."""

    end_marks: frozenset[EndMarks] = frozenset()
    foreign_marks: frozenset[ForeignMark] = frozenset()


NO_CONVENTIONS = Conventions()
_Deviation = TypeVar("_Deviation")


def usual_deviations(counts: Mapping[_Deviation, int], totals: Mapping[_Deviation, int]) -> frozenset[_Deviation]:
    """Return the deviations that are frequent enough to be conventions.

    `counts` has the number of segments with each deviation, `totals` the number of segments in which it is possible.
    """
    return frozenset(
        deviation
        for deviation, count in counts.items()
        if count >= MIN_CONVENTION_COUNT and count > MIN_CONVENTION_RATIO * totals[deviation]
    )


class OtherSegments(Protocol):
    """Information from other segments for the check of a single segment."""

    @property
    def copied_words(self) -> CopiedWords:
        """Evidence from all segments on words that are in both source and MT."""
        ...

    @property
    def conventions(self) -> Conventions:
        """Typographic deviations that many targets share."""
        ...

    def usual_translation(self, segment: int, text: str) -> tuple[int, str] | None:
        """First segment with the usual translation of the source of `segment`, and that translation.

        None if `text`, the target of `segment`, is that translation, or if no translation is usual.
        """
        ...


@dataclass(frozen=True, slots=True)
class Check:
    """QA check: `name` is its id in settings and commands, `title` its localized name, `description` an explanation.

    `find` checks all segments, and `find_in_segment` checks a single one, whose target may have been edited. Segments
    without a target are checked only with `includes_empty_targets`. `configure` returns the check for the user's word
    lists.
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
        """Create a check that needs no other segment."""

        def find_all(pairs: SegmentPairs) -> Iterator[tuple[int, QaIssue]]:
            for pair in pairs:
                for issue in find(pair):
                    yield pair.segment, issue

        return cls(name, title, rule, find_all, lambda pair, other_segments: find(pair), empty_targets, configure)
