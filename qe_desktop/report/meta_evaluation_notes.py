"""Notes below the tables of a meta-evaluation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report.power_notes import too_few_rounds_for_metrics_note
from qe_desktop.report.scores import documents_note
from qe_desktop.significance import CORRECTION_LABELS, Correction
from qe_desktop.studies.charts.metric_side import NumberFormatter, format_three_digits
from qe_desktop.studies.meta_eval.agreement import SegmentMatch
from qe_desktop.studies.meta_eval.agreement_statistics import (
    AGREEMENT_STATISTICS,
    FIXED_HUMAN_SCORES,
    SEGMENTS_OMITTED,
    AgreementStatistic,
    few_systems_note,
    unattainable_metric_level,
)
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation


def segments_notes(study: MetaEvaluation) -> list[str]:
    """Notes on the segments used."""
    if study.human.omits_segments:
        consequence = tr("SPA is undefined, and systems are compared by their overall scores only.")
        return [join_localized(" ", (SEGMENTS_OMITTED, consequence))]
    if not study.shared_segments:
        return [
            tr(
                "No segment has a human score for every system, so SPA is undefined and systems are "
                "compared by their overall scores only."
            )
        ]
    if study.options.segments == "all":
        return [
            tr(
                "{n:,} {n:segment has|segments have} a human score for every system; system scores of metrics are "
                    "based on {scored:,}. Each value uses all segments available to it, so values may be based on "
                    "different segments.",
                "", study.shared_segments, scored=study.segments,
            )
        ]  # fmt: skip
    if not any(agreement.counts for agreement in study.agreements):
        return []
    if study.human.shared_segments(0).sum() != study.segments:
        return [
            tr(
                "Too few segments have both human and metric scores for every system, so each value uses "
                    "all segments available to it. System scores of metrics are based on {n:,} {n:segment|segments}.",
                "", study.segments,
            )
        ]  # fmt: skip
    return [
        tr(
            "All values use the {n:,} {n:segment|segments} with human and metric scores for every "
                "system; {rated:,} {rated:segment has|segments have} a human score for at least one system.",
            "", study.segments, rated=study.rated_segments,
        )
    ]  # fmt: skip


def systems_notes(study: MetaEvaluation) -> list[str]:
    """Caution for correlations over few systems; empty if there are enough systems."""
    note = few_systems_note(study, AGREEMENT_STATISTICS[0])
    return [note] if note else []


def fixed_scores_notes(study: MetaEvaluation) -> list[str]:
    """Caution about intervals that do not include the uncertainty of human scores; empty if there are none."""
    return [FIXED_HUMAN_SCORES] if study.has_fixed_human_scores else []


def documents_notes(study: MetaEvaluation) -> list[str]:
    """Caution that segments of a document are permuted and resampled as if independent; empty if not applicable."""
    if study.options.unit == "document" or not any(agreement.intervals for agreement in study.agreements):
        return []
    caution = documents_note(study.human.split_documents, study.rated_segments or study.segments)
    return [caution] if caution else []


def tests_notes(study: MetaEvaluation) -> list[str]:
    """Notes on the tests between metrics, and on the population to which their p-values apply."""
    tests, is_two_sided = study.tests, study.options.sides == "two"
    if len(study.agreements) < 2:
        return []
    used = set(tests.tests.values())
    notes = []
    if "perm-both" in used:
        counted = next(tests.segments[figure] for figure, test in tests.tests.items() if test == "perm-both")
        notes.append(
            _document_swaps_note(counted) if study.options.unit == "document" else _translation_swaps_note(counted)
        )
    if "segments" in used:
        notes.append(
            tr(
                "Tests of segment-level Pearson, Kendall and acc*eq swap two metrics' scores for all translations of a "
                "segment together, because errors within a segment are dependent."
            )
        )
    if "documents" in used:
        notes.append(
            tr(
                "Tests of segment-level Pearson, Kendall and acc*eq swap two metrics' scores for all translations of a "
                "document together. The p-values behind SPA always come from permutations of segments."
            )
        )
    if "documents" in used:
        notes.append(
            tr("Permutation tests apply to the studied systems only: documents are permuted, systems are not.")
        )
    elif {"perm-both", "segments"} & used:
        notes.append(tr("Permutation tests apply to the studied systems only: segments are permuted, systems are not."))
    if used:
        notes.append(
            tr("Tests between two metrics are two-sided.")
            if is_two_sided
            else tr(
                "Tests between two metrics are one-sided: they test whether the metric with the higher value is better."
            )
        )
    return notes


def correction_notes(study: MetaEvaluation, correction: Correction, alpha: float) -> list[str]:
    """Notes on the correction of p-values or, if p-values are not corrected, on unadjusted p-values.

    If there are too few trials to reach the significance level, a further note states this.
    """
    if correction == "none":
        return unadjusted_notes(study)
    counts = [tested_pairs(p) for p in study.metric_p_values.values()]
    if not any(counts):
        return []
    name = CORRECTION_LABELS[correction]
    notes = [
        tr("p-values of differences between metrics are adjusted with {correction}, separately for each statistic.",
           correction=name)
    ]  # fmt: skip
    missed = {figure: unattainable_metric_level(study, figure, correction, alpha) for figure in AGREEMENT_STATISTICS}
    reported = {figure: level.pairs for figure, level in missed.items() if level is not None and level.is_alpha}
    if reported:
        notes.append(power_note(study, max(reported, key=reported.__getitem__), correction, alpha))
    return notes


def adjusted_note(p: Floats, correction: Correction) -> str:
    """Note on the correction of a matrix of p-values, shape (metrics, metrics); empty if there is none."""
    if correction == "none":
        return ""
    return tr(
        "p-values are adjusted with {correction} for {n:,} {n:pair|pairs} of metrics.",
        "", tested_pairs(p), correction=CORRECTION_LABELS[correction],
    )  # fmt: skip


def tested_pairs(p: Floats) -> int:
    """Return the number of pairs with a p-value in a symmetric matrix, shape (metrics, metrics)."""
    return int(np.count_nonzero(~np.isnan(p[np.triu_indices(len(p), 1)])))


def unadjusted_notes(study: MetaEvaluation) -> list[str]:
    """Notes on unadjusted p-values and, if necessary, on the number of trials that a Bonferroni correction needs."""
    pairs = len(study.agreements) * (len(study.agreements) - 1) // 2
    if not study.metric_p_values or not pairs:
        return []
    notes = [
        tr(
            "p-values of differences between metrics are unadjusted for multiple comparisons ({n:,} "
            "{n:pair|pairs} of metrics).",
            "", pairs,
        )
    ]  # fmt: skip
    alpha = 0.05
    missed = [
        (unattainable_metric_level(study, figure, "bonferroni", alpha), figure) for figure in AGREEMENT_STATISTICS
    ]
    reported = [(level.pairs, figure) for level, figure in missed if level is not None and level.is_alpha]
    if reported:
        _, figure = max(reported, key=lambda item: item[0])
        notes.append(power_note(study, figure, "bonferroni", alpha))
    return notes


def power_note(study: MetaEvaluation, figure: AgreementStatistic, correction: Correction, alpha: float) -> str:
    """Note on a significance level that no pair of metrics can reach in tests of `figure`; empty if there is none."""
    missed = unattainable_metric_level(study, figure, correction, alpha)
    return "" if missed is None else too_few_rounds_for_metrics_note(study.options.rounds, correction, missed)


def _translation_swaps_note(segments: int) -> str:
    return tr(
        "PERM-BOTH (Deutsch et al. 2021) swaps two metrics' standardized scores for single "
            "translations in {n:,} {n:segment|segments}. Systems are compared by their mean standardized "
            "scores.",
        "", segments,
    )  # fmt: skip


def _document_swaps_note(segments: int) -> str:
    return tr(
        "PERM-BOTH (Deutsch et al. 2021) swaps two metrics' standardized scores jointly for all translations of a "
            "document by one system, in {n:,} {n:segment|segments}. Systems are compared by their mean standardized "
            "scores.",
        "", segments,
    )  # fmt: skip


def test_size_notes(study: MetaEvaluation, name: str) -> tuple[str, ...]:
    """Note on the number of segments used by a test; empty if the test uses only scores of systems."""
    segments = study.tests.segments[name]
    return (tr("This test uses {n:,} {n:segment|segments}.", "", segments),) if segments else ()


def intervals_notes(study: MetaEvaluation) -> list[str]:
    """Return a note on the intervals of correlations over systems; empty if no metric has intervals."""
    if not any(agreement.intervals for agreement in study.agreements):
        return []
    if study.has_fixed_human_scores and study.options.unit == "segment":
        return [
            tr(
                "In brackets: 95 % percentile bootstrap intervals from resampling segments; systems and human scores "
                "are fixed."
            )
        ]
    if study.has_fixed_human_scores:
        return [
            tr(
                "In brackets: 95 % percentile bootstrap intervals from resampling documents; systems and human scores "
                "are fixed."
            )
        ]
    if study.options.unit == "segment":
        return [tr("In brackets: 95 % percentile bootstrap intervals from resampling segments; the systems are fixed.")]
    return [tr("In brackets: 95 % percentile bootstrap intervals from resampling documents; the systems are fixed.")]


def orientation_note(study: MetaEvaluation) -> str:
    """Note on which of two systems' scores is subtracted in a score difference."""
    if study.options.orientation == "ahead":
        return tr(
            "Score differences: Pearson over all pairs; the score of the system with the lower human score is "
            "subtracted."
        )
    return tr("Score differences: Pearson over all pairs; the score of the system listed second is subtracted.")


def match_warnings(study: MetaEvaluation, number: NumberFormatter = format_three_digits) -> list[str]:
    """Return a warning that human and metric scores may belong to different segments; empty if nothing suggests this.

    There are two conditions for the warning. Within systems, no metric clearly correlates with human scores. Most
    metrics either do not correlate with them at all, or correlate better if the human scores are shifted by some
    segments. `number` formats correlations.
    """
    matches = [agreement.match for agreement in study.agreements if not math.isnan(agreement.match.r)]
    suspicious = [match for match in matches if match.is_random or match.is_shifted]
    if 2 * len(suspicious) <= len(matches) or any(match.is_clear for match in matches):
        return []
    consequence = tr(
        "The segment numbers of the ratings may not match the lines of the texts; check them. If they do not match, "
        "SPA, acc*eq, intervals, permutation tests and all segment-level values are meaningless; only systems can be "
        "compared."
    )
    return [join_localized(" ", (_mismatch(matches, suspicious, number), consequence))]


def _mismatch(matches: Sequence[SegmentMatch], suspicious: Sequence[SegmentMatch], number: NumberFormatter) -> str:
    """Return a sentence that states the evidence for a mismatch.

    Correlations within systems are not those in the table, so numbers are stated only if two of them are compared.
    """
    best = max(suspicious, key=lambda match: match.best_r if match.is_certain_shift else -math.inf)
    if best.is_certain_shift:
        return tr(
            "Among translations by the same system, a metric correlates better with human scores that are "
                "shifted by {n:,} {n:segment|segments} (Pearson {best} instead of {r}).",
            "", abs(best.shift), best=number(best.best_r), r=number(best.r),
        )  # fmt: skip
    if len(suspicious) < len(matches):
        return tr(
            "Most metrics do not correlate significantly with human scores among translations by the same system."
        )
    return tr("No metric correlates significantly with human scores among translations by the same system.")


def match_notes(study: MetaEvaluation) -> list[str]:
    """Return a note that names the metrics that do not correlate with human scores within systems.

    The result is empty if there are no such metrics, or if `match_warnings` returns a warning.
    """
    random = [agreement.metric.name for agreement in study.agreements if agreement.match.is_random]
    if not random or match_warnings(study):
        return []
    return [
        tr(
            "Scores by {metrics} do not correlate significantly with human scores among translations by the same "
            "system. These scores may be uninformative at segment level, or their lines may not match the segments of "
            "the ratings.",
            metrics=list_names(random),
        )
    ]
