"""QA check: name, description, and functions that find problems.

Deviations that are conventions of a corpus are not reported as problems.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

from qe_desktop.corpus.text import Span
from qe_desktop.corpus.translation_job import NO_RULES, JobFile, TargetRules
from qe_desktop.local_qe.qa_checks.copied_words import CopiedWords
from qe_desktop.local_qe.qa_checks.word_lists.word_lists import WordLists


class SegmentPair(NamedTuple):
    """Source and MT of a segment as texts without inline codes, and properties of the segment that checks need.

    Languages are in lower case, without region, and empty if unknown. `target_region` is the region of the MT's
    language in upper case. `is_raw` states whether the MT is raw text, in which spaces are significant, and
    `is_source_raw` whether the source is raw text. `source_line` and `mt_line` are the texts with inline codes
    (`TranslationJob`), and `file_format` is the format of the bilingual file; all three are empty if the corpus is not
    from bilingual files. `rules` are the requirements of the file for the target. `annotations` has the
    number of each inline code that is not part of the text's format (`TranslationJob`). `files` are all bilingual files
    of the corpus; empty unless there are several.
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
"""Thresholds for conventions: minimum number of segments that have a deviation, and share that must be exceeded.

The share is that of segments with the deviation among the segments in which the deviation is possible.
"""
EndMarkPair = tuple[str, str]
"""Kinds of the punctuation marks that end a source and its target; an empty string for a text without such a mark."""
EndMarks = tuple[str, EndMarkPair]
"""Target language, and kinds of the marks that end a source and its target."""
ForeignMark = tuple[str, str]
"""Target language, and a punctuation mark of another script."""


class Conventions(NamedTuple):
    """Deviations that are conventions of a corpus.

    `end_marks` are different marks at the ends of source and target; `foreign_marks` are marks of other scripts.
    """

    end_marks: frozenset[EndMarks] = frozenset()
    foreign_marks: frozenset[ForeignMark] = frozenset()


NO_CONVENTIONS = Conventions()
_Deviation = TypeVar("_Deviation")


def usual_deviations(counts: Mapping[_Deviation, int], totals: Mapping[_Deviation, int]) -> frozenset[_Deviation]:
    """Return the deviations that are frequent enough to be conventions.

    `counts` has the number of segments with each deviation, `totals` the number in which the deviation is possible.
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
