from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import (
    Corpus,
    Kind,
    Layer,
    LayerKey,
    NumberColumn,
    Provenance,
    TagColumn,
    TextColumn,
    TextRole,
    offsets_from_lengths,
)

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
SYSTEM = LayerKey(Provenance.SYSTEM, "s", Kind.WORDS)
TAGS = TagColumn.of([[0, 1], [1]])


def corpus(**changes) -> Corpus:
    values = {
        "name": "c",
        "size": 2,
        "texts": {TextRole.MT: TextColumn.of(["a b", "c"])},
        "layers": {GOLD: Layer(GOLD, TAGS)},
    }
    return Corpus(**{**values, **changes})


def test_layers_are_added_and_removed_in_new_corpora():
    first = corpus()
    second = first.with_layer(Layer(SYSTEM, TAGS))
    assert list(first.layers) == [GOLD]
    assert list(second.layers) == [GOLD, SYSTEM]
    assert list(second.without_layer(GOLD).layers) == [SYSTEM]
    assert second.gold(Kind.WORDS).key == GOLD
    assert second.gold(Kind.GAPS) is None
    assert second.names(Provenance.SYSTEM) == ["s"]
    assert second.names(Provenance.GOLD, Provenance.SYSTEM) == ["gold", "s"]


def test_corpus_is_immutable():
    with pytest.raises(TypeError):
        corpus().layers[SYSTEM] = Layer(SYSTEM, TAGS)
    with pytest.raises(AttributeError):
        corpus().size = 3


def test_virtual_eos_is_a_token_of_the_mt():
    assert corpus().tokens(TextRole.MT, 0) == ["a", "b"]
    assert corpus(eos=True).tokens(TextRole.MT, 0) == ["a", "b", "<EOS>"]
    assert corpus(eos=True).word_counts().tolist() == [3, 2]
    assert corpus(texts={}).word_counts() is None
    assert corpus(texts={}).tokens(TextRole.MT, 0) == []


def test_layer_values_are_returned_only_as_their_own_type():
    tags = Layer(GOLD, TAGS)
    numbers = Layer(GOLD, NumberColumn(np.zeros(3, np.float32), offsets_from_lengths([2, 1])))
    scores = Layer(GOLD, np.zeros(2))
    assert tags.tags is TAGS
    assert numbers.numbers.lengths().tolist() == [2, 1]
    assert scores.scores.shape == (2,)
    for layer, wrong in ((tags, "numbers"), (tags, "scores"), (numbers, "tags"), (scores, "numbers")):
        with pytest.raises(TypeError, match="has no"):
            getattr(layer, wrong)


def test_reference_text_is_the_first_reference_and_not_a_text_role():
    first, second = TextColumn.of(["a", "b c"]), TextColumn.of(["d", "e"])
    both = corpus(references={"A": first, "B": second})
    assert both.text(TextRole.REFERENCE) is first
    assert both.tokens(TextRole.REFERENCE, 1) == ["b", "c"]
    assert corpus().text(TextRole.REFERENCE) is None
    single = corpus(texts={TextRole.REFERENCE: first})
    assert dict(single.references) == {"reference": first}
    assert TextRole.REFERENCE not in single.texts
    assert dict(replace(single, references={"A": second}).references) == {"A": second}
    assert single.with_layer(Layer(SYSTEM, TAGS)).references["reference"] is first
    with pytest.raises(ValueError, match="two references"):
        replace(single, texts={TextRole.REFERENCE: second})


def test_look_up_caches_token_counts_and_directions(monkeypatch):
    column = TextColumn.of(["a b", "c"])
    corpus = Corpus("a", 2, {TextRole.MT: column, TextRole.RAW_MT: TextColumn.of(["a b", "c"])})
    corpus.cache_text_properties()
    monkeypatch.setattr(TextColumn, "_count_tokens", lambda self: pytest.fail("counted again"))
    monkeypatch.setattr("qe_desktop.corpus.text.majority_direction", lambda texts: pytest.fail("looked at again"))
    assert corpus.word_counts().tolist() == [2, 1]
    assert {str(text_column.direction()) for text_column in corpus.texts.values()} == {"ltr"}
