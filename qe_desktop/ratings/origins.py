"""Ratings that go by the letters of a blind campaign: the names behind these are told where the campaign is known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from qe_desktop.corpus import BLIND, Place, QeError, Ratings
from qe_desktop.corpus.campaigns import part_of
from qe_desktop.ratings.blinding import renamed
from qe_desktop.wording import tr

LETTERS = re.compile(r"System [A-Z]{1,2}")
"""What systems are called while a campaign is blind."""


def resolved(ratings: Ratings, campaign: str, letters: Mapping[str, str]) -> Ratings:
    """The blind ratings of one campaign with its systems' names; `letters` gives the name behind each.

    QeError for a letter that the campaign does not have.
    """
    blind = part_of(ratings, [campaign + BLIND])
    units = [name for place in np.unique(np.append(blind.pairs.first, blind.pairs.second)).tolist()
             for name in blind.pairs.units[place].split("+")]  # fmt: skip
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
