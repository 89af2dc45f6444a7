"""Meta-evaluation: published results of WMT23, the segments used, and undefined statistics."""

from __future__ import annotations

import json

import numpy as np
import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.scores.system_scores import read_system_scores
from qe_desktop.formats.text_files import open_file
from qe_desktop.metrics.external import ExternalScores, external_metric, external_rows
from qe_desktop.report.meta_evaluation import MetaEvaluationReport
from qe_desktop.significance.randomization import FamilyRows
from qe_desktop.studies.meta_eval.agreement_statistics import AGREEMENT_STATISTICS
from qe_desktop.studies.meta_eval.meta_evaluation import PROGRESS_PARTS, meta_evaluate
from qe_desktop.studies.meta_eval.score_data import HumanSystemScores, MetaEvalOptions, MetricSystemScores


def rows_of(name, scores, better=1):
    return FamilyRows(
        np.stack([external_rows(ExternalScores(row)) for row in scores]), (external_metric(name, better),)
    )


@pytest.fixture(scope="module")
def wmt23(data_folder):
    """Return the published results and the study of all their metrics."""
    folder = data_folder / "wmt23_metrics_ende"
    oracle = json.loads((data_folder.parent / "oracles/people/wmt23_ende.json").read_text())["metrics"]

    def scores(name):
        return read_system_scores(open_file(folder / f"{name}.seg.score.gz")).systems

    human_scores = scores("en-de.mqm")
    systems = [
        name for name in human_scores if name not in ("refA", "synthetic_ref") and np.isfinite(human_scores[name]).any()
    ]
    people = HumanSystemScores.of_segments(np.stack([human_scores[name] for name in systems]))
    families = [rows_of(name, [scores(name)[system] for system in systems]) for name in oracle]
    return oracle, meta_evaluate(systems, MetricSystemScores(tuple(families)), people)


@pytest.mark.published
def test_wmt23_metrics_task_is_reproduced(wmt23):
    oracle, study = wmt23
    assert (len(study.systems), study.pairs, study.segments, study.shared_segments) == (12, 66, 460, 460)
    assert len(oracle) == 14
    for agreement in study.agreements:
        expected = oracle[agreement.metric.name]
        assert round(agreement.correlations["pearson"], 4) == expected["system_pearson"]
        assert round(agreement.pairwise_accuracy, 4) == expected["pairwise_accuracy"]
        assert round(agreement.tied.accuracy, 4) == expected["acc_eq"]
        # the published value comes from other random permutations
        assert agreement.spa == pytest.approx(expected["SPA"], abs=0.01)


@pytest.mark.published
def test_best_wmt23_metric_is_significantly_better_than_the_worst(wmt23):
    _, study = wmt23
    assert (study.tests.tests["spa"], study.tests.segments["spa"]) == ("perm-both", 460)
    best, worst = (int(pick([agreement.spa for agreement in study.agreements])) for pick in (np.argmax, np.argmin))
    assert study.metric_p_values["spa"][best, worst] == 1 / 1001


@pytest.mark.published
def test_intervals_contain_the_observed_statistics(wmt23):
    for agreement in wmt23[1].agreements:
        assert set(agreement.intervals) == {figure.key for figure in AGREEMENT_STATISTICS}
        for figure in AGREEMENT_STATISTICS:
            low, high = agreement.intervals[figure.key]
            assert low < high
            assert low - 0.05 <= figure.value(agreement) <= high + 0.05


def made(systems=5, segments=80, seed=1):
    generator = np.random.default_rng(seed)
    people = generator.normal(size=(systems, segments)) + np.linspace(0, 1, systems)[:, None]
    return people, people + generator.normal(size=people.shape), [f"s{number}" for number in range(systems)]


def test_lower_is_better_only_reverses_the_sign_of_scores():
    people, metric, names = made()
    agreement = meta_evaluate(
        names, MetricSystemScores((rows_of("m", metric),)), HumanSystemScores.of_segments(people)
    ).agreements[0]
    reversed_agreement = meta_evaluate(
        names, MetricSystemScores((rows_of("m", -metric, better=-1),)), HumanSystemScores.of_segments(people)
    ).agreements[0]
    assert reversed_agreement.scores.tolist() == (-agreement.scores).tolist()
    assert reversed_agreement.correlations == pytest.approx(agreement.correlations)
    assert (reversed_agreement.spa, reversed_agreement.pairwise_accuracy) == pytest.approx(
        (agreement.spa, agreement.pairwise_accuracy)
    )
    assert (reversed_agreement.differentials, reversed_agreement.tied.accuracy) == pytest.approx(
        (agreement.differentials, agreement.tied.accuracy)
    )
    assert reversed_agreement.pooled == pytest.approx(agreement.pooled)


def test_metrics_score_only_the_rated_segments():
    people, metric, names = made()
    people[:, 50:] = np.nan
    study = meta_evaluate(names, MetricSystemScores((rows_of("m", metric),)), HumanSystemScores.of_segments(people))
    assert (study.segments, study.shared_segments) == (50, 50)
    assert study.agreements[0].scores.tolist() == pytest.approx(metric[:, :50].mean(axis=1).tolist())


def test_statistics_use_the_segments_common_to_humans_and_all_metrics():
    people, metric, names = made()
    other_metric = metric.copy()
    people[0, :10], people[1, 60:], other_metric[2, 10:15] = np.nan, np.nan, np.nan
    rows = rows_of("m", metric), rows_of("other", other_metric)
    study = meta_evaluate(
        names, MetricSystemScores(rows), HumanSystemScores.of_segments(people), MetaEvalOptions(rounds=50, draws=50)
    )
    study_of_common = meta_evaluate(
        names,
        MetricSystemScores(
            tuple(rows_of(name, scores[:, 15:60]) for name, scores in (("m", metric), ("other", other_metric)))
        ),
        HumanSystemScores.of_segments(people[:, 15:60]),
        MetaEvalOptions(rounds=50, draws=50),
    )
    assert (study.segments, study.shared_segments, study.rated_segments) == (45, 50, 80)
    for agreement, expected in zip(study.agreements, study_of_common.agreements, strict=True):
        assert set(agreement.counts.values()) == {45}
        assert agreement.correlations == pytest.approx(expected.correlations)
        assert (agreement.pairwise_accuracy, agreement.spa) == pytest.approx((expected.pairwise_accuracy, expected.spa))
        assert agreement.pooled == pytest.approx(expected.pooled)
        assert agreement.tied.accuracy == pytest.approx(expected.tied.accuracy)
    assert study.human_scores.tolist() == pytest.approx(study_of_common.human_scores.tolist())
    assert study.metric_p_values["spa"].tolist() == study_of_common.metric_p_values["spa"].tolist()


def test_without_common_segments_each_statistic_uses_all_it_can():
    people, metric, names = made()
    people[0, 1:], people[1, :1] = np.nan, np.nan
    study = meta_evaluate(
        names,
        MetricSystemScores((rows_of("m", metric),)),
        HumanSystemScores.of_segments(people),
        MetaEvalOptions(rounds=50),
    )
    assert (study.segments, study.shared_segments) == (80, 0)
    assert study.agreements[0].counts["pearson"] == 80
    assert np.isfinite(study.agreements[0].tied.accuracy)


def test_option_all_uses_segments_not_rated_for_every_system():
    people, metric, names = made()
    people[0, :10] = np.nan
    people[1, 20:] = np.nan
    options = MetaEvalOptions(segments="all")
    study = meta_evaluate(
        names, MetricSystemScores((rows_of("m", metric),)), HumanSystemScores.of_segments(people), options
    )
    assert study.agreements[0].counts == {
        **dict.fromkeys(("pearson", "spearman", "kendall", "pairwise_accuracy", "differentials"), 80),
        "spa": 10, **dict.fromkeys(("segments_pearson", "segments_kendall", "acc_eq"), 80),
    }  # fmt: skip
    assert (study.segments, study.shared_segments) == (80, 10)
    assert study.agreements[0].scores.tolist() == pytest.approx(metric.mean(axis=1).tolist())
    assert study.human_scores[1] == pytest.approx(np.nanmean(people[1]))


def test_human_scores_per_system_give_only_system_level_statistics():
    people, metric, names = made()
    study = meta_evaluate(names, MetricSystemScores((rows_of("m", metric),)), HumanSystemScores(people.mean(axis=1)))
    agreement = study.agreements[0]
    assert np.isfinite([*agreement.correlations.values(), agreement.pairwise_accuracy, agreement.differentials]).all()
    assert np.isfinite([end for ends in agreement.intervals.values() for end in ends]).all()
    assert np.isnan([agreement.spa, agreement.tied.accuracy]).all()
    assert set(study.metric_p_values) == {"pearson"}


def test_metric_with_system_scores_only_is_compared_with_the_others():
    people, metric, names = made()
    whole = (external_metric("whole"), metric.mean(axis=1))
    study = meta_evaluate(
        names, MetricSystemScores((rows_of("m", metric),), (whole,)), HumanSystemScores.of_segments(people)
    )
    first, second = study.agreements
    assert second.correlations == pytest.approx(first.correlations)
    assert second.intervals == {}
    assert np.isnan(second.spa)
    assert study.inter_metric[0, 1] == pytest.approx(1)
    assert np.isnan(study.metric_p_values["spa"][1]).all()


def test_same_seed_gives_the_same_study():
    people, metric, names = made()
    inputs = MetricSystemScores((rows_of("m", metric),)), HumanSystemScores.of_segments(people)
    first, same, other_seed = (
        meta_evaluate(names, *inputs, MetaEvalOptions(seed=seed)).agreements[0] for seed in (1, 1, 2)
    )
    assert (first.intervals, first.spa) == (same.intervals, same.spa)
    assert first.intervals != other_seed.intervals


def test_metric_without_scores_of_a_system_has_no_system_level_agreement():
    people, metric, names = made()
    holes = metric.copy()
    holes[2] = np.nan
    metric_scores = MetricSystemScores((rows_of("m", metric), rows_of("holes", holes), rows_of("n", metric[::-1])))
    study = meta_evaluate(names, metric_scores, HumanSystemScores.of_segments(people), MetaEvalOptions(rounds=200))
    whole = meta_evaluate(
        names,
        MetricSystemScores(metric_scores.families[::2]),
        HumanSystemScores.of_segments(people),
        MetaEvalOptions(rounds=200),
    )
    agreement = study.agreements[1]
    assert np.isnan(
        [*agreement.correlations.values(), agreement.pairwise_accuracy, agreement.differentials, agreement.spa]
    ).all()
    of_systems = ("pearson", "spearman", "kendall", "pairwise_accuracy", "differentials", "spa")
    assert np.isnan([end for name in of_systems for end in agreement.intervals[name]]).all()
    assert np.isfinite(
        [end for name, ends in agreement.intervals.items() if name not in of_systems for end in ends]
    ).all()
    assert np.isnan(agreement.score_intervals).all(axis=1).tolist() == [False, False, True, False, False]
    # the other metrics are as without it
    assert np.isfinite(agreement.tied.accuracy)
    for agreement_with, agreement_without in zip(
        (study.agreements[0], study.agreements[2]), whole.agreements, strict=True
    ):
        assert (agreement_with.correlations, agreement_with.intervals, agreement_with.spa) == (
            agreement_without.correlations,
            agreement_without.intervals,
            agreement_without.spa,
        )
    assert np.isnan(study.metric_p_values["spa"][1]).all()
    assert study.metric_p_values["spa"][::2, ::2].tolist() == whole.metric_p_values["spa"].tolist()


def test_two_systems_are_refused():
    people, metric, names = made(systems=2)
    with pytest.raises(QeError, match="at least 3 systems"):
        meta_evaluate(names, MetricSystemScores((rows_of("m", metric),)), HumanSystemScores.of_segments(people))


class _Stop(Exception):
    """Raised by the progress callback to stop the study."""


def _study_inputs(systems=5, segments=80):
    people, metric, names = made(systems, segments)
    rows = rows_of("m", metric), rows_of("other", metric + people)
    return names, MetricSystemScores(rows), HumanSystemScores.of_segments(people)


def test_progress_is_reported_in_every_step():
    names, metrics, people = _study_inputs()
    shares = []
    meta_evaluate(
        names, metrics, people, MetaEvalOptions(rounds=300, draws=50), lambda done, total: shares.append(done / total)
    )
    assert shares == sorted(shares)
    assert shares[-1] == 1
    # every step but the first reports progress before it ends
    assert [
        sum(step / PROGRESS_PARTS < share < (step + 1) / PROGRESS_PARTS for share in shares) > 0
        for step in range(PROGRESS_PARTS)
    ] == [
        False,
        True,
        True,
        True,
    ]


@pytest.mark.parametrize("step", range(PROGRESS_PARTS))
def test_progress_callback_can_stop_each_step(step):
    names, metrics, people = _study_inputs()

    def watch(done, total):
        if done / total > step / PROGRESS_PARTS:
            raise _Stop(done / total)

    with pytest.raises(_Stop) as stopped:
        meta_evaluate(names, metrics, people, MetaEvalOptions(rounds=300, draws=50), watch)
    assert stopped.value.args[0] <= (step + 1) / PROGRESS_PARTS


def test_documents_of_one_segment_identical_segments():
    people, metric, names = made(segments=40)
    rows = rows_of("m", metric), rows_of("other", people - metric)
    people[1, :3] = np.nan
    human_scores = HumanSystemScores.of_segments(people, np.arange(40))
    assert human_scores.split_documents == 0
    studies = [
        meta_evaluate(names, MetricSystemScores(rows), human_scores, MetaEvalOptions(rounds=60, draws=60, unit=unit))
        for unit in ("segment", "document")
    ]
    by_segment, by_document = (study.agreements[0].intervals for study in studies)
    for name, ends in by_segment.items():
        assert by_document[name] == pytest.approx(ends)
    for name, p in studies[0].metric_p_values.items():
        assert studies[1].metric_p_values[name].tolist() == p.tolist()


def test_resampling_similar_segments_together_widens_intervals():
    people, metric, names = made(segments=80)
    documents = np.arange(80) // 8
    metric = metric + 2 * np.random.default_rng(3).normal(size=(5, 10))[:, documents]
    human_scores = HumanSystemScores.of_segments(people, documents)
    assert human_scores.split_documents == 10
    widths = []
    for unit in ("segment", "document"):
        options = MetaEvalOptions(rounds=50, draws=200, unit=unit)
        study = meta_evaluate(names, MetricSystemScores((rows_of("m", metric),)), human_scores, options)
        low, high = study.agreements[0].intervals["segments_pearson"]
        ends = study.agreements[0].score_intervals
        widths.append([high - low, (ends[:, 1] - ends[:, 0]).mean()])
    assert (np.array(widths[1]) > 1.3 * np.array(widths[0])).all(), widths


def test_metric_without_pairs_of_scored_translations_is_not_tested():
    dice = np.random.default_rng(1)
    human = dice.normal(size=(3, 60))
    good = human + 0.1 * dice.normal(size=human.shape)
    sparse = np.where(np.arange(60) % 3 == np.arange(3)[:, None], good, np.nan)
    rows = tuple(
        FamilyRows(np.stack([external_rows(ExternalScores(system)) for system in scores]), (external_metric(name),))
        for name, scores in (("good", good), ("sparse", sparse))
    )
    options = MetaEvalOptions(rounds=50, draws=20)
    result = meta_evaluate(["a", "b", "c"], MetricSystemScores(rows), HumanSystemScores.of_segments(human), options)
    assert np.isnan(result.agreements[1].tied.accuracy)
    assert np.isnan(result.metric_p_values["acc_eq"][0, 1])
    assert result.metric_p_values["acc_eq"][0, 0] == 1


def test_intervals_are_explained_only_if_a_metric_has_them():
    dice = np.random.default_rng(3)
    scores = dice.normal(size=(4, 30))
    people = HumanSystemScores.of_segments(scores + dice.normal(size=scores.shape))
    by_segment = MetricSystemScores((rows_of("segments", scores),))
    by_system = MetricSystemScores((), ((external_metric("systems"), scores.mean(axis=1)),))
    for metrics, expected in ((by_segment, True), (by_system, False)):
        table = MetaEvaluationReport(meta_evaluate(list("abcd"), metrics, people)).display_tables()[0]
        assert any("[" in cell for row in table.rows for cell in row) is expected
        assert any(note.startswith("In brackets") for note in table.notes) is expected
