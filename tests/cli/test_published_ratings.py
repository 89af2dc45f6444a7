"""Reports on published ratings reproduce the published results."""

from __future__ import annotations

import json

import numpy as np
import pytest

from qe_desktop.formats.ratings import read_ratings
from tests.command_line import run_command

pytestmark = pytest.mark.published


def oracle(data_folder, name):
    return json.loads((data_folder.parent / f"oracles/ratings/{name}.json").read_text())


@pytest.fixture
def report(capsys, data_folder):
    """Return a function that computes the JSON report on files of published ratings."""

    def run_report(*names, options=()):
        paths = [data_folder / "ratings" / name for name in names]
        code, out, err = run_command(capsys, "ratings", "report", *paths, "--json", *options)
        assert (code, err) == (0, "")
        return json.loads(out)

    return run_report


def test_trueskill_and_expected_wins_of_wmt16(report, data_folder):
    expected = oracle(data_folder, "wmt16_trueskill_expectedwins_real")["language_pairs"]["deu-eng"]
    result = report("wmt16_rankings/pairwise/wmt16.deu-eng.csv.gz")
    published = {row["system"]: row for row in expected["published"]}
    assert list(result["systems"]) == [row["system"] for row in expected["published"]]
    for name, figures in result["systems"].items():
        assert figures["trueskill"] == pytest.approx(published[name]["score"], abs=0.01)
        assert abs(figures["rank-low"] - published[name]["lo"]) <= 1
        assert abs(figures["rank-high"] - published[name]["hi"]) <= 1
        assert figures["expected-wins"] == pytest.approx(expected["expected_wins"][name], abs=1e-6)
    assert sum(figures["n"] for figures in result["systems"].values()) == 2 * expected["comparisons"]


@pytest.mark.parametrize("pair", ["deu-eng", "eng-ron", "tur-eng"])
@pytest.mark.parametrize("source", ["collapsed/wmt16.collapsed.{}.csv.gz", "wmt16.xml.gz"])
def test_kappas_of_wmt16(report, data_folder, pair, source):
    expected = oracle(data_folder, "wmt16_kappa_real")
    options = ("--no-trueskill", "--language-pair", pair)
    result = report(f"wmt16_rankings/{source.format(pair)}", options=options)["agreement"]
    for part in ("inter", "intra"):
        published, ours = expected["published"][pair][part], result["wmt-kappa-as-published"][part]
        assert {name: round(ours[name], 3) for name in ("pA", "pE", "kappa")} == {
            name: published[name] for name in ("pA", "pE", "kappa")
        }
        assert {name: ours[name] for name in ("agree", "comparable", "ties", "total")} == {
            name: published[name] for name in ("agree", "comparable", "ties", "total")
        }
    # the order-independent oracle counts the pairs of one rater, too
    free, together = result["wmt-kappa"], expected["recomputed"][pair]["inter"]["canonical"]
    for name in ("agree", "comparable"):
        assert free["inter"][name] + free["intra"][name] == together[name]


def test_xml_and_csv_of_wmt16_contain_the_same_judgements(data_folder):
    folder = data_folder / "ratings/wmt16_rankings"
    whole = read_ratings(folder / "wmt16.xml.gz", "deu-eng")

    def judgements(ratings):
        return sorted(
            (row.segment, *sorted([(row.first, row.first_rank), (row.second, row.second_rank)]))
            for row in ratings.pairs.expand_units().rows()
        )

    assert judgements(whole) == judgements(read_ratings(folder / "pairwise/wmt16.deu-eng.csv.gz"))
    assert len(whole.comments) == 21
    assert np.isfinite(whole.pairs.seconds).all()


def test_direct_assessment_of_wmt21(report, data_folder):
    expected = oracle(data_folder, "wmt21_da_real")["data"]["csen"]
    result = report("wmt21_da_toen/ad-csen-good-stnd-redup.csv.gz", "wmt21_da_toen/ad-seg-scores-cs-en.csv.gz")
    assert list(result["systems"]) == expected["order"]
    for name, figures in result["systems"].items():
        assert figures["z"] == pytest.approx(expected["published_system_z"][name], abs=1e-12)
        assert figures["raw"] == pytest.approx(expected["system_raw"][name], abs=1e-8)
        assert figures["n"] == expected["n_segments"][name]
        assert len(result["significance"]["significant"][name]) == expected["wins"][name]
    for first, second, p in expected["published_p"]:
        assert result["significance"]["p"][first][second] == pytest.approx(p, rel=1e-9)
    numbers = {name: index + 1 for index, cluster in enumerate(result["clusters"]) for name in cluster}
    assert numbers == expected["clusters"]
    assert len(result["raters"]) == 92


@pytest.mark.parametrize(
    ("pair", "scale", "short"), [("fa-en", "adequacy", "ad"), ("fa-en", "fluency", "fl"), ("ko-en", "adequacy", "ad")]
)
def test_adequacy_and_fluency_of_talks(report, data_folder, pair, scale, short):
    expected = oracle(data_folder, "believability_real")["data"][f"{pair}|{short}"]
    name = f"mt_believability_adequacy_fluency/{pair}/{pair}.{short}.annot.raw.csv.gz"
    result = report(name, options=("--rounds", "50"))
    (system,) = result["systems"].values()
    assert (system["n"], system["ratings"]) == (expected["n_segments"], expected["ratings"])
    assert len(result["raters"]) == expected["annotators"]
    for rater, mean in expected["annotator_mean"].items():
        scale_figures = result["raters"][rater]["scales"][scale]
        assert scale_figures["mean"] == pytest.approx(mean, abs=1e-6)
        assert scale_figures["sd"] == pytest.approx(expected["annotator_sd"][rater], abs=1e-6)
    first = result["agreement"]["pairs"][0]
    assert first["pearson"] == pytest.approx(expected["pearson_annotator1_2"], abs=1e-6)


def test_both_scales_of_talks_together(report):
    folder = "mt_believability_adequacy_fluency/fa-en/fa-en"
    result = report(f"{folder}.ad.annot.raw.csv.gz", f"{folder}.fl.annot.raw.csv.gz", options=("--rounds", "50"))
    (system,) = result["systems"].values()
    assert system["total"] == pytest.approx(system["adequacy"] + system["fluency"])
    assert set(result["agreement"]) == {"adequacy", "fluency"}


def test_appraise_exports(report, data_folder):
    result = report("wmt24_esa/esa_generalMT2024_wave3.csv.gz", options=("--language-pair", "en-ja", "--rounds", "50"))
    assert len(result["systems"]) == 13
    assert {figures["n"] for figures in result["systems"].values()} == {337}
    assert not any("tutorial" in name for name in result["systems"])
    verdicts = [rater_figures["scales"]["score"]["control"] for rater_figures in result["raters"].values()]
    assert sum(bool(control and control["passes"]) for control in verdicts) > 40
    for name in ("240315rc5ESA", "240315rc5GEMBA", "240520rc6ESA", "240520rc6GEMBA"):
        ratings = read_ratings(data_folder / f"ratings/ende_esa_mqm_multi_annotator/{name}.scores.csv.gz")
        counted = ratings.scores.role != 2
        # 13 systems × 207 segments, of which some were rated twice
        assert len({(row.system, row.segment) for row in ratings.scores.take(counted).rows()}) == 13 * 207
