"""Labels of system statistics and agreement measures, shared by the user interface and the reports."""

from __future__ import annotations

from typing import NamedTuple

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.scale_range import ScaleRange
from qe_desktop.ratings.results.result_types import SystemWins


class StatisticLabel(NamedTuple):
    """Labels of a system statistic: `title` of its column on screen, `description` in tooltips, `heading` in reports.

    If `heading` is empty, the heading is the name that the statistic has in JSON and TSV.
    """

    title: str
    description: str
    heading: str = ""


COUNTS = {
    "judgements": StatisticLabel(tr("judgements"), tr("Pairwise judgements")),
    "wins": StatisticLabel(tr("wins"), tr("Judgements in which the system was better")),
    "ties": StatisticLabel(tr("ties"), tr("Judgements in which the systems were tied")),
    "losses": StatisticLabel(tr("losses"), tr("Judgements in which the system was worse")),
}
"""Labels of the numbers of judgements, keyed by their names in JSON."""
WINS = {
    "expected-wins": StatisticLabel(
        tr("expected wins"),
        tr("Mean share of wins against another system, ignoring ties (Koehn 2012)"),
        tr("expected-wins"),
    ),
    "bradley-terry": StatisticLabel(
        "Bradley–Terry", tr("Log strength: exp(difference between two systems) gives the odds that the first wins")
    ),
    "trueskill": StatisticLabel("TrueSkill", tr("Mean skill over bootstrap resamples, as WMT computed it")),
    "at-least-as-good": StatisticLabel(
        tr("≥ others"), tr("Share of judgements in which the system was not worse (WMT 2008–2010); rewards ties")
    ),
    "strictly-better": StatisticLabel(
        tr("> others"), tr("Share of judgements in which the system was better; a tie counts as a loss")
    ),
    "ignoring-ties": StatisticLabel(
        tr("no ties"), tr("Share of wins among wins and losses (Bojar et al. 2011)"), tr("ignoring-ties")
    ),
    "half-ties": StatisticLabel(
        tr("half ties"),
        tr("Share of judgements in which the system was better; a tie counts as half a win"),
        tr("half-ties"),
    ),
}
"""Labels of the statistics computed from judgements, keyed by their names in JSON and TSV."""


def win_statistic(wins: SystemWins, name: str) -> float | None:
    """Return the value of the ranking statistic whose JSON name is `name`; None if the value is undefined."""
    value: float | None = getattr(wins, name.replace("-", "_"))
    return value


class MeasureLabel(NamedTuple):
    """Labels of an agreement measure in tables (`table`), notes (`note`), windows (`title`) and charts (`short`)."""

    table: str
    note: str
    title: str
    short: str


ALPHAS = {
    "nominal": MeasureLabel(
        tr("Krippendorff's alpha, nominal"), tr("Krippendorff's alpha (nominal)"),
        tr("Nominal alpha (Krippendorff)"), tr("nominal alpha"),
    ),
    "ordinal": MeasureLabel(
        tr("Krippendorff's alpha, ordinal"), tr("Krippendorff's alpha (ordinal)"),
        tr("Ordinal alpha (Krippendorff)"), tr("ordinal alpha"),
    ),
    "interval": MeasureLabel(
        tr("Krippendorff's alpha, interval"), tr("Krippendorff's alpha (interval)"),
        tr("Interval alpha (Krippendorff)"), tr("interval alpha"),
    ),
}  # fmt: skip
"""Labels of Krippendorff's alpha, keyed by level of measurement."""
KAPPAS = {
    "unweighted": MeasureLabel(
        tr("Cohen's kappa, unweighted"), tr("Cohen's kappa (unweighted)"),
        tr("Unweighted kappa (Cohen)"), tr("unweighted kappa"),
    ),
    "linear": MeasureLabel(
        tr("Cohen's kappa, linear"), tr("Cohen's kappa (linear)"), tr("Linear kappa (Cohen)"), tr("linear kappa")
    ),
    "quadratic": MeasureLabel(
        tr("Cohen's kappa, quadratic"), tr("Cohen's kappa (quadratic)"),
        tr("Quadratic kappa (Cohen)"), tr("quadratic kappa"),
    ),
}  # fmt: skip
"""Labels of Cohen's kappa, keyed by the weighting of differences."""
FLEISS = MeasureLabel(tr("Fleiss' kappa"), tr("Fleiss' kappa"), tr("Kappa of all raters (Fleiss)"), tr("Fleiss' kappa"))
RANDOLPH = MeasureLabel(
    tr("Randolph's kappa"), tr("Randolph's kappa"), tr("Free-marginal kappa (Randolph)"), tr("Randolph's kappa")
)
EXACT = MeasureLabel(tr("same value"), "", tr("Share of rating pairs with the same value"), tr("the same value"))
WITHIN_ONE = MeasureLabel(tr("within one"), "", tr("Share of rating pairs at most 1 apart"), tr("at most 1 apart"))
RANKING_MEASURES = {
    "inter": MeasureLabel(
        tr("WMT's inter-annotator kappa"), tr("WMT's inter-annotator kappa"),
        tr("Inter-annotator kappa (WMT)"), tr("inter-annotator"),
    ),
    "intra": MeasureLabel(
        tr("WMT's intra-annotator kappa"), tr("WMT's intra-annotator kappa"),
        tr("Intra-annotator kappa (WMT)"), tr("intra-annotator"),
    ),
    "inter_as_published": MeasureLabel(
        tr("inter-annotator, as published"), tr("WMT's inter-annotator kappa, as published"),
        tr("Inter-annotator, as published"), tr("…as published"),
    ),
    "intra_as_published": MeasureLabel(
        tr("intra-annotator, as published"), tr("WMT's intra-annotator kappa, as published"),
        tr("Intra-annotator, as published"), tr("…as published"),
    ),
}  # fmt: skip
"""Labels of the agreement measures for rankings, keyed by their attribute names in `RankingAgreement`."""
REPEAT_MEASURES = {
    "exact": MeasureLabel(tr("repeats: same value"), "", "", ""),
    "distance": MeasureLabel(tr("repeats: mean distance"), "", "", ""),
    "ordinal": MeasureLabel(
        tr("repeats: ordinal alpha"), "", tr("Intra-annotator ordinal alpha"), tr("intra: ord. alpha")
    ),
    "quadratic": MeasureLabel("", "", tr("Intra-annotator quadratic kappa"), tr("intra: quad. kappa")),
}
"""Labels of intra-annotator measures. Reports show the first three, the user interface the last two."""


def is_within_one_meaningful(span: ScaleRange | None) -> bool:
    """Return whether the share of rating pairs at most 1 apart is informative for a scale with the range `span`.

    If the range is at most 1 wide, the share is not informative, because all values are then at most 1 apart. If
    `span` is None (the range is unknown), the result is True.
    """
    return span is None or span.high - span.low > 1
