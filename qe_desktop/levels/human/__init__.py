"""Human scores: ratings of systems' translations, scored and tested like metric scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.human.human_level import HUMAN_LEVEL, HumanLevel
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import LevelGroup, Scoring


def _from_python(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    from qe_desktop.levels.human.human_inputs import human_scores_from_python

    return human_scores_from_python(level, gold, systems)


GROUP: LevelGroup = LevelGroup("people", tr("human scores of systems"), (HUMAN_LEVEL,), _from_python)

__all__ = ["GROUP", "HUMAN_LEVEL", "HumanLevel"]
