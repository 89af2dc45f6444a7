"""Names that a person is about to match: what was proposed and chosen so far, one to one at every moment."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from qe_desktop.corpus.names_matched import NamesMatched, left_unmatched
from qe_desktop.corpus.names_proposed import proposed


class Why(enum.Enum):
    """Why a name stands for a system, or for none."""

    SAME = "same"
    WRITTEN = "written"
    """The same but for how it is written."""
    GUESS = "guess"
    SAID = "said"
    NONE = "none"
    """It stands for none, and stays as it is."""
    OUT = "out"
    """It is left out."""


@dataclass(frozen=True, slots=True)
class NamesDraft:
    """Each of the `given` names of a file with one of the `systems`, or none (None).

    `chosen` lacks those that stay as they are; `said` are the names that a person chose for, `guesses` the others that
    are mere guesses.
    """

    given: tuple[str, ...]
    systems: tuple[str, ...]
    chosen: Mapping[str, str | None]
    said: frozenset[str] = frozenset()
    guesses: frozenset[str] = frozenset()

    @classmethod
    def begun(cls, given: Sequence[str], systems: Sequence[str], matched: NamesMatched) -> NamesDraft:
        """What was matched before, and where nothing was, what is proposed."""
        if matched:
            there = matched.among(given)
            kept = {name: there.get(name) for name in given if name not in there or there[name] in systems}
            said = frozenset(name for name in kept if name in matched.names)
            return cls(tuple(given), tuple(systems), kept, said)
        found = proposed(given, systems)
        guesses = frozenset(name for name, one in found.items() if one.guess)
        return cls(tuple(given), tuple(systems), {name: one.system for name, one in found.items()}, guesses=guesses)

    def with_(self, name: str, system: str | None) -> NamesDraft:
        """A name matched with a system, or left out (None); whoever had the system stays without."""
        chosen = {other: one for other, one in self.chosen.items() if one is None or one != system}
        for other in self.given:
            # it is called like the system, which it is no longer
            if other == system and other != name:
                chosen[other] = None
        chosen[name] = system
        return replace(self, chosen=chosen, said=self.said | {name}, guesses=self.guesses - {name})

    def without(self, name: str) -> NamesDraft:
        """A name that stays as it is. Where it is that of a system, it stands for that."""
        if name in self.systems:
            return self.with_(name, name)
        chosen = {other: one for other, one in self.chosen.items() if other != name}
        return replace(self, chosen=chosen, said=self.said | {name}, guesses=self.guesses - {name})

    def why(self, name: str) -> Why:
        """Why a name stands for what it does."""
        if name not in self.chosen:
            return Why.NONE
        if self.chosen[name] is None:
            return Why.OUT
        if self.chosen[name] == name:
            return Why.SAME
        return Why.SAID if name in self.said else Why.GUESS if name in self.guesses else Why.WRITTEN

    def holder(self, system: str) -> str:
        """The name that stands for a system; empty where none does."""
        return next((name for name, one in self.chosen.items() if one == system), "")

    def matched(self) -> NamesMatched:
        """Who is who, as far as names differ."""
        return NamesMatched({name: one for name, one in self.chosen.items() if one != name})

    def unmatched(self) -> tuple[list[str], list[str]]:
        """The names that stay without a system and are not left out, and the systems without a name."""
        names, systems = left_unmatched(self.given, self.systems, self.matched())
        return names, systems
