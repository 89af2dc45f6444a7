"""Agreement in words: a row for each measure, and what the main one says."""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.ratings.agreement.inter_rater import InterRater
from qe_desktop.ratings.agreement.intra_rater import IntraRater
from qe_desktop.ratings.agreement.krippendorff import Level
from qe_desktop.ratings.agreement.measures import Agreement
from qe_desktop.ratings.agreement.ranking_agreement import WmtKappa
from qe_desktop.ratings.findings import RankingAgreement, Results
from qe_desktop.ratings.scale_span import Span
from qe_desktop.report import names
from qe_desktop.report.amounts import percent
from qe_desktop.ui.campaigns.results.figure_columns import known
from qe_desktop.ui.parts.dots import Dot, Dots
from qe_desktop.ui.scores.figures import interval_text
from qe_desktop.wording import tr

FEW = 30
"""Items below which agreement is said to rest on few."""
LOW = 0.4
"""The main measure below which a warning stands beside it."""
RANKINGS = "rankings"
READINGS = (
    (0.0, tr("none", "agreement"), tr("none agreement beyond chance")),
    (0.2, tr("slight", "agreement"), tr("slight agreement beyond chance")),
    (0.4, tr("fair", "agreement"), tr("fair agreement beyond chance")),
    (0.6, tr("moderate", "agreement"), tr("moderate agreement beyond chance")),
    (0.8, tr("substantial", "agreement"), tr("substantial agreement beyond chance")),
    (1.0, tr("almost perfect", "agreement"), tr("almost perfect agreement beyond chance")),
)
"""Landis and Koch (1977), the usual words for agreement beyond chance, alone and in full; a convention, not a law."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure: its value, over how many items, and in words what it is, or why there is no value.

    `themselves` are measures of raters with themselves, `words` say more than the usual word for the value.
    """

    name: str
    short: str
    value: float | None
    n: int
    about: str
    low: float | None = None
    high: float | None = None
    problem: str = ""
    beyond_chance: bool = True
    themselves: bool = False
    words: str = ""

    @property
    def reading(self) -> str:
        """What stands in the last column: why there is no value, or the usual word for it."""
        if self.problem or not self.beyond_chance:
            return self.problem
        return self.words or reading(self.value)


def topic_name(topic: str) -> str:
    """What people call a topic; scales have names of their own."""
    return tr("rankings") if topic == RANKINGS else topic


def topics(results: Results) -> list[str]:
    """What raters can agree on: the scales, and rankings."""
    found = [scale for scale in results.scales if scale in results.agreement]
    return [*found, RANKINGS] if results.ranking_agreement is not None else found


def measures(results: Results, topic: str) -> list[Measure]:
    """The measures of a scale, or of the rankings."""
    if topic == RANKINGS:
        return [] if results.ranking_agreement is None else _of_rankings(results.ranking_agreement)
    found = results.agreement.get(topic)
    rows = [] if found is None else _of_scale(found, results.spans.get(topic))
    again = results.intra.get(topic)
    return rows + ([] if again is None else _of_repeats(again))


def in_words(results: Results, topic: str) -> str:
    """What the main measure says, and how far it can be trusted."""
    rows = measures(results, topic)
    if not rows:
        return tr("Nothing was rated by two raters, so nothing can be said about their agreement.")
    # the one to look at first: ordinal alpha, or the order-free kappa
    main = rows[0]
    if main.value is None:
        return _unknown(main)
    said = [_main_in_words(main, main.value, topic)]
    if main.n < FEW:
        said.append(tr("These are few items; the value may be far off."))
    elif main.value < LOW:
        said.append(tr("Raters often disagree, so small differences between systems say little."))
    if topic != RANKINGS and "unweighted" in results.agreement[topic].cohen:
        said.append(tr("Unweighted kappa counts near misses as misses and makes good raters look bad."))
    return " ".join(said)


def _main_in_words(main: Measure, value: float, topic: str) -> str:
    name, figure, read = main.name, known(value), _read(value)[2]
    if topic == RANKINGS:
        return tr(
            "{measure} is {value} over {n:,} {n:pair|pairs} of judgements: {reading}.",
            "", main.n, measure=name, value=figure, reading=read,
        )  # fmt: skip
    return tr(
        "{measure} is {value} over {n:,} {n:item|items} that several raters rated: {reading}.",
        "", main.n, measure=name, value=figure, reading=read,
    )  # fmt: skip


def _unknown(measure: Measure) -> str:
    return tr("{measure}: {problem}.", measure=measure.name, problem=measure.problem.rstrip("."))


def dots_of(rows: list[Measure], topic: str) -> Dots | str:
    """The measures as a picture; words where none has a value."""
    shown = [row for row in rows if row.value is not None and row.beyond_chance]
    if not shown:
        problem = rows[0].problem.rstrip(".") if rows else ""
        return tr("{problem}.", problem=problem) if problem else tr("Nothing was rated by two raters.")
    dots = tuple(
        Dot(row.short, row.value or 0.0, row.low, row.high, f"{row.name} {known(row.value)}, {reading(row.value)}")
        for row in shown
    )
    low = min(-0.05, *(dot.value if dot.low is None else dot.low for dot in dots))
    between = sum(not row.themselves for row in shown)
    breaks = (between - 1,) if 0 < between < len(shown) else ()
    title = (
        tr("agreement on rankings: 0 is chance, 1 is perfect")
        if topic == RANKINGS
        else tr("agreement on {scale}: 0 is chance, 1 is perfect", scale=topic)
    )
    return Dots(title, dots, breaks, bounds=(low, 1.0), zero=True)


def _of_scale(found: InterRater, span: Span | None) -> list[Measure]:
    return [*_alphas(found), *(_cohens(found) if found.cohen else []), *_of_all(found), *_shares(found, span)]


def _alphas(found: InterRater) -> list[Measure]:
    about: dict[Level, str] = {
        "ordinal": tr("By ranks of values; the main figure on scales of few values"),
        "interval": tr("By squared differences of values"),
        "nominal": _binned(tr("Only the same value counts"), found),
    }
    return [_measure(names.ALPHAS[level], found.krippendorff[level], said) for level, said in about.items()]


def _cohens(found: InterRater) -> list[Measure]:
    if len(found.raters) == 2:
        quadratic = tr("Large differences weigh most; the only two raters")
        linear = tr("Differences weigh by their size; the only two raters")
        same = tr("Only the same value counts; the only two raters")
    else:
        quadratic = tr("Large differences weigh most; the mean of all pairs of raters")
        linear = tr("Differences weigh by their size; the mean of all pairs of raters")
        same = tr("Only the same value counts; the mean of all pairs of raters")
    about = {"quadratic": quadratic, "linear": _binned(linear, found), "unweighted": _binned(same, found)}
    return [_measure(names.KAPPAS[weights], found.cohen[weights], said) for weights, said in about.items()]


def _of_all(found: InterRater) -> list[Measure]:
    all_at_once = _binned(tr("All raters at once; only the same value counts"), found)
    equal = _binned(tr("As Fleiss, chance being equal for all values"), found)
    return [_measure(names.FLEISS, found.fleiss, all_at_once), _measure(names.RANDOLPH, found.randolph, equal)]


def _shares(found: InterRater, span: Span | None) -> list[Measure]:
    near = found.within_one if names.tells_one_apart(span) else None
    rows = []
    for called, share in ((names.EXACT, found.exact), (names.WITHIN_ONE, near)):
        if share is not None and not found.bins:
            about = tr("{share} of shared ratings; not corrected for chance", share=percent(share))
            rows.append(Measure(called.title, called.short, share, found.units, about, beyond_chance=False))
    return rows


def _binned(about: str, found: InterRater) -> str:
    """What a measure is, with the parts into which a long scale was cut for it."""
    return tr("{about}, over {n} equal parts of the scale", "", found.bins, about=about) if found.bins else about


def _of_repeats(again: IntraRater) -> list[Measure]:
    if again.problem:
        name, about = tr("Raters with themselves"), tr("Items shown twice to the same rater")
        return [Measure(name, tr("with themselves"), None, again.n, about, problem=again.problem, themselves=True)]
    about = tr("The same rater on the same item, later")
    found = {"ordinal": again.ordinal, "quadratic": again.quadratic}
    return [_measure(names.REPEATED[key], one, about, themselves=True) for key, one in found.items()]


def _of_rankings(found: RankingAgreement) -> list[Measure]:
    listed = tr("As WMT published it: only where the two systems stood in the same order")
    about = {
        "inter": tr("Judgements of the same two outputs by different raters"),
        "inter_as_published": tr(
            "As WMT published it: only where the two systems stood in the same order, including pairs of one rater"
        ),
        "intra": tr("The same rater on the same outputs, later"),
        "intra_as_published": listed,
    }
    return [
        _kappa(names.RANKED[key], getattr(found, key), said, themselves=key.startswith("intra"))
        for key, said in about.items()
    ]


def _kappa(called: names.Measure, kappa: WmtKappa, about: str, *, themselves: bool) -> Measure:
    words = tr(
        "{reading}; {agree:,} of {n:,} agree, P(A) {pa}, P(E) {pe}",
        "", kappa.comparable,
        reading=reading(kappa.kappa), agree=kappa.agree, pa=known(kappa.pA), pe=known(kappa.pE),
    )  # fmt: skip
    return Measure(
        called.title, called.short, kappa.kappa, kappa.comparable, about,
        problem=kappa.problem, themselves=themselves, words=words,
    )  # fmt: skip


def _measure(called: names.Measure, found: Agreement, about: str, *, themselves: bool = False) -> Measure:
    said = f"{about}. {found.note}" if found.note else about
    return Measure(
        called.title, called.short, found.value, found.n, said, found.low, found.high, found.problem,
        themselves=themselves,
    )  # fmt: skip


def interval_cell(row: Measure) -> str:
    """The interval as the table shows it."""
    return "" if row.low is None or row.high is None else interval_text(row.low, row.high, 3)


def reading(value: float | None) -> str:
    """The usual word for a measure of agreement.

    >>> reading(0.45), reading(-0.1), reading(None)
    ('moderate', 'none', '')
    """
    return "" if value is None else _read(value)[1]


def _read(value: float) -> tuple[float, str, str]:
    return next((one for one in READINGS if value <= one[0]), READINGS[-1])
