"""Small session with gold and two systems, and its live scores."""

from __future__ import annotations

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.metrics import WORD_METRICS
from qe_desktop.project import LiveScores, Session
from tests.small_corpora import corpus_of, tags

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
A, B = (LayerKey(Provenance.SYSTEM, name, Kind.WORDS) for name in "ab")


def make_session() -> Session:
    """Return a session with gold and the systems a and b."""
    gold = tags("oob", "boob", "o")
    return Session(corpus_of(gold, {"a": tags("obb", "boob", "b"), "b": tags("ooo", "oooo", "o")}))


def start_live_scores(session: Session) -> LiveScores:
    """Return live scores that have counted all segments."""
    live = LiveScores(WORD_LEVEL)
    assert live.start(session.view)
    live.finish(live.count(), session.view)
    return live


def recount(session: Session) -> dict[str, list[float]]:
    """Return the scores of all systems by metric, counted from scratch."""
    live = start_live_scores(session)
    return {metric.name: live.scores(metric).tolist() for metric in WORD_METRICS.values()}
