"""Word metrics compared with the original code, plain definitions and published tables."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Kind, QeError, TagColumn
from qe_desktop.formats import read_tags
from qe_desktop.metrics import WORD_METRICS, compute_rows, compute_totals, metric_families
from tests.metrics import naive_word_metrics
from tests.small_corpora import noisy, random_tags, tagged_pairs, tags
from tests.tag_comparison import word_metrics

METRICS = list(WORD_METRICS.values())
FAMILIES = metric_families(METRICS)
CASES = json.loads((Path(__file__).parents[1] / "data/word_cases.json").read_text())["cases"]


def column(segments: list[list[str]]) -> TagColumn:
    return TagColumn.of([[int(tag == "BAD") for tag in segment] for segment in segments])


def scores(gold: TagColumn, system: TagColumn) -> dict[str, float]:
    totals = compute_totals(FAMILIES, gold, [system])
    return {metric.name: float(metric.score(totals[metric.family.name])[0]) for metric in METRICS}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_scores_of_small_cases_equal_the_original_code(case):
    gold, system = column(case["gold"]), column(case["hyp"])
    expected, phrases = case["expected"], case["phrase_f1_literal"]
    result = scores(gold, system)
    expected_scores = {
        "F1-BAD": expected["f1_bad"],
        "F1-OK": expected["f1_ok"],
        "F1-mult": expected["f1_mult"],
        "SeqCor": expected["seqcor_weighted"],
        "phr-F1-BAD": phrases["f1_bad"],
        "phr-F1-OK": phrases["f1_ok"],
        "phr-F1-mult": phrases["mult"],
        "phr-F1-BAD-bounded": phrases["detail"]["BAD"]["symmetric_f1"],
        "phr-F1-OK-bounded": phrases["detail"]["OK"]["symmetric_f1"],
    }
    assert {name: result[name] for name in expected_scores} == pytest.approx(expected_scores, abs=1e-12)
    # undefined is NaN here, and 0 (MCC) or None (kappa) in the original code
    assert np.nan_to_num(result["MCC"]) == pytest.approx(expected["mcc_sklearn"], abs=1e-12)
    if expected["kappa"] is None:
        assert math.isnan(result["kappa"])
    else:
        assert result["kappa"] == pytest.approx(expected["kappa"], abs=1e-12)
    rows = compute_rows(FAMILIES, gold, [system])["sequence"][0, :, 0]
    assert rows == pytest.approx(expected["seqcor_weighted_sent"], abs=1e-12)


@given(tagged_pairs())
def test_scores_equal_the_plain_definitions(pair):
    gold, system = pair
    plain = naive_word_metrics.scores(
        [list(map(int, gold[i])) for i in range(len(gold))], [list(map(int, system[i])) for i in range(len(system))]
    )
    result = scores(gold, system)
    assert {name: result[name] for name in plain} == pytest.approx(plain, abs=1e-12, nan_ok=True)


def test_mcc_of_inverted_tags_is_negative():
    assert scores(tags("oobo", "bbo"), tags("bbob", "oob"))["MCC"] == pytest.approx(-1)


def test_phrase_f1_can_exceed_one_and_its_help_says_so():
    assert scores(tags("oboboo"), tags("obbboo"))["phr-F1-BAD"] == pytest.approx(4 / 3)
    assert "exceed 1" in WORD_METRICS["phr-F1-BAD"].help()
    assert "0.5" in WORD_METRICS["SeqCor"].help()


@given(tagged_pairs(), st.randoms(use_true_random=False))
def test_segment_order_does_not_matter(pair, random):
    gold, system = pair
    order = list(range(len(gold)))
    random.shuffle(order)
    again = scores(TagColumn.of([gold[i] for i in order]), TagColumn.of([system[i] for i in order]))
    assert again == pytest.approx(scores(gold, system), abs=1e-12, nan_ok=True)


@given(tagged_pairs(segments=12))
def test_rows_do_not_depend_on_blocks(pair):
    from qe_desktop.metrics.tags import tag_overlap

    gold, system = pair
    whole = compute_rows(FAMILIES, gold, [system])
    segment_blocks = tag_overlap.segment_blocks
    tag_overlap.segment_blocks = lambda column: segment_blocks(column, words=3)
    try:
        parts = compute_rows(FAMILIES, gold, [system])
        totals = compute_totals(FAMILIES, gold, [system])
    finally:
        tag_overlap.segment_blocks = segment_blocks
    for name, rows in whole.items():
        assert np.array_equal(rows, parts[name])
        assert totals[name] == pytest.approx(rows.sum(axis=1), abs=1e-12)


def test_shared_columns_are_the_same_for_all_systems():
    gold = random_tags(np.array([5, 9, 0, 4, 30]), 0.3, 1)
    rows = compute_rows(FAMILIES, gold, [noisy(gold, share, 2) for share in (0.0, 0.2, 0.9)])
    for family in FAMILIES:
        for column in family.shared:
            values = rows[family.name][:, :, column]
            assert np.array_equal(values, np.broadcast_to(values[0], values.shape)), family.columns[column]


def test_tags_of_different_lengths_are_errors():
    with pytest.raises(ValueError, match="length"):
        compute_totals(FAMILIES, tags("oob"), [tags("oo")])
    for further in (compute_rows, compute_totals):
        with pytest.raises(ValueError, match="length"):
            further(FAMILIES, tags("ob"), [tags("ob", "b")])


def test_metric_names_are_case_insensitive_and_unknown_ones_are_errors():
    assert [metric.name for metric in word_metrics(["mcc", "F1-bad"])] == ["MCC", "F1-BAD"]
    with pytest.raises(QeError, match="no metric “F2” for tags"):
        word_metrics(["F2"])


@pytest.mark.published
@pytest.mark.parametrize("pair", ["en-de", "ps-en", "en-ja"])
def test_scores_equal_the_published_wmt22_results(data_folder, pair):
    """The official tables have MCC, F1-BAD and F1-OK to 4 decimals, in columns MCC, Recall and Precision."""
    folder = data_folder / "wmt22_word"
    published = json.loads((folder / "published_results.json").read_text())[f"T1_word_{pair.replace('-', '')}"]
    names = {
        "NJUNLP": "NJUQE", "Papago": "papago", "IST-Unbabel": "IST-Unbabel", "HW-TSC": "HW-TSC",
        "Organisers": "OrganizersBaselines",
    }  # fmt: skip
    gold = read_tags(folder / pair / f"test.2022.{pair}.tags", Kind.WORDS, mt=None).columns[Kind.WORDS]
    checked = 0
    for row in published:
        path = folder / pair / "systems" / f"{names.get(row['Team'], row['Team'])}.tags"
        if not path.exists():
            continue
        result = scores(gold, read_tags(path, Kind.WORDS, mt=None).columns[Kind.WORDS])
        rounded = [f"{result[name]:.4f}" for name in ("MCC", "F1-BAD", "F1-OK")]
        assert rounded == [row["MCC"], row["Recall"], row["Precision"]], row["Team"]
        checked += 1
    assert checked == (5 if pair == "en-de" else 4)


@pytest.mark.published
@pytest.mark.parametrize("pair", ["en-de", "ps-en", "en-ja"])
def test_scores_of_whole_corpora_equal_the_original_code(data_folder, pair):
    """F1, MCC, kappa, SeqCor and both readings of phrase F1 of every system agree to twelve digits."""
    oracle = json.loads((data_folder.parent / "oracles/words/wmt22_full_scores.json").read_text())["lps"][pair]
    folder = data_folder / "wmt22_word" / pair
    gold = read_tags(folder / f"test.2022.{pair}.tags", Kind.WORDS, mt=None).columns[Kind.WORDS]
    for name, expected in oracle.items():
        result = scores(gold, read_tags(folder / "systems" / f"{name}.tags", Kind.WORDS, mt=None).columns[Kind.WORDS])
        phrases = expected["phrase_f1_literal_reading"]
        expected_scores = {
            "F1-BAD": expected["f1_bad"], "F1-OK": expected["f1_ok"], "F1-mult": expected["f1_mult"],
            "MCC": expected["mcc_sklearn"], "kappa": expected["kappa"], "SeqCor": expected["seqcor_weighted"],
            "phr-F1-BAD": phrases["f1_bad"], "phr-F1-OK": phrases["f1_ok"], "phr-F1-mult": phrases["mult"],
            "phr-F1-BAD-bounded": phrases["symmetric_f1_bad"], "phr-F1-OK-bounded": phrases["symmetric_f1_ok"],
            "phr-F1-mult-bounded": phrases["symmetric_mult"],
        }  # fmt: skip
        assert {key: result[key] for key in expected_scores} == pytest.approx(expected_scores, abs=1e-12), name


@pytest.mark.published
def test_sequence_correlation_of_every_segment_equals_the_original_code(data_folder):
    oracle = json.loads((data_folder.parent / "oracles/words/wmt22_ende_first200.json").read_text())
    gold = column(oracle["gold"])
    for name, system in oracle["systems"].items():
        rows = compute_rows(FAMILIES, gold, [column(system["tags"])])["sequence"][0]
        assert rows[:, 0] == pytest.approx(system["expected"]["seqcor_weighted_sent"], abs=1e-12), name
