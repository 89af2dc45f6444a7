"""Systems under letters until the owner opens the blind key, and back again where the campaign is known."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import methodcaller
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import BLIND, TOGETHER, PairRatings, Place, QeError, Ratings, ScoreRatings
from qe_desktop.corpus.campaigns import part_of
from qe_desktop.ratings.aggregation.trueskill import TrueSkill
from qe_desktop.ratings.assignment.draws import Draws
from qe_desktop.ratings.campaign import Design
from qe_desktop.wording import changed, tr

Names = Mapping[str, str]
"""What each system is called on screen."""
LETTERS = re.compile(r"System [A-Z]{1,2}")
"""What systems are called while a campaign is blind."""


def blind_names(systems: Iterable[str], uid: str, seed: int = 1, secret: bytes = b"") -> dict[str, str]:
    """“System A”, “System B”… for each system, in an order that only campaign, seed and the campaign's secret decide.

    The letters do not depend on the order in which the systems are given, and stay the same at every start.

    >>> sorted(blind_names(["online-B", "uedin"], "campaign").values())
    ['System A', 'System B']
    """
    names = sorted(set(systems))
    if secret:
        order = Draws(seed, "letters", uid, secret=secret).order(len(names))
    else:
        # as campaigns went by that were set up before there were secrets
        order = np.random.default_rng([seed, zlib.crc32(uid.encode())]).permutation(len(names)).tolist()
    return {names[place]: f"System {letters(number)}" for number, place in enumerate(order)}


def letters(number: int) -> str:
    """0 is A, 25 Z, 26 AA, as the columns of a spreadsheet.

    >>> letters(0), letters(25), letters(26), letters(52)
    ('A', 'Z', 'AA', 'BA')
    """
    text = ""
    number += 1
    while number:
        number, place = divmod(number - 1, 26)
        text = chr(ord("A") + place) + text
    return text


def letters_of(design: Design) -> dict[str, str]:
    """The letter of each system of a campaign."""
    return blind_names(design.setup.systems, design.campaign.uid, design.setup.seed, design.secret)


def blinded(ratings: Ratings, names: Names, campaign: str) -> Ratings:
    """The ratings under the letters of a campaign, each of its systems' marked as such: only it can tell them back.

    Ratings of other sources are among them where they are of its systems, for they would tell by their names.
    """
    scores, pairs = ratings.scores, ratings.pairs
    hidden = np.array([name in names for name in scores.systems], bool)[scores.system]
    units = np.array([any(name in names for name in unit.split(TOGETHER)) for unit in pairs.units], bool)
    mark = campaign + BLIND
    found = replace(
        ratings,
        scores=_marked(scores, hidden, mark),
        pairs=_marked(pairs, units[pairs.first] | units[pairs.second], mark),
        comments=tuple(
            replace(comment, campaign=mark) if any(name in names for name in comment.systems) else comment
            for comment in ratings.comments
        ),
    )
    return renamed(found, names)


Table = TypeVar("Table", ScoreRatings, PairRatings)


def _marked(table: Table, hidden: NDArray[np.bool_], mark: str) -> Table:
    marks = (*table.campaigns, mark)
    return replace(table, campaigns=marks, campaign=np.where(hidden, len(marks) - 1, table.campaign).astype(np.int32))


def resolved(ratings: Ratings, campaign: str, letters: Names) -> Ratings:
    """The blind ratings of one campaign with its systems' names; `letters` gives the name behind each.

    QeError for a letter that the campaign does not have.
    """
    blind = part_of(ratings, [campaign + BLIND])
    units = [name for place in np.unique(np.append(blind.pairs.first, blind.pairs.second)).tolist()
             for name in blind.pairs.units[place].split(TOGETHER)]  # fmt: skip
    used = {blind.scores.systems[place] for place in np.unique(blind.scores.system).tolist()} | set(units)
    strange = sorted(name for name in used if LETTERS.fullmatch(name) and name not in letters)
    if strange:
        raise QeError(
            tr("the campaign has no {system}, so this is not an export of it", system=strange[0]),
            hint=tr("Export it again from the project that it is of."),
            place=Place(ratings.origin) if ratings.origin else None,
        )
    found = renamed(blind, letters)
    return replace(
        found,
        scores=replace(found.scores, campaigns=(campaign,) * len(found.scores.campaigns)),
        pairs=replace(found.pairs, campaigns=(campaign,) * len(found.pairs.campaigns)),
        comments=tuple(replace(comment, campaign=campaign) for comment in found.comments),
    )


def _named(systems: Sequence[str], names: Names) -> tuple[str, ...]:
    """Each system's other name, or its own where it has none."""
    return tuple(names.get(system, system) for system in systems)


def renamed(ratings: Ratings, names: Names) -> Ratings:
    """The same ratings with the systems under other names; a system without one keeps its own."""
    if not names:
        return ratings
    units = tuple(TOGETHER.join(_named(unit.split(TOGETHER), names)) for unit in ratings.pairs.units)
    return replace(
        ratings,
        scores=replace(ratings.scores, systems=_named(ratings.scores.systems, names)),
        pairs=replace(ratings.pairs, units=units),
        comments=tuple(replace(comment, systems=_named(comment.systems, names)) for comment in ratings.comments),
    )


def renamed_skills(skills: TrueSkill, names: Names) -> TrueSkill:
    """The same with the systems under other names."""
    problem = skills.problem
    # the longest first: a name may be a part of another
    for name in sorted(names, key=len, reverse=True):
        problem = changed(problem, methodcaller("replace", name, names[name]))
    clusters = tuple(_named(cluster, names) for cluster in skills.clusters)
    return replace(skills, systems=_named(skills.systems, names), clusters=clusters, problem=problem)


def renamed_key(design: Design, names: Names) -> Design:
    """The same campaign with the systems under other names in its key."""
    keys = tuple(replace(key, systems=_named(key.systems, names)) for key in design.output_keys)
    return replace(design, output_keys=keys, setup=replace(design.setup, systems=_named(design.setup.systems, names)))
