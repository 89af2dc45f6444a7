"""Notes on significance levels that the tests of a comparison cannot reach."""

from __future__ import annotations

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.significance import CORRECTION_LABELS, Correction, UnattainableLevel


def too_few_rounds_note(rounds: int, correction: Correction, missed: UnattainableLevel) -> str:
    """Return a note that there are too few trials to reach a significance level, and how many suffice."""
    level, least = _format_level(missed.level), _format_level(missed.min_p)
    name, pairs = CORRECTION_LABELS[correction], missed.pairs
    problem = {
        (False, True): tr(
            "{n:,} {n:trial is|trials are} too few: p is at least {least}, so no two systems can "
            "differ significantly at {level}.",
            "", rounds, level=level, least=least,
        ),
        (False, False): tr(
            "{n:,} {n:trial is|trials are} too few: p is at least {least}, so no pair of systems can "
            "reach p < {level}.",
            "", rounds, level=level, least=least,
        ),
        (True, True): tr(
            "{n:,} {n:trial is|trials are} too few: adjusted p ({correction}, {pairs:,} "
            "{pairs:pair|pairs}) is at least {least}, so no two systems can differ significantly at "
            "{level}.",
            "", rounds, level=level, least=least, correction=name, pairs=pairs,
        ),
        (True, False): tr(
            "{n:,} {n:trial is|trials are} too few: adjusted p ({correction}, {pairs:,} "
            "{pairs:pair|pairs}) is at least {least}, so no pair of systems can reach p < {level}.",
            "", rounds, level=level, least=least, correction=name, pairs=pairs,
        ),
    }[correction != "none", missed.is_alpha]  # fmt: skip
    return join_localized(" ", (problem, tr("{n:,} trials suffice.", "", missed.rounds)))


def too_few_rounds_for_metrics_note(rounds: int, correction: Correction, missed: UnattainableLevel) -> str:
    """Return a note on a significance level that tests between metrics cannot reach, and on what to do."""
    level, least = _format_level(missed.level), _format_level(missed.min_p)
    name, pairs = CORRECTION_LABELS[correction], missed.pairs
    if missed.rounds is None:
        few = {
            False: tr(
                "Too few segments or documents are permuted: p is at least {least}, so no two metrics can differ with "
                "p < {level}.",
                least=least, level=level,
            ),
            True: tr(
                "Too few segments or documents are permuted: adjusted p ({correction}, {pairs:,} "
                "{pairs:pair|pairs}) is at least {least}, so no two metrics can differ with p < {level}.",
                least=least, level=level, correction=name, pairs=pairs,
            ),
        }[correction != "none"]  # fmt: skip
        return join_localized(" ", (few, tr("Use more segments or documents; more trials do not help.")))
    few = {
        (False, True): tr(
            "{n:,} {n:trial is|trials are} too few: p is at least {least}, so no two metrics can differ "
            "significantly at {level}.",
            "", rounds, level=level, least=least,
        ),
        (False, False): tr(
            "{n:,} {n:trial is|trials are} too few: p is at least {least}, so no two metrics can differ with "
            "p < {level}.",
            "", rounds, level=level, least=least,
        ),
        (True, True): tr(
            "{n:,} {n:trial is|trials are} too few: adjusted p ({correction}, {pairs:,} "
            "{pairs:pair|pairs}) is at least {least}, so no two metrics can differ significantly at {level}.",
            "", rounds, level=level, least=least, correction=name, pairs=pairs,
        ),
        (True, False): tr(
            "{n:,} {n:trial is|trials are} too few: adjusted p ({correction}, {pairs:,} "
            "{pairs:pair|pairs}) is at least {least}, so no two metrics can differ with p < {level}.",
            "", rounds, level=level, least=least, correction=name, pairs=pairs,
        ),
    }[correction != "none", missed.is_alpha]  # fmt: skip
    return join_localized(" ", (few, tr("{n:,} trials suffice.", "", missed.rounds)))


def too_few_segments_note(segments: int, correction: Correction, missed: UnattainableLevel) -> str:
    """Return a note on too few segments to reach a significance level, and on what to do."""
    problem = _too_few_units_note(segments, tr("{n:,} {n:segment|segments}", "", segments), correction, missed)
    return join_localized(" ", (problem, tr("Use more segments; more trials do not help.")))


def too_few_documents_note(documents: int, correction: Correction, missed: UnattainableLevel) -> str:
    """Return a note on too few documents to reach a significance level, and on what to do."""
    problem = _too_few_units_note(documents, tr("{n:,} {n:document|documents}", "", documents), correction, missed)
    return join_localized(" ", (problem, tr("Use more documents, or permute segments; more trials do not help.")))


def _too_few_units_note(count: int, units: str, correction: Correction, missed: UnattainableLevel) -> str:
    """Return a note on too few units to permute; `units` is their number and name, such as “2 segments”."""
    level, least = _format_level(missed.level), _format_level(missed.min_p)
    name, pairs = CORRECTION_LABELS[correction], missed.pairs
    return {
        (False, True): tr(
            "{units} {n:is|are} too few to permute: p is at least {least}, so no two systems can differ "
            "significantly at {level}.",
            "", count, units=units, level=level, least=least,
        ),
        (False, False): tr(
            "{units} {n:is|are} too few to permute: p is at least {least}, so no pair of systems can reach "
            "p < {level}.",
            "", count, units=units, level=level, least=least,
        ),
        (True, True): tr(
            "{units} {n:is|are} too few to permute: adjusted p ({correction}, {pairs:,} {pairs:pair|pairs}) is at "
            "least {least}, so no two systems can differ significantly at {level}.",
            "", count, units=units, level=level, least=least, correction=name, pairs=pairs,
        ),
        (True, False): tr(
            "{units} {n:is|are} too few to permute: adjusted p ({correction}, {pairs:,} {pairs:pair|pairs}) is at "
            "least {least}, so no pair of systems can reach p < {level}.",
            "", count, units=units, level=level, least=least, correction=name, pairs=pairs,
        ),
    }[correction != "none", missed.is_alpha]  # fmt: skip


def _format_level(value: float) -> str:
    return f"{value:.3g}".removeprefix("0") if value < 1 else f"{value:.3g}"
