"""Properties of segments that checks need in addition to the texts: languages, region, file format, rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from functools import lru_cache

from qe_desktop.corpus import Corpus, JobFile, ReviewStatus
from qe_desktop.corpus.languages import parse_language
from qe_desktop.corpus.translation_job import NO_RULES, TargetRules

Languages = tuple[str, str, str]
"""Source and target language in lower case, and the region of the target language; each is empty if unknown."""
Facts = tuple[str, str, str, str, TargetRules, Set[int], Sequence[JobFile]]
"""Languages and region, file format, rules, annotations and files of a segment, as in `SegmentPair`.

The files are all bilingual files of the corpus if there are several, otherwise none.
"""
_NO_NUMBERS: Set[int] = frozenset()


class SegmentFacts:
    """Facts about each segment of a corpus; the rules of a segment may state other languages than the corpus does."""

    def __init__(self, corpus: Corpus) -> None:
        self._job = corpus.job
        self._size = corpus.size
        self._files = corpus.job.files if corpus.job is not None and len(corpus.job.files) > 1 else ()
        self._source, self._target = corpus.source_and_target()

    def rows(self) -> Iterator[Facts]:
        """Facts of all segments, in their order."""
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
        """Source and target language of each segment, in order."""
        return (row[:2] for row in self.rows())

    def of(self, segment: int) -> Facts:
        """Facts of one segment."""
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

    All results are empty if the target language is unknown, because a single language might be that of either text.
    """
    tag = parse_language(target)
    return (parse_language(source).language, tag.language, tag.region) if tag.language else ("", "", "")
