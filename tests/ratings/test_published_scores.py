"""Published results from published ratings: WMT21 direct assessment, TED talks, and the parity study."""

from __future__ import annotations

import csv
import gzip
import json
from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import ItemRole, Score, ScoreRatings
from qe_desktop.ratings.aggregation.hypothesis_tests import rank_sum_tests
from qe_desktop.ratings.aggregation.means import segment_means, standardise, system_means
from qe_desktop.ratings.agreement.kappa import cohen_kappa
from qe_desktop.ratings.agreement.rater_agreement import inter_rater_agreement, scale_intra_rater
from qe_desktop.ratings.agreement.reliability import rater_reliability
from qe_desktop.significance.clusters import rank_clusters, rank_ranges, significantly_better

pytestmark = pytest.mark.published
ROLES = {
    "SYSTEM": ItemRole.SYSTEM,
    "REPEAT": ItemRole.REPEAT,
    "BAD_REF": ItemRole.BAD,
    "REF": ItemRole.REFERENCE,
}


def oracle(data_folder, name):
    return json.loads((data_folder.parent / f"oracles/ratings/{name}.json").read_text())["data"]


def lines(path):
    with gzip.open(path, "rt") as file:
        return [line.split() for line in file.read().splitlines() if line.strip()]


@pytest.fixture(scope="module")
def wmt21(data_folder):
    return data_folder / "ratings/wmt21_da_toen"


@pytest.fixture(scope="module")
def czech(wmt21):
    """The ratings of Czech to English, already standardized by WMT."""
    with gzip.open(wmt21 / "ad-csen-good-stnd-redup.csv.gz", "rt") as file:
        rows = [line.split("\t") for line in file.read().splitlines()[1:]]
    return ScoreRatings.of([Score(row[1], row[6], row[9], "z", float(row[10]), ROLES[row[8]]) for row in rows])


@pytest.fixture(scope="module")
def deviations(wmt21):
    """Mean and standard deviation of each rater by which WMT standardized, printed by R to seven digits."""
    printed = (wmt21 / "ad-csen-trk-mean-sd.txt").read_text().splitlines()
    words = [line.split("] ")[1].strip().strip('"') for line in printed if line.strip()]
    return {name: (float(mean), float(sd)) for name, mean, sd in zip(words[::3], words[1::3], words[2::3], strict=True)}


def test_segment_and_system_z_of_wmt21(czech, wmt21, data_folder):
    expected = oracle(data_folder, "wmt21_da_real")["csen"]
    z = standardise(czech, "z")
    means = segment_means(czech, "z", z.values)
    published = {
        (system, segment): float(mean)
        for system, segment, _, mean, _ in lines(wmt21 / "ad-seg-scores-cs-en.csv.gz")[1:]
    }
    computed = {
        (czech.systems[system], czech.segments[segment]): mean
        for system, segment, mean in zip(means.system, means.segment, means.mean, strict=True)
    }
    assert computed.keys() == published.keys()
    assert max(abs(computed[key] - published[key]) for key in computed) < 6e-15
    systems = system_means(means)
    assert [czech.systems[index] for index in systems.order()] == expected["order"]
    for name, mean, segments in zip(czech.systems, systems.mean, systems.segments, strict=True):
        assert mean == pytest.approx(expected["published_system_z"][name], abs=1e-14)
        assert segments == expected["n_segments"][name]


def test_p_values_wins_and_clusters_of_wmt21(czech, data_folder):
    expected = oracle(data_folder, "wmt21_da_real")["csen"]
    means = segment_means(czech, "z")
    index = {name: number for number, name in enumerate(czech.systems)}
    p = rank_sum_tests(means.system, means.mean, len(means.systems))
    for row, column, value in expected["published_p"]:
        assert p[index[row], index[column]] == pytest.approx(value, abs=1e-16)
    for row, column, value in expected["mannwhitney_one_sided"]:
        assert p[index[row], index[column]] == pytest.approx(value, abs=1e-12)
    better, _ = significantly_better(p)
    assert {name: int(better[index[name]].sum()) for name in index} == expected["wins"]
    order = system_means(means).order()
    clusters = rank_clusters(order, better)
    assert {czech.systems[i]: number for number, part in enumerate(clusters, 1) for i in part} == expected["clusters"]
    first = 1
    spans = {}
    for part in clusters:
        spans |= {czech.systems[i]: [first, first + len(part) - 1] for i in part}
        first += len(part)
    assert spans == {name: [low, high] for name, low, high, _ in expected["published_clusters"]}
    low, high = rank_ranges(better)
    assert all(low[index[name]] >= spans[name][0] and high[index[name]] <= spans[name][1] for name in index)


def test_z_of_wmt21_from_the_raw_ratings(czech, deviations, data_folder):
    """Control items and references count towards the mean and deviation of every rater.

    WMT divided by the deviation as printed, so its z-scores are accurate to seven digits.
    """
    mean, sd = np.array([deviations[name] for name in czech.raters]).T
    raw = czech.value * sd[czech.rater] + mean[czech.rater]
    assert np.abs(raw - np.rint(raw)).max() < 1e-12
    scores = replace(czech, scales=("score",), value=np.rint(raw))
    standardized = standardise(scores, "score")
    for index, name in enumerate(scores.raters):
        assert (float(f"{standardized.mean[index]:.7g}"), float(f"{standardized.sd[index]:.7g}")) == deviations[name]
    assert standardized.values == pytest.approx(czech.value, abs=4e-6)
    expected = oracle(data_folder, "wmt21_da_real")["csen"]
    means = segment_means(scores, "score", standardized.values)
    better, _ = significantly_better(rank_sum_tests(means.system, means.mean, len(means.systems)))
    assert dict(zip(czech.systems, better.sum(axis=1).tolist(), strict=True)) == expected["wins"]
    raw_means = system_means(segment_means(scores, "score"))
    for name, value in zip(scores.systems, raw_means.mean, strict=True):
        assert value == pytest.approx(expected["system_raw"][name], abs=1e-9)


def test_control_items_of_wmt21(czech, wmt21):
    """One-sided paired t-tests of WMT21's quality control, for raters with all their items in this language pair."""
    published = {name: (float(p), int(n)) for name, p, _, n in lines(wmt21 / "ad-trk-stats.csv.gz")}
    compared = 0
    for figures in rater_reliability(czech, "z"):
        control = figures.control
        if control is None or figures.rater not in published or control.n != published[figures.rater][1]:
            continue
        assert control.paired_t == pytest.approx(published[figures.rater][0], rel=1e-6)
        assert control.passes is True  # the file contains only raters who passed
        compared += 1
    assert compared == 30
    repeats = scale_intra_rater(czech, "z")
    assert repeats.n == np.count_nonzero(czech.role == ItemRole.REPEAT)


BELIEVABLE = [("fa-en", "ad"), ("fa-en", "fl"), ("ko-en", "ad"), ("ko-en", "fl")]


@pytest.fixture(scope="module")
def read_talks(data_folder):
    def read(pair, kind):
        path = data_folder / f"ratings/mt_believability_adequacy_fluency/{pair}/{pair}.{kind}"
        with gzip.open(f"{path}.annot.raw.csv.gz", "rt") as file:
            rows = list(csv.DictReader(file))
        raters = [name for name in rows[0] if name.startswith("ANNOTATOR")]
        scores = ScoreRatings.of(
            [Score(rater, pair, row["SEGID"], "adequacy", float(row[rater])) for row in rows for rater in raters]
        )
        with gzip.open(f"{path}.csv.gz", "rt") as file:
            return scores, np.array([float(row["MEANSCORE"]) for row in csv.DictReader(file)])

    return read


@pytest.mark.parametrize(("pair", "kind"), BELIEVABLE)
def test_adequacy_and_fluency_of_talks(read_talks, data_folder, pair, kind):
    expected = oracle(data_folder, "believability_real")[f"{pair}|{kind}"]
    scores, published = read_talks(pair, kind)
    reliability = {figures.rater: figures for figures in rater_reliability(scores, "adequacy")}
    assert len(reliability) == expected["annotators"]
    assert sum(figures.n for figures in reliability.values()) == expected["ratings"]
    for name, mean in expected["annotator_mean"].items():
        assert reliability[name].mean == pytest.approx(mean, abs=1e-6)
        assert reliability[name].sd == pytest.approx(expected["annotator_sd"][name], abs=1e-6)
    means = segment_means(scores, "adequacy", standardise(scores, "adequacy").values)
    assert len(means) == expected["n_segments"]
    assert [scores.segments[index] for index in means.segment] == list(scores.segments)
    assert means.mean[:10] == pytest.approx(expected["first10_segment_z"], abs=1e-6)
    if (pair, kind) != ("ko-en", "fl"):  # its published summary does not belong to its published ratings
        assert np.abs(means.mean - published).max() < 1e-14


@pytest.mark.parametrize(("pair", "kind"), BELIEVABLE)
def test_correlation_of_the_raters_of_talks(read_talks, data_folder, pair, kind):
    expected = oracle(data_folder, "believability_real")[f"{pair}|{kind}"]
    scores, _ = read_talks(pair, kind)
    pairs = inter_rater_agreement(scores, "adequacy").pairs
    names = [(scores.raters[a], scores.raters[b]) for a, b in zip(pairs.first, pairs.second, strict=True)]
    first = names.index(("ANNOTATOR_01", "ANNOTATOR_02"))
    assert pairs.statistics.pearson[first] == pytest.approx(expected["pearson_annotator1_2"], abs=1e-6)
    enough = pairs.statistics.n >= 20
    assert pairs.statistics.pearson[enough].mean() == pytest.approx(expected["mean_pairwise_pearson"], abs=1e-6)


def test_kappa_of_the_raters_of_the_parity_study(data_folder):
    with (data_folder / "ratings/mt_parity_ranking_docs_vs_sents/results.csv").open() as file:
        rows = list(csv.DictReader(file))
    for case, expected in oracle(data_folder, "mt_parity_real").items():
        level, sides, kind = case.split("|")
        systems = set(sides.split("_vs_"))
        contest_rows = [row for row in rows if row["level"] == level and {row["A_origin"], row["B_origin"]} == systems]
        first, second = (np.array([row[f"{kind}_rater{rater}"] for row in contest_rows]) for rater in (1, 2))
        assert len(contest_rows) * 2 == expected["n"]
        assert cohen_kappa(first, second).value == pytest.approx(expected["cohen_kappa"], abs=1e-6)
        assert np.mean(first == second) == pytest.approx(expected["agree"], abs=1e-6)
