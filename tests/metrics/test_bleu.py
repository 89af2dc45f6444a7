"""BLEU: the oracles, sacreBLEU on random texts, and sums of rows in any order and shape."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from qe_desktop.corpus import QeError
from qe_desktop.metrics.text.bleu import VARIANTS, BleuSettings, bleu_metrics
from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair
from qe_desktop.metrics.text.tokenizers import Tokenizer
from tests.metrics.text_strategies import lines, system_and_references

SETTINGS_BY_NAME = {
    "13a-exp": BleuSettings(),
    "13a-exp-lc": BleuSettings(word_tokenizer=Tokenizer(lowercase=True)),
    "13a-none": BleuSettings(smoothing="none"),
    "13a-floor": BleuSettings(smoothing="floor"),
    "13a-addk": BleuSettings(smoothing="add-k"),
    "13a-exp-eff": BleuSettings(effective=True),
    "none-none": BleuSettings(word_tokenizer=Tokenizer("none"), smoothing="none"),
    "none-exp-eff": BleuSettings(word_tokenizer=Tokenizer("none"), effective=True),
    "intl-exp": BleuSettings(word_tokenizer=Tokenizer("intl")),
    "char-exp": BleuSettings(word_tokenizer=Tokenizer("char")),
}
smoothings = st.sampled_from(
    [("exp", None), ("floor", None), ("floor", 0.5), ("add-k", None), ("add-k", 0.25), ("none", None)]
)


def score(settings: BleuSettings, system, references) -> float:
    """Return the score of whole texts, 0 if undefined."""
    metric = replace(settings, references=len(references)).metric()
    return float(metric.finite_scores(metric.family.rows(tokenized_pair(system, references)).sum(axis=0)))


@pytest.fixture(scope="module")
def oracles(data_folder):
    folder = data_folder.parent / "oracles/translations"
    return lambda name: json.loads((folder / f"{name}.json").read_text())


@pytest.mark.published
@pytest.mark.parametrize("name", SETTINGS_BY_NAME)
def test_segment_scores_equal_the_oracle(name, oracles):
    cases = oracles("surface_small_sentence")["cases"]
    assert len(cases) == 30
    for case in cases:
        result = score(SETTINGS_BY_NAME[name], [case["hyp"]], [[reference] for reference in case["refs"]])
        assert result == pytest.approx(case["bleu"][name]["score"], abs=1e-9), case["hyp"]


@pytest.mark.published
def test_corpus_scores_and_rows_equal_the_oracle(oracles):
    medium, corpus = oracles("medium_texts"), oracles("surface_medium_corpus")["systems"]
    for name, system in medium["systems"].items():
        for count in (1, 3):
            expected, references = corpus[name][f"{count}ref"], medium["refs"][:count]
            for configured, settings in SETTINGS_BY_NAME.items():
                result = score(settings, system, references)
                assert result == pytest.approx(expected[f"bleu:{configured}"]["score"], abs=1e-9)
            tokenized = tokenized_pair(system, references)
            rows = BleuSettings(count).metric().family.rows(tokenized)
            assert rows.tolist() == expected["seg_stats"]["bleu13a[hyp,ref,c1-4,t1-4]"]


@pytest.mark.published
def test_counts_brevity_and_precision_equal_neubigs_script(oracles):
    """Scores, precisions and brevity penalty of Neubig's script range from 0 to 1."""
    medium, corpus = oracles("medium_texts"), oracles("surface_medium_corpus")["systems"]
    for name, system in medium["systems"].items():
        for count in (1, 3):
            expected = corpus[name][f"{count}ref"]["neubig"]
            metric = next(
                candidate for candidate in bleu_metrics(BleuSettings(count)) if candidate.name == "BLEU-unsmoothed"
            )
            totals = metric.family.rows(tokenized_pair(system, medium["refs"][:count])).sum(axis=0)
            assert totals.tolist() == [
                expected["hyp_len"], expected["ref_len_closest"], *expected["match"], *expected["count"]
            ]  # fmt: skip
            brevity, precision = (term.evaluate(*totals) for term in metric.terms)
            assert brevity == pytest.approx(expected["brev"], abs=1e-12)
            assert brevity * precision == pytest.approx(100 * expected["bleu_geometric_mean"], abs=1e-9)
            assert float(metric.score(totals)) == pytest.approx(100 * expected["bleu_geometric_mean"], abs=1e-9)


@given(system_and_references(), smoothings, st.booleans(), st.integers(1, 6))
def test_bleu_equals_sacrebleu(drawn, smoothing, effective, longest):
    system, references = drawn
    method, value = smoothing
    settings = BleuSettings(smoothing=method, value=value, effective=effective, longest=longest)
    sacrebleu_metric = BLEU(
        smooth_method=method, smooth_value=value, effective_order=effective, max_ngram_order=longest, force=True
    )
    expected = sacrebleu_metric.corpus_score(system, references)
    assert score(settings, system, references) == pytest.approx(expected.score, rel=1e-9, abs=1e-9)
    signature = replace(settings, references=len(references)).signature.rpartition("|version:")[0]
    signed = str(sacrebleu_metric.get_signature()).rpartition("|version:")[0]
    assert signature == signed + ("" if longest == 4 else f"|order:{longest}")


@given(system_and_references(lines), st.booleans())
def test_bleu_equals_sacrebleu_on_texts_with_tokenizer_special_cases(drawn, lowercase):
    system, references = drawn
    expected = BLEU(lowercase=lowercase, force=True).corpus_score(system, references).score
    assert score(BleuSettings(word_tokenizer=Tokenizer(lowercase=lowercase)), system, references) == pytest.approx(
        expected, rel=1e-9, abs=1e-9
    )


@given(system_and_references(min_segments=2), st.randoms(use_true_random=False))
def test_rows_depend_only_on_their_segment(drawn, dice):
    """Reordered segments give reordered rows, and each row equals that of its segment scored alone."""
    system, references = drawn
    order = list(range(len(system)))
    dice.shuffle(order)
    rows_of = BleuSettings(len(references)).metric().family.rows
    rows = rows_of(tokenized_pair(system, references))
    moved = rows_of(tokenized_pair([system[i] for i in order], [[text[i] for i in order] for text in references]))
    assert np.array_equal(moved, rows[order])
    for segment, row in enumerate(rows):
        alone = rows_of(tokenized_pair([system[segment]], [[text[segment]] for text in references]))
        assert np.array_equal(alone[0], row)


@given(system_and_references(max_references=1, min_segments=2))
def test_reference_length_is_shared_by_all_systems(drawn):
    system, references = drawn
    family = BleuSettings(1).metric().family
    assert family.shared == (1,)
    rows_of_systems = (
        family.rows(tokenized_pair(system, references)),
        family.rows(tokenized_pair(references[0], references)),
    )
    assert np.array_equal(rows_of_systems[0][:, 1], rows_of_systems[1][:, 1])
    assert BleuSettings(2).metric().family.shared == ()
    assert BleuSettings(2, brevity="shortest").metric().family.shared == (1,)


@given(
    st.lists(system_and_references(max_references=2, min_segments=3, max_segments=3), min_size=2, max_size=5),
    st.integers(0, 3),
)
def test_scores_of_arrays_of_totals_equal_single_scores(drawn, which):
    """Each element of an array of scores equals the score of its totals, with and without smoothing."""
    settings = [
        BleuSettings(2),
        BleuSettings(2, smoothing="add-k"),
        BleuSettings(2, effective=True),
        BleuSettings(2, mean="arithmetic"),
    ][which]
    metric = settings.metric()
    rows = np.stack(
        [metric.family.rows(tokenized_pair(system, [references[0], references[-1]])) for system, references in drawn]
    )
    many = metric.finite_scores(rows)
    assert many.shape == rows.shape[:2]
    for index in np.ndindex(many.shape):
        assert many[index] == pytest.approx(float(metric.finite_scores(rows[index])), rel=1e-12, abs=1e-12)
    assert np.all((many >= 0) & (many <= 100 + 1e-9))


@given(system_and_references(max_references=1, min_segments=2), st.sampled_from(bleu_metrics()))
def test_terms_can_be_summed_by_significance_tests(drawn, metric):
    """Parts are linear in unshared columns; functions write to `out` and keep their arguments unchanged."""
    rows = metric.family.rows(tokenized_pair(*drawn))
    shared = rows[:, 1].sum()
    left, right = (half.sum(axis=0) for half in np.array_split(rows, 2))
    for term in metric.terms:
        parts = [
            np.array(term.parts(totals[0], shared, *totals[2:])) for totals in (left, right, left + right, 0 * left)
        ]
        linear = parts[0] + parts[1] - parts[3]
        assert linear == pytest.approx(parts[2])
        given_parts = [np.full((2, 3), value) for value in parts[2]]
        out = np.empty((2, 3))
        written = term.function(*given_parts, out=out)
        assert written == pytest.approx(np.full((2, 3), float(term.function(*parts[2], out=None))))
        assert all(np.all(part == value) for part, value in zip(given_parts, parts[2], strict=True))


def test_bleu_without_smoothing_is_zero_if_an_order_has_no_match():
    metric = BleuSettings(smoothing="none").metric()
    totals = metric.family.rows(tokenized_pair(["a b c d", "a b"], [["a b d c", "a b"]]))
    assert metric.score(totals).tolist() == metric.finite_scores(totals).tolist() == [0, 0]
    effective = BleuSettings(smoothing="none", effective=True).metric()
    assert effective.score(totals).tolist() == pytest.approx([0, 100])
    assert BleuSettings().metric().score(totals).tolist()[1] == 0


@pytest.mark.parametrize("system", [["x y", "z"], ["", ""], ["x", "y z"]])
@pytest.mark.parametrize("reference", [["a b c d e", "f g"], ["", ""], ["", "f"]])
def test_bleu_without_a_match_is_zero_and_never_undefined(system, reference):
    for metric in bleu_metrics():
        totals = metric.family.rows(tokenized_pair(system, [reference])).sum(axis=0)
        assert metric.score(totals) == 0, metric.name
        assert metric.undefined is None
    assert BLEU(smooth_method="none", force=True).corpus_score(system, [reference]).score == 0


def test_closest_and_shortest_reference_lengths():
    system, references = ["a b c d e f"], [["a b c d e f g h"], ["a b c d"], ["a b c d e"]]
    rows = [
        BleuSettings(3, brevity=length_rule).metric().family.rows(tokenized_pair(system, references))
        for length_rule in ("closest", "shortest")
    ]
    assert [row[0, 1] for row in rows] == [5, 4]
    # for any number of references
    anyhow = BleuSettings(0, brevity="shortest").metric().family.rows(tokenized_pair(system, references))
    assert anyhow[0, 1] == 4
    tied = BleuSettings(2).metric().family.rows(tokenized_pair(["a b c"], [["a b c d"], ["a b"]]))
    assert tied[0, 1] == 2, "the shorter of two that are as close"


def test_arithmetic_mean_of_precisions():
    # 3 of 4 unigrams and 1 of 3 bigrams match
    system, references = ["a b c x"], [["a b d c"]]
    assert score(BleuSettings(mean="arithmetic", smoothing="none"), system, references) == pytest.approx(
        100 * (3 / 4 + 1 / 3) / 4
    )
    short = score(BleuSettings(mean="arithmetic", smoothing="none", effective=True), ["a"], [["a b"]])
    assert short == pytest.approx(100 * np.exp(-1))


def test_variants_share_the_same_rows():
    metrics = bleu_metrics(BleuSettings(2, Tokenizer("none", lowercase=True)))
    assert [metric.name for metric in metrics] == ["BLEU", *VARIANTS]
    assert {metric.family.name for metric in metrics if metric.name != "BLEU-shortest"} == {metrics[0].family.name}
    assert len({metric.signature for metric in metrics}) == len(metrics)
    assert all("nrefs:2|case:lc" in metric.signature for metric in metrics)
    assert all(metric.source and metric.help() for metric in metrics)
    assert bleu_metrics() == bleu_metrics(BleuSettings()), "equal settings give equal metrics"


def test_invalid_settings_are_errors():
    for settings, message in (
        ({"smoothing": "exponential"}, "smoothing"),
        ({"brevity": "average"}, "brevity"),
        ({"mean": "harmonic"}, "averaging"),
        ({"longest": 0}, "1 to 9"),
        ({"longest": 10}, "1 to 9"),
    ):
        with pytest.raises(QeError, match=message):
            BleuSettings(**settings)
    with pytest.raises(QeError, match="tokenizer"):
        bleu_metrics(BleuSettings(word_tokenizer=Tokenizer("14a")))
    with pytest.raises(ValueError, match="references"):
        BleuSettings(2).metric().family.rows(tokenized_pair(["a"], [["a"]]))


def test_texts_without_segments_or_tokens():
    metric = BleuSettings().metric()
    assert metric.family.rows(tokenized_pair([], [[]])).shape == (0, 10)
    assert float(metric.score(np.zeros(10))) == 0
    for system, reference in (("", ""), ("", "a"), ("a", "")):
        assert score(BleuSettings(), [system], [[reference]]) == 0
