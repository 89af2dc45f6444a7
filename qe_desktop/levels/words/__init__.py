"""Scoring of the tags of words, gaps and source words against gold tags."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import LevelGroup, Scoring
from qe_desktop.levels.words.tag_level import GAP_LEVEL, LEVELS, SOURCE_LEVEL, WORD_LEVEL, TagLevel


def _from_python(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    from qe_desktop.levels.words.tag_inputs import tags_from_python

    return tags_from_python(level, gold, systems)


GROUP: LevelGroup = LevelGroup("words", tr("tags of words, gaps or source words"), LEVELS, _from_python)

__all__ = ["GAP_LEVEL", "GROUP", "LEVELS", "SOURCE_LEVEL", "WORD_LEVEL", "TagLevel"]
