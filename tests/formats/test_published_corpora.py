"""Published corpora of shared tasks."""

import json

import numpy as np
import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance, QeError, TextRole
from qe_desktop.formats import (
    Role,
    build_corpus,
    open_file,
    plan_imports,
    read,
    read_scores,
    read_tags,
    read_text,
    system_name,
)
from qe_desktop.formats.tags.wmt_word_columns import word_columns

pytestmark = pytest.mark.published
GOLD, SYSTEM = Provenance.GOLD, Provenance.SYSTEM


def build_single_corpus(folder, **options):
    (plan,) = plan_imports([folder], **options)
    assert all(file.problem is None for file in plan.files)
    return build_corpus(plan)


def test_wmt22_word_corpora_are_read(data):
    plans = plan_imports([data / "wmt22_word"])
    assert [plan.language_pair for plan in plans] == ["en-de", "en-ja", "ps-en"]
    sizes = [511, 1000, 1000]
    for plan, size in zip(plans, sizes, strict=True):
        corpus = build_corpus(plan)
        assert corpus.size == size
        assert not corpus.eos
        assert corpus.tokens(TextRole.MT, 0)[-1] == "<EOS>"
        assert corpus.text(TextRole.RAW_MT)[0] != corpus.text(TextRole.MT)[0]
        assert len(corpus.names(SYSTEM)) == (5 if plan.name == "en-de" else 4)
        assert all(np.array_equal(layer.tags.lengths(), corpus.word_counts()) for layer in corpus.layers.values())
    assert len(plan_imports([data / "wmt22_word"], language_pair="ps-en")) == 1


def test_wmt22_published_scores_are_reproduced(data):
    published = json.loads((data / "wmt22_word/published_results.json").read_text())["T1_word_ende"]
    # the column “Recall” of the official table contains F1-BAD
    expected = {float(row["Recall"]) for row in published}
    corpus = build_single_corpus(data / "wmt22_word/en-de")
    gold = corpus.gold(Kind.WORDS).tags.values.astype(bool)
    for layer in corpus.find(SYSTEM, Kind.WORDS):
        tags = layer.tags.values.astype(bool)
        f1_bad = 2 * (gold & tags).sum() / (gold.sum() + tags.sum())
        assert round(float(f1_bad), 4) in expected, layer.key.name


@pytest.mark.parametrize("name", ["HW-TSC", "IST-Unbabel", "NJUQE", "OrganizersBaselines", "papago"])
def test_wmt22_submissions_equal_their_tag_files(data, name):
    folder = data / "wmt22_word/en-de"
    mt = read_text(folder / "test.2022.mt_tok")
    lines = read_tags(folder / f"systems/{name}.tags", Kind.WORDS, mt=mt)
    rows = read_tags(folder / f"raw/{name}.predictions.txt", Kind.WORDS, mt=mt, language_pair="en-de")
    assert rows.columns[Kind.WORDS] == lines.columns[Kind.WORDS]
    assert rows.name == lines.name == name
    assert rows.notes == ()
    with pytest.raises(QeError, match="not for en-ja"):
        read_tags(folder / f"raw/{name}.predictions.txt", Kind.WORDS, language_pair="en-ja")


def test_wmt22_submission_is_read_as_a_system(data):
    folder = data / "wmt22_word/en-de"
    names = ["test.2022.mt_tok", "test.2022.src_tok", "test.2022.en-de.tags", "raw/papago.predictions.txt"]
    (plan,) = plan_imports([folder / name for name in names])
    assert [(file.role, file.name) for file in plan.files][2:] == [(Role.GOLD, "gold"), (Role.SYSTEM, "papago")]
    assert build_corpus(plan).layers[LayerKey(SYSTEM, "papago", Kind.WORDS)].form == "WMT22"


def test_submission_for_another_text_is_refused(data):
    mt = read_text(data / "wmt22_word/en-ja/test.2022.mt_tok")
    with pytest.raises(QeError, match=r"no rows for segments 511, 512"):
        read_tags(data / "wmt22_word/en-de/raw/papago.predictions.txt", Kind.WORDS, mt=mt)


@pytest.mark.parametrize("pair", ["en-de", "ro-en"])
def test_mlqe_pe_2020_corpus_is_read(data, pair):
    corpus = build_single_corpus(data / f"mlqe_pe/{pair}-test20")
    assert corpus.language_pair == pair
    assert {(key.name, key.kind) for key in corpus.layers} == {
        ("gold", Kind.WORDS),
        ("gold", Kind.GAPS),
        ("gold", Kind.SOURCE),
        ("hter", Kind.SCORES),
    }
    assert corpus.alignments is not None
    assert corpus.gold(Kind.WORDS).form == "2n+1"


@pytest.mark.parametrize("pair", ["en-de", "ro-en"])
def test_mlqe_pe_2021_corpus_is_read(data, pair):
    corpus = build_single_corpus(data / f"mlqe_pe/{pair}-test21")
    for kind, more in ((Kind.WORDS, 0), (Kind.GAPS, 1)):
        assert np.array_equal(corpus.gold(kind).tags.lengths(), corpus.word_counts() + more)
    assert np.array_equal(corpus.gold(Kind.SOURCE).tags.lengths(), corpus.text(TextRole.SOURCE).token_counts())
    assert [layer.key.name for layer in corpus.find(GOLD, Kind.SCORES)] == ["da", "hter"]
    layer = corpus.layers[LayerKey(SYSTEM, "word_probas", Kind.PROBABILITIES)]
    assert np.array_equal(layer.numbers.lengths(), corpus.word_counts())
    assert 0 <= layer.numbers.values.min() < layer.numbers.values.max() <= 1
    # sanity check: unlikely words are BAD more often
    bad = corpus.gold(Kind.WORDS).tags.values == 1
    assert layer.numbers.values[bad].mean() > layer.numbers.values[~bad].mean() + 0.05
    assert any("end of the segment" in note for note in layer.notes)


def test_token_probability_is_the_mean_of_its_pieces(data):
    corpus = build_single_corpus(data / "mlqe_pe/en-de-test21")
    layer = corpus.layers[LayerKey(SYSTEM, "word_probas", Kind.PROBABILITIES)]
    # pieces 4 and 5, "Ga@@ ius", form the fourth token, "Gaius"
    logs = read_text(data / "mlqe_pe/en-de-test21/word-probas/word_probas.test21.ende").tokens(0)
    expected = 1 - np.exp((float(logs[3]) + float(logs[4])) / 2)
    assert corpus.tokens(TextRole.MT, 0)[3] == "Gaius"
    assert layer.numbers[0][3] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("folder", "size"), [("wmt18_en-de_nmt_dev", 1000), ("openkiwi_toy_wmt18", 50)])
def test_wmt18_corpora_are_read(data, folder, size):
    corpus = build_single_corpus(data / folder)
    assert corpus.size == size
    assert corpus.gold(Kind.GAPS) is not None
    assert corpus.text(TextRole.POST_EDIT) is not None
    assert corpus.names(SYSTEM) == (["sys"] if size == 50 else [])
    if size == 50:
        kinds = {key.kind for key in corpus.layers if key.provenance is SYSTEM}
        assert kinds == {Kind.WORDS, Kind.GAPS, Kind.SOURCE, Kind.SCORES}


@pytest.mark.parametrize(
    ("name", "rows", "segments"),
    [("gold_standard.de-en", 1777, None), ("test_annotations.de-en", 1777, None), ("EN_ES.tgt_ann.test", 9613, 382)],
)
def test_wmt14_tables_are_read(data, name, rows, segments):
    table = read(open_file(data / "marmot_wmt14" / name)).values
    assert len(table) == rows
    column = word_columns(table)[Kind.WORDS].tags
    assert len(column.values) == rows
    assert segments in (None, len(column))


def test_wmt22_sentence_scores_are_read(data):
    folder = data / "wmt22_sentence"
    expected = np.genfromtxt(
        folder / "en-de.tsv", delimiter="\t", names=True, deletechars="", dtype=None, encoding="utf8"
    )
    for path in sorted((folder / "raw_en-de").iterdir()):
        scores = read_scores(path, language_pair="en-de", size=511)
        assert np.allclose(scores.single, expected[system_name(path)])


def test_wmt22_explanations_are_read_as_probabilities(data):
    mt = data / "wmt22_word/en-de/test.2022.mt_tok"
    folder = data / "wmt22_explain/en-de/Team_HW-TSC__-_3_submission"
    corpus = build_corpus(plan_imports([mt, folder / "target.submission", folder / "sentence.submission"])[0])
    layer = corpus.layers[LayerKey(SYSTEM, folder.name, Kind.PROBABILITIES)]
    assert np.array_equal(layer.numbers.lengths(), corpus.word_counts())
