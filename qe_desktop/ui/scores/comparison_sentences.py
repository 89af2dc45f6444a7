"""What is said of a comparison as a whole: how it was made, and what it cannot show."""

from __future__ import annotations

from qe_desktop.significance import Comparison, Options, out_of_reach, procedure
from qe_desktop.wording import tr


def made_sentence(comparison: Comparison, *, stale: bool) -> str:
    """In how many rounds over how much it was made, and whether edits came since."""
    said = _by_documents(comparison) if comparison.options.unit == "document" else _by_segments(comparison)
    return " · ".join((said, tr("before the last edits"))) if stale else said


def _by_segments(comparison: Comparison) -> str:
    rounds, units = comparison.rounds, comparison.units
    if not rounds:
        return tr("{test} over {n:,} segments", "", units, test=procedure(comparison.options.test).title)
    if comparison.exact:
        return tr("all {n:,} swaps over {segments:,} {segments:segment|segments}", "", rounds, segments=units)
    return tr("{n:,} rounds over {segments:,} {segments:segment|segments}", "", rounds, segments=units)


def _by_documents(comparison: Comparison) -> str:
    rounds, units = comparison.rounds, comparison.units
    if not rounds:
        return tr("{test} over {n:,} documents", "", units, test=procedure(comparison.options.test).title)
    if comparison.exact:
        return tr("all {n:,} swaps over {documents:,} {documents:document|documents}", "", rounds, documents=units)
    return tr("{n:,} rounds over {documents:,} {documents:document|documents}", "", rounds, documents=units)


def method_sentence(options: Options) -> str:
    """By which test, and what it swaps."""
    test = procedure(options.test).title
    if options.unit == "document":
        return tr(
            "{test}, seed {seed}, swapping whole documents; the intervals are drawn over documents, too.",
            test=test,
            seed=options.seed,
        )
    return tr(
        "{test}, seed {seed}, swapping whole segments; the intervals are drawn over segments, too.",
        test=test,
        seed=options.seed,
    )


def too_few(comparison: Comparison) -> str:
    """What there is too little of for any pair to be significant, in a narrow place; empty where there is enough."""
    missed = out_of_reach(comparison)
    if missed is None:
        return ""
    if missed.rounds is not None:
        return tr("{n:,} rounds are too few.", "", comparison.rounds)
    if comparison.options.unit == "document":
        return tr("{n:,} documents are too few to swap.", "", comparison.units)
    return tr("{n:,} segments are too few to swap.", "", comparison.units)
