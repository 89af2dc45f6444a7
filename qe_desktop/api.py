"""QE Desktop from Python: what the command line and the window compute, of values that a program has.

    import qe_desktop
    gold = [["OK", "BAD", "OK"], ["BAD", "OK"]]
    print(qe_desktop.score("words", gold, {"mine": [[0, 1, 0], [0, 0]]}).json())

Bad input brings a `qe_desktop.QeError`, which says what is wrong, where and what to do about it; `systems['mine'][3]`
is the segment with index 3. Both functions may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from qe_desktop.corpus import Documents, QeError, SourceLocation, TagColumn
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import GROUPS, Scoring
from qe_desktop.metrics import Metric, get_metrics
from qe_desktop.metrics.text.tokenization import Tokenization
from qe_desktop.metrics.text.tokenizers import check_tokenizer
from qe_desktop.report import ScoreReport

if TYPE_CHECKING:
    from numpy.typing import NDArray

    # scores alone need no tests
    from qe_desktop.report.comparisons import ComparisonReport
    from qe_desktop.significance import Correction, IntervalMethod
    from qe_desktop.significance.comparison import ResamplingUnit

    Values = (
        TagColumn | Sequence[Sequence[str | int] | NDArray[Any]] | Sequence[float] | NDArray[Any] | Mapping[str, Any]
    )
    """Of words: a column of tags, or OK and BAD, or 0 and 1 (BAD), in a sequence for each segment. Of sentences: a
    number a segment. Of people: such numbers by rater, NaN where a segment was not rated."""


def score(
    level: str,
    gold: Values | None,
    systems: Mapping[str, Values],
    metrics: Sequence[str] | None = None,
    *,
    intervals: IntervalMethod | None = None,
    interval_rounds: int | None = None,
    seed: int = 1,
    documents: Sequence[str] | None = None,
    tokenize: str | None = None,
    language_pair: str = "",
    ter_normalized: bool | None = None,
    ter_asian: bool | None = None,
) -> ScoreReport:
    """Score systems against gold, as `qe-desktop score` does.

    `level` is "words", "gaps", "source", "sentences", "translations", or "people", of which there is no gold (None):
    their `systems` have numbers by rater, one a segment. `systems` are by name, `metrics` all of the level where none
    are named. With `intervals`, "bootstrap" (percentiles), "bca" or "fisher", there are 95 % intervals, drawn from the
    `seed` in `interval_rounds`, of 40 to 10,000 (1,000 where None, of more than 100,000 units 200), over the
    `documents` where they are named for each segment. Translations are tokenized by `tokenize`, a tokenizer as
    sacreBLEU calls it, or where that is None, by the tokenizer of the target language: of the `language_pair`, such as
    "en-zh", or else of the script of the references; "char" where it is not installed. `ter_normalized` and `ter_asian`
    are sacreBLEU's options of TER; where they are None, they hold for Chinese and Japanese. The report has the
    `values`, shape (systems, metrics), NaN where undefined, and `intervals` by metric, shape (systems, 2) each;
    `of(metric)`, `json()` and `table()`. QeError for what does not fit.
    """
    cut = _tokenization(level, tokenize, language_pair, ter_normalized, ter_asian)
    scoring = _scoring(level, gold, systems, documents, cut)
    chosen, remarks = _metrics(scoring, metrics, tuple(scoring.level.metrics)), tuple(scoring.level.remarks)
    if intervals is None and interval_rounds is None:
        return ScoreReport.made(scoring, chosen, remarks)
    # scores alone wait for no tests
    from qe_desktop.significance import SignificanceOptions

    way = _interval_method(intervals, interval_rounds)
    assert way is not None
    _check_options(seed=seed)
    options = SignificanceOptions(seed=int(seed), unit=_unit(documents))
    return ScoreReport.drawn(scoring, chosen, remarks, options, way, interval_rounds)


def compare(
    level: str,
    gold: Values | None,
    systems: Mapping[str, Values],
    metrics: Sequence[str] | None = None,
    *,
    test: str | None = None,
    rounds: int = 10_000,
    seed: int = 1,
    documents: Sequence[str] | None = None,
    correction: Correction = "bonferroni",
    alpha: float = 0.05,
    intervals: IntervalMethod | None = None,
    interval_rounds: int | None = None,
    tokenize: str | None = None,
    language_pair: str = "",
    ter_normalized: bool | None = None,
    ter_asian: bool | None = None,
) -> ComparisonReport:
    """Test which differences between systems are significant, as `qe-desktop compare` does.

    `level`, `gold` and `systems` are those of `score`; `metrics` are the level's usual ones where none are named, and
    so is the `test`: "randomisation", "bootstrap", "williams-two-tailed" or "williams" (one-tailed). `documents` names
    the document of each segment; then whole documents are swapped. `intervals` are as `score` makes them, with the same
    `seed`, and translations are tokenized as there. The report has the `systems`; for each metric `of(metric)` with its
    `scores` (systems,) and uncorrected `p`, `adjusted` p and `beats`, (systems, systems) each; and `json()` and
    `tables()`. QeError for what does not fit, and for fewer than two systems.
    """
    from qe_desktop.report.comparisons import ComparisonReport
    from qe_desktop.report.scores import interval_signature
    from qe_desktop.significance import SignificanceOptions

    cut = _tokenization(level, tokenize, language_pair, ter_normalized, ter_asian)
    scoring = _scoring(level, gold, systems, documents, cut)
    remarks = tuple(scoring.level.remarks)
    scoring.refuse_fewer_than_two()
    compared = _metrics(scoring, metrics, scoring.level.tested)
    unit = _unit(documents)
    chosen = scoring.level.chosen_test(test, compared, unit)
    _check_options(rounds=rounds, seed=seed, correction=correction, alpha=alpha)
    options = SignificanceOptions(chosen, int(rounds), int(seed), unit, correction, float(alpha))
    way = _interval_method(intervals, interval_rounds)
    rows = scoring.family_rows(compared)
    comparison = scoring.compared(rows, compared, options)
    if way is None:
        return ComparisonReport.made(scoring, comparison, remarks)
    ends = scoring.intervals(rows, options, way, rounds=interval_rounds)
    made = interval_signature(scoring, compared, options, way, interval_rounds)
    return ComparisonReport.made(scoring, comparison, remarks, ends, made)


def _interval_method(intervals: str | None, rounds: int | None) -> IntervalMethod | None:
    """How intervals are made, None for none; QeError for a way that there is not, and for rounds that fit none."""
    from qe_desktop.significance.score_intervals import INTERVAL_METHODS, MAX_INTERVAL_ROUNDS, MIN_INTERVAL_ROUNDS

    choose = tr("Choose from {names}.", names=", ".join(INTERVAL_METHODS))
    way = next((one for one in INTERVAL_METHODS if one == intervals), None)
    if way is None and intervals is not None:
        raise QeError(
            tr("there are no intervals “{name}”", name=intervals), hint=choose, place=SourceLocation("intervals")
        )
    if rounds is not None and not (_whole(rounds, MIN_INTERVAL_ROUNDS) and rounds <= MAX_INTERVAL_ROUNDS):
        message = tr(
            "must be a whole number from {least} to {most:,}", least=MIN_INTERVAL_ROUNDS, most=MAX_INTERVAL_ROUNDS
        )
        raise QeError(message, place=SourceLocation("interval_rounds"))
    if way is None and rounds is not None:
        message = tr("rounds of intervals are named, and no intervals are asked for")
        raise QeError(message, hint=choose, place=SourceLocation("intervals"))
    return way


def _scoring(
    level: str,
    gold: Values | None,
    systems: Mapping[str, Values],
    documents: Sequence[str] | None = None,
    tokenization: Tokenization | None = None,
) -> Scoring:
    """What is scored against what; QeError where there is no such level, or nothing to score."""
    groups = {found.name: (group, found) for group in GROUPS.values() if group.given for found in group.levels}
    if level not in groups:
        hint = tr("Choose from {names}.", names=", ".join(groups))
        raise QeError(tr("there is no level “{name}”", name=level), hint=hint)
    if not isinstance(systems, Mapping) or not systems or not all(isinstance(name, str) for name in systems):
        hint = tr("Give a dictionary of systems by their names.")
        raise QeError(tr("these are no systems"), hint=hint, place=SourceLocation("systems"))
    group, found = groups[level]
    assert group.given is not None
    scoring = group.given(found if tokenization is None else found.tokenized(tokenization), gold, systems)
    if not scoring.view.corpus.size:
        raise QeError(tr("there is no segment"), hint=tr("Give one at least."), place=SourceLocation("gold"))
    return scoring if documents is None else scoring.in_documents(_documents(documents, scoring.view.corpus.size))


def _tokenization(
    level: str, tokenizer: str | None, pair: str, ter_normalized: bool | None, ter_asian: bool | None
) -> Tokenization | None:
    """How texts are to be tokenized, None where no option is set; QeError for a tokenizer that there is not, and for
    another level than that of texts.
    """
    options = {
        "tokenize": tokenizer, "language_pair": pair or None, "ter_normalized": ter_normalized, "ter_asian": ter_asian
    }  # fmt: skip
    named = next((name for name, value in options.items() if value is not None), None)
    if named is None:
        return None
    if level != "translations":
        message = tr("only translations are tokenized, not {level}", level=level)
        raise QeError(message, hint=tr("Leave {name} out.", name=named), place=SourceLocation(named))
    if tokenizer is not None:
        check_tokenizer(tokenizer)
    return Tokenization(tokenizer or "", ter_asian=ter_asian, ter_normalized=ter_normalized, language_pair=pair)


def _unit(documents: Sequence[str] | None) -> ResamplingUnit:
    """Whole documents are drawn and swapped where they are named."""
    return "segment" if documents is None else "document"


def _metrics(scoring: Scoring, names: Sequence[str] | None, usual: Sequence[str]) -> list[Metric]:
    level = scoring.level
    wanted = [names] if isinstance(names, str) else list(names or usual)
    return get_metrics(wanted, level.metrics, level.items)


def _documents(names: Sequence[str], segments: int) -> Documents:
    if len(names) != segments:
        message = tr(
            "{lines:,} {lines:document|documents} for {segments:,} {segments:segment|segments}",
            lines=len(names),
            segments=segments,
        )
        raise QeError(message, hint=tr("Name the document of each segment."), place=SourceLocation("documents"))
    return Documents.from_names([str(name) for name in names])


def _check_options(*, seed: int, rounds: int = 1, correction: str = "none", alpha: float = 0.5) -> None:
    """QeError for options that no test has."""
    from qe_desktop.significance import CORRECTIONS

    right = {
        "rounds": (_whole(rounds, 1), tr("rounds are a whole number from 1")),
        "seed": (_whole(seed, 0), tr("must be a whole number from 0")),
        "alpha": (isinstance(alpha, Real) and 0 < alpha < 1, tr("must lie between 0 and 1")),
        "correction": (correction in CORRECTIONS, tr("there is no correction “{name}”", name=correction)),
    }
    hints = {"correction": tr("Choose from {names}.", names=", ".join(CORRECTIONS))}
    for name, (fits, message) in right.items():
        if not fits:
            raise QeError(message, hint=hints.get(name, ""), place=SourceLocation(name))


def _whole(value: object, least: int) -> bool:
    return isinstance(value, Integral) and int(value) >= least
