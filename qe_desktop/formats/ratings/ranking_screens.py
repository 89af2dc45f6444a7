"""Rankings of several systems, one per row of a file, and their conversion to pairwise judgements."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Comment, PairRatings, QeError
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.ratings import NameCodes
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.i18n.messages import tr

MAX_SCREEN_OUTPUTS = 100
"""Maximum number of outputs on one screen."""
MAX_PAIR_CELLS = 1 << 22
"""Maximum number of cells (rows × pairs of outputs) that are processed in one step."""


def check_screen_size(opened: TextFile, count: int, line: int | None = None) -> None:
    """Raise QeError if a ranking has so many outputs (`count`) that their pairs may not fit into memory."""
    if count > MAX_SCREEN_OUTPUTS:
        message = tr(
            "the ranking has {n:,} {n:output|outputs}; the maximum is {most}", "", count, most=MAX_SCREEN_OUTPUTS
        )
        hint = tr("Put only outputs that were ranked together into one ranking.")
        raise QeError(message, hint=hint, place=opened.location(line))


@dataclass(frozen=True, slots=True, eq=False)
class RankingScreens:
    """Rankings, one per row. `displayed_units` and `ranks` have shape (rows, systems), the other columns (rows,).

    A unit is a system, or several systems with identical outputs. `displayed_units` are indices into `units`, in
    display order, and `ranks` are the ranks of these units. A rank of 0 or less means that the unit is unranked. Rows
    with fewer units are filled with the unit whose name is empty.
    """

    raters: tuple[str, ...]
    segments: tuple[str, ...]
    units: tuple[str, ...]
    screens: tuple[str, ...]
    rater: NameCodes
    segment: NameCodes
    screen: NameCodes
    displayed_units: NameCodes
    ranks: NDArray[np.int16]
    role: NDArray[np.uint8]
    started: Floats
    seconds: Floats
    campaigns: tuple[str, ...]
    campaign: NameCodes
    uids: tuple[str, ...]
    uid: NameCodes

    def _shown_mask(self) -> NDArray[np.bool_]:
        nameless = self.units.index("") if "" in self.units else -1
        return np.asarray(self.displayed_units != nameless)

    def pairs(self) -> PairRatings:
        """All pairs of ranked systems in each row, in display order; the only system of a row is paired with itself."""
        is_shown = self._shown_mask()
        ranked = is_shown & (self.ranks > 0)
        first, second = np.array([*combinations(range(self.displayed_units.shape[1]), 2), (0, 0)]).T
        is_single = is_shown.sum(axis=1) == 1
        rows, pairs = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        step = max(1, MAX_PAIR_CELLS // len(first))
        for start in range(0, len(ranked), step):
            some = ranked[start : start + step]
            is_pair = some[:, first] & some[:, second]
            is_pair[:, -1] &= is_single[start : start + step]
            row, pair = np.nonzero(is_pair)
            rows.append(row + start)
            pairs.append(pair)
        row, pair = np.concatenate(rows), np.concatenate(pairs)
        left, right = first[pair], second[pair]
        return PairRatings(
            self.raters, self.segments, self.units, self.screens, self.rater[row], self.segment[row],
            self.displayed_units[row, left], self.displayed_units[row, right], self.ranks[row, left], self.ranks[row,
            right],
            self.screen[row], self.role[row], self.started[row], self.seconds[row],
            self.campaigns, self.campaign[row], self.uids, self.uid[row],
        )  # fmt: skip

    def skipped_screens(self) -> tuple[Comment, ...]:
        """One comment per screen without ranks; it marks the screen as skipped and lists all systems of the screen."""
        is_shown = self._shown_mask()
        ranked = (is_shown & (self.ranks > 0)).any(axis=1)
        screens = np.stack([self.rater, self.segment, self.screen])
        # a screen with one row per pair has rows without ranks if several of its systems are unranked
        _, inverse = np.unique(screens, axis=1, return_inverse=True)
        empty = np.flatnonzero(np.bincount(inverse.ravel(), ranked)[inverse.ravel()] == 0)
        comment_by_screen: dict[tuple[str, str, str], Comment] = {}
        for row in empty.tolist():
            key = (self.raters[self.rater[row]], self.segments[self.segment[row]], self.screens[self.screen[row]])
            names = [self.units[unit] for unit in self.displayed_units[row][is_shown[row]]]
            previous_systems = comment_by_screen[key].systems if key in comment_by_screen else ()
            systems = tuple(dict.fromkeys((*previous_systems, *names)))
            campaign = self.campaigns[self.campaign[row]]
            comment_by_screen[key] = Comment(key[0], key[1], "", systems, True, float(self.started[row]), campaign)
        return tuple(comment_by_screen.values())
