"""What a comparison cannot reach, however its systems differ, in whole sentences."""

from __future__ import annotations

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.significance import CORRECTION_LABELS, Correction, UnattainableLevel


def too_few_rounds_note(rounds: int, correction: Correction, missed: UnattainableLevel) -> str:
    """How many rounds are too few to reach a level of p, and the number that suffices."""
    level, least, name, pairs = _bare(missed.level), _bare(missed.least), CORRECTION_LABELS[correction], missed.pairs
    few = {
        (False, True): tr(
            "{n:,} {n:round is|rounds are} too few: p is {least} at the least, so no pair of systems can be "
            "significant at {level}.",
            "", rounds, level=level, least=least,
        ),
        (False, False): tr(
            "{n:,} {n:round is|rounds are} too few: p is {least} at the least, so no pair of systems can reach "
            "p < {level}.",
            "", rounds, level=level, least=least,
        ),
        (True, True): tr(
            "{n:,} {n:round is|rounds are} too few: p after {correction}'s correction for {pairs:,} "
            "{pairs:pair|pairs} is {least} "
            "at the least, so no pair of systems can be significant at {level}.",
            "", rounds, level=level, least=least, correction=name, pairs=pairs,
        ),
        (True, False): tr(
            "{n:,} {n:round is|rounds are} too few: p after {correction}'s correction for {pairs:,} "
            "{pairs:pair|pairs} is {least} "
            "at the least, so no pair of systems can reach p < {level}.",
            "", rounds, level=level, least=least, correction=name, pairs=pairs,
        ),
    }[correction != "none", missed.significance]  # fmt: skip
    return join_localized(" ", (few, tr("{n:,} rounds suffice.", "", missed.rounds)))


def too_few_segments_note(segments: int, correction: Correction, missed: UnattainableLevel) -> str:
    """How many segments are too few to reach a level of p, and what to do about it."""
    level, least, name, pairs = _bare(missed.level), _bare(missed.least), CORRECTION_LABELS[correction], missed.pairs
    few = {
        (False, True): tr(
            "{n:,} {n:segment is|segments are} too few to swap: p is {least} at the least, however many rounds "
            "are made, so no pair "
            "of systems can be significant at {level}.",
            "", segments, level=level, least=least,
        ),
        (False, False): tr(
            "{n:,} {n:segment is|segments are} too few to swap: p is {least} at the least, however many rounds "
            "are made, so no pair "
            "of systems can reach p < {level}.",
            "", segments, level=level, least=least,
        ),
        (True, True): tr(
            "{n:,} {n:segment is|segments are} too few to swap: p after {correction}'s correction for {pairs:,} "
            "{pairs:pair|pairs} "
            "is {least} at the least, however many rounds are made, so no pair of systems can be significant at "
            "{level}.",
            "", segments, level=level, least=least, correction=name, pairs=pairs,
        ),
        (True, False): tr(
            "{n:,} {n:segment is|segments are} too few to swap: p after {correction}'s correction for {pairs:,} "
            "{pairs:pair|pairs} "
            "is {least} at the least, however many rounds are made, so no pair of systems can reach p < {level}.",
            "", segments, level=level, least=least, correction=name, pairs=pairs,
        ),
    }[correction != "none", missed.significance]  # fmt: skip
    return join_localized(" ", (few, tr("Compare on more segments.")))


def too_few_documents_note(documents: int, correction: Correction, missed: UnattainableLevel) -> str:
    """How many documents are too few to reach a level of p, and what to do about it."""
    level, least, name, pairs = _bare(missed.level), _bare(missed.least), CORRECTION_LABELS[correction], missed.pairs
    few = {
        (False, True): tr(
            "{n:,} {n:document is|documents are} too few to swap: p is {least} at the least, however many "
            "rounds are made, so no "
            "pair of systems can be significant at {level}.",
            "", documents, level=level, least=least,
        ),
        (False, False): tr(
            "{n:,} {n:document is|documents are} too few to swap: p is {least} at the least, however many "
            "rounds are made, so no "
            "pair of systems can reach p < {level}.",
            "", documents, level=level, least=least,
        ),
        (True, True): tr(
            "{n:,} {n:document is|documents are} too few to swap: p after {correction}'s correction for "
            "{pairs:,} {pairs:pair|pairs} "
            "is {least} at the least, however many rounds are made, so no pair of systems can be significant at "
            "{level}.",
            "", documents, level=level, least=least, correction=name, pairs=pairs,
        ),
        (True, False): tr(
            "{n:,} {n:document is|documents are} too few to swap: p after {correction}'s correction for "
            "{pairs:,} {pairs:pair|pairs} "
            "is {least} at the least, however many rounds are made, so no pair of systems can reach p < {level}.",
            "", documents, level=level, least=least, correction=name, pairs=pairs,
        ),
    }[correction != "none", missed.significance]  # fmt: skip
    return join_localized(" ", (few, tr("Compare on more documents, or swap segments.")))


def _bare(value: float) -> str:
    return f"{value:.3g}".removeprefix("0") if value < 1 else f"{value:.3g}"
