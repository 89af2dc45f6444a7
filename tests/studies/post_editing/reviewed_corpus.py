"""A small reviewed corpus for the tests of post-editing."""

from __future__ import annotations

import numpy as np

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TagColumn, TextColumn, TextRole
from qe_desktop.corpus.translation_job import ReviewStatus
from qe_desktop.project import ReviewField, Session
from qe_desktop.studies.post_editing.post_editing_study import RecordedVisit
from tests.small_corpora import tags

SOURCE = ("the pump starts", "press stop twice", "the seal must sit", "never open it", "good bye")
MT = ("die Pumpe startet", "drücken Sie Stopp", "die Dichtung muss sitzen", "öffnen nie", "auf Wiedersehen")
POST_EDIT = ("die Pumpe startet", "drücken Sie zweimal Stop", "die Dichtung muss sitzen", "nie öffnen", "")
HIGHLIGHTS = tags("ooo", "oob", "obob", "oo", "oo")
SCORES = np.array([0.1, 0.6, 0.5, 0.9, 0.2])


def make_layer(column: TagColumn | np.ndarray, kind: Kind, name: str = "qe") -> Layer:
    """Return a system layer."""
    return Layer(LayerKey(Provenance.SYSTEM, name, kind), column)


def make_corpus() -> Corpus:
    """Return a corpus with source, MT, highlighted words and segment scores."""
    texts = {TextRole.SOURCE: TextColumn.of(SOURCE), TextRole.MT: TextColumn.of(MT)}
    layers = [make_layer(HIGHLIGHTS, Kind.WORDS), make_layer(SCORES, Kind.SCORES)]
    return Corpus("pumps", 5, texts, {layer.key: layer for layer in layers}, language_pair="en-de")


def make_session() -> Session:
    """Return a session with segments 2 and 4 edited, 1 and 3 confirmed unchanged, and 5 open."""
    session = Session(make_corpus(), person="ann")
    session.reviewing.set(
        {0: {ReviewField.STATUS: ReviewStatus.CONFIRMED}, 2: {ReviewField.STATUS: ReviewStatus.CONFIRMED}}
    )
    session.reviewing.set({1: {ReviewField.TARGET: POST_EDIT[1]}})
    session.reviewing.set({3: {ReviewField.TARGET: POST_EDIT[3], ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    return session


RECORDED_VISITS = (
    RecordedVisit(0, "ann", 6.0, keys={"navigation": 1}),
    RecordedVisit(1, "ann", 20.0, pauses=400.0, away=30.0, keys={"letter": 8, "erase": 2}, gaps_300=3, gaps_1000=1),
    RecordedVisit(1, "ann", 10.0, keys={"letter": 1}),
    RecordedVisit(3, "ben", 4.0, keys={"cut": 1, "paste": 1}),
    RecordedVisit(4, "ann", 5.0),
)
