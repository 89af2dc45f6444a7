"""Levels: what is scored against what, by which metrics and tests, and how its items are called."""

from qe_desktop.levels.group import Group, Read
from qe_desktop.levels.level import Level, Situation
from qe_desktop.levels.registry import GROUPS, all_levels, level_of_tags, levels_of
from qe_desktop.levels.scoring import Scoring

__all__ = [
    "GROUPS",
    "Group",
    "Level",
    "Read",
    "Scoring",
    "Situation",
    "all_levels",
    "level_of_tags",
    "levels_of",
]
