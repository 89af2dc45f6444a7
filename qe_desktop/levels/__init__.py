"""Scoring levels: what is scored against what, with which metrics and tests, and what their items are called."""

from qe_desktop.levels.level import Level, ScoringObstacle
from qe_desktop.levels.level_group import LevelGroup, ReadInputs
from qe_desktop.levels.registry import GROUPS, all_levels, levels_of, tag_level
from qe_desktop.levels.scoring import Scoring

__all__ = [
    "GROUPS",
    "Level",
    "LevelGroup",
    "ReadInputs",
    "Scoring",
    "ScoringObstacle",
    "all_levels",
    "levels_of",
    "tag_level",
]
