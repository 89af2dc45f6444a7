"""Registry of all levels. To add a level, add a package and a line in this file."""

from __future__ import annotations

from qe_desktop.corpus import Kind, View
from qe_desktop.levels import human, sentences, translations, words
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import LevelGroup
from qe_desktop.metrics.text.tokenization import Tokenization

GROUPS: dict[str, LevelGroup] = {
    group.name: group for group in (words.GROUP, sentences.GROUP, translations.GROUP, human.GROUP)
}
"""Groups of levels by name."""
PUBLIC_NAMES = {"people": "human"}
"""Names of levels and groups on the command line and in Python, keyed by their JSON names; only names that differ."""


def all_levels() -> list[Level]:
    """Return all levels in display order."""
    return [level for group in GROUPS.values() for level in group.levels]


def levels_of(view: View, tokenization: Tokenization | None = None) -> list[Level]:
    """Return the levels for which the view has data; if there are none, those for which the user could create tags.

    `tokenization` is the one that the user selected, if any.
    """
    levels = [level if tokenization is None else level.with_tokenization(tokenization) for level in all_levels()]
    levels = [level.of_view(view) for level in levels]
    return [level for level in levels if level.has_data(view)] or [
        level for level in levels if level.can_be_tagged(view)
    ]


def tag_level(kind: Kind) -> Level:
    """Return the level for a kind of tags: word, gap or source tags."""
    return next(level for level in all_levels() if level.tags is kind)
