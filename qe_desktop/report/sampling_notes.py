"""What a reader of repeated sampling must know: how it was made, and where it says nothing."""

from __future__ import annotations

import numpy as np

from qe_desktop.studies.sampling.options import said, said_all
from qe_desktop.studies.sampling.study import SamplingStudy
from qe_desktop.wording import side_by_side, tr

FEW = 10
"""Differences of fewer tags than this are not in proportion."""
STILL = 1e-12
"""Deviations below this are rounding."""


def notes_of(study: SamplingStudy) -> list[str]:
    """The notes, in the order in which one asks for them."""
    return [_made(study), *_ended(study), *_drawn(study), *_small(study), *_of_metrics(study), _meaning()]


def _made(study: SamplingStudy) -> str:
    if study.options.mode == "fast":
        return tr(
            "Fast: p is what is to be expected of a repetition, worked out from means and variances of {n:,} data sets "
            "of each share. Its error is that of these. The full mode draws all samples.",
            "", study.orders - study.redrawn,
        )  # fmt: skip
    return tr(
        "Full: p is the mean over {n:,} {n:repetition|repetitions}. Of p far below alpha few repetitions make the "
        "mean, and its error is too small.",
        "", study.made,
    )  # fmt: skip


def _ended(study: SamplingStudy) -> list[str]:
    if study.ended is None or study.made >= study.asked:
        return []
    part = tr("{made:,} of {asked:,}", made=study.made, asked=study.asked)
    if isinstance(study.ended, KeyboardInterrupt):
        why = tr("It was stopped before its end.")
    else:
        why = tr("It ended early: {reason}.", reason=study.ended.message)
    if study.options.mode == "fast":
        return [side_by_side(" ", (why, tr("What was computed is in it: {part} batches.", part=part)))]
    return [side_by_side(" ", (why, tr("What was computed is in it: {part} repetitions.", part=part)))]


def _drawn(study: SamplingStudy) -> list[str]:
    pool, options = study.pool, study.options
    found = []
    if len(pool.systems) == 1:
        found.append(tr("There is one system, so nothing is mixed: all data sets have errors of {system}.",
                        system=pool.systems[0]))  # fmt: skip
    elif options.mixing == "one":
        totals = np.bincount(pool.system, pool.errors[:-1], len(pool.systems))
        short = [name for name, total in zip(pool.systems, totals.tolist(), strict=True)
                 if total < float(options.errors[-1]) / 100 * pool.tags]  # fmt: skip
        if short and not options.repeated:
            found.append(tr("No data set comes from {systems}: not so many errors.", systems=", ".join(short)))
    if study.redrawn:
        found.append(
            tr(
                "{n:,} of {orders:,} orders ended before {share} % and were drawn again, so data sets have rather more "
                "errors of systems with many.",
                "", study.redrawn, orders=study.orders, share=said(options.errors[-1]),
            )
        )  # fmt: skip
    return found


def _small(study: SamplingStudy) -> list[str]:
    """How many tags shares are, where a difference is so few that it matters that they are whole numbers."""
    pool, options = study.pool, study.options
    nearest = min(options.difference(pair) for pair in options.pairs)
    if options.overshoot == "partial" or options.repeated or nearest / 100 * pool.tags >= FEW:
        return []
    up = options.overshoot == "keep"
    needed = [-(-part * pool.tags // whole) if up else part * pool.tags // whole for part, whole in options.needed]
    return [
        tr(
            "Of {n:,} tags, {shares} % are {numbers} wrong ones, for tags are whole: differences of few tags are not "
            "in proportion.",
            "", pool.tags, shares=said_all(options.errors), numbers=", ".join(f"{one:,}" for one in needed),
        )
    ]  # fmt: skip


def _of_metrics(study: SamplingStudy) -> list[str]:
    found = []
    still = [one.name for one, deviations in zip(study.metrics, study.deviations, strict=True)
             if (deviations < STILL).all()]  # fmt: skip
    if still:
        found.append(tr("All data sets have one score by {metrics}, which sees nothing.", metrics=", ".join(still)))
    against = [
        one.name
        for one, means in zip(study.metrics, study.means, strict=True)
        if one.name not in still and one.better * (means[-1] - means[0]) > 0
    ]
    if against:
        found.append(
            tr(
                "{metrics} gives data sets with more errors the better scores, so what it sees is no difference in "
                "quality.",
                metrics=", ".join(against),
            )
        )
    return found


def _meaning() -> str:
    return tr(
        "This says which metric needs fewer data sets to see a difference in errors such as these systems make; it "
        "does not say which metric agrees with people, nor how large a test set must be."
    )
