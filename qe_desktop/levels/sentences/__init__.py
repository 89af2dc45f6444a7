"""Sentence level: one score per segment against gold scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import LevelGroup, Scoring
from qe_desktop.levels.sentences.sentence_level import SENTENCES, SentenceLevel


def _from_python(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    from qe_desktop.levels.sentences.sentence_inputs import scores_from_python

    return scores_from_python(level, gold, systems)


GROUP: LevelGroup = LevelGroup("sentences", tr("segment scores"), (SENTENCES,), _from_python)

__all__ = ["GROUP", "SENTENCES", "SentenceLevel"]
