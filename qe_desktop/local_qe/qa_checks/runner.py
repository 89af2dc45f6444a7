"""Runs checks over a corpus: all that they find becomes the layers of one system."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain

from qe_desktop.corpus import Corpus, Layer, QeError, TextRole
from qe_desktop.corpus.languages import parse_language
from qe_desktop.highlights.checks.check import Check, Pair
from qe_desktop.highlights.checks.registry import BY_NAME, CHECKS
from qe_desktop.highlights.sides import Side
from qe_desktop.highlights.tagging import Mark, tagged_layers
from qe_desktop.wording import in_english, tr

NAME = "checks"
"""What the system is called that checks are."""
OFTEN = 2048
"""Segments between two looks at whether anyone still waits."""
_RAN = "checks: "
"""What the remark of a layer begins with that says which checks made it."""
Report = Callable[[float, str], object]
"""Is told the share that is done, 0..1, and of what; what it raises ends the work."""


def checks_named(names: Sequence[str]) -> tuple[Check, ...]:
    """The checks of these names, in the usual order. QeError for a name that no check has."""
    for name in names:
        if name not in BY_NAME:
            known = ", ".join(BY_NAME)
            raise QeError(tr("there is no check “{name}”", name=name), hint=tr("There are: {checks}.", checks=known))
    return tuple(check for check in CHECKS if check.name in names)


def checks_noted(notes: Sequence[str]) -> frozenset[str]:
    """The names of the checks that made a layer, by its remarks as a project keeps them."""
    said = (in_english(note).removeprefix(_RAN) for note in notes if in_english(note).startswith(_RAN))
    return frozenset(name for names in said for name in names.split(", "))


def checked(
    corpus: Corpus, checks: Sequence[Check] = CHECKS, report: Report = lambda share, text: None
) -> tuple[Layer, ...]:
    """The layers of tags that checks make of a corpus, with the reason of each mark. QeError without source or MT."""
    report(0, "")
    mt, source = Side.of(corpus, TextRole.MT), Side.of(corpus, TextRole.SOURCE)
    if mt is None or mt.tokens is None or source is None:
        message = tr("checks need a source and the MT whose words they mark")
        raise QeError(message, hint=tr("Open both texts."))
    pairs = _Pairs(corpus, source, mt)
    marks = chain.from_iterable(_marks(check, pairs, place / len(checks), report) for place, check in enumerate(checks))
    ran = ", ".join(check.name for check in checks)
    return tagged_layers(corpus, marks, NAME, mt, source, origin=NAME, notes=(tr("checks: {names}", names=ran),))


def _marks(check: Check, pairs: _Pairs, share: float, report: Report) -> Iterator[Mark]:
    pairs.watch = lambda: report(share, check.title)
    for segment, found in check.find(pairs):
        yield Mark(segment, found.span, found.reason, found.of_source)


class _Pairs:
    """The segments of a corpus that have an MT, made once and gone through by each check."""

    def __init__(self, corpus: Corpus, source: Side, mt: Side) -> None:
        source_language, language = languages_of(corpus)
        job = corpus.job
        source_lines = [""] * corpus.size if job is None else list(job.sources.lines())
        mt_lines = [""] * corpus.size if job is None else list(job.mt.lines())
        rows = zip(source.lines, mt.lines, mt.written, source.written, source_lines, mt_lines, strict=True)
        self.watch: Callable[[], object] = lambda: None
        self._pairs = [
            Pair(segment, one, other, written, as_written, source_language, language, line, mt_line)
            for segment, (one, other, written, as_written, line, mt_line) in enumerate(rows)
            if other.strip()
        ]

    def __iter__(self) -> Iterator[Pair]:
        for low in range(0, len(self._pairs), OFTEN):
            self.watch()
            yield from self._pairs[low : low + OFTEN]


def languages_of(corpus: Corpus) -> tuple[str, str]:
    """The languages of source and MT in small letters, without regions; both empty where either is not known."""
    source, target = (parse_language(name).language for name in corpus.source_and_target())
    return (source, target) if source and target else ("", "")
