"""Results of manual evaluation as JSON (the command-line contract). Undefined values are null; notes explain them.

systems    n (number of rated segments or of pairwise judgements) and rank ranges; with several scales, adequacy,
           fluency, total (their sum), and z-scores as adequacy-z and so on; with one scale, raw and z; with rankings,
           also the statistics of judgements
clusters   lists of systems, best first
evidence   number of raters (null if unknown) and number of segments (with scales, the number of rated segments of the
           system that has the fewest)
agreement  with one scale, cohen, fleiss, randolph and krippendorff; with several scales, an object with these values
           for each scale; with rankings, wmt-kappa (for any order of the two systems) and wmt-kappa-as-published (only
           for judgements that list the two systems in the same order)
raters     an object for each rater
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ratings.agreement.kappa import Agreement
from qe_desktop.ratings.agreement.ranking_kappa import WmtKappa
from qe_desktop.ratings.agreement.rater_agreement import InterRater, IntraRater
from qe_desktop.ratings.agreement.reliability import ControlTest, RaterReliability, RatingPace
from qe_desktop.ratings.results.result_types import (
    TOTAL,
    Estimate,
    RaterPage,
    RatingResults,
    SystemRanking,
    SystemResult,
    SystemWins,
)
from qe_desktop.report.rating_measures import (
    ALPHAS,
    COUNTS,
    FLEISS,
    KAPPAS,
    RANDOLPH,
    RANKING_MEASURES,
    WINS,
    MeasureLabel,
    win_statistic,
)
from qe_desktop.report.render.tables import json_number, square_json

_NAMED_SCALES = ("adequacy", "fluency")


def ratings_json(results: RatingResults) -> dict[str, Any]:
    """Return all results as values that can be written as JSON."""
    ranking, evidence = results.scale_ranking or results.wins_ranking, results.evidence
    return {
        "scales": list(results.scales),
        "systems": {system.name: system_json(results, system) for system in results.systems},
        "clusters": [list(cluster) for cluster in results.clusters],
        "clusters-by": results.cluster_method,
        "evidence": None if evidence is None else {"raters": evidence.raters, "segments": evidence.segments},
        "significance": None if ranking is None else _ranking(ranking),
        "agreement": _agreement(results),
        "intra": {name: _intra_rater_json(agreement) for name, agreement in results.intra.items() if agreement.n},
        "raters": {page.name: _page(page) for page in results.raters},
        "options": {
            "seed": results.options.seed,
            "runs": results.trueskill.runs if results.trueskill is not None else None,
            **_attributes(results.options, "rounds", "alpha", "standardise", "correction", "repeats"),
        },
        "notes": rating_notes(results),
    }


def system_means_json(results: RatingResults, system: SystemResult) -> dict[str, Estimate]:
    """Return the means of a system in display order, by their names in the report; empty without ratings on scales."""
    scores = system.scores
    if scores is None:
        return {}
    content: dict[str, Estimate] = {}
    is_single_scale = len(results.scales) == 1
    for scale in (*results.scales, TOTAL):
        for estimates, key, suffix in ((scores.raw, "raw", ""), (scores.z, "z", "-z")):
            if scale not in estimates:
                continue
            if not is_single_scale or (scale in _NAMED_SCALES and not suffix):
                content[f"{scale}{suffix}"] = estimates[scale]
            if is_single_scale:
                content[key] = estimates[scale]
    return content


def system_wins_json(wins: SystemWins) -> dict[str, float | None]:
    """Return the ranking statistics of a system by their names in the report; undefined values are None."""
    return {name: win_statistic(wins, name) for name in (*WINS, "expected-wins-unseen-zero", "bradley-terry-half-ties")}


def system_json(results: RatingResults, system: SystemResult) -> dict[str, Any]:
    """Return the results of one system."""
    estimates = system_means_json(results, system)
    content: dict[str, Any] = {"n": system.n, **{name: estimate.value for name, estimate in estimates.items()}}
    if estimates:
        content["intervals"] = {
            name: [estimate.low, estimate.high] for name, estimate in estimates.items() if estimate.low is not None
        }
    if system.scores is not None:
        content["ratings"] = system.scores.ratings
    if system.wins is not None:
        figures_of_wins = system_wins_json(system.wins)
        if results.trueskill is None:
            del figures_of_wins["trueskill"]
        content |= figures_of_wins
        content |= {name: getattr(system.wins, name) for name in COUNTS}
    return content | {"rank-low": system.rank_low, "rank-high": system.rank_high}


def _ranking(ranking: SystemRanking) -> dict[str, Any]:
    names = ranking.systems
    return {
        "method": ranking.method,
        "p": square_json(names, ranking.p),
        "p_adjusted": square_json(names, ranking.adjusted),
        "significant": {
            row_name: [name for column, name in enumerate(names) if ranking.beats[row, column]]
            for row, row_name in enumerate(names)
        },
    }


def _agreement(results: RatingResults) -> dict[str, Any]:
    content: dict[str, Any] = {}
    kappas = results.ranking_agreement
    if kappas is not None:
        content["wmt-kappa"] = {"inter": _wmt(kappas.inter), "intra": _wmt(kappas.intra)}
        content["wmt-kappa-as-published"] = {
            "inter": _wmt(kappas.inter_as_published),
            "intra": _wmt(kappas.intra_as_published),
        }
    scales = {name: _inter_rater_json(item) for name, item in results.agreement.items()}
    if len(scales) == 1:
        return content | next(iter(scales.values()))
    return content | scales


def _attributes(item: object, *names: str) -> dict[str, Any]:
    """Return attributes of `item`, keyed by `names`: their names in JSON, with hyphens instead of underscores."""
    return {name: getattr(item, name.replace("-", "_")) for name in names}


def _wmt(kappa: WmtKappa) -> dict[str, Any]:
    return _attributes(kappa, "agree", "comparable", "ties", "total", "pA", "pE", "kappa")


def _inter_rater_json(agreement: InterRater) -> dict[str, Any]:
    figures = agreement.pairs.statistics
    names = ("n", "exact", "within-one", "unweighted", "linear", "quadratic", "pearson")
    columns = _attributes(figures, *names)
    pairs = [
        {"first": agreement.raters[int(first)], "second": agreement.raters[int(second)]}
        | {name: int(column[row]) if name == "n" else json_number(column[row]) for name, column in columns.items()}
        for row, (first, second) in enumerate(zip(agreement.pairs.first, agreement.pairs.second, strict=True))
    ]
    intervals = {
        level: [estimate.low, estimate.high]
        for level, estimate in agreement.krippendorff.items()
        if estimate.low is not None
    }
    return {
        "items": agreement.units,
        "ratings": agreement.ratings,
        "raters": len(agreement.raters),
        "exact": agreement.exact,
        "within-one": agreement.within_one,
        "cohen": {name: estimate.value for name, estimate in agreement.cohen.items()},
        "fleiss": agreement.fleiss.value,
        "randolph": agreement.randolph.value,
        "krippendorff": {level: estimate.value for level, estimate in agreement.krippendorff.items()},
        "krippendorff-intervals": intervals,
        "bins": agreement.bins,
        "pairs": pairs,
    }


def _intra_rater_json(agreement: IntraRater) -> dict[str, Any]:
    return {
        **_attributes(agreement, "n", "exact", "within-one", "mean-difference"),
        "mean-absolute-difference": agreement.mean_abs_difference, "rmse": agreement.rmse, "pearson": agreement.pearson,
        "cohen-quadratic": agreement.quadratic.value,
        "krippendorff": {"ordinal": agreement.ordinal.value, "interval": agreement.interval.value},
    }  # fmt: skip


def _page(page: RaterPage) -> dict[str, Any]:
    content: dict[str, Any] = {
        "ratings": sum(scale.n for scale in page.scales.values()),
        "scales": {name: _scale_page(scale) for name, scale in page.scales.items()},
    }
    if page.rankings is not None:
        rankings = page.rankings
        content |= {
            "judgements": rankings.judgements, "screens": rankings.screens, "ties": rankings.ties,
            "pace": _pace(rankings.pace), "wmt-kappa-intra": _wmt(rankings.intra),
            "agrees-with-others": rankings.agreement_with_others, "shared-with-others": rankings.shared,
        }  # fmt: skip
    return content | _attributes(page, "skipped", "comments", "changed-after-reveal") | {"remarks": list(page.remarks)}


def _scale_page(page: RaterReliability) -> dict[str, Any]:
    return {
        **_attributes(page, "n", "mean", "sd", "longest-run", "most-frequent", "share", "with-others", "shared"),
        "unmatched": page.unmatched,
        "histogram": {"edges": page.bins.edges.tolist(), "counts": page.histogram.tolist()},
        "pace": _pace(page.pace),
        "control": None if page.control is None else _control(page.control),
        "repeats": None if page.repeats is None else _intra_rater_json(page.repeats),
    }


def _pace(pace: RatingPace | None) -> dict[str, Any] | None:
    return None if pace is None else _attributes(pace, "n", "median", "p10", "too-fast", "limit")


def _control(control: ControlTest) -> dict[str, Any]:
    return _attributes(
        control, "n", "mean-bad", "mean-original", "paired-t", "mann-whitney", "signed-rank", "passes", "verdict"
    )


def rating_notes(results: RatingResults) -> list[str]:
    """Return all notes on the results; notes on small samples come first."""
    notes = [*small_sample_notes(results), *results.notes]
    for name, scale in results.agreement.items():
        notes += [join_localized(", ", (name, reason)) for reason in _undefined_reasons(_measures(scale))]
        if scale.bins:
            notes.append(
                tr(
                    "{scale}: unweighted and linear kappa, the kappas of Fleiss and Randolph, and nominal alpha use "
                    "{n} equal bins of the scale",
                    "",
                    scale.bins,
                    scale=name,
                )
            )
        remark = scale.cohen["quadratic"].note
        if remark:
            notes.append(tr("{scale}, Cohen's kappa: {remark}", scale=name, remark=remark))
    agreement = results.ranking_agreement
    if agreement is not None:
        kappas: list[tuple[MeasureLabel, WmtKappa]] = [
            (item, getattr(agreement, key)) for key, item in RANKING_MEASURES.items()
        ]
        notes += [join_localized(": ", (item.note, kappa.problem)) for item, kappa in kappas if kappa.kappa is None]
    if results.has_rankings and results.trueskill is None:
        notes.append(tr("TrueSkill was not computed"))
    return list(dict.fromkeys(notes))


def small_sample_notes(results: RatingResults) -> list[str]:
    """Return a note on an order of systems that is based on one rater or few segments.

    The result is empty if the sample is large enough, or if there is only one system.
    """
    note = results.evidence.small_sample_note if results.evidence is not None and len(results.systems) > 1 else ""
    return [note] if note else []


def _measures(scale: InterRater) -> Iterable[tuple[str, Agreement]]:
    yield from ((KAPPAS[name].note, estimate) for name, estimate in scale.cohen.items())
    yield FLEISS.note, scale.fleiss
    yield RANDOLPH.note, scale.randolph
    yield from ((ALPHAS[level].note, estimate) for level, estimate in scale.krippendorff.items())


def _undefined_reasons(measures: Iterable[tuple[str, Agreement]]) -> list[str]:
    """Return a line for each reason for undefined values: the measures to which it applies, and the reason."""
    reasons: dict[str, list[str]] = {}
    for name, measure in measures:
        if measure.value is None:
            reasons.setdefault(measure.problem, []).append(name)
    return [join_localized(": ", (join_localized(", ", names), reason)) for reason, names in reasons.items()]
