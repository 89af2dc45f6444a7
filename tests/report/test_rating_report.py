"""Rating results as JSON and tables: key names, null with a note, and valid JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import ItemRole, PairwiseJudgement, Ratings, Score, join_ratings
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.result_types import RatingOptions
from qe_desktop.report.rating_json import ratings_json
from qe_desktop.report.rating_report import (
    agreement_table,
    raters_table,
    rating_tables,
    significance_table,
    systems_table,
    totals_table,
)
from qe_desktop.report.render.latex import table_latex
from tests.ratings.test_rating_results import load_expected, make_direct_assessment, make_rankings, make_two_scales

QUICK = RatingOptions(runs=20, rounds=50)


def report(ratings, **options):
    result = ratings_json(build_results(ratings, options=QUICK, **options))
    json.dumps(result, allow_nan=False)
    return result


def test_report_of_two_scales():
    result = report(make_two_scales())
    system = result["systems"]["A"]
    assert {name: system[name] for name in ("n", "adequacy", "fluency", "total")} == {
        "n": 4, "adequacy": 3.75, "fluency": 3.75, "total": 7.5
    }  # fmt: skip
    assert {"adequacy-z", "fluency-z", "total-z", "rank-low", "rank-high", "intervals", "ratings"} < set(system)
    assert "raw" not in system
    assert list(result["systems"]) == ["C", "A", "B"]
    assert sorted(name for cluster in result["clusters"] for name in cluster) == ["A", "B", "C"]
    assert set(result["agreement"]) == {"adequacy", "fluency"}
    assert set(result["agreement"]["adequacy"]["cohen"]) == {"unweighted", "linear", "quadratic"}
    assert set(result["agreement"]["adequacy"]["krippendorff"]) == {"nominal", "ordinal", "interval"}
    assert result["raters"]["j1"]["scales"]["adequacy"]["mean"] == pytest.approx(3.416667, abs=1e-6)
    assert result["raters"]["j1"]["ratings"] == 24


def test_report_of_one_scale():
    result = report(make_direct_assessment())
    assert result["systems"]["A"]["raw"] == pytest.approx(66.25)
    assert result["systems"]["A"]["z"] == pytest.approx(0.918625, abs=1e-6)
    assert result["systems"]["A"]["n"] == 2
    assert "score" not in result["systems"]["A"]
    assert {"cohen", "fleiss", "randolph", "krippendorff", "pairs"} < set(result["agreement"])
    adequacy = report(Ratings.of([Score("a", "X", str(index), "adequacy", index) for index in range(1, 6)]))
    assert adequacy["systems"]["X"]["adequacy"] == adequacy["systems"]["X"]["raw"] == 3


def test_agreement_of_two_raters_is_their_kappa():
    table = load_expected("agreement")
    rows = [
        Score(f"j{rater + 1}", "A", str(item), "score", row[rater])
        for item, row in enumerate(table["ratings"])
        for rater in (0, 1)
    ]
    agreement = report(Ratings.of(rows))["agreement"]
    expected = table["cohen_j1_j2"]
    assert agreement["cohen"] == pytest.approx(
        {name: expected[name] for name in ("unweighted", "linear", "quadratic")}, abs=1e-6
    )
    assert (agreement["exact"], agreement["within-one"]) == (expected["exact_agreement"], expected["within_one"])


def test_agreement_of_three_raters_includes_each_pair():
    table = load_expected("agreement")
    rows = [
        Score(f"j{rater + 1}", "A", str(item), "score", value)
        for item, row in enumerate(table["ratings"])
        for rater, value in enumerate(row)
    ]
    agreement = report(Ratings.of(rows))["agreement"]
    assert agreement["krippendorff"] == pytest.approx(table["krippendorff"], abs=1e-6)
    assert (agreement["fleiss"], agreement["randolph"]) == pytest.approx((table["fleiss"], table["randolph"]), abs=1e-6)
    first = agreement["pairs"][0]
    assert (first["first"], first["second"], first["n"]) == ("j1", "j2", 12)
    assert first["linear"] == pytest.approx(table["cohen_j1_j2"]["linear"], abs=1e-6)


def test_report_of_rankings():
    result = report(make_rankings())
    system = result["systems"]["A"]
    assert system["n"] == 32
    assert system["expected-wins"] == pytest.approx(0.709821, abs=1e-6)
    assert system["bradley-terry"] == pytest.approx(0.764323, abs=1e-6)
    assert system["trueskill"] > result["systems"]["E"]["trueskill"]
    assert system["rank-low"] == 1
    assert set(result["agreement"]) == {"wmt-kappa", "wmt-kappa-as-published"}
    for kind in ("wmt-kappa", "wmt-kappa-as-published"):
        for part in ("inter", "intra"):
            assert {"agree", "comparable", "pA", "pE", "kappa"} <= set(result["agreement"][kind][part])
    assert result["agreement"]["wmt-kappa"]["inter"]["kappa"] == pytest.approx(0.578781, abs=1e-6)
    assert result["agreement"]["wmt-kappa"]["intra"]["kappa"] is None
    assert any("No rater saw" in note for note in result["notes"])
    assert result["raters"]["j1"]["judgements"] == 30


def test_report_without_trueskill():
    result = report(make_rankings(), trueskill=False)
    assert "trueskill" not in result["systems"]["A"]
    assert result["options"]["runs"] is None
    assert "TrueSkill was not computed" in result["notes"]
    assert result["clusters-by"] == "sign test on judgements, ignoring ties"


def test_note_on_clusters_has_the_level_on_which_they_are_based():
    def cluster_note(ratings, **options):
        return systems_table(build_results(ratings, options=QUICK, **options)).notes[0]

    assert cluster_note(make_two_scales()).endswith(", alpha 0.05")
    assert cluster_note(make_rankings(), trueskill=False).endswith(", alpha 0.05")
    # alpha has no effect on these ranges
    skills = "clusters: rank ranges of TrueSkill from 20 bootstrap resamples, of which each range covers 95 %"
    assert cluster_note(make_rankings()) == skills


def test_undefined_values_are_null_and_explained_in_notes():
    result = report(Ratings.of([Score(rater, system, "1", "score", 50) for rater in "ab" for system in "XY"]))
    assert result["agreement"]["krippendorff"] == {"nominal": None, "ordinal": None, "interval": None}
    assert result["agreement"]["cohen"]["quadratic"] is None
    notes = " | ".join(result["notes"])
    assert "Krippendorff's alpha (ordinal)" in notes
    assert "only a single value was used" in notes
    assert result["raters"]["a"]["scales"]["score"]["sd"] == 0


def test_tables_of_ratings_and_rankings():
    whole = join_ratings([make_two_scales(), make_rankings()])
    results = build_results(whole, options=QUICK)
    tables = rating_tables(results)
    assert [table.title.split(",")[0].split(" on ")[0] for table in tables] == [
        "Systems: 48 ratings of adequacy (1–5) and fluency (1–5)", "Significance: rank-sum test",
        "Significance: sign test", "Agreement", "Raters",
    ]  # fmt: skip
    for table in tables:
        assert all(len(row) == len(table.header) for row in table.rows)
        assert "nan" not in table.text().lower().replace("nanjing", "")
        table_latex(table)
    systems = systems_table(results)
    assert systems.header[:8] == ("system", "n", "adequacy", "adequacy-z", "fluency", "fluency-z", "total", "total-z")
    assert systems.rows[0][0] == "C"
    assert dict(zip(systems.header, systems.rows[-1], strict=True))["adequacy"] is None
    assert len(agreement_table(results).rows) == 2 * 10 + 4
    assert {row[1] for row in raters_table(results).rows} == {"adequacy", "fluency", "rankings"}


def test_significance_signs_of_scales_and_rankings():
    dice = np.random.default_rng(2)
    rows = [
        Score("a", name, str(segment), "score", float(mean + dice.integers(0, 20)))
        for name, mean in (("low", 20), ("high", 70), ("same", 70))
        for segment in range(30)
    ]
    pairs = [PairwiseJudgement("a", str(index), "high", "low", 1, 2) for index in range(12)]
    results = build_results(Ratings.of(rows, pairs), options=QUICK)
    by_values, by_wins = (
        {
            (row[0], name): cell
            for row in significance_table(results, ranking).rows
            for name, cell in zip(ranking.systems, row[1:], strict=True)
        }
        for ranking in (results.scale_ranking, results.wins_ranking)
    )
    assert by_values["high", "low"] == "<0.0001 ●"
    assert by_values["low", "high"] == "1.0000 ○"
    assert by_values["high", "same"].endswith("○")
    assert by_values["low", "low"] == "·"
    # the sign test is two-sided, so both cells show that the two systems differ
    assert by_wins["high", "low"] == by_wins["low", "high"] == "0.0005 ●"


def test_totals_table_as_tsv():
    results = build_results(make_two_scales(), options=QUICK)
    lines = [line.split("\t") for line in totals_table(results).tsv().splitlines()]
    assert lines[0][:2] == ["system", "n"]
    rows = {line[0]: dict(zip(lines[0], line, strict=True)) for line in lines[1:]}
    assert {name: float(row["total"]) for name, row in rows.items()} == {"C": 8.75, "A": 7.5, "B": 5.375}
    assert float(rows["A"]["total low"]) < 7.5 < float(rows["A"]["total high"])


def test_special_characters_in_names_break_neither_tsv_nor_json():
    odd = 'a\tb\n<b>&"x"\\%'
    results = build_results(
        Ratings.of([Score(odd, odd, odd, "score", 50.5), Score("r", "B", odd, "score", 3.0, ItemRole.SYSTEM)]),
        options=QUICK,
    )
    assert len(totals_table(results).tsv().splitlines()) == 3
    assert odd in ratings_json(results)["systems"]


def test_json_has_adjusted_p_values_beside_the_unadjusted_ones():
    for correction, factor in (("none", 1), ("bonferroni", 10)):
        significance = ratings_json(build_results(make_rankings(), options=replace(QUICK, correction=correction)))[
            "significance"
        ]
        pairs = [(row, column) for row, values in significance["p"].items() for column in values]
        assert pairs
        for row, column in pairs:
            expected = min(1.0, factor * significance["p"][row][column])
            assert significance["p_adjusted"][row][column] == pytest.approx(expected)
