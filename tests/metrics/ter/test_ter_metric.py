"""TER of a corpus: edits, lengths, scores and signature equal sacreBLEU's."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import TER

from qe_desktop.metrics.ter import METRICS, TercomLineTokenizer, ter_metric
from qe_desktop.metrics.ter.ter_edits import edit_rows
from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair
from tests.metrics.ter.sequences import short_pairs

TOKENIZER_OPTIONS = {
    "ter": {},
    "ter-cs": {"case_sensitive": True},
    "ter-norm": {"normalized": True},
    "ter-norm-nopunct": {"normalized": True, "no_punct": True},
    "ter-norm-asian": {"normalized": True, "asian_support": True},
}
LINES = [
    "", " ", "The cat , on the mat !", "the Cat's 10-year 1,234.56 mat.", "&quot; a &amp; b &lt;c&gt;",
    "İSTANBUL straße  ", "日本語のテキスト、です。", "中文 测试(abc)", "a\u00a0b\u2028c\u0085d", "\u2028", "e\tf",
    "（全角）！", "-a- b-1 2-c",
]  # fmt: skip


def lines(path):
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def sacrebleu_rows(system, references, **options):
    """Return sacreBLEU's edits and reference lengths of all segments."""
    metric = TER(**options)
    return np.array(metric._extract_corpus_statistics(system, references), float)


def edits_and_lengths(system, references, **options):
    return edit_rows(tokenized_pair(system, references), TercomLineTokenizer(**options))[:, [0, 2]]


@pytest.mark.published
def test_segment_scores_equal_the_oracle(data_folder):
    path = data_folder.parent / "oracles/translations/surface_small_sentence.json"
    cases = json.loads(path.read_text())["cases"]
    assert len(cases) == 30
    for case in cases:
        for name, options in TOKENIZER_OPTIONS.items():
            metric = ter_metric(TercomLineTokenizer(**options))
            rows = metric.family.rows(tokenized_pair([case["hyp"]], [[reference] for reference in case["refs"]]))
            known = case["ter"][name]
            assert rows[0, [0, 2]].tolist() == pytest.approx([known["edits"], known["ref_len"]], abs=1e-9)
            assert metric.score(rows.sum(axis=0)) == pytest.approx(known["score"], abs=1e-9)


@pytest.mark.published
def test_corpus_scores_equal_the_oracle(data_folder):
    folder = data_folder.parent / "oracles/translations"
    texts = json.loads((folder / "medium_texts.json").read_text())
    known = json.loads((folder / "surface_medium_corpus.json").read_text())["systems"]
    for system, count in [(system, count) for system in texts["systems"] for count in (1, 3)]:
        for name, options in TOKENIZER_OPTIONS.items():
            metric = ter_metric(TercomLineTokenizer(**options))
            rows = metric.family.rows(tokenized_pair(texts["systems"][system], texts["refs"][:count]))
            expected = known[system][f"{count}ref"][f"ter:{name}"]
            assert rows[:, 0].sum() == expected["edits"]
            assert metric.score(rows.sum(axis=0)) == pytest.approx(expected["score"], abs=1e-9)


@pytest.mark.published
@pytest.mark.parametrize("pair", ["en-de", "ro-en"])
def test_edits_of_published_translations_equal_sacrebleu(data_folder, pair):
    folder = data_folder / f"mlqe_pe/{pair}-test20"
    mt, post_edit = lines(folder / "test20.mt"), lines(folder / "test20.pe")
    assert np.array_equal(edits_and_lengths(mt, [post_edit]), sacrebleu_rows(mt, [post_edit]))


@given(st.lists(st.tuples(short_pairs, short_pairs), min_size=1, max_size=5))
@settings(max_examples=40)
def test_edits_with_several_references_equal_sacrebleu(segments):
    system = [" ".join(first[0]) for first, _ in segments]
    references = [[" ".join(first[1]) for first, _ in segments], [" ".join(other[1]) for _, other in segments]]
    assert edits_and_lengths(system, references) == pytest.approx(sacrebleu_rows(system, references), abs=1e-12)


@pytest.mark.parametrize("name", TOKENIZER_OPTIONS)
def test_tokens_equal_sacrebleu(name):
    sacrebleu_metric = TER(**TOKENIZER_OPTIONS[name])
    assert TercomLineTokenizer(**TOKENIZER_OPTIONS[name])(LINES) == [
        sacrebleu_metric._preprocess_segment(line).split() for line in LINES
    ]


@pytest.mark.parametrize("name", TOKENIZER_OPTIONS)
def test_signature_is_part_of_sacrebleus(name):
    sacrebleu_metric = TER(**TOKENIZER_OPTIONS[name])
    sacrebleu_metric.corpus_score(["a"], [["a"]])
    assert f"|{ter_metric(TercomLineTokenizer(**TOKENIZER_OPTIONS[name])).signature}|" in str(
        sacrebleu_metric.get_signature()
    )


def test_scores_of_empty_segments_equal_sacrebleu():
    metric = METRICS[0]
    for system, reference in [("", ""), ("a b", ""), ("", "a b"), ("a", "a"), ("b c", "a")]:
        rows = metric.family.rows(tokenized_pair([system], [[reference]]))
        assert metric.score(rows[0]) == TER().corpus_score([system], [[reference]]).score
    assert metric.family.rows(tokenized_pair([], [[]])).shape == (0, 3)
    assert metric.score(np.zeros(3)) == 0


def test_scores_of_an_array_of_totals():
    totals = np.array([[[3, 1, 4.0], [0, 0, 0]], [[2, 0, 0], [5, 0, 4]]])
    assert METRICS[0].score(totals).tolist() == [[75, 0], [100, 125]]
    assert METRICS[0].better == -1


def test_segments_with_very_many_distinct_tokens():
    tokens = [f"w{index}" for index in range(60_000)]
    shuffled = [*tokens[5:], *tokens[:5]]
    rows = edit_rows(tokenized_pair([" ".join(tokens)], [[" ".join(tokens[:-1])]]), TercomLineTokenizer())
    assert rows.tolist() == [[1, 0, 59_999]]
    rows = edit_rows(tokenized_pair([" ".join(shuffled[:300])], [[" ".join(tokens[:300])]]), TercomLineTokenizer())
    assert rows[0, 2] == 300


def test_edit_rows_report_progress_and_can_be_stopped():
    shares: list[float] = []
    texts = tokenized_pair(["a b c"] * 1000, [["b a d"] * 1000])
    edit_rows(texts, TercomLineTokenizer(), shares.append)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) > 20

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        edit_rows(texts, TercomLineTokenizer(), stop)
