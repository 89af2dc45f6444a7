"""What figures of systems and measures of agreement are called, wherever results are shown: each is listed once."""

from __future__ import annotations

from typing import NamedTuple

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.results.result_types import SystemWins
from qe_desktop.ratings.results.scale_range import ScaleRange


class StatisticLabel(NamedTuple):
    """A figure of a system: its `title` over a column of the window, what it means, and its `heading` in tables.

    Without a heading it goes by the name that it has in JSON and TSV.
    """

    title: str
    about: str
    heading: str = ""


COUNTS = {
    "judgements": StatisticLabel(tr("judgements"), tr("Pairwise judgements")),
    "wins": StatisticLabel(tr("wins"), tr("Judgements in which it was better")),
    "ties": StatisticLabel(tr("ties"), tr("Judgements in which it was as good")),
    "losses": StatisticLabel(tr("losses"), tr("Judgements in which it was worse")),
}
"""How often a system was judged, by the names in JSON."""
WINS = {
    "expected-wins": StatisticLabel(
        tr("expected wins"), tr("Mean share of wins against each other system (Koehn 2012)"), tr("expected-wins")
    ),
    "bradley-terry": StatisticLabel(
        "Bradley–Terry", tr("Log strength: e to the difference of two is the odds of a win")
    ),
    "trueskill": StatisticLabel("TrueSkill", tr("Mean skill over bootstrap runs, as WMT computed it")),
    "at-least-as-good": StatisticLabel(tr("≥ others"), tr("Share not worse (WMT 2008–2010); rewards ties")),
    "strictly-better": StatisticLabel(tr("> others"), tr("Share better; a tie counts like a loss")),
    "ignoring-ties": StatisticLabel(
        tr("no ties"), tr("Wins among wins and losses (Bojar et al. 2011)"), tr("ignoring-ties")
    ),
    "half-ties": StatisticLabel(tr("half ties"), tr("Share better, a tie counting half"), tr("half-ties")),
}
"""What judgements say of a system, by the names in JSON and TSV."""


def win_statistic(wins: SystemWins, name: str) -> float | None:
    """A figure of a system's judgements by its name."""
    value: float | None = getattr(wins, name.replace("-", "_"))
    return value


class MeasureLabel(NamedTuple):
    """A measure of agreement as tables call it, and notes; its `title` in the window, and `short` beside a picture."""

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
"""By the level of measurement."""
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
"""By how differences weigh."""
FLEISS = MeasureLabel(tr("Fleiss' kappa"), tr("Fleiss' kappa"), tr("Kappa of all raters (Fleiss)"), tr("Fleiss’ kappa"))
RANDOLPH = MeasureLabel(
    tr("Randolph's kappa"), tr("Randolph's kappa"), tr("Kappa, equal chances (Randolph)"), tr("Randolph’s kappa")
)
EXACT = MeasureLabel(tr("same value"), "", tr("Share with the same value"), tr("the same value"))
WITHIN_ONE = MeasureLabel(tr("within one"), "", tr("Share with at most 1 apart"), tr("at most 1 apart"))
RANKED = {
    "inter": MeasureLabel(
        tr("WMT's kappa between raters"), tr("WMT's kappa between raters"),
        tr("Kappa between raters (WMT)"), tr("between raters"),
    ),
    "intra": MeasureLabel(
        tr("WMT's kappa of raters with themselves"), tr("WMT's kappa of raters with themselves"),
        tr("Kappa with themselves (WMT)"), tr("with themselves"),
    ),
    "inter_as_published": MeasureLabel(
        tr("as published, between raters"), tr("WMT's kappa between raters, as published"),
        tr("Between raters, as published"), tr("…as published"),
    ),
    "intra_as_published": MeasureLabel(
        tr("as published, of raters with themselves"), tr("WMT's kappa of raters with themselves, as published"),
        tr("With themselves, as published"), tr("…as published"),
    ),
}  # fmt: skip
"""On rankings, by their names in `RankingAgreement`."""
REPEATED = {
    "exact": MeasureLabel(tr("repeats: same value"), "", "", ""),
    "distance": MeasureLabel(tr("repeats: mean distance"), "", "", ""),
    "ordinal": MeasureLabel(
        tr("repeats: ordinal alpha"), "", tr("With themselves, ordinal alpha"), tr("self: ord. alpha")
    ),
    "quadratic": MeasureLabel("", "", tr("With themselves, quadratic kappa"), tr("self: quad. kappa")),
}
"""Of raters with themselves; tables show the first three, the window the last two."""


def is_within_one_meaningful(span: ScaleRange | None) -> bool:
    """Whether being at most 1 apart says anything: on a scale from 0 to 1 all values are."""
    return span is None or span.high - span.low > 1
