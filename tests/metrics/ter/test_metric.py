"""TER of a corpus: sacreBLEU's edits, lengths, scores and signature."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.metrics import TER

from qe_desktop.metrics.ter import METRICS, TercomLineTokenizer, ter_metric
from qe_desktop.metrics.ter.edit_rows import edit_rows
from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair
from tests.metrics.ter.sequences import pairs

CUTTINGS = {
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


def plainly(system, references, **options):
    """Edits and lengths of all segments by sacreBLEU."""
    metric = TER(**options)
    return np.array(metric._extract_corpus_statistics(system, references), float)


def ours(system, references, **options):
    return edit_rows(tokenized_pair(system, references), TercomLineTokenizer(**options))[:, [0, 2]]


@pytest.mark.published
def test_scores_of_single_segments(data_folder):
    path = data_folder.parent / "oracles/translations/surface_small_sentence.json"
    cases = json.loads(path.read_text())["cases"]
    assert len(cases) == 30
    for case in cases:
        for name, options in CUTTINGS.items():
            metric = ter_metric(TercomLineTokenizer(**options))
            rows = metric.family.rows(tokenized_pair([case["hyp"]], [[one] for one in case["refs"]]))
            known = case["ter"][name]
            assert rows[0, [0, 2]].tolist() == pytest.approx([known["edits"], known["ref_len"]], abs=1e-9)
            assert metric.score(rows.sum(axis=0)) == pytest.approx(known["score"], abs=1e-9)


@pytest.mark.published
def test_scores_of_a_corpus(data_folder):
    folder = data_folder.parent / "oracles/translations"
    texts = json.loads((folder / "medium_texts.json").read_text())
    known = json.loads((folder / "surface_medium_corpus.json").read_text())["systems"]
    for system, count in [(system, count) for system in texts["systems"] for count in (1, 3)]:
        for name, options in CUTTINGS.items():
            metric = ter_metric(TercomLineTokenizer(**options))
            rows = metric.family.rows(tokenized_pair(texts["systems"][system], texts["refs"][:count]))
            expected = known[system][f"{count}ref"][f"ter:{name}"]
            assert rows[:, 0].sum() == expected["edits"]
            assert metric.score(rows.sum(axis=0)) == pytest.approx(expected["score"], abs=1e-9)


@pytest.mark.published
@pytest.mark.parametrize("pair", ["en-de", "ro-en"])
def test_edits_of_real_translations_are_sacrebleus(data_folder, pair):
    folder = data_folder / f"mlqe_pe/{pair}-test20"
    mt, post_edit = lines(folder / "test20.mt"), lines(folder / "test20.pe")
    assert np.array_equal(ours(mt, [post_edit]), plainly(mt, [post_edit]))


@given(st.lists(st.tuples(pairs, pairs), min_size=1, max_size=5))
@settings(max_examples=40)
def test_several_references_of_any_kind(segments):
    system = [" ".join(first[0]) for first, _ in segments]
    references = [[" ".join(first[1]) for first, _ in segments], [" ".join(other[1]) for _, other in segments]]
    assert ours(system, references) == pytest.approx(plainly(system, references), abs=1e-12)


@pytest.mark.parametrize("name", CUTTINGS)
def test_tokens_are_sacrebleus(name):
    theirs = TER(**CUTTINGS[name])
    assert TercomLineTokenizer(**CUTTINGS[name])(LINES) == [theirs._preprocess_segment(line).split() for line in LINES]


@pytest.mark.parametrize("name", CUTTINGS)
def test_the_signature_has_sacrebleus_form(name):
    theirs = TER(**CUTTINGS[name])
    theirs.corpus_score(["a"], [["a"]])
    assert f"|{ter_metric(TercomLineTokenizer(**CUTTINGS[name])).signature}|" in str(theirs.get_signature())


def test_what_is_empty_scores_as_with_sacrebleu():
    metric = METRICS[0]
    for system, reference in [("", ""), ("a b", ""), ("", "a b"), ("a", "a"), ("b c", "a")]:
        rows = metric.family.rows(tokenized_pair([system], [[reference]]))
        assert metric.score(rows[0]) == TER().corpus_score([system], [[reference]]).score
    assert metric.family.rows(tokenized_pair([], [[]])).shape == (0, 3)
    assert metric.score(np.zeros(3)) == 0


def test_scores_of_many_totals_at_once():
    totals = np.array([[[3, 1, 4.0], [0, 0, 0]], [[2, 0, 0], [5, 0, 4]]])
    assert METRICS[0].score(totals).tolist() == [[75, 0], [100, 125]]
    assert METRICS[0].better == -1


def test_segments_with_very_many_unlike_tokens():
    tokens = [f"w{place}" for place in range(60_000)]
    shuffled = [*tokens[5:], *tokens[:5]]
    rows = edit_rows(tokenized_pair([" ".join(tokens)], [[" ".join(tokens[:-1])]]), TercomLineTokenizer())
    assert rows.tolist() == [[1, 0, 59_999]]
    rows = edit_rows(tokenized_pair([" ".join(shuffled[:300])], [[" ".join(tokens[:300])]]), TercomLineTokenizer())
    assert rows[0, 2] == 300


def test_a_long_job_tells_how_far_it_is_and_can_be_stopped():
    heard: list[float] = []
    texts = tokenized_pair(["a b c"] * 1000, [["b a d"] * 1000])
    edit_rows(texts, TercomLineTokenizer(), heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0
    assert len(heard) > 20

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        edit_rows(texts, TercomLineTokenizer(), stop)
