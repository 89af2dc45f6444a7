"""Metrics beside people: the published figures of WMT23, which segments count, and what cannot be worked out."""

from __future__ import annotations

import json

import numpy as np
import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.io.text_files import open_file
from qe_desktop.formats.scores.system_scores import read_system_scores
from qe_desktop.metrics.external import ExternalScores, external_metric, external_rows
from qe_desktop.significance.randomization import FamilyRows
from qe_desktop.studies.meta_eval.agreement_statistics import AGREEMENT_STATISTICS
from qe_desktop.studies.meta_eval.meta_evaluation import PROGRESS_PARTS, meta_evaluate
from qe_desktop.studies.meta_eval.score_data import HumanSystemScores, MetaEvalOptions, MetricSystemScores


def rows_of(name, scores, better=1):
    return FamilyRows(
        np.stack([external_rows(ExternalScores(one)) for one in scores]), (external_metric(name, better),)
    )


@pytest.fixture(scope="module")
def wmt23(data_folder):
    """The oracle, and the study of all its metrics."""
    folder = data_folder / "wmt23_metrics_ende"
    oracle = json.loads((data_folder.parent / "oracles/people/wmt23_ende.json").read_text())["metrics"]

    def scores(name):
        return read_system_scores(open_file(folder / f"{name}.seg.score.gz")).systems

    given = scores("en-de.mqm")
    systems = [name for name in given if name not in ("refA", "synthetic_ref") and np.isfinite(given[name]).any()]
    people = HumanSystemScores.of_segments(np.stack([given[name] for name in systems]))
    families = [rows_of(name, [scores(name)[system] for system in systems]) for name in oracle]
    return oracle, meta_evaluate(systems, MetricSystemScores(tuple(families)), people)


@pytest.mark.published
def test_the_metrics_task_of_wmt23(wmt23):
    oracle, study = wmt23
    assert (len(study.systems), study.pairs, study.segments, study.shared) == (12, 66, 460, 460)
    assert len(oracle) == 14
    for one in study.agreements:
        expected = oracle[one.metric.name]
        assert round(one.correlations["pearson"], 4) == expected["system_pearson"]
        assert round(one.pairwise_accuracy, 4) == expected["pairwise_accuracy"]
        assert round(one.tied.accuracy, 4) == expected["acc_eq"]
        # drawn by other numbers there and here
        assert one.spa == pytest.approx(expected["SPA"], abs=0.01)


@pytest.mark.published
def test_the_best_metric_of_wmt23_is_significantly_better_than_the_worst(wmt23):
    _, study = wmt23
    assert (study.tests.tests["spa"], study.tests.segments["spa"]) == ("perm-both", 460)
    best, worst = (int(pick([one.spa for one in study.agreements])) for pick in (np.argmax, np.argmin))
    assert study.better["spa"][best, worst] == 1 / 1001


@pytest.mark.published
def test_intervals_hold_what_was_observed(wmt23):
    for one in wmt23[1].agreements:
        assert set(one.intervals) == {figure.key for figure in AGREEMENT_STATISTICS}
        for figure in AGREEMENT_STATISTICS:
            low, high = one.intervals[figure.key]
            assert low < high
            assert low - 0.05 <= figure.value(one) <= high + 0.05


def made(systems=5, segments=80, seed=1):
    dice = np.random.default_rng(seed)
    people = dice.normal(size=(systems, segments)) + np.linspace(0, 1, systems)[:, None]
    return people, people + dice.normal(size=people.shape), [f"s{place}" for place in range(systems)]


def test_less_is_better_turns_the_sign_and_nothing_else():
    people, metric, names = made()
    one = meta_evaluate(
        names, MetricSystemScores((rows_of("m", metric),)), HumanSystemScores.of_segments(people)
    ).agreements[0]
    other = meta_evaluate(
        names, MetricSystemScores((rows_of("m", -metric, better=-1),)), HumanSystemScores.of_segments(people)
    ).agreements[0]
    assert other.scores.tolist() == (-one.scores).tolist()
    assert other.correlations == pytest.approx(one.correlations)
    assert (other.spa, other.pairwise_accuracy) == pytest.approx((one.spa, one.pairwise_accuracy))
    assert (other.differentials, other.tied.accuracy) == pytest.approx((one.differentials, one.tied.accuracy))
    assert other.pooled == pytest.approx(one.pooled)


def test_where_the_same_segments_were_rated_metrics_score_these_alone():
    people, metric, names = made()
    people[:, 50:] = np.nan
    study = meta_evaluate(names, MetricSystemScores((rows_of("m", metric),)), HumanSystemScores.of_segments(people))
    assert (study.segments, study.shared) == (50, 50)
    assert study.agreements[0].scores.tolist() == pytest.approx(metric[:, :50].mean(axis=1).tolist())


def test_figures_are_of_the_segments_that_are_common_to_people_and_all_metrics():
    people, metric, names = made()
    other = metric.copy()
    people[0, :10], people[1, 60:], other[2, 10:15] = np.nan, np.nan, np.nan
    rows = rows_of("m", metric), rows_of("other", other)
    study = meta_evaluate(
        names, MetricSystemScores(rows), HumanSystemScores.of_segments(people), MetaEvalOptions(rounds=50, draws=50)
    )
    same = meta_evaluate(
        names,
        MetricSystemScores(
            tuple(rows_of(name, scores[:, 15:60]) for name, scores in (("m", metric), ("other", other)))
        ),
        HumanSystemScores.of_segments(people[:, 15:60]),
        MetaEvalOptions(rounds=50, draws=50),
    )
    assert (study.segments, study.shared, study.rated) == (45, 50, 80)
    for one, expected in zip(study.agreements, same.agreements, strict=True):
        assert set(one.counts.values()) == {45}
        assert one.correlations == pytest.approx(expected.correlations)
        assert (one.pairwise_accuracy, one.spa) == pytest.approx((expected.pairwise_accuracy, expected.spa))
        assert one.pooled == pytest.approx(expected.pooled)
        assert one.tied.accuracy == pytest.approx(expected.tied.accuracy)
    assert study.people.tolist() == pytest.approx(same.people.tolist())
    assert study.better["spa"].tolist() == same.better["spa"].tolist()


def test_without_common_segments_each_figure_is_of_all_that_it_can_use():
    people, metric, names = made()
    people[0, 1:], people[1, :1] = np.nan, np.nan
    study = meta_evaluate(
        names,
        MetricSystemScores((rows_of("m", metric),)),
        HumanSystemScores.of_segments(people),
        MetaEvalOptions(rounds=50),
    )
    assert (study.segments, study.shared) == (80, 0)
    assert study.agreements[0].counts["pearson"] == 80
    assert np.isfinite(study.agreements[0].tied.accuracy)


def test_where_others_were_rated_of_each_system_metrics_score_all():
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
    assert (study.segments, study.shared) == (80, 10)
    assert study.agreements[0].scores.tolist() == pytest.approx(metric.mean(axis=1).tolist())
    assert study.people[1] == pytest.approx(np.nanmean(people[1]))


def test_without_scores_of_segments_by_people_systems_alone_are_compared():
    people, metric, names = made()
    study = meta_evaluate(names, MetricSystemScores((rows_of("m", metric),)), HumanSystemScores(people.mean(axis=1)))
    one = study.agreements[0]
    assert np.isfinite([*one.correlations.values(), one.pairwise_accuracy, one.differentials]).all()
    assert np.isfinite([end for ends in one.intervals.values() for end in ends]).all()
    assert np.isnan([one.spa, one.tied.accuracy]).all()
    assert set(study.better) == {"pearson"}


def test_a_metric_that_scored_systems_as_wholes_stands_beside_the_others():
    people, metric, names = made()
    whole = (external_metric("whole"), metric.mean(axis=1))
    study = meta_evaluate(
        names, MetricSystemScores((rows_of("m", metric),), (whole,)), HumanSystemScores.of_segments(people)
    )
    first, second = study.agreements
    assert second.correlations == pytest.approx(first.correlations)
    assert second.intervals == {}
    assert np.isnan(second.spa)
    assert study.between[0, 1] == pytest.approx(1)
    assert np.isnan(study.better["spa"][1]).all()


def test_the_same_seed_gives_the_same_study():
    people, metric, names = made()
    asked = MetricSystemScores((rows_of("m", metric),)), HumanSystemScores.of_segments(people)
    one, same, other = (meta_evaluate(names, *asked, MetaEvalOptions(seed=seed)).agreements[0] for seed in (1, 1, 2))
    assert (one.intervals, one.spa) == (same.intervals, same.spa)
    assert one.intervals != other.intervals


def test_a_metric_that_gave_a_system_nothing_agrees_in_nothing_that_is_of_systems():
    people, metric, names = made()
    holes = metric.copy()
    holes[2] = np.nan
    asked = MetricSystemScores((rows_of("m", metric), rows_of("holes", holes), rows_of("n", metric[::-1])))
    study = meta_evaluate(names, asked, HumanSystemScores.of_segments(people), MetaEvalOptions(rounds=200))
    whole = meta_evaluate(
        names,
        MetricSystemScores(asked.families[::2]),
        HumanSystemScores.of_segments(people),
        MetaEvalOptions(rounds=200),
    )
    one = study.agreements[1]
    assert np.isnan([*one.correlations.values(), one.pairwise_accuracy, one.differentials, one.spa]).all()
    of_systems = ("pearson", "spearman", "kendall", "pairwise_accuracy", "differentials", "spa")
    assert np.isnan([end for name in of_systems for end in one.intervals[name]]).all()
    assert np.isfinite([end for name, ends in one.intervals.items() if name not in of_systems for end in ends]).all()
    assert np.isnan(one.score_intervals).all(axis=1).tolist() == [False, False, True, False, False]
    # the others are what they are without it
    assert np.isfinite(one.tied.accuracy)
    for here, there in zip((study.agreements[0], study.agreements[2]), whole.agreements, strict=True):
        assert (here.correlations, here.intervals, here.spa) == (there.correlations, there.intervals, there.spa)
    assert np.isnan(study.better["spa"][1]).all()
    assert study.better["spa"][::2, ::2].tolist() == whole.better["spa"].tolist()


def test_two_systems_are_too_few():
    people, metric, names = made(systems=2)
    with pytest.raises(QeError, match="at least 3 systems"):
        meta_evaluate(names, MetricSystemScores((rows_of("m", metric),)), HumanSystemScores.of_segments(people))


class _Stop(Exception):
    """Somebody does not want to wait any longer."""


def _metrics_of(systems=5, segments=80):
    people, metric, names = made(systems, segments)
    rows = rows_of("m", metric), rows_of("other", metric + people)
    return names, MetricSystemScores(rows), HumanSystemScores.of_segments(people)


def test_whoever_watches_hears_of_all_steps_in_order():
    names, metrics, people = _metrics_of()
    told = []
    meta_evaluate(
        names, metrics, people, MetaEvalOptions(rounds=300, draws=50), lambda done, total: told.append(done / total)
    )
    assert told == sorted(told)
    assert told[-1] == 1
    # of each step something is told before it ends
    assert [
        sum(step / PROGRESS_PARTS < share < (step + 1) / PROGRESS_PARTS for share in told) > 0
        for step in range(PROGRESS_PARTS)
    ] == [
        False,
        True,
        True,
        True,
    ]


@pytest.mark.parametrize("step", range(PROGRESS_PARTS))
def test_whoever_watches_may_stop_each_step(step):
    names, metrics, people = _metrics_of()

    def watch(done, total):
        if done / total > step / PROGRESS_PARTS:
            raise _Stop(done / total)

    with pytest.raises(_Stop) as stopped:
        meta_evaluate(names, metrics, people, MetaEvalOptions(rounds=300, draws=50), watch)
    assert stopped.value.args[0] <= (step + 1) / PROGRESS_PARTS


def test_documents_of_one_segment_are_segments():
    people, metric, names = made(segments=40)
    rows = rows_of("m", metric), rows_of("other", people - metric)
    people[1, :3] = np.nan
    given = HumanSystemScores.of_segments(people, np.arange(40))
    assert given.split_documents == 0
    studies = [
        meta_evaluate(names, MetricSystemScores(rows), given, MetaEvalOptions(rounds=60, draws=60, unit=unit))
        for unit in ("segment", "document")
    ]
    by_segment, by_document = (study.agreements[0].intervals for study in studies)
    for name, ends in by_segment.items():
        assert by_document[name] == pytest.approx(ends)
    for name, p in studies[0].better.items():
        assert studies[1].better[name].tolist() == p.tolist()


def test_resampling_similar_segments_together_widens_intervals():
    people, metric, names = made(segments=80)
    documents = np.arange(80) // 8
    metric = metric + 2 * np.random.default_rng(3).normal(size=(5, 10))[:, documents]
    given = HumanSystemScores.of_segments(people, documents)
    assert given.split_documents == 10
    widths = []
    for unit in ("segment", "document"):
        options = MetaEvalOptions(rounds=50, draws=200, unit=unit)
        study = meta_evaluate(names, MetricSystemScores((rows_of("m", metric),)), given, options)
        low, high = study.agreements[0].intervals["segments_pearson"]
        ends = study.agreements[0].score_intervals
        widths.append([high - low, (ends[:, 1] - ends[:, 0]).mean()])
    assert (np.array(widths[1]) > 1.3 * np.array(widths[0])).all(), widths
