"""Plain implementations of the statistics of rankings."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence

import trueskill as package

from qe_desktop.corpus import ItemRole, PairwiseJudgement


def outcomes(rows: Sequence[PairwiseJudgement]) -> Counter[tuple[str, str, str]]:
    """Count the "wins" of a system against another, and their "ties" in both directions."""
    counts: Counter[tuple[str, str, str]] = Counter()
    shown = set()
    for row in rows:
        if row.role != ItemRole.SYSTEM:
            continue
        for unit in (row.first, row.second):
            shown.add((row.rater, row.segment, row.screen, unit))
        if row.first == row.second:
            continue
        for system, other_system in itertools.product(row.first.split("+"), row.second.split("+")):
            if system == other_system:
                continue
            if row.first_rank < row.second_rank:
                counts["wins", system, other_system] += 1
            elif row.first_rank > row.second_rank:
                counts["wins", other_system, system] += 1
            else:
                counts["ties", system, other_system] += 1
                counts["ties", other_system, system] += 1
    for *_, unit in shown:
        for system, other_system in itertools.permutations(unit.split("+"), 2):
            counts["ties", system, other_system] += 1
    return counts


def agreement(rows: Sequence[PairwiseJudgement], *, intra: bool, as_listed: bool) -> tuple[int, int, int, int]:
    """Return the counts agree, comparable, ties and total of WMT's kappa."""
    roles = {ItemRole.SYSTEM, ItemRole.REFERENCE} | ({ItemRole.REPEAT} if intra else set())
    selected = []
    for row in rows:
        first, second = ("+".join(sorted(unit.split("+"))) for unit in (row.first, row.second))
        if row.role in roles and first != second:
            selected.append(row._replace(first=first, second=second))
    if intra:
        selected = [row for row in selected if _is_repeat_visit(row, selected, as_listed)]
    agree = comparable = 0
    for left, right in itertools.combinations(selected, 2):
        if left.segment != right.segment or (intra and left.rater != right.rater):
            continue
        if not intra and not as_listed and left.rater == right.rater:
            continue
        if (left.first, left.second) == (right.first, right.second):
            same = _outcome(left) == _outcome(right)
        elif not as_listed and (left.first, left.second) == (right.second, right.first):
            same = _outcome(left) == -_outcome(right)
        else:
            continue
        comparable += 1
        agree += same
    return agree, comparable, sum(_outcome(row) == 0 for row in selected), len(selected)


def _outcome(row: PairwiseJudgement) -> int:
    return (row.second_rank > row.first_rank) - (row.second_rank < row.first_rank)


def _is_repeat_visit(row: PairwiseJudgement, rows: Sequence[PairwiseJudgement], as_listed: bool) -> bool:
    visit = [judgement for judgement in rows if (judgement.rater, judgement.segment) == (row.rater, row.segment)]
    listed = [(judgement.first, judgement.second) for judgement in visit]
    if not as_listed:
        listed = [(min(two), max(two)) for two in listed]
    return len(set(listed)) < len(listed) or any(judgement.role == ItemRole.REPEAT for judgement in visit)


Judgement = tuple[str, str, int, int]


def trueskill_run(
    judgements: Sequence[Judgement], rng: random.Random, max_steps: int | None = None
) -> dict[str, float]:
    """Return the mean skills after a run of the trueskill package as at WMT, of at most `most` steps."""
    sample = defaultdict(list)
    for judgement in rng.choices(judgements, k=len(judgements)):
        sample[frozenset(judgement[:2])].append(judgement)
    steps = len(judgements) + 1
    env = package.TrueSkill(mu=0.0, sigma=0.5, beta=0.5 * steps / 40, tau=0.0, draw_probability=0.25)
    skill = {name: env.create_rating() for name in sorted({name for row in judgements for name in row[:2]})}
    sampled_names = {name for pair in sample for name in pair}
    for _ in range(min(steps, max_steps or steps)):
        chosen = max(sampled_names, key=lambda name: (skill[name].sigma, name))
        others = [name for name in skill if frozenset((chosen, name)) in sample]
        weights = [math.exp(-abs(skill[chosen].mu - skill[name].mu)) for name in others]
        first, second, *ranks = rng.choice(sample[frozenset((chosen, rng.choices(others, weights)[0]))])
        (skill[first],), (skill[second],) = env.rate([(skill[first],), (skill[second],)], ranks=ranks)
    return {name: rating.mu for name, rating in skill.items()}
