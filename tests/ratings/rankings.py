"""Rankings for tests: literal ones, published ones, and any that hypothesis can think of."""

from __future__ import annotations

import csv
import gzip
import itertools
import json
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from qe_desktop.corpus import ItemRole, PairRatings, PairwiseJudgement

DATA = Path(__file__).parents[1] / "data" / "ratings"


def oracle(name: str) -> dict:
    return json.loads((DATA / f"{name}.json").read_text())


def pairs_of(rankings: list) -> PairRatings:
    """The pairs of screens [segment, rater, [system, …], [rank, …]], each two in the order listed."""
    rows = []
    for number, (segment, rater, systems, ranks) in enumerate(rankings):
        for one, other in itertools.combinations(range(len(systems)), 2):
            rows.append(
                PairwiseJudgement(rater, segment, systems[one], systems[other], ranks[one], ranks[other], str(number))
            )
    return PairRatings.of(rows)


def wmt16(file: Path) -> PairRatings:
    """The pairs of a gzipped WMT16 table."""
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        return PairRatings.of(
            [
                PairwiseJudgement(
                    row["judgeID"], row["segmentId"], row["system1Id"], row["system2Id"], int(row["system1rank"]),
                    int(row["system2rank"]), row["rankingID"],
                )
                for row in csv.DictReader(lines)
            ]
        )  # fmt: skip


def drawn(judgements: int, systems: int, seed: int = 1, segments: int = 1000, raters: int = 10) -> PairRatings:
    """Judgements between systems, each a little better than the next, with about a quarter of ties."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, systems, judgements, np.int32)
    second = ((first + rng.integers(1, systems, judgements)) % systems).astype(np.int32)
    ahead = (second - first) * 0.15 + rng.normal(size=judgements)
    return PairRatings(
        raters=tuple(f"r{number}" for number in range(raters)),
        segments=tuple(str(number) for number in range(segments)),
        units=tuple(f"system-{number:03}" for number in range(systems)),
        screens=("",),
        rater=rng.integers(0, raters, judgements, np.int32),
        segment=rng.integers(0, segments, judgements, np.int32),
        first=first,
        second=second,
        first_rank=np.full(judgements, 3, np.int16),
        second_rank=(3 + np.sign(np.where(np.abs(ahead) < 0.3, 0.0, ahead))).astype(np.int16),
        screen=np.zeros(judgements, np.int32),
        role=np.zeros(judgements, np.uint8),
        started=np.full(judgements, np.nan),
        seconds=np.full(judgements, np.nan),
    )


UNITS = st.sampled_from(["A", "B", "C", "D", "A+B", "B+A", "C+D+E"])


def judgements(min_size: int = 0, max_size: int = 40) -> st.SearchStrategy[list[PairwiseJudgement]]:
    """Rows with few raters, segments and units, so that much of them can be compared."""
    row = st.builds(
        PairwiseJudgement,
        rater=st.sampled_from(["r1", "r2", "r3"]),
        segment=st.sampled_from(["1", "2", "3"]),
        first=UNITS,
        second=UNITS,
        first_rank=st.integers(1, 3),
        second_rank=st.integers(1, 3),
        screen=st.sampled_from(["x", "y"]),
        role=st.sampled_from([ItemRole.SYSTEM, *ItemRole]),
    )
    return st.lists(row, min_size=min_size, max_size=max_size)


def turned(row: PairwiseJudgement) -> PairwiseJudgement:
    """The same judgement, listed the other way round."""
    return row._replace(first=row.second, second=row.first, first_rank=row.second_rank, second_rank=row.first_rank)
