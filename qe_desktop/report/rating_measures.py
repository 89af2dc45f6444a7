"""Labels of system statistics and agreement measures, shared by the window and the reports."""

from __future__ import annotations

from typing import NamedTuple

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.results.result_types import SystemWins
from qe_desktop.ratings.results.scale_range import ScaleRange


class StatisticLabel(NamedTuple):
    """Labels of a system statistic: `title` of its column on screen, `description` in tooltips, `heading` in tables.

    Without a heading, tables use the name from JSON and TSV.
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
"""Counts of judgements, by JSON name."""
WINS = {
    "expected-wins": StatisticLabel(
        tr("expected wins"),
        tr("Share of wins, ties ignored: mean over other systems (Koehn 2012)"),
        tr("expected-wins"),
    ),
    "bradley-terry": StatisticLabel(
        "Bradley–Terry", tr("Log strength: exp(difference between two systems) gives the odds that the first wins")
    ),
    "trueskill": StatisticLabel("TrueSkill", tr("Mean skill over bootstrap runs, as WMT computed it")),
    "at-least-as-good": StatisticLabel(
        tr("≥ others"), tr("Share of judgements in which the system is not worse (WMT 2008–2010); rewards ties")
    ),
    "strictly-better": StatisticLabel(
        tr("> others"), tr("Share of judgements in which the system is better; a tie counts as a loss")
    ),
    "ignoring-ties": StatisticLabel(
        tr("no ties"), tr("Share of wins among wins and losses (Bojar et al. 2011)"), tr("ignoring-ties")
    ),
    "half-ties": StatisticLabel(
        tr("half ties"),
        tr("Share of judgements in which the system is better; a tie counts as half a win"),
        tr("half-ties"),
    ),
}
"""Statistics of judgements, by JSON and TSV name."""


def win_statistic(wins: SystemWins, name: str) -> float | None:
    """Return the value of a ranking statistic by its JSON name; None if it is undefined."""
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
"""Krippendorff's alpha by level of measurement."""
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
"""Cohen's kappa by weighting of differences."""
FLEISS = MeasureLabel(tr("Fleiss' kappa"), tr("Fleiss' kappa"), tr("Kappa of all raters (Fleiss)"), tr("Fleiss' kappa"))
RANDOLPH = MeasureLabel(
    tr("Randolph's kappa"), tr("Randolph's kappa"), tr("Free-marginal kappa (Randolph)"), tr("Randolph's kappa")
)
EXACT = MeasureLabel(tr("same value"), "", tr("Share of items with the same value"), tr("the same value"))
WITHIN_ONE = MeasureLabel(tr("within one"), "", tr("Share of items with values at most 1 apart"), tr("at most 1 apart"))
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
"""Measures on rankings, by their names in `RankingAgreement`."""
REPEAT_MEASURES = {
    "exact": MeasureLabel(tr("repeats: same value"), "", "", ""),
    "distance": MeasureLabel(tr("repeats: mean distance"), "", "", ""),
    "ordinal": MeasureLabel(
        tr("repeats: ordinal alpha"), "", tr("Intra-annotator ordinal alpha"), tr("intra: ord. alpha")
    ),
    "quadratic": MeasureLabel("", "", tr("Intra-annotator quadratic kappa"), tr("intra: quad. kappa")),
}
"""Intra-annotator measures; tables show the first three, the window the last two."""


def is_within_one_meaningful(span: ScaleRange | None) -> bool:
    """Whether "at most 1 apart" is informative.

    False if the range of the scale is at most 1, so that it always holds; True if the range is unknown.
    """
    return span is None or span.high - span.low > 1
