"""All levels. A new one is a package and a line here."""

from __future__ import annotations

from qe_desktop.corpus import Kind, View
from qe_desktop.levels import human, sentences, translations, words
from qe_desktop.levels.level import Level
from qe_desktop.levels.level_group import LevelGroup
from qe_desktop.metrics.text.tokenization import Tokenization

GROUPS: dict[str, LevelGroup] = {
    group.name: group for group in (words.GROUP, sentences.GROUP, translations.GROUP, human.GROUP)
}
"""What can be scored, by name."""
GROUP_COMMANDS: dict[str, LevelGroup] = {group.command or group.name: group for group in GROUPS.values()}
"""The same, by the name that the command line shows."""


def all_levels() -> list[Level]:
    """The levels in the order in which they are offered."""
    return [level for group in GROUPS.values() for level in group.levels]


def levels_of(view: View, tokenization: Tokenization | None = None) -> list[Level]:
    """The levels that there is anything of; where there is nothing of any, those that a person could begin with.

    `tokenization` is how a person chose to tokenize texts.
    """
    levels = [level if tokenization is None else level.tokenized(tokenization) for level in all_levels()]
    levels = [level.of_view(view) for level in levels]
    return [level for level in levels if level.present(view)] or [level for level in levels if level.possible(view)]


def tag_level(kind: Kind) -> Level:
    """The level at which tags of a kind are scored."""
    return next(level for level in all_levels() if level.tags is kind)
