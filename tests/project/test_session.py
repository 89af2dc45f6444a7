"""Edits, undo and redo, and layers that are added and closed."""

from __future__ import annotations

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
    QeError,
    ReviewStatus,
    TextColumn,
    TextRole,
    offsets_from_lengths,
)
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.project import Edit, LiveScores, ReviewField, Session
from tests.project.small_session import GOLD, A, B, make_session, recount
from tests.small_corpora import corpus_of, tags


def test_edit_undo_and_redo_with_their_descriptions():
    current = make_session()
    change = current.apply(Edit(GOLD, 1, (1,), (1,)))
    assert change.text == "word 2 OK → BAD, segment 2"
    assert change.segments == (1,)
    assert current.view.segment_tags(GOLD, 1).tolist() == [1, 1, 0, 1]
    assert current.view.initial_tags(GOLD)[1].tolist() == [1, 0, 0, 1]
    assert current.view.tags(GOLD)[1].tolist() == [1, 1, 0, 1]
    assert current.undo_text == "word 2 OK → BAD, segment 2"
    assert current.edited_tags() == 1
    assert current.unsaved_layers() == [GOLD]
    assert current.undo() is not None
    assert current.view.segment_tags(GOLD, 1).tolist() == [1, 0, 0, 1]
    assert current.edited_tags() == 0
    assert current.unsaved_layers() == []
    assert current.redo() is not None
    assert current.view.edited_segments(GOLD) == [1]
    assert current.redo() is None


def test_several_words_are_one_edit():
    current = make_session()
    change = current.apply(Edit(GOLD, 1, (0, 1, 2), (1, 1, 1)))
    assert change.text == "2 words → BAD, segment 2"
    current.undo()
    assert current.view.segment_tags(GOLD, 1).tolist() == [1, 0, 0, 1]


def test_tags_of_a_system_cannot_be_edited():
    current = make_session()
    with pytest.raises(QeError, match="cannot be edited"):
        current.apply(Edit(A, 0, (0,), (1,)))
    assert current.undo_text == ""


def test_undo_after_saving_makes_the_layer_unsaved():
    current = make_session()
    current.apply(Edit(GOLD, 0, (0,), (1,)))
    current.mark_saved([GOLD])
    assert current.unsaved_layers() == []
    current.undo()
    assert current.unsaved_layers() == [GOLD]


def test_an_edit_after_undoing_the_saved_state_is_unsaved():
    current = make_session()
    current.apply(Edit(GOLD, 0, (0,), (1,)))
    current.mark_saved([GOLD])
    current.undo()
    current.apply(Edit(GOLD, 1, (1,), (1,)))
    assert current.unsaved_layers() == [GOLD]
    current.undo()
    assert current.unsaved_layers() == [GOLD]


def test_an_edit_without_effect_is_ignored():
    current = make_session()
    current.apply(Edit(GOLD, 0, (0,), (1,)))
    current.undo()
    assert current.apply(Edit(GOLD, 0, (0,), (0,))).segments == ()
    assert current.unsaved_layers() == []
    assert current.redo() is not None


def test_a_reloaded_layer_has_its_new_probabilities():
    key, words = LayerKey(Provenance.SYSTEM, "p", Kind.PROBABILITIES), LayerKey(Provenance.SYSTEM, "p", Kind.WORDS)

    def with_numbers(corpus, *numbers):
        return corpus.with_layer(Layer(key, NumberColumn(np.array(numbers, np.float32), offsets_from_lengths([3]))))

    current = Session(with_numbers(corpus_of(tags("obo"), {}), 0.9, 0.1, 0.1))
    current.set_threshold("p", 0.05)
    assert current.view.segment_tags(words, 0).tolist() == [1, 1, 1]
    current.remove(words)
    assert current.view.tag_layers(Kind.WORDS) == [GOLD]
    current.extend(with_numbers(current.corpus, 0.1, 0.9, 0.9))
    assert current.view.segment_tags(words, 0).tolist() == [0, 1, 1]


def test_undo_of_closing_probabilities_restores_their_threshold():
    """It returned only when the project was opened again."""
    key, words = LayerKey(Provenance.SYSTEM, "p", Kind.PROBABILITIES), LayerKey(Provenance.SYSTEM, "p", Kind.WORDS)
    numbers = NumberColumn(np.array([0.9, 0.1, 0.1], np.float32), offsets_from_lengths([3]))
    current = Session(corpus_of(tags("obo"), {}).with_layer(Layer(key, numbers)))
    current.set_threshold("p", 0.05)
    for closed in (words, key):
        current.remove(closed)
        assert current.thresholds() == {}
        current.undo()
        assert current.threshold("p") == 0.05
        assert current.view.segment_tags(words, 0).tolist() == [1, 1, 1]
    current.redo()
    current.undo()
    assert current.threshold("p") == 0.05


def test_layers_of_a_person_can_be_copied_edited_and_closed():
    current = make_session()
    mine = current.add_person("Anna", Kind.WORDS, copy_of=A)
    assert current.view.tags(mine) == current.view.tags(A)
    current.apply(Edit(mine, 0, (0,), (1,)))
    assert current.view.segment_tags(A, 0).tolist() == [0, 1, 1]
    assert current.view.scored_layers(Kind.WORDS) == [mine, A, B]
    gaps = current.add_person("Anna", Kind.GAPS)
    assert current.view.tags(gaps).lengths().tolist() == [4, 5, 2]
    current.remove(mine)
    assert current.edited_tags() == 0
    current.undo()
    assert current.view.segment_tags(mine, 0).tolist() == [1, 1, 1], "what was closed comes again with its edits"
    assert current.edited_tags() == 1


def test_adding_a_layer_can_be_undone_and_redone():
    current = make_session()
    mine = current.add_person("Anna", Kind.WORDS, copy_of=A)
    current.apply(Edit(mine, 0, (0,), (1,)))
    assert current.undo_text == "word 1 OK → BAD, segment 1"
    current.undo()
    assert current.undo_text == "Anna (words) added"
    change = current.undo()
    assert change is not None
    assert change.affects_all_views
    assert mine not in current.view.tag_layers(Kind.WORDS)
    assert current.undo() is None
    current.redo()
    assert current.view.tags(mine) == current.view.tags(A)
    current.apply(Edit(mine, 1, (0,), (1,)))
    assert current.redo() is None


def test_without_gold_the_layer_of_a_person_is_the_reference():
    current = Session(corpus_of(None, {"a": tags("ob"), "b": tags("oo")}))
    assert current.view.reference(Kind.WORDS) is None
    assert current.view.scored_layers(Kind.WORDS) == []
    assert not LiveScores(WORD_LEVEL).start(current.view)
    mine = current.add_person("Anna", Kind.WORDS, copy_of=A)
    assert current.view.reference(Kind.WORDS) == mine
    current.reviewing.set({0: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    assert recount(current)["accuracy"] == [1.0, 0.5]


def test_the_threshold_converts_probabilities_to_tags():
    gold = tags("obo")
    key = LayerKey(Provenance.SYSTEM, "p", Kind.PROBABILITIES)
    numbers = NumberColumn(np.array([0.2, 0.9, 0.6], np.float32), offsets_from_lengths([3]))
    current = Session(corpus_of(gold, {}).with_layer(Layer(key, numbers)))
    words = LayerKey(Provenance.SYSTEM, "p", Kind.WORDS)
    assert current.view.tag_layers(Kind.WORDS) == [GOLD, words]
    assert current.view.segment_tags(words, 0).tolist() == [0, 1, 1]
    change = current.set_threshold("p", 0.7)
    assert change.affects_all_views
    assert current.view.segment_tags(words, 0).tolist() == [0, 1, 0]
    assert current.set_threshold("p", 3.0).text == "p: BAD above 1.00"
    assert current.threshold("p") == 1.0


def test_source_offsets_come_from_the_source():
    corpus = Corpus("c", 1, {TextRole.SOURCE: TextColumn.of(["a b c"]), TextRole.MT: TextColumn.of(["x"])}, eos=True)
    assert [list(corpus.offsets(kind)) for kind in (Kind.SOURCE, Kind.WORDS, Kind.GAPS)] == [[0, 3], [0, 2], [0, 2]]


def test_a_read_only_session_rejects_changes():
    current = make_session()
    current.read_only = "the disk takes no changes"
    for act in (
        lambda: current.apply(Edit(GOLD, 0, (0,), (1,))), current.undo, current.redo, lambda: current.remove(A),
        lambda: current.add_person("Anna", Kind.WORDS), lambda: current.extend(current.corpus),
    ):  # fmt: skip
        with pytest.raises(QeError, match="takes no changes"):
            act()
    assert current.edited_tags() == 0


def test_adding_files_preserves_concurrent_changes_and_the_undo_history():
    current = make_session()
    onto = current.corpus
    source = TextColumn.of(["a b c", "d e f g", "h"])
    read = replace(onto, texts={TextRole.SOURCE: source})
    current.apply(Edit(GOLD, 0, (0,), (1,)))
    own = current.add_person("Anna", Kind.WORDS, GOLD)
    current.apply(Edit(own, 1, (1,), (1,)))
    current.remove(B)
    current.extend(read, onto)
    assert set(current.corpus.layers) == {GOLD, A, own}
    assert current.corpus.text(TextRole.SOURCE) is source
    for _ in range(4):
        assert current.undo() is not None
    assert set(current.corpus.layers) == {GOLD, A, B}
    assert current.edited_tags() == 0
    while current.redo_text:
        assert current.redo() is not None
    assert set(current.corpus.layers) == {GOLD, A, own}
    assert current.view.segment_tags(GOLD, 0).tolist() == [1, 0, 1]
