"""Scores in bilingual files have a name and an explanation."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import Kind
from qe_desktop.corpus.file_scores import file_score_meaning
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.ui.inspect.reader.segment_header import file_score_text
from tests.formats.bilingual.samples import NAMES, parse_sample


@pytest.mark.parametrize("name", NAMES)
def test_every_score_in_a_file_has_an_explanation(name):
    layers = corpus_from_documents([parse_sample(name)], "made").layers
    scores = [key.name for key in layers if key.kind is Kind.SCORES]
    assert [score for score in scores if not file_score_meaning(score)] == []
    assert bool(scores) == (name.rpartition(".")[2] not in {"tmx", "po", "csv", "tsv"})


@pytest.mark.parametrize(
    ("name", "score", "text"),
    [
        ("match-quality", 100.0, "100 %"),
        ("matchQuality", 87.5, "87.5 %"),
        ("match-quality", 0.85, "0.85"),
        ("percent", 95.0, "95 %"),
        ("similarity", 0.0, "0 %"),
        ("m:score", 0.85, ".850"),
        ("other", 100.0, "100.000"),
        ("match-quality", float("nan"), "–"),
    ],
)
def test_percentages_are_shown_as_stated_in_the_file(name, score, text):
    assert file_score_text(name, score, 3) == text
