"""Runner of checks over a corpus; all findings become the layers of one system."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from qe_desktop.corpus import Corpus, Layer, QeError, TextRole
from qe_desktop.corpus.languages import parse_language
from qe_desktop.i18n.messages import to_english, tr
from qe_desktop.local_qe.qa_checks import (
    brackets,
    inline_codes,
    numbers,
    repeated_words,
    repetitions,
    untranslated,
    whitespace,
)
from qe_desktop.local_qe.qa_checks.check import Check, SegmentPair
from qe_desktop.local_qe.segment_text import SideText
from qe_desktop.local_qe.tag_layers import BadSpan, layers_from_spans

CHECKS: tuple[Check, ...] = (
    numbers.CHECK,
    untranslated.CHECK,
    repeated_words.CHECK,
    brackets.CHECK,
    inline_codes.CHECK,
    whitespace.CHECK,
    repetitions.CHECK,
)
CHECK_BY_NAME = {check.name: check for check in CHECKS}


CHECKS_NAME = "checks"
"""Name of the system of checks."""
REPORT_INTERVAL = 2048
"""Segments between two cancellation checks."""
_RAN = "checks: "
"""Prefix of a layer's note that names the checks that made it."""
ReportProgress = Callable[[float, str], object]
"""Progress callback: the share done, 0..1, and the current step; its exceptions cancel the run."""


def get_checks(names: Sequence[str]) -> tuple[Check, ...]:
    """Checks with these names, in the standard order. Raises QeError if a name is unknown."""
    for name in names:
        if name not in CHECK_BY_NAME:
            known = ", ".join(CHECK_BY_NAME)
            raise QeError(
                tr("there is no check named “{name}”", name=name), hint=tr("Available checks: {checks}.", checks=known)
            )
    return tuple(check for check in CHECKS if check.name in names)


def checks_from_notes(notes: Sequence[str]) -> frozenset[str]:
    """Names of the checks that made a layer, from its notes as stored in a project."""
    listed = (to_english(note).removeprefix(_RAN) for note in notes if to_english(note).startswith(_RAN))
    return frozenset(name for names in listed for name in names.split(", "))


def run_checks(
    corpus: Corpus, checks: Sequence[Check] = CHECKS, report: ReportProgress = lambda share, text: None
) -> tuple[Layer, ...]:
    """Run checks over a corpus; return layers of tags with reasons. Raises QeError if there is no source or no MT."""
    report(0, "")
    mt, source = SideText.of(corpus, TextRole.MT), SideText.of(corpus, TextRole.SOURCE)
    if mt is None or mt.tokens is None or source is None:
        message = tr("checks need a source and an MT with words to mark")
        raise QeError(message, hint=tr("Open the source and the tokenized MT."))
    pairs = _CorpusPairs(corpus, source, mt)
    marks = chain.from_iterable(_marks(check, pairs, place / len(checks), report) for place, check in enumerate(checks))
    ran = ", ".join(check.name for check in checks)
    return layers_from_spans(
        corpus, marks, CHECKS_NAME, mt, source, origin=CHECKS_NAME, notes=(tr("checks: {names}", names=ran),)
    )


def _marks(check: Check, pairs: _CorpusPairs, share: float, report: ReportProgress) -> Iterator[BadSpan]:
    pairs.watch = lambda: report(share, check.title)
    for segment, issue in check.find(pairs):
        yield BadSpan(segment, issue.span, issue.reason, issue.of_source)


class _CorpusPairs:
    """Segments of a corpus that have an MT, cached for all checks."""

    def __init__(self, corpus: Corpus, source: SideText, mt: SideText) -> None:
        source_language, language = corpus_languages(corpus)
        job = corpus.job
        source_lines = [""] * corpus.size if job is None else list(job.sources.lines())
        mt_lines = [""] * corpus.size if job is None else list(job.mt.lines())
        rows = zip(source.lines, mt.lines, mt.written, source.written, source_lines, mt_lines, strict=True)
        self.watch: Callable[[], object] = lambda: None
        self._pairs = [
            SegmentPair(segment, source_text, mt_text, written, as_written, source_language, language, line, mt_line)
            for segment, (source_text, mt_text, written, as_written, line, mt_line) in enumerate(rows)
            if mt_text.strip()
        ]

    def __iter__(self) -> Iterator[SegmentPair]:
        for low in range(0, len(self._pairs), REPORT_INTERVAL):
            self.watch()
            yield from self._pairs[low : low + REPORT_INTERVAL]


def corpus_languages(corpus: Corpus) -> tuple[str, str]:
    """Languages of source and MT in lower case, without regions; both empty if either is unknown."""
    source, target = (parse_language(name).language for name in corpus.source_and_target())
    return (source, target) if source and target else ("", "")
