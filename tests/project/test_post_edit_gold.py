"""Gold layers computed from the post-edit: their kinds, editing and removal."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import AlignmentColumn, Corpus, Kind, Layer, LayerKey, Provenance, TextColumn, TextRole
from qe_desktop.project import Edit, Session
from qe_desktop.project.review.post_edit_gold import existing_gold_layers, gold_from_post_edit, missing_gold_kinds
from tests.small_corpora import tags

WORDS, GAPS, SOURCE = (LayerKey(Provenance.GOLD, "gold", kind) for kind in (Kind.WORDS, Kind.GAPS, Kind.SOURCE))
HTER = LayerKey(Provenance.GOLD, "hter", Kind.SCORES)
ALL = (Kind.WORDS, Kind.GAPS, Kind.SOURCE, Kind.SCORES)


def corpus(*layers: Layer) -> Corpus:
    texts = {
        TextRole.SOURCE: ["p q r", "s"],
        TextRole.MT: ["a b c", "x y"],
        TextRole.POST_EDIT: ["a d c e", "x y"],
    }
    links = AlignmentColumn.of([[(0, 0), (1, 1), (2, 2)], [(0, 0)]])
    columns = {role: TextColumn.of(lines) for role, lines in texts.items()}
    return Corpus("made", 2, columns, {layer.key: layer for layer in layers}, links)


def corpus_without(role: TextRole) -> Corpus:
    whole = corpus()
    return replace(whole, texts={present: text for present, text in whole.texts.items() if present is not role})


def test_all_kinds_are_made_if_there_is_no_gold():
    shares: list[float] = []
    layers = {layer.key: layer for layer in gold_from_post_edit(corpus(), shares.append)}
    assert list(layers) == [WORDS, GAPS, SOURCE, HTER]
    assert layers[WORDS].tags == tags("obo", "oo")
    assert layers[GAPS].tags == tags("ooob", "ooo")
    assert layers[SOURCE].tags == tags("obo", "o")
    assert layers[HTER].scores.tolist() == [0.5, 0.0]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert "TER alignment without shifts" in layers[WORDS].origin
    assert "post-edit" in layers[HTER].origin
    assert "omissions" in layers[SOURCE].notes[0]


def test_existing_gold_layers_are_not_made_again():
    words = Layer(WORDS, tags("ooo", "oo"), "dev.tags", "n")
    hter = Layer(HTER, np.zeros(2), "dev.hter")
    gaps = Layer(GAPS, tags("oooo", "ooo"), "dev.gaps", "n+1")
    assert missing_gold_kinds(corpus()) == ALL
    # gold tags of words and gaps must have the same origin
    assert missing_gold_kinds(corpus(words)) == missing_gold_kinds(corpus(gaps)) == (Kind.SCORES,)
    assert missing_gold_kinds(corpus(hter)) == ALL[:3]
    assert missing_gold_kinds(corpus(words, hter)) == ()
    assert [layer.key for layer in gold_from_post_edit(corpus(hter), lambda share: None)] == [WORDS, GAPS, SOURCE]
    assert [layer.key for layer in gold_from_post_edit(corpus(words), lambda share: None)] == [HTER]
    assert existing_gold_layers(corpus(words, hter)) == []


def test_kinds_to_make_depend_on_texts_alignments_and_eos():
    assert (
        missing_gold_kinds(corpus_without(TextRole.MT)) == missing_gold_kinds(corpus_without(TextRole.POST_EDIT)) == ()
    )
    assert gold_from_post_edit(corpus_without(TextRole.POST_EDIT), lambda share: None) == ()
    assert missing_gold_kinds(replace(corpus(), eos=True)) == ()
    assert missing_gold_kinds(corpus_without(TextRole.SOURCE)) == missing_gold_kinds(replace(corpus(), alignments=None))
    assert missing_gold_kinds(corpus_without(TextRole.SOURCE)) == (Kind.WORDS, Kind.GAPS, Kind.SCORES)


def test_progress_callback_can_stop_the_computation():
    def stop(share: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gold_from_post_edit(corpus(), stop)


def test_gold_from_post_edits_can_be_edited_and_removed():
    session = Session(corpus())
    extended = session.corpus
    for layer in gold_from_post_edit(extended, lambda share: None):
        extended = extended.with_layer(layer)
    session.extend(extended)
    assert existing_gold_layers(session.corpus) == [WORDS, GAPS, SOURCE, HTER]
    assert missing_gold_kinds(session.corpus) == ()
    session.apply(Edit(WORDS, 0, (0,), (1,)))
    assert session.view.tags(WORDS) == tags("bbo", "oo")
    for key in existing_gold_layers(session.corpus):
        session.remove(key)
    assert not session.corpus.layers
    assert missing_gold_kinds(session.corpus) == ALL
