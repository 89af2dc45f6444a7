"""What files added is put on the corpus as it is when they were read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, QeError, TextColumn, TextRole
from qe_desktop.formats.importing.corpus_merge import merge_corpora
from tests.building import tags

A, B, C = (LayerKey(Provenance.SYSTEM, name, Kind.WORDS) for name in "abc")
ONTO = Corpus("c", 2, layers={A: Layer(A, tags("ob", "o"), "a.tags")})
SOURCE = TextColumn.of(["one word", "two"])


def layer(key: LayerKey, *segments: str) -> Layer:
    return Layer(key, tags(*segments), f"{key.name}.tags")


def test_layers_that_came_and_went_stay_so_and_what_was_read_is_added():
    read = replace(ONTO, texts={TextRole.SOURCE: SOURCE}, layers={**ONTO.layers, B: layer(B, "oo", "b")})
    now = replace(ONTO, layers={C: layer(C, "bb", "b")})
    found = merge_corpora(now, read, ONTO)
    assert list(found.layers) == [C, B]
    assert found.texts[TextRole.SOURCE] is SOURCE


def test_what_was_said_meanwhile_of_names_stays():
    from qe_desktop.corpus import SystemNameMapping

    now = ONTO.with_matched("", SystemNameMapping({"x": "a"}))
    assert merge_corpora(now, replace(ONTO, layers={**ONTO.layers, B: layer(B, "oo", "b")}), ONTO).rated is now.rated


def test_a_layer_of_a_name_that_came_meanwhile_is_refused():
    now = ONTO.with_layer(layer(B, "oo", "o"))
    with pytest.raises(QeError, match="b already has word tags"):
        merge_corpora(now, ONTO.with_layer(layer(B, "bb", "b")), ONTO)


@pytest.mark.parametrize("came", [("ooo", "b"), ("oo",)])
def test_layers_of_other_tokens_than_what_came_meanwhile_are_refused(came):
    nothing = replace(ONTO, layers={})
    with pytest.raises(QeError):
        merge_corpora(nothing.with_layer(layer(C, *came)), nothing.with_layer(layer(B, "oo", "b")), nothing)


def test_an_mt_that_does_not_fit_layers_that_came_meanwhile_is_refused():
    nothing = replace(ONTO, layers={})
    read = replace(nothing, texts={TextRole.MT: TextColumn.of(["ein Wort", "zwei"])})
    assert set(merge_corpora(nothing.with_layer(layer(C, "oo", "b")), read, nothing).layers) == {C}
    for segments in (("ooo", "b"), ("ooo", "bb")):
        with pytest.raises(QeError):
            merge_corpora(nothing.with_layer(layer(C, *segments)), read, nothing)
