"""Mapping of system names in score or rating files to systems of the corpus, specified as `NAME=SYSTEM`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qe_desktop.corpus import IDENTITY_MAPPING, Corpus, QeError, SourceLocation, SystemNameMapping
from qe_desktop.corpus.system_matching import unmatched_names
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.translations.translation_level import translations_of

if TYPE_CHECKING:
    from qe_desktop.corpus import Ratings


@dataclass(frozen=True, slots=True)
class SystemMatches:
    """Mapping of system names in files to systems of the corpus, as specified by the user."""

    systems: Mapping[str, str]

    @classmethod
    def of(cls, arguments: Sequence[str]) -> SystemMatches:
        """Parse `NAME=SYSTEM` arguments. Raises QeError if one is invalid, or if a name is matched with two systems."""
        systems: dict[str, str] = {}
        for argument in arguments:
            name, equals, system = argument.rpartition("=")
            if not (equals and name and system):
                raise QeError(
                    tr("“{name}” does not have the form NAME=SYSTEM", name=argument),
                    hint=tr("Put the name from the file before the name of the system, as in online_A.en-de=online-A."),
                )
            if systems.get(name, system) != system:
                message = tr("“{name}” is matched with two systems", name=name)
                raise QeError(message, hint=tr("Match each name once."))
            systems[name] = system
        return cls(systems)

    def map_names(self, scored_names: Collection[str], location: SourceLocation) -> SystemNameMapping:
        """Return the mapping of `scored_names`, the names in one file.

        Raises QeError if two of these names would be mapped to the same system; `location` is the location of the
        error.
        """
        names = {name: system for name, system in self.systems.items() if name in scored_names}
        new_names = [names.get(name, name) for name in scored_names]
        if len(set(new_names)) < len(new_names):
            message = tr("two systems would have the same name")
            raise QeError(message, hint=tr("Match each name with a different system."), place=location)
        return SystemNameMapping(names) if names else IDENTITY_MAPPING

    def check_names(self, scored_names: Collection[str], systems: Collection[str]) -> None:
        """Raise QeError if a name to map is not in `scored_names`, or if its system is not in `systems`."""
        for name, system in self.systems.items():
            if name not in scored_names:
                message = tr("no score or rating file contains a system “{name}”", name=name)
                raise QeError(message, hint=_available_names_hint(name, scored_names))
            if system not in systems:
                raise QeError(
                    tr("there is no system “{name}”", name=system), hint=_available_names_hint(system, systems)
                )


def match_option_text(names: Sequence[str], systems: Sequence[str]) -> str:
    """Return a `--match` option with likely matches between `names` and `systems`; empty if there are none."""
    from qe_desktop.corpus.system_matching import propose_systems

    proposals = propose_systems(names, systems)
    pairs = [f"{name}={proposal.system}" for name, proposal in proposals.items() if proposal.system != name]
    return " ".join(("--match", *map(_quote, pairs))) if pairs else ""


def _quote(text: str) -> str:
    from shlex import quote

    return quote(text)


def _available_names_hint(name: str, names: Collection[str]) -> str:
    from qe_desktop.corpus.system_matching import nearest_name

    distinct = list(dict.fromkeys(names))
    listed, nearest = list_names(distinct, joined=True), nearest_name(name, distinct)
    if nearest:
        return tr("Did you mean “{near}”? Available names: {names}.", near=nearest, names=listed)
    return tr("Available names: {names}.", names=listed)


@dataclass(frozen=True, slots=True)
class NamedSystems:
    """Systems in the scores of one metric, or in the ratings if `metric` is empty.

    `scored_names` are the names of the systems in the score or rating files. `systems` are the systems with
    translations in the corpus. `matched` maps names from `scored_names` to `systems`, if matches are known.
    """

    metric: str
    scored_names: tuple[str, ...]
    systems: tuple[str, ...]
    matched: SystemNameMapping

    @property
    def title(self) -> str:
        """Return the name of the metric, or “ratings”."""
        return self.metric or tr("ratings")

    @property
    def needs_matching(self) -> bool:
        """Return whether `scored_names` and `systems` both have unmatched names and no match is known yet."""
        return not self.matched and all(unmatched_names(self.scored_names, self.systems, self.matched))


def corpus_system_names(corpus: Corpus) -> list[NamedSystems]:
    """Return the systems in the scores of each metric and in the ratings; empty if there are no translations."""
    systems = tuple(translations_of(corpus))
    if not systems:
        return []
    scored = [
        NamedSystems(metric, tuple(column.systems), systems, column.matched)
        for metric, column in corpus.metric_scores.items()
        if column.systems
    ]
    rated = () if corpus.ratings is None else rated_systems(corpus.ratings)
    return [*scored, NamedSystems("", rated, systems, corpus.rating_systems)] if rated else scored


def rated_systems(ratings: Ratings) -> tuple[str, ...]:
    """Return the names of the systems with ratings on a scale.

    The result is empty if a blind campaign replaced these names with letters.
    """
    from qe_desktop.corpus.ratings import BLIND_SUFFIX
    from qe_desktop.corpus.ratings_merge import campaign_marks

    scores = ratings.scores
    if any(mark.endswith(BLIND_SUFFIX) for mark in campaign_marks(ratings)):
        return ()
    counts = np.bincount(scores.system, minlength=len(scores.systems))
    return tuple(name for name, count in zip(scores.systems, counts.tolist(), strict=True) if count)
