"""Facts about the segments of a corpus that checks need besides their texts: languages, region, file format, rules."""

from __future__ import annotations

from collections.abc import Iterator

from qe_desktop.corpus import Corpus, ReviewStatus
from qe_desktop.corpus.languages import parse_language
from qe_desktop.corpus.target_rules import NO_RULES, TargetRules

Facts = tuple[str, str, TargetRules]
"""Region of the target language, name of the file format, rules of the file for the target."""


class SegmentFacts:
    """Facts about each segment; languages are in lower case without regions, empty if unknown."""

    def __init__(self, corpus: Corpus) -> None:
        self._job = corpus.job
        self._size = corpus.size
        self.languages = corpus_languages(corpus)
        self.region = parse_language(corpus.source_and_target()[1]).region

    def rows(self) -> Iterator[Facts]:
        """Facts of all segments, in their order."""
        job, region = self._job, self.region
        if job is None or not job.files:
            yield from [(region, "", NO_RULES)] * self._size
            return
        rules = job.rules
        for file in job.files:
            common = (region, file.form, NO_RULES)
            if not rules:
                yield from [common] * file.count
                continue
            for segment in file.segments:
                yield (region, file.form, rules[segment]) if segment in rules else common

    def of(self, segment: int) -> Facts:
        """Facts of one segment."""
        job = self._job
        if job is None or not job.files:
            return self.region, "", NO_RULES
        return self.region, job.file_of(segment).form, job.rules.get(segment, NO_RULES)

    def is_locked(self, segment: int) -> bool:
        """Whether the target of a segment is locked."""
        return self._job is not None and int(self._job.statuses[segment]) == ReviewStatus.LOCKED


def corpus_languages(corpus: Corpus) -> tuple[str, str]:
    """Languages of source and MT in lower case, without regions; the source may be unknown, as in PO files."""
    source, target = (parse_language(name).language for name in corpus.source_and_target())
    return (source, target) if target else ("", "")
