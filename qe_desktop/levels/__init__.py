"""Scoring levels: subjects and references, metrics and tests, and the names of scored items."""

from qe_desktop.levels.level import Level, ScoringObstacle
from qe_desktop.levels.registry import GROUPS, all_levels, levels_of, tag_level
from qe_desktop.levels.scoring import LevelGroup, ReadInputs, Scoring

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
