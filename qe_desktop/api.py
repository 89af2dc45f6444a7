"""Python API of QE Desktop: the computations of the command line and the window, for values in memory.

    import qe_desktop
    gold = [["OK", "BAD", "OK"], ["BAD", "OK"]]
    print(qe_desktop.score("words", gold, {"mine": [[0, 1, 0], [0, 0]]}).json())

Invalid input raises a `qe_desktop.QeError`, which states what is wrong, where, and how to correct it. In the message,
`systems['mine'][3]` means the segment with index 3 of the system `mine`. `score` and `compare` may be called from any
thread.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

from qe_desktop.corpus import Documents, QeError, SourceLocation, TagColumn
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import GROUPS, Scoring
from qe_desktop.levels.registry import PUBLIC_NAMES
from qe_desktop.metrics import Metric, get_metrics
from qe_desktop.metrics.text.tokenization import Tokenization
from qe_desktop.metrics.text.tokenizers import check_tokenizer
from qe_desktop.report import ScoreReport

if TYPE_CHECKING:
    from numpy.typing import NDArray

    # not imported at run time: scores need no significance tests
    from qe_desktop.report.comparisons import ComparisonReport
    from qe_desktop.significance import Correction, IntervalMethod
    from qe_desktop.significance.comparison import ResamplingUnit

    Values = (
        TagColumn | Sequence[Sequence[str | int] | NDArray[Any]] | Sequence[float] | NDArray[Any] | Mapping[str, Any]
    )
    """Gold or system values, depending on the level.

    Words, gaps and source: a `TagColumn`, or one sequence of tags per segment. Tags are OK and BAD, or 0 (OK) and 1
    (BAD). Sentences: one number per segment. Translations: one text per segment; the gold may also be a sequence or
    mapping of several references. Human scores: for each rater, one number per segment, NaN for segments that the rater
    did not rate.
    """


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

    Parameters
    ----------
    level
        "words", "gaps", "source", "sentences", "translations" or "human" (human scores).
    gold
        The gold tags, scores or references; must be None for human scores.
    systems
        Values by system name. For human scores, the values of a system map each rater to one number per segment.
    metrics
        Names of metrics; all metrics of the level if None or empty.
    intervals, interval_rounds, seed
        `intervals` is the method for 95% confidence intervals: "bootstrap" (percentiles), "bca", "fisher" (a closed
        form for Pearson's r), or None for no intervals. `interval_rounds` is the number of resamples, from 40 to
        10,000; the default is 1,000, or 200 if more than 100,000 segments or documents are resampled. `seed` is the
        random seed.
    documents
        The name of the document of each segment. If specified, whole documents are resampled.
    tokenize, language_pair
        `tokenize` is the sacreBLEU name of the tokenizer for translations. If None, the default tokenizer for the
        target language is used, or "char" if the default tokenizer is not installed. The language is taken from
        `language_pair` (such as "en-zh") or detected from the script of the references.
    ter_normalized, ter_asian
        Options of TER, as in sacreBLEU; True by default for Chinese and Japanese.

    Returns
    -------
    ScoreReport
        Has `values` of shape (systems, metrics), NaN where undefined, and `intervals`, which maps each metric to an
        array of shape (systems, 2) with the lower and upper limits; `intervals` is None if no intervals were requested.
        Methods: `of(metric)`, `json()` and `table()`.

    Raises
    ------
    QeError
        If the input is not valid, or a tokenizer cannot be used.
    """
    tokenization = _tokenization(level, tokenize, language_pair, ter_normalized, ter_asian)
    scoring = _scoring(level, gold, systems, documents, tokenization)
    requested_metrics, remarks = _metrics(scoring, metrics, tuple(scoring.level.metrics)), tuple(scoring.level.remarks)
    if intervals is None and interval_rounds is None:
        return ScoreReport.build(scoring, requested_metrics, remarks)
    # imported here: scores without intervals need no significance tests
    from qe_desktop.significance import SignificanceOptions

    method = _interval_method(intervals, interval_rounds)
    assert method is not None
    _check_options(seed=seed)
    options = SignificanceOptions(
        seed=int(seed), unit=_unit(documents), interval_method=method, interval_rounds=interval_rounds
    )
    return ScoreReport.build_with_intervals(scoring, requested_metrics, remarks, options)


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

    Parameters
    ----------
    level, gold, systems, documents, intervals, interval_rounds, tokenize, language_pair, ter_normalized, ter_asian
        As for `score`. With `documents`, the test permutes or resamples whole documents.
    metrics
        Names of metrics; the default metrics of the level if None or empty.
    test
        "randomisation" or "bootstrap"; for translations also "sacrebleu-ar" or "sacrebleu-bs"; for sentences also
        "williams" (one-sided) or "williams-two-tailed". For sentences, the default is "williams-two-tailed" if all
        metrics are correlations and `documents` is None. In all other cases, it is "randomisation".
    rounds, seed
        The number of trials or resamples of the test, and the random seed.
    correction, alpha
        The correction of p-values for multiple tests, and the significance level.

    Returns
    -------
    ComparisonReport
        Has `systems`, `json()` and `tables()`. For each metric, `of(metric)` has `scores` of shape (systems,), the
        p-values `p`, the corrected p-values `adjusted`, and `beats`. `beats[a, b]` is true if system a is significantly
        better than system b. `p`, `adjusted` and `beats` have shape (systems, systems).

    Raises
    ------
    QeError
        If the input is not valid, if a tokenizer cannot be used, if a metric cannot be tested, or if there are fewer
        than two systems.
    """
    from qe_desktop.report.comparisons import ComparisonReport
    from qe_desktop.report.scores import interval_signature
    from qe_desktop.significance import SignificanceOptions

    tokenization = _tokenization(level, tokenize, language_pair, ter_normalized, ter_asian)
    scoring = _scoring(level, gold, systems, documents, tokenization)
    remarks = tuple(scoring.level.remarks)
    scoring.require_two_subjects()
    compared = _metrics(scoring, metrics, scoring.level.tested_metrics)
    unit = _unit(documents)
    chosen = scoring.level.resolve_test(test, compared, unit)
    _check_options(rounds=rounds, seed=seed, correction=correction, alpha=alpha)
    method = _interval_method(intervals, interval_rounds)
    options = SignificanceOptions(
        chosen, int(rounds), int(seed), unit, correction, float(alpha),
        interval_method=method or "bootstrap", interval_rounds=interval_rounds,
    )  # fmt: skip
    rows = scoring.family_rows(compared)
    comparison = scoring.compare_rows(rows, compared, options)
    if method is None:
        return ComparisonReport.build(scoring, comparison, remarks)
    ends, signature = scoring.intervals(rows, options), interval_signature(scoring, compared, options)
    return ComparisonReport.build(scoring, comparison, remarks, ends, signature)


def _interval_method(intervals: str | None, rounds: int | None) -> IntervalMethod | None:
    """Return the interval method, or None if `intervals` is None.

    Raises QeError if the method is unknown, or if `rounds` is invalid or specified without a method.
    """
    from qe_desktop.significance.score_intervals import INTERVAL_METHODS, MAX_INTERVAL_ROUNDS, MIN_INTERVAL_ROUNDS

    hint = tr("Use one of {names}.", names=", ".join(INTERVAL_METHODS))
    method = next((method for method in INTERVAL_METHODS if method == intervals), None)
    if method is None and intervals is not None:
        raise QeError(
            tr("“{name}” is not an interval method", name=intervals), hint=hint, place=SourceLocation("intervals")
        )
    if rounds is not None and not (_is_whole_number(rounds, MIN_INTERVAL_ROUNDS) and rounds <= MAX_INTERVAL_ROUNDS):
        message = tr("must be a whole number from {min} to {max:,}", min=MIN_INTERVAL_ROUNDS, max=MAX_INTERVAL_ROUNDS)
        raise QeError(message, place=SourceLocation("interval_rounds"))
    if method is None and rounds is not None:
        message = tr("`interval_rounds` requires `intervals`")
        raise QeError(message, hint=hint, place=SourceLocation("intervals"))
    return method


def _scoring(
    level: str,
    gold: Values | None,
    systems: Mapping[str, Values],
    documents: Sequence[str] | None = None,
    tokenization: Tokenization | None = None,
) -> Scoring:
    """Return the scoring of systems against gold.

    Raises QeError if the level is unknown, if `systems` is not a dictionary with at least one name, if there are no
    segments, if values or document names are invalid, or if their numbers do not match.
    """
    groups = {
        PUBLIC_NAMES.get(level_entry.name, level_entry.name): (group, level_entry)
        for group in GROUPS.values()
        if group.from_python
        for level_entry in group.levels
    }
    # the names used in JSON are also accepted
    level = PUBLIC_NAMES.get(level, level)
    if level not in groups:
        hint = tr("Use one of {names}.", names=", ".join(groups))
        raise QeError(tr("“{name}” is not a level", name=level), hint=hint)
    if not isinstance(systems, Mapping) or not systems or not all(isinstance(name, str) for name in systems):
        hint = tr("Use the names of the systems as keys.")
        raise QeError(tr("must be a dictionary with at least one system"), hint=hint, place=SourceLocation("systems"))
    group, level_entry = groups[level]
    assert group.from_python is not None
    scoring = group.from_python(
        level_entry if tokenization is None else level_entry.with_tokenization(tokenization), gold, systems
    )
    if not scoring.view.corpus.size:
        raise QeError(tr("there are no segments"), hint=tr("Pass at least one segment."), place=SourceLocation("gold"))
    return scoring if documents is None else scoring.with_documents(_documents(documents, scoring.view.corpus.size))


def _tokenization(
    level: str, tokenizer: str | None, pair: str, ter_normalized: bool | None, ter_asian: bool | None
) -> Tokenization | None:
    """Return the tokenization that the options specify; None if no option is set.

    Raises QeError if the tokenizer is unknown, or if an option is set at a level other than "translations".
    """
    options = {
        "tokenize": tokenizer, "language_pair": pair or None, "ter_normalized": ter_normalized, "ter_asian": ter_asian
    }  # fmt: skip
    option = next((name for name, value in options.items() if value is not None), None)
    if option is None:
        return None
    if level != "translations":
        message = tr("applies only to translations, not to {level}", level=level)
        raise QeError(message, hint=tr("Leave out {name}.", name=option), place=SourceLocation(option))
    if tokenizer is not None:
        check_tokenizer(tokenizer)
    return Tokenization(tokenizer or "", ter_asian=ter_asian, ter_normalized=ter_normalized, language_pair=pair)


def _unit(documents: Sequence[str] | None) -> ResamplingUnit:
    """Return the resampling unit: documents if their names are specified, otherwise segments."""
    return "segment" if documents is None else "document"


def _metrics(scoring: Scoring, names: Sequence[str] | None, default_names: Sequence[str]) -> list[Metric]:
    level = scoring.level
    requested = [names] if isinstance(names, str) else list(names or default_names)
    return get_metrics(requested, level.metrics, level.items)


def _documents(names: Sequence[str], segments: int) -> Documents:
    if len(names) != segments:
        message = tr(
            "{lines:,} {lines:document name|document names} for {segments:,} {segments:segment|segments}",
            lines=len(names),
            segments=segments,
        )
        raise QeError(message, hint=tr("Pass one document name per segment."), place=SourceLocation("documents"))
    return Documents.from_names([str(name) for name in names])


def _check_options(*, seed: int, rounds: int = 1, correction: str = "none", alpha: float = 0.5) -> None:
    """Raise QeError if a seed, a number of rounds, a correction or a significance level is invalid."""
    from qe_desktop.significance import CORRECTIONS

    checks = {
        "rounds": (_is_whole_number(rounds, 1), tr("must be a whole number of at least 1")),
        "seed": (_is_whole_number(seed, 0), tr("must be a whole number of at least 0")),
        "alpha": (isinstance(alpha, Real) and 0 < alpha < 1, tr("must be greater than 0 and less than 1")),
        "correction": (correction in CORRECTIONS, tr("“{name}” is not a correction method", name=correction)),
    }
    hints = {"correction": tr("Use one of {names}.", names=", ".join(CORRECTIONS))}
    for name, (is_valid, message) in checks.items():
        if not is_valid:
            raise QeError(message, hint=hints.get(name, ""), place=SourceLocation(name))


def _is_whole_number(value: object, minimum: int) -> bool:
    return isinstance(value, Integral) and int(value) >= minimum
