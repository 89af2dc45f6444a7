"""Descriptions of edits: stored in English, displayed in the user's language."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import ItemRole, Kind, LayerKey, Provenance
from qe_desktop.i18n import messages
from qe_desktop.project.edits import Edit, describe_edit, describe_row
from qe_desktop.project.events import EditAction, EditRow
from qe_desktop.project.store.rating_imports import EventConflict
from qe_desktop.ratings.rating_file_merge import RatingConflict
from tests.project.small_session import GOLD, make_session


@pytest.fixture
def polish():
    texts = {
        "word {place} {was} → {tag}, segment {segment:,}": "słowo {place} {was} → {tag}, segment {segment:,}",
        "Undo: {text}": "Cofnij: {text}",
        "{rater}, segment {segment:,}, {field}: {ours} in the project, {theirs} in {file}": "{rater}: {ours}, {theirs}",
        "no value": "nic",
    }
    entries = {(source, ""): (text,) for source, text in texts.items()}
    messages.set_language(messages.Language("pl", entries, lambda number: 0))
    yield
    messages.set_language(messages.ENGLISH)


@pytest.mark.parametrize("kind", [Kind.WORDS, Kind.GAPS, Kind.SOURCE])
@pytest.mark.parametrize(("places", "tags"), [((2,), (1,)), ((0, 2), (1, 1)), ((0, 1, 2), (1, 0, 1))])
def test_displayed_english_description_equals_the_stored_text(kind, places, tags):
    before = np.array([0, 1, 0], np.uint8)
    key = LayerKey(Provenance.GOLD, "gold", kind)
    text = describe_edit(Edit(key, 1_233, places, tags), before)
    was = tuple(before[list(places)].tolist())
    done = EditRow("uid", key, 1_233, places, tags, was, text=text)
    undone = replace(done, tags=was, before=tags, action=EditAction.UNDO)
    redone = replace(done, action=EditAction.REDO)
    assert {describe_row(row) for row in (done, undone, redone)} == {text}
    # an undo step that had nothing left to change
    assert describe_row(replace(undone, places=(), tags=(), before=())) == text


@pytest.mark.usefixtures("polish")
def test_edit_texts_are_stored_in_english_in_any_language():
    current = make_session()
    assert current.apply(Edit(GOLD, 1, (1,), (1,))).text == current.undo_text == "słowo 2 OK → BAD, segment 2"
    undone = current.undo()
    assert undone is not None
    assert undone.text == "Cofnij: słowo 2 OK → BAD, segment 2"
    assert [row.text for row in current.rows()] == ["word 2 OK → BAD, segment 2"] * 2


@pytest.mark.usefixtures("polish")
def test_conflicts_are_logged_in_english_in_any_language():
    conflict = EventConflict("ann", 0, "adequacy", 4.0, None, "ann.jsonl")
    assert str(conflict) == "ann: 4, nic"
    assert messages.to_english(str(conflict)) == "ann, segment 1, Adequacy: 4 in the project, no value in ann.jsonl"


@pytest.mark.parametrize("role", list(ItemRole))
def test_conflict_of_files_states_the_value_in_each_file(role):
    role_text = {ItemRole.SYSTEM: "", ItemRole.REPEAT: " (repeat)", ItemRole.BAD: " (quality control)",
            ItemRole.REFERENCE: " (reference)", ItemRole.TRAINING: " (training)"}[role]  # fmt: skip
    values = (("a.csv", 1.0), ("b.csv", 0.0), ("c.csv", -1.0))
    item = f"ann, segment 3, A, Adequacy{role_text}"
    assert (
        str(RatingConflict("ann", "3", "A", "adequacy", role, values)) == f"{item}: 1 in a.csv, 0 in b.csv, -1 in c.csv"
    )
    ranks = "the first output is better in a.csv, a tie in b.csv, the second output is better in c.csv"
    item = f"ann, segment 3, A and B, rank{role_text}"
    assert str(RatingConflict("ann", "3", "A and B", "rank", role, values)) == f"{item}: {ranks}"
