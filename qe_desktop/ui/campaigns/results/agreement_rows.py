"""Agreement in words: a row for each measure, and what the main one says."""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.ratings.agreement.inter_rater import InterRater
from qe_desktop.ratings.agreement.intra_rater import IntraRater
from qe_desktop.ratings.agreement.measures import Agreement
from qe_desktop.ratings.agreement.ranking_agreement import WmtKappa
from qe_desktop.ratings.findings import RankingAgreement, Results
from qe_desktop.ratings.scale_span import Span
from qe_desktop.report.amounts import percent
from qe_desktop.ui.campaigns.results.figure_columns import known
from qe_desktop.ui.parts.dots import Dot, Dots
from qe_desktop.ui.scores.figures import interval_text

FEW = 30
"""Items below which agreement is said to rest on few."""
LOW = 0.4
"""The main measure below which a warning stands beside it."""
RANKINGS = "rankings"
READINGS = (
    (0.0, "none"),
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (1.0, "almost perfect"),
)
"""Landis and Koch (1977), the usual words for agreement beyond chance; a convention, not a law."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One measure: its value, over how many items, and in words what it is, or why there is no value."""

    name: str
    short: str
    value: float | None
    n: int
    about: str
    low: float | None = None
    high: float | None = None
    problem: str = ""
    beyond_chance: bool = True
    detail: str = ""

    @property
    def reading(self) -> str:
        """What stands in the last column: why there is no value, or the usual word for it."""
        if self.problem or not self.beyond_chance:
            return self.problem
        return f"{reading(self.value)}{self.detail}"


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


def main_measure(rows: list[Measure]) -> Measure | None:
    """The measure to look at first: ordinal alpha, or the order-free kappa."""
    return rows[0] if rows else None


def in_words(results: Results, topic: str) -> str:
    """What the main measure says, and how far it can be trusted."""
    rows = measures(results, topic)
    main = main_measure(rows)
    if main is None:
        return "Nothing was rated by two raters, so nothing can be said about their agreement."
    what = "pairs of judgements" if topic == RANKINGS else "items that several raters rated"
    if main.value is None:
        return f"{main.name}: {main.problem}."
    said = f"{main.name} is {known(main.value)} over {main.n:,} {what}: {reading(main.value)} agreement beyond chance."
    if main.n < FEW:
        said += " These are few items; the value may be far off."
    elif main.value < LOW:
        said += " Raters often disagree, so small differences between systems say little."
    if topic != RANKINGS and "unweighted" in results.agreement[topic].cohen:
        said += " Unweighted kappa counts near misses as misses and makes good raters look bad."
    return said


def dots_of(rows: list[Measure], topic: str) -> Dots | str:
    """The measures as a picture; words where none has a value."""
    shown = [row for row in rows if row.value is not None and row.beyond_chance]
    if not shown:
        return rows[0].problem.capitalize() if rows else "Nothing was rated by two raters."
    dots = tuple(
        Dot(row.short, row.value or 0.0, row.low, row.high, f"{row.name} {known(row.value)}, {reading(row.value)}")
        for row in shown
    )
    low = min(-0.05, *(dot.value if dot.low is None else dot.low for dot in dots))
    between = sum(not row.name.startswith(("With themselves", "Kappa with themselves")) for row in shown)
    breaks = (between - 1,) if 0 < between < len(shown) else ()
    return Dots(f"agreement on {topic}: 0 is chance, 1 is perfect", dots, breaks, bounds=(low, 1.0), zero=True)


def _of_scale(found: InterRater, span: Span | None) -> list[Measure]:
    bins = f", over {found.bins} equal parts of the scale" if found.bins else ""
    alpha, cohen = found.krippendorff, found.cohen
    rows = [
        _measure(
            "Ordinal alpha (Krippendorff)",
            "ordinal alpha",
            alpha["ordinal"],
            "By ranks of values; the main figure on scales of few values",
        ),
        _measure(
            "Interval alpha (Krippendorff)", "interval alpha", alpha["interval"], "By squared differences of values"
        ),
        _measure(
            "Nominal alpha (Krippendorff)", "nominal alpha", alpha["nominal"], f"Only the same value counts{bins}"
        ),
    ]
    if cohen:
        between = "the only two raters" if len(found.raters) == 2 else "the mean of all pairs of raters"
        rows += [
            _measure(
                "Quadratic kappa (Cohen)",
                "quadratic kappa",
                cohen["quadratic"],
                f"Large differences weigh most; {between}",
            ),
            _measure(
                "Linear kappa (Cohen)",
                "linear kappa",
                cohen["linear"],
                f"Differences weigh by their size; {between}{bins}",
            ),
            _measure(
                "Unweighted kappa (Cohen)",
                "unweighted kappa",
                cohen["unweighted"],
                f"Only the same value counts; {between}{bins}",
            ),
        ]
    rows += [
        _measure(
            "Kappa of all raters (Fleiss)",
            "Fleiss’ kappa",
            found.fleiss,
            f"All raters at once; only the same value counts{bins}",
        ),
        _measure(
            "Kappa, equal chances (Randolph)",
            "Randolph’s kappa",
            found.randolph,
            f"As Fleiss, chance being equal for all values{bins}",
        ),
    ]
    # on a scale from 0 to 1 all values are at most 1 apart
    near = found.within_one if span is None or span.high - span.low > 1 else None
    for name, share in (("the same value", found.exact), ("at most 1 apart", near)):
        if share is not None and not found.bins:
            about = f"{percent(share)} of shared ratings; not corrected for chance"
            rows.append(Measure(f"Share with {name}", name, share, found.units, about, beyond_chance=False))
    return rows


def _of_repeats(again: IntraRater) -> list[Measure]:
    if again.problem:
        return [
            Measure(
                "Raters with themselves",
                "with themselves",
                None,
                again.n,
                "Items shown twice to the same rater",
                problem=again.problem,
            )
        ]
    about = "The same rater on the same item, later"
    return [
        _measure("With themselves, ordinal alpha", "self: ord. alpha", again.ordinal, about),
        _measure("With themselves, quadratic kappa", "self: quad. kappa", again.quadratic, about),
    ]


def _of_rankings(found: RankingAgreement) -> list[Measure]:
    listed = "As WMT published it: only where the two systems stood in the same order"
    return [
        _kappa(
            "Kappa between raters (WMT)", "between raters", found.inter, "Any two judgements of the same two outputs"
        ),
        _kappa("Between raters, as published", "…as published", found.inter_as_published, listed),
        _kappa(
            "Kappa with themselves (WMT)", "with themselves", found.intra, "The same rater on the same outputs, later"
        ),
        _kappa("With themselves, as published", "…as published", found.intra_as_published, listed),
    ]


def _kappa(name: str, short: str, kappa: WmtKappa, about: str) -> Measure:
    pa, pe = known(kappa.pA), known(kappa.pE)
    counts = f"; {kappa.agree:,} of {kappa.comparable:,} agree, P(A) {pa}, P(E) {pe}"
    return Measure(name, short, kappa.kappa, kappa.comparable, about, problem=kappa.problem, detail=counts)


def _measure(name: str, short: str, found: Agreement, about: str) -> Measure:
    said = f"{about}. {found.note}" if found.note else about
    return Measure(name, short, found.value, found.n, said, found.low, found.high, found.problem)


def interval_cell(row: Measure) -> str:
    """The interval as the table shows it."""
    return "" if row.low is None or row.high is None else interval_text(row.low, row.high, 3)


def reading(value: float | None) -> str:
    """The usual word for a measure of agreement.

    >>> reading(0.45), reading(-0.1), reading(None)
    ('moderate', 'none', '')
    """
    if value is None:
        return ""
    return next((word for limit, word in READINGS if value <= limit), READINGS[-1][1])
