"""The study: fast beside full, seeds and workers, what is seen, and what is left when it is stopped."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import QeError, TagColumn
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.levels.words.tag_inputs import read_tags, scoring_of
from qe_desktop.studies.sampling.executors import run_in_threads
from qe_desktop.studies.sampling.sampling_options import SamplingOptions
from qe_desktop.studies.sampling.sampling_study import SamplingStudy, study_sampling
from tests.comparing import scored, word_metrics
from tests.studies.sampling.made import METRICS, options, scoring


def alike(one: SamplingStudy, other: SamplingStudy) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("p", "error", "means", "deviations")
    )


def apart(fast: SamplingStudy, full: SamplingStudy) -> np.ndarray:
    """How far the two are apart in their errors, of p that are not next to nothing: there few repetitions decide."""
    counted = fast.p > 0.01
    return (full.p - fast.p)[counted] / np.hypot(full.error, fast.error)[counted]


@pytest.mark.parametrize("variances", ["equal", "unequal"])
@pytest.mark.parametrize("mixing", ["many", "one"])
def test_fast_and_full_agree_within_their_errors(mixing, variances):
    asked = options(mixing=mixing, variances=variances, errors=("20", "20.3", "20.7"), sizes=(20, 60), repetitions=300)
    fast = study_sampling(scoring(segments=200), METRICS, asked)
    full = study_sampling(scoring(segments=200), METRICS, replace(asked, mode="full", seed=2))
    found = apart(fast, full)
    assert len(found) >= 12
    # many of them hang together, as samples of all pairs and metrics come from the same orders
    assert np.sqrt((found**2).mean()) < 2.5
    assert np.abs(found).max() < 5
    assert np.abs(full.means - fast.means).max() < 0.001
    assert full.deviations == pytest.approx(fast.deviations, rel=0.05)


@pytest.mark.published
def test_fast_and_full_agree_on_wmt22(data_folder):
    folder = data_folder / "wmt22_word/en-de"
    gold = read_tags(folder / "test.2022.en-de.tags", WORD_LEVEL.tags).columns[WORD_LEVEL.tags]
    systems = {
        path.stem: read_tags(path, WORD_LEVEL.tags).columns[WORD_LEVEL.tags]
        for path in sorted((folder / "systems").iterdir())
    }
    found = scoring_of(WORD_LEVEL, gold, systems)
    asked = options(errors=("5", "5.05", "5.2"), sizes=(50, 100), repetitions=300)
    fast = study_sampling(found, METRICS, asked)
    full = study_sampling(found, METRICS, replace(asked, mode="full"))
    assert np.sqrt((apart(fast, full) ** 2).mean()) < 2.5
    with pytest.raises(QeError, match=r"systems reach 8\.\d\d %"):
        study_sampling(found, METRICS)


@pytest.mark.parametrize("mode", ["fast", "full"])
def test_a_seed_gives_one_table_on_any_number_of_workers(mode):
    asked = options(mode=mode)
    one, two, three = (study_sampling(scoring(), METRICS, asked, run=run_in_threads(count)) for count in (1, 2, 3))
    assert alike(one, two)
    assert alike(one, three)
    other = study_sampling(scoring(), METRICS, replace(asked, seed=2))
    assert not np.array_equal(one.p, other.p)


def test_more_repetitions_begin_with_the_same():
    """The mean over ten repetitions is that over the first five and the last five."""
    five, ten = (study_sampling(scoring(), METRICS, options(mode="full", repetitions=n)) for n in (5, 10))
    longer = np.abs(five.p * 5 - ten.p * 10)
    assert (longer <= 5 + 1e-9).all()
    assert five.orders * 2 == ten.orders


def test_what_is_seen():
    p = np.asarray([[[0.04, 0.004, 0.0001], [0.9, 0.02, 0.0001], [0.3, 0.2, 0.1]]])
    error = np.asarray([[[0.001, 0.001, 0.0], [0.0, 0.004, 0.0], [0.0, 0.0, 0.05]]])
    asked = options()
    whole = study_sampling(scoring(), METRICS[:1], asked)
    study = replace(whole, p=p, error=error)
    assert study.adjusted()[0, 0].tolist() == pytest.approx([0.12, 0.012, 0.0003])
    # the second size of the first pair is sure; of the second pair 3 · .02 is above .05, and within two errors below
    assert study.needed().tolist() == [[1, 2, 3]]
    low, high = study.between
    assert (low.tolist(), high.tolist()) == ([[1, 1, 2]], [[1, 2, 3]])
    plain = replace(study, options=replace(asked, correction="none"))
    assert plain.needed().tolist() == [[0, 1, 3]]


def test_a_metric_that_sees_nothing_never_does():
    # one BAD tag a segment, never found: no data set has a hit, and all errors are false alarms or misses
    gold = TagColumn.of([[1, 0, 0, 0]] * 40)
    systems = [TagColumn.of([[1, 1, 0, 0]] * 40), TagColumn.of([[1, 0, 1, 0]] * 40)]
    found = scored(["a", "b"], gold, systems)
    for mode in ("fast", "full"):
        asked = options(errors=("5", "10"), mode=mode, repetitions=10)
        study = study_sampling(found, word_metrics(("recall-BAD", "F1-BAD")), asked)
        assert (study.p[0] == 1).all()
        assert study.needed()[:, 0].tolist() == [3, 0]
        # the errors of these data sets are a whole number of segments, so that nothing varies
        assert (study.p[1] == 0).all()


def stopping(after: int, error: BaseException):
    def watch(done: int, total: int) -> None:
        if done >= after:
            raise error

    return watch


@pytest.mark.parametrize("mode", ["fast", "full"])
def test_an_interrupt_keeps_what_was_computed(mode):
    asked = options(mode=mode)
    study = study_sampling(scoring(), METRICS, asked, watch=stopping(7, KeyboardInterrupt()), run=run_in_threads(1))
    assert isinstance(study.ended, KeyboardInterrupt)
    assert study.made == 7
    assert study.asked > 7
    assert np.isfinite(study.p).all()
    assert (study.p[:, -1] < 0.5).all()
    if mode == "full":
        assert alike(study, study_sampling(scoring(), METRICS, replace(asked, repetitions=7)))


def test_more_repetitions_than_could_be_listed_can_be_asked_for():
    asked = options(mode="full", repetitions=10**15)
    study = study_sampling(scoring(), METRICS, asked, watch=stopping(3, KeyboardInterrupt()), run=run_in_threads(1))
    assert (study.made, study.asked) == (3, 10**15)


def test_an_interrupt_before_anything_was_computed_is_one():
    def run(unit, sets, numbers):
        raise KeyboardInterrupt
        yield

    for mode in ("fast", "full"):
        with pytest.raises(KeyboardInterrupt):
            study_sampling(scoring(), METRICS, options(mode=mode), run=run)


class Cancelled(Exception):
    pass


def test_whoever_watches_may_cancel_and_threads_end():
    import threading

    before = threading.active_count()
    with pytest.raises(Cancelled):
        study_sampling(scoring(), METRICS, options(mode="full"), watch=stopping(3, Cancelled()), run=run_in_threads(2))
    assert threading.active_count() == before


def test_one_repetition_alone_says_nothing_of_its_error():
    study = study_sampling(scoring(), METRICS, options(mode="full", repetitions=1))
    assert (study.error == 1).all()
    low, high = study.between
    assert (low == 0).all()
    assert (high == 3).all()


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({"errors": ("30",)}, "two shares"),
        ({"errors": ("30", "30.0")}, "two shares"),
        ({"errors": ("0", "30")}, "100 %, not 0\\."),
        ({"errors": ("30", "100")}, "100 %, not 100\\."),
        ({"errors": ("30", "30.00000001")}, "6 decimals"),
        ({"sizes": (1, 10)}, "two data sets"),
        ({"sizes": ()}, "two data sets"),
    ],
)
def test_protocols_that_are_none_are_refused(others, said):
    with pytest.raises(QeError, match=said):
        options(**others)


def test_the_protocol_of_the_paper():
    asked = SamplingOptions()
    assert [asked.named(pair) for pair in asked.pairs][:4] == ["30-30.01", "30-30.05", "30-30.1", "30-30.2"]
    assert sorted({str(asked.difference(pair)) for pair in asked.pairs}) == [
        "0.01", "0.04", "0.05", "0.09", "0.1", "0.15", "0.19", "0.2",
    ]  # fmt: skip
    assert asked.sizes == (100, 200, 500, 1000, 2000, 5000, 10000)
    assert asked.needed[1] == (3001, 10_000)
