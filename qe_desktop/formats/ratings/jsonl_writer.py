"""JSON Lines writer: one rating, ranking or comment per line, without loss."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from qe_desktop.corpus import CAMPAIGN_JOINER, Comment, PairRatings, Ratings, ScoreRatings
from qe_desktop.escaping import dumps_json
from qe_desktop.formats.io.atomic_write import atomic_write
from qe_desktop.formats.ratings.cell_parsing import format_timestamps
from qe_desktop.formats.ratings.header_aliases import format_roles
from qe_desktop.i18n.messages import to_english

FORMAT_NAME = "qe-desktop ratings"
MAX_WRITTEN_SYSTEMS = 12
"""Maximum number of systems in a ranking that is written as one line."""


def write_jsonl(ratings: Ratings, path: Path) -> tuple[str, ...]:
    """Write all ratings; return no notes, because nothing is left out. Raises QeError as `atomic_write` does."""
    header: dict[str, Any] = {
        "format": FORMAT_NAME, "version": 1, "origin": ratings.origin, "notes": to_english(ratings.notes)
    }  # fmt: skip
    if ratings.ranges:
        header["ranges"] = {scale: [low, high] for scale, low, high in ratings.ranges}
    with atomic_write(path) as file:
        file.write(f"{dumps_json(header)}\n".encode())
        for lines in (_score_lines(ratings.scores), _ranking_lines(ratings.pairs), _comment_lines(ratings.comments)):
            for line in lines:
                file.write(line.encode())
    return ()


def _number(name: str, value: float) -> str:
    if value != value:
        return ""
    # JSON integers have no negative zero
    return f', "{name}": {repr(value) if value == 0 else repr(value).removesuffix(".0")}'


def _optional_fields(role: str, at: str, seconds: float, campaign: str, uid: str, flags: int = 0) -> str:
    """Format the optional fields that are not empty; `campaign` and `uid` are already encoded as JSON."""
    fields = f', "at": "{at}"' if at else ""
    fields += _number("seconds", seconds)
    if role != "system":
        fields += f', "role": "{role}"'
    fields += f', "campaign": {campaign}' if campaign != '""' else ""
    fields += f', "rating": {uid}' if uid != '""' else ""
    return f'{fields}, "flags": {flags}' if flags else fields


def _score_lines(scores: ScoreRatings) -> Iterator[str]:
    name_columns = (scores.raters, scores.systems, scores.segments, scores.scales, scores.campaigns, scores.uids)
    names = [[dumps_json(name) for name in some] for some in name_columns]
    columns = (
        scores.rater, scores.system, scores.segment, scores.scale, scores.value, scores.seconds, scores.flags,
        scores.campaign, scores.uid,
    )  # fmt: skip
    for rater, system, segment, scale, value, seconds, flags, campaign, uid, role, at in zip(
        *(column.tolist() for column in columns),
        format_roles(scores.role),
        format_timestamps(scores.started),
        strict=True,
    ):
        optional_fields = _optional_fields(role, at, seconds, names[4][campaign], names[5][uid], flags)
        yield (
            f'{{"rater": {names[0][rater]}, "system": {names[1][system]}, "segment": {names[2][segment]}, '
            f'"scale": {names[3][scale]}{_number("value", value)}{optional_fields}}}\n'
        )


def _ranking_lines(pairs: PairRatings) -> Iterator[str]:
    """Format one line per ranking whose pairs are consecutive rows in display order, and one per remaining pair."""
    # a name with a trailing or doubled separator is a single name
    units = [unit.split(CAMPAIGN_JOINER) if all(unit.split(CAMPAIGN_JOINER)) else [unit] for unit in pairs.units]
    roles, times, seconds = format_roles(pairs.role), format_timestamps(pairs.started), pairs.seconds.tolist()
    for begin, systems, ranks in _rankings(pairs):
        fields = {
            "rater": pairs.raters[pairs.rater[begin]],
            "segment": pairs.segments[pairs.segment[begin]],
            "systems": [units[unit][0] if len(units[unit]) == 1 else units[unit] for unit in systems],
            "ranks": ranks,
            "screen": pairs.screens[pairs.screen[begin]],
        }
        marks = (dumps_json(pairs.campaigns[pairs.campaign[begin]]), dumps_json(pairs.uids[pairs.uid[begin]]))
        yield f"{dumps_json(fields)[:-1]}{_optional_fields(roles[begin], times[begin], seconds[begin], *marks)}}}\n"


def _rankings(pairs: PairRatings) -> Iterator[tuple[int, list[int], list[int]]]:
    """Iterate over the rankings that `pairs` form; yield the row of the first pair, the units and their ranks."""
    if not len(pairs):
        return
    keys = np.stack([
        pairs.rater, pairs.segment, pairs.screen, pairs.role, pairs.campaign, pairs.uid,
        np.nan_to_num(pairs.started, nan=-1.0), np.nan_to_num(pairs.seconds, nan=-1.0),
    ])  # fmt: skip
    screen_starts = np.flatnonzero(np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0))).tolist()
    columns = (pairs.first, pairs.second, pairs.first_rank, pairs.second_rank)
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    for begin, end in zip(screen_starts, [*screen_starts[1:], len(pairs)], strict=True):
        while begin < end:
            # the first unit is first in as many pairs as there are other units on its screen
            last = min(end, begin + MAX_WRITTEN_SYSTEMS)
            other_count = next((row for row in range(begin, last) if rows[row][0] != rows[begin][0]), last) - begin
            systems, ranks, size = _screen(rows[begin : min(end, begin + MAX_WRITTEN_SYSTEMS**2)], other_count)
            yield begin, systems, ranks
            begin += size


def _screen(rows: list[tuple[int, int, int, int]], other_count: int) -> tuple[list[int], list[int], int]:
    """Return the systems, the ranks and the number of pairs of the largest ranking at the start of `rows`.

    `rows` are pairs: first system, second system, first rank, second rank. The first `other_count` rows have the same
    first system. If the rows form no larger ranking, the first pair is the ranking.
    """
    for count in range(other_count + 1, 1, -1):
        size = count * (count - 1) // 2
        systems = [rows[0][0], *(row[1] for row in rows[: count - 1])]
        ranks = [rows[0][2], *(row[3] for row in rows[: count - 1])]
        listed = [
            (systems[left], systems[right], ranks[left], ranks[right]) for left, right in combinations(range(count), 2)
        ]
        if len(rows) >= size and rows[:size] == listed and min(ranks) > 0:
            return systems, ranks, size
    return [rows[0][0], rows[0][1]], [rows[0][2], rows[0][3]], 1


def _comment_lines(comments: tuple[Comment, ...]) -> Iterator[str]:
    times = format_timestamps(np.array([comment.started for comment in comments], np.float64))
    for comment, at in zip(comments, times, strict=True):
        fields: dict[str, Any] = {
            "rater": comment.rater, "segment": comment.segment, "systems": list(comment.systems),
            "comment": comment.text, "skipped": comment.skipped,
        }  # fmt: skip
        fields |= {"at": at} if at else {}
        fields |= {"campaign": comment.campaign} if comment.campaign else {}
        yield f"{dumps_json(fields)}\n"
