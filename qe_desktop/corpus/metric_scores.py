"""Scores that a metric gave translations elsewhere: a number for each segment of each system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from qe_desktop.corpus.layers import Scores
from qe_desktop.corpus.names_matched import AS_GIVEN, NamesMatched


@dataclass(frozen=True, slots=True, eq=False)
class MetricColumn:
    """What a metric gave, by system, shape (segments,) each, NaN where it gave nothing.

    `better` is 1 where more is better and -1 where less is. Systems need not be among a corpus's translations. `origin`
    is the file that the scores were read from, as shown to people; `notes` are remarks about it. `systems` has the
    names of that file; `matched` says which systems of the corpus they are.
    """

    systems: Mapping[str, Scores]
    better: Literal[1, -1] = 1
    origin: str = ""
    notes: tuple[str, ...] = ()
    matched: NamesMatched = AS_GIVEN

    def __post_init__(self) -> None:
        object.__setattr__(self, "systems", MappingProxyType(dict(self.systems)))

    def __len__(self) -> int:
        """How many segments there are; 0 without systems."""
        return len(next(iter(self.systems.values()), ()))

    @property
    def scored(self) -> dict[str, Scores]:
        """What the metric gave, by what the systems are called in the corpus."""
        return self.matched.renamed(self.systems)

    @property
    def otherwise(self) -> dict[str, str]:
        """What the metric calls systems of the corpus, by what they are called there, where that differs."""
        return self.matched.otherwise(self.systems)
