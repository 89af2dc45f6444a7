"""Quality annotations of bilingual files as layers of a corpus, and the words of raw texts."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance, TextRole
from qe_desktop.formats.bilingual.document_corpus import ISSUES_LAYER, corpus_from_documents
from qe_desktop.formats.bilingual.registry import parse_document
from qe_desktop.formats.bilingual.word_tokenization import word_spans
from tests.formats.bilingual.samples import parse_sample


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in word_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don’t stop, Anna's QX-7!", ["Don’t", "stop", ",", "Anna's", "QX", "-", "7", "!"]),
        ("中文字 and ABC", ["中", "文", "字", "and", "ABC"]),
        ("ポンプを止め", ["ポンプ", "を", "止", "め"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("e\u0301t\u00a0é\u2028x", ["e\u0301t", "é", "x"]),
        ("שָׁלוֹם עולם", ["שָׁלוֹם", "עולם"]),
        ("", []),
    ],
)
def test_word_spans_split_raw_texts(text, expected):
    assert words(text) == expected


def test_documents_are_merged_into_one_corpus():
    okapi, two = parse_sample("okapi.xlf"), parse_sample("two.xlf")
    corpus = corpus_from_documents([okapi, two], "job")
    assert corpus.size == 6
    assert corpus.language_pair == "en-de"
    assert corpus.documents is not None
    assert corpus.documents.names == ("okapi.xlf", "two.xlf")
    source, mt, raw = (corpus.text(role) for role in (TextRole.SOURCE, TextRole.MT, TextRole.RAW_MT))
    assert source is not None
    assert mt is not None
    assert raw is not None
    assert (source[0], mt[0], raw[0]) == ("The pump starts .", "Die Pumpe startet .", "Die Pumpe startet.")
    # raw texts do not contain codes
    assert raw[2] == "Drücken Sie Stopp."
    tags = corpus.layers[LayerKey(Provenance.SYSTEM, ISSUES_LAYER, Kind.WORDS)].tags
    assert [list(tags[row]) for row in range(6)] == [[0, 1, 0, 0], [0, 0], [0, 0, 0, 0], [], [0, 0, 0], [0, 1, 1]]
    assert np.array_equal(np.diff(corpus.offsets(Kind.WORDS)), tags.lengths())
    scores = {key.name: layer.scores for key, layer in corpus.layers.items() if key.kind is Kind.SCORES}
    assert set(scores) == {
        "match-quality", "mtConfidence", "locQualityRatingScore", "matchQuality", "matchSuitability",
    }  # fmt: skip
    assert scores["mtConfidence"][0] == 0.75
    assert np.isnan(scores["mtConfidence"][1:]).all()
    assert scores["matchQuality"][2] == 81.5


def test_file_without_annotations_has_no_layers():
    corpus = corpus_from_documents([parse_sample("memory.tmx")], "job")
    assert corpus.layers == {}
    assert corpus.documents is None
    assert corpus.language_pair == "en-US-de-DE"


def test_qualities_outside_the_unit_do_not_count():
    text = (
        b'<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2" xmlns:its="http://www.w3.org/2005/11/its">'
        b'<file original="a" source-language="en" target-language="de" its:mtConfidence="0.9" its:version="2.0"><body>'
        b'<trans-unit id="1"><source>a</source></trans-unit></body></file></xliff>'
    )
    assert [list(segment.qualities) for segment in parse_document(text, "a.xlf").segments] == [[]]
