"""Computation of all results of a set of ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from qe_desktop.corpus import Comment, ItemRole, PairRatings, QeError, RatingFlag, Ratings, ScoreRatings, SourceLocation
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.i18n.messages import join_localized, retranslate, tr
from qe_desktop.ratings.aggregation.rating_groups import (
    COUNTED_ROLES,
    dense_codes,
    group_values,
    has_role,
    unordered_units,
)
from qe_desktop.ratings.aggregation.scale_range import ScaleRange, scale_ranges
from qe_desktop.ratings.aggregation.trueskill import TrueSkill
from qe_desktop.ratings.aggregation.trueskill import trueskill as run_trueskill
from qe_desktop.ratings.agreement.ranking_kappa import wmt_kappa
from qe_desktop.ratings.agreement.rater_agreement import inter_rater_agreement, scale_intra_rater
from qe_desktop.ratings.agreement.reliability import MIN_FAST_SHARE, RaterReliability, rater_reliability, rating_pace
from qe_desktop.ratings.blinding import DisplayNames, rename_skills, rename_systems
from qe_desktop.ratings.results.ranking_results import RankingFindings, ranking_findings, reorder_ranking
from qe_desktop.ratings.results.result_types import (
    NO_RANK_NOTE,
    TOTAL,
    RankingPage,
    RaterPage,
    RatingOptions,
    RatingResults,
    SystemResult,
)
from qe_desktop.ratings.results.sample_size import Evidence, check_limits, count_judged_segments, count_raters
from qe_desktop.ratings.results.scale_results import (
    ADEQUACY,
    FLUENCY,
    ScaleFindings,
    individual_ratings,
    rated_scales,
    scale_findings,
)

MIN_RANKING_SECONDS = 5.0
"""Number of seconds below which ranking a screen counts as too fast; at WMT16, 1 in 100 screens took less time."""
_RANKING_ROLES = (ItemRole.SYSTEM, ItemRole.REPEAT, ItemRole.REFERENCE)


def rater_pages(
    scores: ScoreRatings, scales: dict[str, str], pairs: PairRatings, comments: tuple[Comment, ...], *, alpha: float
) -> tuple[RaterPage, ...]:
    """Return the results of each rater who gave a rating, a judgement or a comment, or skipped an item.

    Raters are in the order of `scores.raters`; raters who are only in `pairs` or `comments` follow. `scales` maps the
    displayed name of each scale to its name in `scores` ("z" for values that are already standardized).
    """
    by_scale: dict[str, dict[str, RaterReliability]] = {}
    for name, source in scales.items():
        for reliability in rater_reliability(scores, source, alpha=alpha):
            by_scale.setdefault(reliability.rater, {})[name] = reliability
    rankings = _ranking_pages(pairs)
    changed = np.bincount(
        scores.rater[(scores.flags & RatingFlag.CHANGED_AFTER_REVEAL) > 0], minlength=len(scores.raters)
    )
    changed_by_rater = {name: int(changed[index]) for index, name in enumerate(scores.raters)}
    skipped, commented = ({name: 0 for name in {remark.rater for remark in comments}} for _ in range(2))
    for comment in comments:
        (skipped if comment.skipped else commented)[comment.rater] += 1
    names = dict.fromkeys([*scores.raters, *pairs.raters, *(comment.rater for comment in comments)])
    return tuple(
        RaterPage(
            name, by_scale.get(name, {}), rankings.get(name), skipped.get(name, 0), commented.get(name, 0),
            changed_by_rater.get(name, 0), _remarks(by_scale.get(name, {}), rankings.get(name)),
        )
        for name in names
        if name in by_scale or name in rankings or name in skipped
    )  # fmt: skip


def _remarks(scales: dict[str, RaterReliability], rankings: RankingPage | None) -> tuple[str, ...]:
    remarks = [
        join_localized(": ", (name, remark)) if len(scales) > 1 else remark
        for name, reliability in scales.items()
        for remark in reliability.remarks
    ]
    pace = rankings.pace if rankings is not None else None
    if pace is not None and pace.too_fast >= MIN_FAST_SHARE:
        percent, limit = 100 * pace.too_fast, pace.limit
        remarks.append(
            tr("ranked {percent:.0f} % of items too fast, in less than {limit:g} s each", percent=percent, limit=limit)
        )
    return tuple(remarks)


def _ranking_pages(pairs: PairRatings) -> dict[str, RankingPage]:
    pairs = pairs.take(has_role(pairs, _RANKING_ROLES) & (pairs.first != pairs.second))
    if not len(pairs):
        return {}
    raters = len(pairs.raters)
    counts = np.bincount(pairs.rater, minlength=raters)
    ties = np.bincount(pairs.rater[pairs.outcome() == 0], minlength=raters)
    agree, shared = _with_others(pairs, raters)
    pages = {}
    for rater, rows in enumerate(group_values(pairs.rater, np.arange(len(pairs)), raters)):
        if not len(rows):
            continue
        rater_pairs = pairs.take(rows)
        seconds = _seconds(rater_pairs)
        pages[pairs.raters[rater]] = RankingPage(
            len(seconds), len(rows), float(ties[rater] / counts[rater]), rating_pace(seconds, MIN_RANKING_SECONDS),
            wmt_kappa(rater_pairs, intra=True),
            float(agree[rater] / shared[rater]) if shared[rater] else None, int(shared[rater]),
        )  # fmt: skip
    return pages


def _seconds(pairs: PairRatings) -> Floats:
    """Return the seconds spent on each screen; `pairs` are the judgements of one rater."""
    keys = pairs.segment.astype(np.int64) * max(1, len(pairs.screens)) + pairs.screen
    return pairs.seconds[np.unique(keys, return_index=True)[1]]


def _with_others(pairs: PairRatings, raters: int) -> tuple[Ints, Ints]:
    """Compare each rater's judgements with other raters' judgements of the same two outputs.

    Return the number of pairs of judgements that agree, and the number of all pairs compared, both of shape (raters,).
    """
    units = np.int64(len(pairs.units))
    low, high, outcome = unordered_units(pairs)
    item = dense_codes((pairs.segment * units + low) * units + high)
    outcome_code = dense_codes(item * 3 + outcome + 1)
    rater_item, rater_outcome = (
        dense_codes(item * raters + pairs.rater),
        dense_codes(outcome_code * raters + pairs.rater),
    )
    comparable = np.bincount(item)[item] - np.bincount(rater_item)[rater_item]
    agreeing = np.bincount(outcome_code)[outcome_code] - np.bincount(rater_outcome)[rater_outcome]
    sums = (np.bincount(pairs.rater, values, raters) for values in (agreeing, comparable))
    agree, shared = (np.rint(total).astype(np.int64) for total in sums)
    return agree, shared


NO_RATINGS = tr("there are no ratings that count toward the results")


def build_results(
    ratings: Ratings,
    *,
    options: RatingOptions | None = None,
    trueskill: bool = True,
    progress: OnProgress | None = None,
) -> RatingResults:
    """Compute all results of ratings; they depend only on the ratings and the options.

    TrueSkill is by far the slowest part: leave it out for fast results, and add it with `with_trueskill`. `progress`
    receives the completed fraction of TrueSkill (0..1), and may raise an exception to stop. Raises QeError if no
    ratings count toward the results, if the ratings exceed a limit (`check_limits`), or if the options of TrueSkill are
    invalid (`compute_trueskill`).
    """
    options = options or RatingOptions()
    check_limits(ratings)
    scores, named = individual_ratings(ratings.scores)
    rated = bool(np.isin(scores.role, COUNTED_ROLES).any())
    pair_findings = ranking_findings(ratings.pairs, options) if len(ratings.pairs) else None
    if pair_findings is not None and not pair_findings.table.systems:
        pair_findings = None
    if not rated and pair_findings is None:
        hint = tr("Use ratings of systems' outputs; quality-control and training items are not counted.")
        raise QeError(NO_RATINGS, hint=hint, place=SourceLocation(ratings.origin) if ratings.origin else None)
    ranges = {scale: ScaleRange(low, high) for scale, low, high in ratings.ranges}
    scale_results = scale_findings(scores, options, ranges) if rated else None
    sources = _sources(named, scale_results)
    results = RatingResults(
        options=options,
        scales=rated_scales(scores),
        has_rankings=pair_findings is not None,
        systems=(),
        clusters=(),
        cluster_method="",
        scale_ranking=None if scale_results is None else scale_results.ranking,
        wins_ranking=None if pair_findings is None else pair_findings.ranking,
        trueskill=None,
        agreement={
            name: inter_rater_agreement(
                named, source, rounds=options.rounds, seed=options.seed, level=1 - options.alpha
            )
            for name, source in sources.items()
        },
        intra={name: scale_intra_rater(named, source) for name, source in sources.items()},
        ranking_agreement=None if pair_findings is None else pair_findings.agreement,
        raters=rater_pages(named, sources, ratings.pairs, ratings.comments, alpha=options.alpha),
        origin=ratings.origin,
        notes=tuple(dict.fromkeys([*map(retranslate, ratings.notes), *_notes(scale_results), *_notes(pair_findings)])),
        spans=_spans(scores, ranges) if rated else {},
        evidence=_evidence(scale_results, named, ratings.pairs),
        has_repeated_ratings=scale_results is not None and scale_results.has_repeated_ratings,
    )
    results = _rank_systems(results, _systems(scale_results, pair_findings))
    if trueskill and pair_findings is not None:
        return with_trueskill(results, compute_trueskill(ratings, options, progress))
    return results


def blind_results(
    ratings: Ratings,
    names: DisplayNames,
    *,
    options: RatingOptions,
    trueskill: bool = True,
    progress: OnProgress | None = None,
) -> RatingResults:
    """Return results that show systems by their names in `names`.

    The numbers and exceptions are the same as those of `build_results`.
    """
    results = build_results(rename_systems(ratings, names), options=options, trueskill=False)
    if not trueskill or not results.has_rankings:
        return results
    # computed with the original names, because TrueSkill's random numbers depend on the names
    return with_trueskill(results, rename_skills(compute_trueskill(ratings, options, progress), names, ratings.pairs))


def compute_trueskill(ratings: Ratings, options: RatingOptions, progress: OnProgress | None = None) -> TrueSkill:
    """Compute the TrueSkill part of the results, which takes a long time.

    Raises QeError if `options.runs` is below 1 or `options.seed` is negative.
    """
    return run_trueskill(ratings.pairs, runs=options.runs, seed=options.seed, progress=progress)


def with_trueskill(results: RatingResults, trueskill: TrueSkill) -> RatingResults:
    """Return the results with TrueSkill scores added.

    If there are no ratings on scales, TrueSkill also determines the clusters and the order of the systems.
    """
    scores = dict(zip(trueskill.systems, trueskill.score.tolist(), strict=True))
    systems = {
        system.name: system
        if system.wins is None
        else replace(system, wins=replace(system.wins, trueskill=scores.get(system.name)))
        for system in results.systems
    }
    note = tr("TrueSkill: {problem}", problem=trueskill.problem)
    notes = (*results.notes, note) if trueskill.problem else results.notes
    ranking = results.wins_ranking
    if ranking is not None and trueskill.systems and results.scale_ranking is None:
        ranking = reorder_ranking(ranking, trueskill.systems)
    return _rank_systems(replace(results, trueskill=trueskill, wins_ranking=ranking, notes=notes), systems)


def _rank_systems(results: RatingResults, systems: Mapping[str, SystemResult]) -> RatingResults:
    """Return the results with the systems sorted (best first), their rank ranges, and the clusters to report.

    A single system has neither a rank nor a cluster.
    """
    main = results.scale_ranking or results.wins_ranking
    assert main is not None, "there are ratings on scales or judgements"
    order, clusters, by, low, high = main.systems, main.clusters, main.method, main.rank_low, main.rank_high
    trueskill = results.trueskill
    if results.has_trueskill_clusters and trueskill is not None:
        order, clusters, low, high = trueskill.systems, trueskill.clusters, trueskill.rank_low, trueskill.rank_high
        by = tr("rank ranges of TrueSkill from {n:,} {n:bootstrap resample|bootstrap resamples}", "", trueskill.runs)
    ranges = {name: (int(low[index]), int(high[index])) for index, name in enumerate(order)}
    names = [*order, *(name for name in systems if name not in ranges)]
    listed = []
    for name in names:
        first, last = ranges.get(name, (None, None))
        listed.append(replace(systems[name], rank_low=first, rank_high=last))
    if len(listed) == 1:
        (system,) = listed
        note = tr("{systems}: {problem}", systems=system.name, problem=NO_RANK_NOTE)
        single = replace(system, rank_low=None, rank_high=None)
        return replace(results, systems=(single,), clusters=(), cluster_method=by, notes=(*results.notes, note))
    return replace(results, systems=tuple(listed), clusters=clusters, cluster_method=by)


def _spans(scores: ScoreRatings, ranges: Mapping[str, ScaleRange]) -> dict[str, ScaleRange]:
    observed = scale_ranges(scores, rated_scales(scores))
    spans = {name: ranges.get(name, span) for name, span in observed.items()}
    if ADEQUACY in spans and FLUENCY in spans:
        spans[TOTAL] = spans[ADEQUACY] + spans[FLUENCY]
    return spans


def _evidence(scale_results: ScaleFindings | None, named: ScoreRatings, pairs: PairRatings) -> Evidence:
    if scale_results is None:
        return Evidence(count_raters(pairs), count_judged_segments(pairs))
    # ratings on scales, if any, determine the order of the systems
    segments = min((scale_results.n[name] for name in scale_results.ranking.systems), default=0)
    return Evidence(count_raters(named), segments, count_judged_segments(named))


def _systems(scale_results: ScaleFindings | None, pair_findings: RankingFindings | None) -> dict[str, SystemResult]:
    scored = scale_results.systems if scale_results is not None else {}
    judged = pair_findings.systems if pair_findings is not None else {}
    systems = {}
    for name in dict.fromkeys([*scored, *judged]):
        wins = judged.get(name)
        n = scale_results.n[name] if scale_results is not None and name in scored else (wins.judgements if wins else 0)
        systems[name] = SystemResult(name, n, scored.get(name), wins)
    return systems


def _sources(named: ScoreRatings, scale_results: ScaleFindings | None) -> dict[str, str]:
    """Map the displayed name of each scale that has ratings by known raters to its name in `named`."""
    if scale_results is None:
        return {}
    rated = {named.scales[index] for index in np.unique(named.scale)}
    sources = {}
    for scale in scale_results.scales:
        source = scale.source if scale.source in rated else "z" if scale.name == "score" else ""
        if source in rated:
            sources[scale.name] = source
    return sources


def _notes(findings: ScaleFindings | RankingFindings | None) -> tuple[str, ...]:
    return () if findings is None else findings.notes
