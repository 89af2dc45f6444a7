"""Runner of QA checks over a corpus; all findings become tags in the layers of one system."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from qe_desktop.corpus import Corpus, Layer, QeError, TextRole
from qe_desktop.corpus.progress import OnStep
from qe_desktop.i18n.messages import to_english, tr
from qe_desktop.local_qe.qa_checks import (
    language_typography,
    max_length,
    numbers,
    punctuation,
    repetitions,
    typing_errors,
    untranslated,
    word_list_checks,
)
from qe_desktop.local_qe.qa_checks.check import Check, SegmentFacts, SegmentPair, SegmentPairs
from qe_desktop.local_qe.qa_checks.placeholders import access_keys, addresses, gettext_check, markup, placeholder_check
from qe_desktop.local_qe.qa_checks.word_lists import WordLists
from qe_desktop.local_qe.tag_layers import BadSpan, SideText, layers_from_spans

CHECKS: tuple[Check, ...] = (
    untranslated.EMPTY_TARGETS_CHECK,
    numbers.CHECK,
    language_typography.NUMBER_SEPARATORS_CHECK,
    placeholder_check.CHECK,
    gettext_check.CHECK,
    markup.MARKUP_CHECK,
    addresses.CHECK,
    access_keys.CHECK,
    typing_errors.LINE_BREAKS_CHECK,
    word_list_checks.TERMS_CHECK,
    word_list_checks.FORBIDDEN_WORDS_CHECK,
    max_length.CHECK,
    untranslated.UNTRANSLATED_CHECK,
    typing_errors.REPEATED_WORDS_CHECK,
    punctuation.BRACKETS_CHECK,
    markup.INLINE_CODES_CHECK,
    punctuation.END_PUNCTUATION_CHECK,
    language_typography.LANGUAGE_PUNCTUATION_CHECK,
    typing_errors.SPACES_CHECK,
    repetitions.CHECK,
)
CHECK_BY_NAME = {check.name: check for check in CHECKS}


CHECKS_NAME = "checks"
"""Name of the system whose layers contain the findings of the checks."""
REPORT_INTERVAL = 2048
"""Number of segments between two cancellation checks."""
_CHECKS_NOTE_PREFIX = "checks: "
"""Prefix of the note that lists the checks that created a layer."""


def get_checks(names: Sequence[str]) -> tuple[Check, ...]:
    """Checks with the given names, in the order of `CHECKS`. Raises QeError if a name is unknown."""
    for name in names:
        if name not in CHECK_BY_NAME:
            available = ", ".join(CHECK_BY_NAME)
            raise QeError(
                tr("there is no check named “{name}”", name=name),
                hint=tr("Available checks: {checks}.", checks=available),
            )
    return tuple(check for check in CHECKS if check.name in names)


def configure_checks(checks: Sequence[Check], lists: WordLists) -> tuple[Check, ...]:
    """Return the checks, configured with the user's word lists."""
    return tuple(check if check.configure is None else check.configure(lists) for check in checks)


def checks_from_notes(notes: Sequence[str]) -> frozenset[str]:
    """Names of the checks that created a layer, according to its notes as stored in a project."""
    listed = (
        to_english(note).removeprefix(_CHECKS_NOTE_PREFIX)
        for note in notes
        if to_english(note).startswith(_CHECKS_NOTE_PREFIX)
    )
    return frozenset(name for names in listed for name in names.split(", "))


def run_checks(
    corpus: Corpus, checks: Sequence[Check] = CHECKS, report: OnStep = lambda share, text: None
) -> tuple[Layer, ...]:
    """Run checks over a corpus; return layers of tags with reasons.

    An exception raised by `report` cancels the run. Raises QeError if there is no source, or no MT with tokens.
    """
    report(0, "")
    mt, source = SideText.of(corpus, TextRole.MT), SideText.of(corpus, TextRole.SOURCE)
    if mt is None or mt.tokens is None or source is None:
        message = tr("checks need a source and a tokenized MT")
        raise QeError(message, hint=tr("Open the source and the tokenized MT."))
    pairs = _CorpusPairs(corpus, source, mt)
    bad_spans = chain.from_iterable(
        _bad_spans(check, pairs, index / len(checks), report) for index, check in enumerate(checks)
    )
    check_names = ", ".join(check.name for check in checks)
    return layers_from_spans(
        corpus,
        bad_spans,
        CHECKS_NAME,
        mt,
        source,
        origin=CHECKS_NAME,
        notes=(tr("checks: {names}", names=check_names),),
    )


def _bad_spans(check: Check, pairs: _CorpusPairs, fraction: float, report: OnStep) -> Iterator[BadSpan]:
    pairs.watch = lambda: report(fraction, check.title)
    for segment, issue in check.find(pairs.for_check(check)):
        yield BadSpan(segment, issue.span, issue.reason, issue.is_in_source)


class _CorpusPairs:
    """Segment pairs of a corpus, cached for all checks."""

    def __init__(self, corpus: Corpus, source: SideText, mt: SideText) -> None:
        facts = SegmentFacts(corpus)
        job = corpus.job
        source_lines = [""] * corpus.size if job is None else list(job.sources.lines())
        mt_lines = [""] * corpus.size if job is None else list(job.mt.lines())
        texts = source.lines, mt.lines, mt.is_raw, source.is_raw, source_lines, mt_lines
        rows = zip(*texts, facts.rows(), strict=True)
        self.watch: Callable[[], object] = lambda: None
        self._pairs = [
            SegmentPair(segment, source_text, mt_text, is_raw, as_written, line, mt_line, *properties)
            for segment, (source_text, mt_text, is_raw, as_written, line, mt_line, properties) in enumerate(rows)
        ]
        self._with_mt = [pair for pair in self._pairs if pair.mt.strip()]
        if len(self._with_mt) < len(self._pairs):
            self._pairs = [pair for pair in self._pairs if pair.mt.strip() or not facts.is_locked(pair.segment)]

    def for_check(self, check: Check) -> SegmentPairs:
        """Pairs for a check: pairs with an MT, and unlocked pairs without an MT if the check includes empty targets."""
        return _WatchedPairs(self._pairs if check.includes_empty_targets else self._with_mt, self)


class _WatchedPairs:
    """Segment pairs that can be iterated over several times; each iteration checks regularly for cancellation."""

    def __init__(self, pairs: Sequence[SegmentPair], owner: _CorpusPairs) -> None:
        self._pairs, self._owner = pairs, owner

    def __iter__(self) -> Iterator[SegmentPair]:
        for start in range(0, len(self._pairs), REPORT_INTERVAL):
            self._owner.watch()
            yield from self._pairs[start : start + REPORT_INTERVAL]
