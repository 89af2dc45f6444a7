"""Notes below the tables of metrics and people: what their numbers rest on, and what they do not say."""

from __future__ import annotations

from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr
from qe_desktop.studies.meta_eval.agreement_measures import AGREEMENT_STATISTICS, few_systems_note
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation


def segments_notes(study: MetaEvaluation) -> list[str]:
    """Of which segments the figures are."""
    if not study.shared:
        return [tr("No segment was rated of every system, so there is no SPA, and systems are compared as wholes.")]
    if study.options.segments == "all":
        return [
            tr(
                "{n:,} {n:segment was|segments were} rated of every system; metrics score {scored:,}. Each figure is "
                "of all segments that it can use, so figures may be of different ones.",
                "", study.shared, scored=study.segments,
            )
        ]  # fmt: skip
    if not any(one.counts for one in study.agreements):
        return []
    if study.studied.shared(0).sum() != study.segments:
        return [
            tr(
                "People and all metrics scored too few segments of every system in common, so each figure is of all "
                "segments that it can use: metrics score {n:,}.",
                "", study.segments,
            )
        ]  # fmt: skip
    return [
        tr(
            "All figures are of the {n:,} {n:segment|segments} that people and all metrics scored of every system; "
            "{rated:,} were rated of any system.",
            "", study.segments, rated=study.rated,
        )
    ]  # fmt: skip


def systems_notes(study: MetaEvaluation) -> list[str]:
    """That correlations are over few systems."""
    few = few_systems_note(study, AGREEMENT_STATISTICS[0])
    return [few] if few else []


def tests_notes(study: MetaEvaluation) -> list[str]:
    """Which tests say which metric is better, on what, and about what."""
    tests, two = study.tests, study.options.sides == "two"
    if len(study.agreements) < 2:
        return []
    used = set(tests.tests.values())
    notes = []
    if "perm-both" in used:
        counted = next(tests.segments[figure] for figure, test in tests.tests.items() if test == "perm-both")
        notes.append(
            tr(
                "PERM-BOTH (Deutsch et al. 2021) swaps two metrics’ standardised scores of single translations, on "
                "{n:,} {n:segment|segments}; systems are compared by the means of these scores.",
                "", counted,
            )
        )  # fmt: skip
    if "segments" in used:
        notes.append(
            tr("acc*eq is tested by swapping all comparisons of a segment together, because they are not independent.")
        )
    if {"perm-both", "segments"} & used:
        notes.append(tr("These p-values are about these systems: segments vary, systems do not."))
    if used:
        notes.append(
            tr("Tests of two metrics are two-sided.")
            if two
            else tr("Tests of two metrics are one-sided: whether the metric with the higher figure is better.")
        )
    return notes


def match_warnings(study: MetaEvaluation) -> list[str]:
    """That segments of people and metrics are not the same, where no metric correlates with people within systems."""
    matches = [one.match for one in study.agreements if one.pooled]
    if not matches or not all(match.is_random for match in matches):
        return []
    return [
        tr(
            "Within systems no metric correlates with people (r up to {r:.3f}). Segments of the ratings may be "
            "numbered otherwise than lines of the texts; then SPA, acc*eq, intervals, tests and all figures of "
            "segments mean nothing. Systems alone can be compared.",
            r=max(match.r for match in matches),
        )
    ]


def match_notes(study: MetaEvaluation) -> list[str]:
    """Which metrics do not correlate with people within systems, where others do."""
    known = [one for one in study.agreements if one.pooled]
    random = [one.metric.name for one in known if one.match.is_random]
    if not random or len(random) == len(known):
        return []
    return [
        tr(
            "Within systems, scores by {metrics} do not correlate with people’s. They tell nothing about segments, or "
            "their lines are other segments than those of the ratings.",
            metrics=list_names(random),
        )
    ]
