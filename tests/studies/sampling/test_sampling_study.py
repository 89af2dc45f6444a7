"""Sampling study: analytic vs. simulated results, seeds and workers, needed sizes, interrupts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import QeError, TagColumn
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.levels.words.tag_inputs import read_tags, scoring_of
from qe_desktop.report.sampling import sampling_notes
from qe_desktop.studies.sampling.executors import run_in_threads
from qe_desktop.studies.sampling.sampling_options import SamplingOptions
from qe_desktop.studies.sampling.sampling_study import SamplingStudy, study_sampling
from tests.studies.sampling.small_data_sets import METRICS, sampling_options, small_scoring
from tests.tag_comparison import make_scoring, word_metrics


def assert_equal_studies(first: SamplingStudy, second: SamplingStudy) -> bool:
    return all(
        np.array_equal(getattr(first, name), getattr(second, name)) for name in ("p", "error", "means", "deviations")
    )


def standardized_differences(fast: SamplingStudy, full: SamplingStudy) -> np.ndarray:
    """Return differences of p in units of their errors; p below 0.01 is left out, as it rests on few repetitions."""
    counted = fast.p > 0.01
    return (full.p - fast.p)[counted] / np.hypot(full.error, fast.error)[counted]


@pytest.mark.parametrize("variances", ["equal", "unequal"])
@pytest.mark.parametrize("mixing", ["many", "one"])
def test_analytic_and_simulated_studies_agree_within_their_errors(mixing, variances):
    sampling = sampling_options(
        mixing=mixing, variances=variances, errors=("20", "20.3", "20.7"), sizes=(20, 60), repetitions=300
    )
    fast = study_sampling(small_scoring(segments=200), METRICS, sampling)
    full = study_sampling(small_scoring(segments=200), METRICS, replace(sampling, mode="full", seed=2))
    differences = standardized_differences(fast, full)
    assert len(differences) >= 12
    # many of them are correlated, because samples of all pairs and metrics come from the same orders
    assert np.sqrt((differences**2).mean()) < 2.5
    assert np.abs(differences).max() < 5
    assert np.abs(full.means - fast.means).max() < 0.001
    assert full.deviations == pytest.approx(fast.deviations, rel=0.05)


@pytest.mark.published
def test_analytic_and_simulated_studies_agree_on_wmt22(data_folder):
    folder = data_folder / "wmt22_word/en-de"
    gold = read_tags(folder / "test.2022.en-de.tags", WORD_LEVEL.tags).columns[WORD_LEVEL.tags]
    systems = {
        path.stem: read_tags(path, WORD_LEVEL.tags).columns[WORD_LEVEL.tags]
        for path in sorted((folder / "systems").iterdir())
    }
    tag_scoring = scoring_of(WORD_LEVEL, gold, systems)
    sampling = sampling_options(errors=("5", "5.05", "5.2"), sizes=(50, 100), repetitions=300)
    fast = study_sampling(tag_scoring, METRICS, sampling)
    full = study_sampling(tag_scoring, METRICS, replace(sampling, mode="full"))
    assert np.sqrt((standardized_differences(fast, full) ** 2).mean()) < 2.5
    with pytest.raises(QeError, match=r"errors reach only 8\.\d\d %"):
        study_sampling(tag_scoring, METRICS)
    lowered = study_sampling(tag_scoring, METRICS, SamplingOptions(lowers_errors=True))
    assert list(map(str, lowered.options.errors)) == ["7", "7.01", "7.05", "7.1", "7.2"]


@pytest.mark.parametrize("mode", ["fast", "full"])
def test_seed_determines_the_table_for_any_number_of_workers(mode):
    sampling = sampling_options(mode=mode)
    first, second, third = (
        study_sampling(small_scoring(), METRICS, sampling, run=run_in_threads(count)) for count in (1, 2, 3)
    )
    assert assert_equal_studies(first, second)
    assert assert_equal_studies(first, third)
    other_seed = study_sampling(small_scoring(), METRICS, replace(sampling, seed=2))
    assert not np.array_equal(first.p, other_seed.p)


def test_more_repetitions_begin_with_the_same_samples():
    """The mean over ten repetitions includes the first five."""
    five, ten = (
        study_sampling(small_scoring(), METRICS, sampling_options(mode="full", repetitions=n)) for n in (5, 10)
    )
    longer = np.abs(five.p * 5 - ten.p * 10)
    assert (longer <= 5 + 1e-9).all()
    assert five.orders * 2 == ten.orders


def test_needed_sizes_use_the_adjusted_p_and_its_error():
    p = np.asarray([[[0.04, 0.004, 0.0001], [0.9, 0.02, 0.0001], [0.3, 0.2, 0.1]]])
    error = np.asarray([[[0.001, 0.001, 0.0], [0.0, 0.004, 0.0], [0.0, 0.0, 0.05]]])
    sampling = sampling_options()
    whole = study_sampling(small_scoring(), METRICS[:1], sampling)
    study = replace(whole, p=p, error=error)
    assert study.adjusted_p()[0, 0].tolist() == pytest.approx([0.12, 0.012, 0.0003])
    # pair 1: significant at size 2; pair 2: 3 · .02 is above .05, but by less than two errors
    assert study.required_size_indices().tolist() == [[1, 2, 3]]
    low, high = study.size_index_bounds
    assert (low.tolist(), high.tolist()) == ([[1, 1, 2]], [[1, 2, 3]])
    plain = replace(study, options=replace(sampling, correction="none"))
    assert plain.required_size_indices().tolist() == [[0, 1, 3]]


def test_constant_metric_never_detects_a_difference():
    # one BAD tag per segment: the recall is constant whatever the sample
    gold = TagColumn.of([[1, 0, 0, 0]] * 40)
    systems = [TagColumn.of([[1, 1, 0, 0]] * 40), TagColumn.of([[1, 0, 1, 0]] * 40)]
    tag_scoring = make_scoring(["a", "b"], gold, systems)
    for mode in ("fast", "full"):
        sampling = sampling_options(errors=("5", "10"), mode=mode, repetitions=10)
        study = study_sampling(tag_scoring, word_metrics(("recall-BAD", "F1-BAD")), sampling)
        assert (study.p[0] == 1).all()
        assert study.required_size_indices()[:, 0].tolist() == [3, 0]
        # the errors of these data sets fill whole segments, so the scores do not vary
        assert (study.p[1] == 0).all()


def cancel_after(after: int, error: BaseException):
    def watch(done: int, total: int) -> None:
        if done >= after:
            raise error

    return watch


@pytest.mark.parametrize("mode", ["fast", "full"])
def test_interrupted_study_keeps_its_partial_result(mode):
    sampling = sampling_options(mode=mode)
    study = study_sampling(
        small_scoring(), METRICS, sampling, on_progress=cancel_after(7, KeyboardInterrupt()), run=run_in_threads(1)
    )
    assert isinstance(study.stop_reason, KeyboardInterrupt)
    assert study.completed == 7
    assert study.requested > 7
    assert np.isfinite(study.p).all()
    assert (study.p[:, -1] < 0.5).all()
    if mode == "full":
        assert assert_equal_studies(study, study_sampling(small_scoring(), METRICS, replace(sampling, repetitions=7)))


def test_very_large_number_of_repetitions_can_be_requested():
    sampling = sampling_options(mode="full", repetitions=10**15)
    study = study_sampling(
        small_scoring(), METRICS, sampling, on_progress=cancel_after(3, KeyboardInterrupt()), run=run_in_threads(1)
    )
    assert (study.completed, study.requested) == (3, 10**15)


def test_interrupt_before_the_first_repetition_is_raised():
    def run(unit, sets, numbers):
        raise KeyboardInterrupt
        yield

    for mode in ("fast", "full"):
        with pytest.raises(KeyboardInterrupt):
            study_sampling(small_scoring(), METRICS, sampling_options(mode=mode), run=run)


class Cancelled(Exception):
    pass


def test_cancelling_through_the_callback_ends_all_threads():
    import threading

    before = threading.active_count()
    with pytest.raises(Cancelled):
        study_sampling(
            small_scoring(),
            METRICS,
            sampling_options(mode="full"),
            on_progress=cancel_after(3, Cancelled()),
            run=run_in_threads(2),
        )
    assert threading.active_count() == before


def test_single_repetition_has_unknown_error():
    study = study_sampling(small_scoring(), METRICS, sampling_options(mode="full", repetitions=1))
    assert (study.error == 1).all()
    low, high = study.size_index_bounds
    assert (low == 0).all()
    assert (high == 3).all()


@pytest.mark.parametrize(
    ("others", "message"),
    [
        ({"errors": ("30",)}, "two error rates"),
        ({"errors": ("30", "30.0")}, "two error rates"),
        ({"errors": ("0", "30")}, "100 %, not 0\\."),
        ({"errors": ("30", "100")}, "100 %, not 100\\."),
        ({"errors": ("30", "30.00000001")}, "6 decimals"),
        ({"sizes": (1, 10)}, "two data sets"),
        ({"sizes": ()}, "two data sets"),
    ],
)
def test_invalid_options_are_refused(others, message):
    with pytest.raises(QeError, match=message):
        sampling_options(**others)


def test_default_options_are_those_of_the_paper():
    defaults = SamplingOptions()
    assert [defaults.pair_name(pair) for pair in defaults.pairs][:4] == ["30-30.01", "30-30.05", "30-30.1", "30-30.2"]
    assert sorted({str(defaults.difference(pair)) for pair in defaults.pairs}) == [
        "0.01", "0.04", "0.05", "0.09", "0.1", "0.15", "0.19", "0.2",
    ]  # fmt: skip
    assert defaults.sizes == (100, 200, 500, 1000, 2000, 5000, 10000)
    assert defaults.share_ratios[1] == (3001, 10_000)


def test_system_with_exactly_the_highest_share_of_errors_is_not_reported_as_unused():
    gold = TagColumn.of([[1, *[0] * 9]] * 10)
    wrong = {"few": 6, "exact": 7, "many": 20}
    systems = [
        TagColumn((gold.values ^ (np.arange(100) < count)).astype(np.uint8), gold.offsets) for count in wrong.values()
    ]
    options = sampling_options(errors=("5", "7"), sizes=(5,), mixing="one")
    study = study_sampling(make_scoring(list(wrong), gold, systems), word_metrics(("F1-BAD",)), options)
    unused = [note for note in sampling_notes(study) if note.startswith("No data sets are sampled from")]
    assert unused == ["No data sets are sampled from few, because it has too few errors."]


@pytest.mark.parametrize(("shares", "rounded"), [(("5", "7"), False), (("5", "7.5"), True)])
def test_rounding_to_whole_tags_is_noted_only_if_shares_are_rounded(shares, rounded):
    gold = TagColumn.of([[1, *[0] * 9]] * 10)
    system = TagColumn((gold.values ^ (np.arange(100) < 20)).astype(np.uint8), gold.offsets)
    options = sampling_options(errors=shares, sizes=(5,))
    study = study_sampling(make_scoring(["s"], gold, [system]), word_metrics(("F1-BAD",)), options)
    assert any("Rounded to whole tags" in note for note in sampling_notes(study)) is rounded
