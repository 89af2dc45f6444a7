"""Added files are merged into the current corpus, which may have changed since they were read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, QeError, TextColumn, TextRole
from qe_desktop.formats.importing.file_layers import merge_corpora
from tests.small_corpora import tags

A, B, C = (LayerKey(Provenance.SYSTEM, name, Kind.WORDS) for name in "abc")
ONTO = Corpus("c", 2, layers={A: Layer(A, tags("ob", "o"), "a.tags")})
SOURCE = TextColumn.of(["one word", "two"])


def layer(key: LayerKey, *segments: str) -> Layer:
    return Layer(key, tags(*segments), f"{key.name}.tags")


def test_concurrent_layer_changes_are_kept_when_files_are_added():
    read = replace(ONTO, texts={TextRole.SOURCE: SOURCE}, layers={**ONTO.layers, B: layer(B, "oo", "b")})
    now = replace(ONTO, layers={C: layer(C, "bb", "b")})
    merged = merge_corpora(now, read, ONTO)
    assert list(merged.layers) == [C, B]
    assert merged.texts[TextRole.SOURCE] is SOURCE


def test_concurrent_system_name_mapping_is_kept():
    from qe_desktop.corpus import SystemNameMapping

    now = ONTO.with_matched("", SystemNameMapping({"x": "a"}))
    assert (
        merge_corpora(now, replace(ONTO, layers={**ONTO.layers, B: layer(B, "oo", "b")}), ONTO).rating_systems
        is now.rating_systems
    )


def test_layer_name_added_concurrently_is_refused():
    now = ONTO.with_layer(layer(B, "oo", "o"))
    with pytest.raises(QeError, match="b already has word tags"):
        merge_corpora(now, ONTO.with_layer(layer(B, "bb", "b")), ONTO)


@pytest.mark.parametrize("came", [("ooo", "b"), ("oo",)])
def test_layer_that_does_not_fit_concurrent_layers_is_refused(came):
    empty = replace(ONTO, layers={})
    with pytest.raises(QeError):
        merge_corpora(empty.with_layer(layer(C, *came)), empty.with_layer(layer(B, "oo", "b")), empty)


def test_mt_that_does_not_fit_concurrent_layers_is_refused():
    empty = replace(ONTO, layers={})
    read = replace(empty, texts={TextRole.MT: TextColumn.of(["ein Wort", "zwei"])})
    assert set(merge_corpora(empty.with_layer(layer(C, "oo", "b")), read, empty).layers) == {C}
    for segments in (("ooo", "b"), ("ooo", "bb")):
        with pytest.raises(QeError):
            merge_corpora(empty.with_layer(layer(C, *segments)), read, empty)
