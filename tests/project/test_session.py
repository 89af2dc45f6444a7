"""Edits, undo and redo, and the layers that come and go."""

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
from tests.building import corpus_of, tags
from tests.project.made import GOLD, A, B, recount, session


def test_edit_undo_redo_and_their_names():
    one = session()
    change = one.apply(Edit(GOLD, 1, (1,), (1,)))
    assert change.text == "word 2 OK → BAD, segment 2"
    assert change.segments == (1,)
    assert one.view.segment_tags(GOLD, 1).tolist() == [1, 1, 0, 1]
    assert one.view.loaded(GOLD)[1].tolist() == [1, 0, 0, 1]
    assert one.view.tags(GOLD)[1].tolist() == [1, 1, 0, 1]
    assert one.undo_text == "word 2 OK → BAD, segment 2"
    assert one.edited_tags() == 1
    assert one.unsaved() == [GOLD]
    assert one.undo() is not None
    assert one.view.segment_tags(GOLD, 1).tolist() == [1, 0, 0, 1]
    assert one.edited_tags() == 0
    assert one.unsaved() == []
    assert one.redo() is not None
    assert one.view.edited_segments(GOLD) == [1]
    assert one.redo() is None


def test_several_words_are_one_edit():
    one = session()
    change = one.apply(Edit(GOLD, 1, (0, 1, 2), (1, 1, 1)))
    assert change.text == "2 words → BAD, segment 2"
    one.undo()
    assert one.view.segment_tags(GOLD, 1).tolist() == [1, 0, 0, 1]


def test_what_a_system_said_cannot_be_edited():
    one = session()
    with pytest.raises(QeError, match="cannot be edited"):
        one.apply(Edit(A, 0, (0,), (1,)))
    assert one.undo_text == ""


def test_saving_and_editing_on():
    one = session()
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    one.saved([GOLD])
    assert one.unsaved() == []
    one.undo()
    assert one.unsaved() == [GOLD]


def test_an_edit_after_going_back_behind_the_saved_state_is_unsaved():
    one = session()
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    one.saved([GOLD])
    one.undo()
    one.apply(Edit(GOLD, 1, (1,), (1,)))
    assert one.unsaved() == [GOLD]
    one.undo()
    assert one.unsaved() == [GOLD]


def test_an_edit_that_changes_nothing_is_none():
    one = session()
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    one.undo()
    assert one.apply(Edit(GOLD, 0, (0,), (0,))).segments == ()
    assert one.unsaved() == []
    assert one.redo() is not None


def test_a_layer_that_comes_again_brings_its_own_probabilities():
    key, said = LayerKey(Provenance.SYSTEM, "p", Kind.PROBABILITIES), LayerKey(Provenance.SYSTEM, "p", Kind.WORDS)

    def with_numbers(corpus, *numbers):
        return corpus.with_layer(Layer(key, NumberColumn(np.array(numbers, np.float32), offsets_from_lengths([3]))))

    one = Session(with_numbers(corpus_of(tags("obo"), {}), 0.9, 0.1, 0.1))
    one.set_threshold("p", 0.05)
    assert one.view.segment_tags(said, 0).tolist() == [1, 1, 1]
    one.remove(said)
    assert one.view.tracks(Kind.WORDS) == [GOLD]
    one.extend(with_numbers(one.corpus, 0.1, 0.9, 0.9))
    assert one.view.segment_tags(said, 0).tolist() == [0, 1, 1]


def test_a_person_has_a_layer_of_their_own():
    one = session()
    mine = one.add_person("Anna", Kind.WORDS, copy_of=A)
    assert one.view.tags(mine) == one.view.tags(A)
    one.apply(Edit(mine, 0, (0,), (1,)))
    assert one.view.segment_tags(A, 0).tolist() == [0, 1, 1]
    assert one.view.scored(Kind.WORDS) == [mine, A, B]
    gaps = one.add_person("Anna", Kind.GAPS)
    assert one.view.tags(gaps).lengths().tolist() == [4, 5, 2]
    one.remove(mine)
    assert one.edited_tags() == 0
    one.undo()
    assert one.view.segment_tags(mine, 0).tolist() == [1, 1, 1], "what was closed comes again with its edits"
    assert one.edited_tags() == 1


def test_a_layer_that_was_started_can_be_taken_back_and_made_again():
    one = session()
    mine = one.add_person("Anna", Kind.WORDS, copy_of=A)
    one.apply(Edit(mine, 0, (0,), (1,)))
    assert one.undo_text == "word 1 OK → BAD, segment 1"
    one.undo()
    assert one.undo_text == "Anna (words) added"
    change = one.undo()
    assert change is not None
    assert change.layers
    assert mine not in one.view.tracks(Kind.WORDS)
    assert one.undo() is None
    one.redo()
    assert one.view.tags(mine) == one.view.tags(A)
    one.apply(Edit(mine, 1, (0,), (1,)))
    assert one.redo() is None


def test_without_gold_a_person_is_the_reference():
    one = Session(corpus_of(None, {"a": tags("ob"), "b": tags("oo")}))
    assert one.view.reference(Kind.WORDS) is None
    assert one.view.scored(Kind.WORDS) == []
    assert not LiveScores(WORD_LEVEL).start(one.view)
    mine = one.add_person("Anna", Kind.WORDS, copy_of=A)
    assert one.view.reference(Kind.WORDS) == mine
    one.reviewing.set({0: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    assert recount(one)["accuracy"] == [1.0, 0.5]


def test_the_threshold_turns_probabilities_into_tags():
    gold = tags("obo")
    key = LayerKey(Provenance.SYSTEM, "p", Kind.PROBABILITIES)
    numbers = NumberColumn(np.array([0.2, 0.9, 0.6], np.float32), offsets_from_lengths([3]))
    one = Session(corpus_of(gold, {}).with_layer(Layer(key, numbers)))
    said = LayerKey(Provenance.SYSTEM, "p", Kind.WORDS)
    assert one.view.tracks(Kind.WORDS) == [GOLD, said]
    assert one.view.segment_tags(said, 0).tolist() == [0, 1, 1]
    change = one.set_threshold("p", 0.7)
    assert change.layers
    assert one.view.segment_tags(said, 0).tolist() == [0, 1, 0]
    assert one.set_threshold("p", 3.0).text == "p: BAD above 1.00"
    assert one.threshold("p") == 1.0


def test_source_offsets_come_from_the_source():
    corpus = Corpus("c", 1, {TextRole.SOURCE: TextColumn.of(["a b c"]), TextRole.MT: TextColumn.of(["x"])}, eos=True)
    assert [list(corpus.offsets(kind)) for kind in (Kind.SOURCE, Kind.WORDS, Kind.GAPS)] == [[0, 3], [0, 2], [0, 2]]


def test_a_session_that_can_only_be_read_refuses_in_words():
    one = session()
    one.read_only = "the disk takes no changes"
    for act in (
        lambda: one.apply(Edit(GOLD, 0, (0,), (1,))), one.undo, one.redo, lambda: one.remove(A),
        lambda: one.add_person("Anna", Kind.WORDS), lambda: one.extend(one.corpus),
    ):  # fmt: skip
        with pytest.raises(QeError, match="takes no changes"):
            act()
    assert one.edited_tags() == 0


def test_files_that_are_added_leave_what_came_meanwhile_and_what_can_be_undone():
    one = session()
    onto = one.corpus
    source = TextColumn.of(["a b c", "d e f g", "h"])
    read = replace(onto, texts={TextRole.SOURCE: source})
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    own = one.add_person("Anna", Kind.WORDS, GOLD)
    one.apply(Edit(own, 1, (1,), (1,)))
    one.remove(B)
    one.extend(read, onto)
    assert set(one.corpus.layers) == {GOLD, A, own}
    assert one.corpus.text(TextRole.SOURCE) is source
    for _ in range(4):
        assert one.undo() is not None
    assert set(one.corpus.layers) == {GOLD, A, B}
    assert one.edited_tags() == 0
    while one.redo_text:
        assert one.redo() is not None
    assert set(one.corpus.layers) == {GOLD, A, own}
    assert one.view.segment_tags(GOLD, 0).tolist() == [1, 0, 1]
