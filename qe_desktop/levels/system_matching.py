"""`--match NAME=SYSTEM`: systems that a file of scores or ratings calls otherwise, as a person matched them."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from qe_desktop.corpus import IDENTITY_MAPPING, Corpus, QeError, SourceLocation, SystemNameMapping
from qe_desktop.corpus.system_matching import unmatched_names
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.translations.translation_texts import translations_of

if TYPE_CHECKING:
    from qe_desktop.corpus import Ratings


def add_match(parser: argparse.ArgumentParser) -> None:
    """The option that matches names."""
    parser.add_argument(
        "--match", nargs="+", action="extend", metavar="NAME=SYSTEM", default=[],
        help=tr("a system that is called NAME in files of scores or ratings"),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SystemMatches:
    """The systems by the names that files have for them, as the option has it."""

    systems: Mapping[str, str]

    @classmethod
    def of(cls, arguments: Sequence[str]) -> SystemMatches:
        """What the arguments say. QeError for what matches no names, and for a name that is matched twice."""
        found: dict[str, str] = {}
        for argument in arguments:
            name, equals, system = argument.rpartition("=")
            if not (equals and name and system):
                raise QeError(tr("“{name}” matches no names", name=argument), hint=tr("Give NAME=SYSTEM."))
            if found.get(name, system) != system:
                message = tr("“{name}” is matched with two systems", name=name)
                raise QeError(message, hint=tr("Match each name once."))
            found[name] = system
        return cls(found)

    def among(self, given: Collection[str], place: SourceLocation) -> SystemNameMapping:
        """How the names of one file are matched; QeError where two of them would be one."""
        names = {name: system for name, system in self.systems.items() if name in given}
        called = [names.get(name, name) for name in given]
        if len(set(called)) < len(called):
            message = tr("two systems would have one name")
            raise QeError(message, hint=tr("Match each with a name of its own."), place=place)
        return SystemNameMapping(names) if names else IDENTITY_MAPPING

    def refuse_unknown(self, given: Collection[str], systems: Collection[str]) -> None:
        """QeError where a name is none of those that files have, or stands for none of the systems."""
        for name, system in self.systems.items():
            if name not in given:
                message = tr("no file of scores or ratings has a system “{name}”", name=name)
                raise QeError(message, hint=_near(name, given))
            if system not in systems:
                raise QeError(tr("no system is called “{name}”", name=system), hint=_near(system, systems))


def match_option_text(given: Sequence[str], systems: Sequence[str]) -> str:
    """The option that would match these names as they seem to be meant; nothing where none seems so."""
    from qe_desktop.corpus.system_matching import propose_systems

    found = propose_systems(given, systems)
    pairs = [f"{name}={one.system}" for name, one in found.items() if one.system != name]
    return " ".join(("--match", *map(_quote, pairs))) if pairs else ""


def _quote(text: str) -> str:
    from shlex import quote

    return quote(text)


def _near(name: str, names: Collection[str]) -> str:
    """What may be meant, and what there is."""
    from qe_desktop.corpus.system_matching import nearest_name

    held, near = list_names(list(names), joined=True), nearest_name(name, list(names))
    if near:
        return tr("Perhaps “{near}” is meant. There are {names}.", near=near, names=held)
    return tr("There are {names}.", names=held)


@dataclass(frozen=True, slots=True)
class NamedSystems:
    """The systems of one metric's scores, or (without a metric) of people's ratings: `given` as their files call them,
    `systems` the translations here, `matched` who is who as far as anybody said.
    """

    metric: str
    given: tuple[str, ...]
    systems: tuple[str, ...]
    matched: SystemNameMapping

    @property
    def title(self) -> str:
        """What people call the scores."""
        return self.metric or tr("people's ratings")

    @property
    def doubtful(self) -> bool:
        """Whether names are left on both sides, so that some of them may mean the same, and nobody said so yet."""
        return not self.matched and all(unmatched_names(self.given, self.systems, self.matched))


def corpus_system_names(corpus: Corpus) -> list[NamedSystems]:
    """The scores of every metric and the ratings of a corpus, where there are translations that they could be of."""
    systems = tuple(translations_of(corpus))
    if not systems:
        return []
    found = [
        NamedSystems(metric, tuple(column.systems), systems, column.matched)
        for metric, column in corpus.metric_scores.items()
        if column.systems
    ]
    rated = () if corpus.ratings is None else rated_systems(corpus.ratings)
    return [*found, NamedSystems("", rated, systems, corpus.rated)] if rated else found


def rated_systems(ratings: Ratings) -> tuple[str, ...]:
    """The systems that were rated on a scale; none where they go by letters that only their campaign can tell."""
    from qe_desktop.corpus.ratings import BLIND_SUFFIX
    from qe_desktop.corpus.ratings_merge import campaign_marks

    scores = ratings.scores
    if any(mark.endswith(BLIND_SUFFIX) for mark in campaign_marks(ratings)):
        return ()
    counts = np.bincount(scores.system, minlength=len(scores.systems))
    return tuple(name for name, count in zip(scores.systems, counts.tolist(), strict=True) if count)
