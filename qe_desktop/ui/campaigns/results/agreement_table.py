"""Agreement measures as table rows, chart data and a summary."""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.i18n.messages import join_localized, sentence_case, tr
from qe_desktop.ratings.aggregation.scale_range import ScaleRange
from qe_desktop.ratings.agreement.kappa import Agreement
from qe_desktop.ratings.agreement.ranking_kappa import WmtKappa
from qe_desktop.ratings.agreement.rater_agreement import InterRater, IntraRater
from qe_desktop.ratings.results.result_types import RankingAgreement, RatingResults
from qe_desktop.report import rating_measures
from qe_desktop.report.format_values import format_percent
from qe_desktop.ui.campaigns.results.statistic_columns import format_or_dash
from qe_desktop.ui.scores.number_format import format_interval
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData, IntervalRow

MIN_ITEMS = 30
"""Minimum number of items for which no small-sample warning is shown."""
MIN_AGREEMENT = 0.4
"""Minimum value of the main agreement measure for which no warning is shown."""
RANKINGS = "rankings"
LANDIS_KOCH_LABELS = (
    (0.0, tr("poor", "agreement"), tr("no agreement beyond chance")),
    (0.2, tr("slight", "agreement"), tr("slight agreement beyond chance")),
    (0.4, tr("fair", "agreement"), tr("fair agreement beyond chance")),
    (0.6, tr("moderate", "agreement"), tr("moderate agreement beyond chance")),
    (0.8, tr("substantial", "agreement"), tr("substantial agreement beyond chance")),
    (1.0, tr("almost perfect", "agreement"), tr("almost perfect agreement beyond chance")),
)
"""Upper limit, short label and full label of each agreement level of Landis and Koch (1977)."""


@dataclass(frozen=True, slots=True)
class AgreementMeasure:
    """Agreement measure with its value and description.

    `n` is the number of items or, for rankings, of pairs of judgements. `is_intra_annotator`: whether it measures
    intra-annotator agreement. `interpretation_text`: text shown instead of the Landis–Koch label.
    """

    name: str
    short_name: str
    value: float | None
    n: int
    description: str
    low: float | None = None
    high: float | None = None
    problem: str = ""
    is_chance_corrected: bool = True
    is_intra_annotator: bool = False
    interpretation_text: str = ""

    @property
    def interpretation(self) -> str:
        """Reason why the value is missing or, if it is chance-corrected, its interpretation; empty for other values."""
        if self.problem or not self.is_chance_corrected:
            return self.problem
        return self.interpretation_text or agreement_label(self.value)


def topic_name(topic: str) -> str:
    """Return the display name of a topic: the localized word for rankings, or the name of a scale."""
    return tr("rankings") if topic == RANKINGS else topic


def agreement_topics(results: RatingResults) -> list[str]:
    """Return the topics that have agreement measures: scales, then rankings."""
    topics = [scale for scale in results.scales if scale in results.agreement]
    return [*topics, RANKINGS] if results.ranking_agreement is not None else topics


def agreement_measures(results: RatingResults, topic: str) -> list[AgreementMeasure]:
    """Return the agreement measures of a scale or of the rankings, main measure first; empty if there are none."""
    if topic == RANKINGS:
        return [] if results.ranking_agreement is None else _ranking_measures(results.ranking_agreement)
    agreement = results.agreement.get(topic)
    rows = [] if agreement is None else _scale_measures(agreement, results.spans.get(topic))
    repeats = results.intra.get(topic)
    return rows + ([] if repeats is None else _repeat_measures(repeats))


def describe_agreement(results: RatingResults, topic: str) -> str:
    """Return an interpretation of the main measure, with caveats, or the reason why the measure has no value."""
    rows = agreement_measures(results, topic)
    if not rows:
        return tr("No item was rated by two raters, so agreement cannot be computed.")
    # main measure: ordinal alpha or, for rankings, kappa that ignores the order of the outputs on screen
    main = rows[0]
    if main.value is None:
        return tr("{measure}: {problem}.", measure=main.name, problem=main.problem.rstrip("."))
    sentences = [_describe_main_measure(main, main.value, topic)]
    if main.n < MIN_ITEMS:
        sentences.append(tr("This value is uncertain because it is based on little data."))
    elif main.value < MIN_AGREEMENT:
        sentences.append(tr("Raters often disagree, so small differences between systems are not reliable."))
    if topic != RANKINGS and "unweighted" in results.agreement[topic].cohen:
        sentences.append(
            tr("Unweighted kappa counts close values as full disagreement and is often low on scales with many values.")
        )
    return " ".join(sentences)


def _describe_main_measure(main: AgreementMeasure, value: float, topic: str) -> str:
    name, figure, read = main.name, format_or_dash(value), _landis_koch_entry(value)[2]
    if topic == RANKINGS:
        return tr(
            "{measure} is {value} over {n:,} {n:pair|pairs} of judgements: {reading}.",
            "", main.n, measure=name, value=figure, reading=read,
        )  # fmt: skip
    return tr(
        "{measure} is {value} over {n:,} {n:item|items} rated by several raters: {reading}.",
        "", main.n, measure=name, value=figure, reading=read,
    )  # fmt: skip


def agreement_intervals(rows: list[AgreementMeasure], topic: str) -> IntervalPlotData | str:
    """Return the interval chart of the chance-corrected measures, or a message if none has a value."""
    displayed = [row for row in rows if row.value is not None and row.is_chance_corrected]
    if not displayed:
        problem = rows[0].problem.rstrip(".") if rows else ""
        return tr("{problem}.", problem=sentence_case(problem)) if problem else tr("No item was rated by two raters.")
    dots = tuple(
        IntervalRow(
            row.short_name,
            row.value or 0.0,
            row.low,
            row.high,
            f"{row.name} {format_or_dash(row.value)}, {agreement_label(row.value)}",
        )
        for row in displayed
    )
    low = min(-0.05, *(dot.value if dot.low is None else dot.low for dot in dots))
    inter_rater_count = sum(not row.is_intra_annotator for row in displayed)
    breaks = (inter_rater_count - 1,) if 0 < inter_rater_count < len(displayed) else ()
    title = (
        tr("agreement on rankings (0: chance, 1: perfect)")
        if topic == RANKINGS
        else tr("agreement on {scale} (0: chance, 1: perfect)", scale=topic)
    )
    return IntervalPlotData(title, dots, breaks, bounds=(low, 1.0), has_zero_line=True)


def _scale_measures(agreement: InterRater, span: ScaleRange | None) -> list[AgreementMeasure]:
    alpha, cohen, bins = agreement.krippendorff, agreement.cohen, agreement.bins
    alphas, kappas = rating_measures.ALPHAS, rating_measures.KAPPAS
    # label, value, description, and whether the values of long scales are binned
    rows: list[tuple[rating_measures.MeasureLabel, Agreement, str, bool]] = [
        (
            alphas["ordinal"],
            alpha["ordinal"],
            tr("Based on ranks of values; the main measure for all scales"),
            False,
        ),
        (alphas["interval"], alpha["interval"], tr("Based on squared differences between values"), False),
        (alphas["nominal"], alpha["nominal"], tr("Only identical values count as agreement"), True),
    ]
    if cohen and len(agreement.raters) == 2:
        rows += [
            (
                kappas["quadratic"],
                cohen["quadratic"],
                tr("Quadratic weights; value for the only pair of raters"),
                False,
            ),
            (kappas["linear"], cohen["linear"], tr("Linear weights; value for the only pair of raters"), True),
            (
                kappas["unweighted"],
                cohen["unweighted"],
                tr("Only identical values count as agreement; value for the only pair of raters"),
                True,
            ),
        ]
    elif cohen:
        exact_description = tr("Only identical values count as agreement; mean over rater pairs")
        rows += [
            (kappas["quadratic"], cohen["quadratic"], tr("Quadratic weights; mean over rater pairs"), False),
            (kappas["linear"], cohen["linear"], tr("Linear weights; mean over rater pairs"), True),
            (kappas["unweighted"], cohen["unweighted"], exact_description, True),
        ]
    together, equal = (
        tr("All raters together; only identical values count as agreement"),
        tr("Like Fleiss' kappa, but assumes that all values are equally likely by chance"),
    )
    rows += [
        (rating_measures.FLEISS, agreement.fleiss, together, True),
        (rating_measures.RANDOLPH, agreement.randolph, equal, True),
    ]
    measures = [
        _measure(
            label,
            value,
            tr("{about}; values are first grouped into {n} equal bins", "", bins, about=description)
            if binned and bins
            else description,
        )
        for label, value, description, binned in rows
    ]
    return measures + _percent_agreement(agreement, span)


def _percent_agreement(agreement: InterRater, span: ScaleRange | None) -> list[AgreementMeasure]:
    within_one = agreement.within_one if rating_measures.is_within_one_meaningful(span) else None
    rows = []
    for label, share in ((rating_measures.EXACT, agreement.exact), (rating_measures.WITHIN_ONE, within_one)):
        if share is not None and not agreement.bins:
            description = tr(
                "{share} over all pairs of ratings of the same output; not corrected for chance",
                share=format_percent(share),
            )
            rows.append(
                AgreementMeasure(
                    label.title, label.short, share, agreement.units, description, is_chance_corrected=False
                )
            )
    return rows


def _repeat_measures(repeats: IntraRater) -> list[AgreementMeasure]:
    if repeats.problem:
        name, description = tr("Intra-annotator agreement"), tr("Items shown twice to the same rater")
        return [
            AgreementMeasure(
                name,
                tr("intra-annotator"),
                None,
                repeats.n,
                description,
                problem=repeats.problem,
                is_intra_annotator=True,
            )
        ]
    description = tr("First and repeated ratings of the same item by the same rater")
    measures = {"ordinal": repeats.ordinal, "quadratic": repeats.quadratic}
    return [
        _measure(rating_measures.REPEAT_MEASURES[key], agreement, description, is_intra_annotator=True)
        for key, agreement in measures.items()
    ]


def _ranking_measures(agreement: RankingAgreement) -> list[AgreementMeasure]:
    other_pairs = tr("The pairs differ from those of the measure above, so the value may also differ")
    as_published = tr(
        "As published by WMT: only pairs of judgements for which the two outputs were shown in the same order"
    )
    descriptions = {
        "inter": tr("Judgements of the same two outputs by different raters"),
        "inter_as_published": join_localized(
            ". ",
            (
                tr(
                    "As published by WMT: only pairs of judgements with the two outputs shown in the same order, "
                    "including pairs by the same rater"
                ),
                other_pairs,
            ),
        ),
        "intra": tr("Judgements of the same two outputs by the same rater"),
        "intra_as_published": join_localized(". ", (as_published, other_pairs)),
    }
    return [
        _kappa(
            rating_measures.RANKING_MEASURES[key],
            getattr(agreement, key),
            text,
            is_intra_annotator=key.startswith("intra"),
        )
        for key, text in descriptions.items()
    ]


def _kappa(
    label: rating_measures.MeasureLabel, kappa: WmtKappa, description: str, *, is_intra_annotator: bool
) -> AgreementMeasure:
    words = tr(
        "{reading}; agreement in {agree:,} of {n:,} {n:pair|pairs}",
        "", kappa.comparable, reading=agreement_label(kappa.kappa), agree=kappa.agree,
    )  # fmt: skip
    shares = tr(
        "P(A), the share of pairs that agree, is {pa}; P(E), the share expected by chance, is {pe}",
        pa=format_or_dash(kappa.pA), pe=format_or_dash(kappa.pE),
    )  # fmt: skip
    if not kappa.problem:
        description = join_localized(". ", (description, shares))
    return AgreementMeasure(
        label.title, label.short, kappa.kappa, kappa.comparable, description,
        problem=kappa.problem, is_intra_annotator=is_intra_annotator, interpretation_text=words,
    )  # fmt: skip


def _measure(
    label: rating_measures.MeasureLabel, agreement: Agreement, description: str, *, is_intra_annotator: bool = False
) -> AgreementMeasure:
    text = f"{description}. {sentence_case(agreement.note)}" if agreement.note else description
    return AgreementMeasure(
        label.title, label.short, agreement.value, agreement.n, text, agreement.low, agreement.high, agreement.problem,
        is_intra_annotator=is_intra_annotator,
    )  # fmt: skip


def interval_cell(row: AgreementMeasure) -> str:
    """Return the confidence interval as shown in the table; empty if there is none."""
    return "" if row.low is None or row.high is None else format_interval(row.low, row.high, 3)


def agreement_label(value: float | None) -> str:
    """Return the Landis–Koch label of an agreement value.

    >>> agreement_label(0.45), agreement_label(-0.1), agreement_label(None)
    ('moderate', 'poor', '')
    """
    return "" if value is None else _landis_koch_entry(value)[1]


def _landis_koch_entry(value: float) -> tuple[float, str, str]:
    return next((entry for entry in LANDIS_KOCH_LABELS if value <= entry[0]), LANDIS_KOCH_LABELS[-1])
