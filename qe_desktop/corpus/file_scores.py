"""Scores that bilingual files state for their segments: titles and explanations for the user interface."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr


@dataclass(frozen=True, slots=True)
class FileScore:
    """Kind of score in bilingual files: its title in the user interface, and a sentence that explains the score.

    If `is_percentage` is true, scores are usually percentages and are displayed with few decimals. `has_unit` adds a
    percent sign, but not to scores up to 1 if `may_be_fraction` is true, because they may be fractions.
    """

    title: str
    meaning: str
    is_percentage: bool = False
    has_unit: bool = False
    may_be_fraction: bool = False


_TM_MATCH = FileScore(
    tr("TM match"), tr("How similar the source is to the source of the translation memory match, in percent."),
    is_percentage=True, has_unit=True,
)  # fmt: skip
_MATCH_QUALITY = FileScore(
    tr("match quality"), tr("How well the translation fits the source, as stated by the tool that proposed it."),
    is_percentage=True, has_unit=True, may_be_fraction=True,
)  # fmt: skip
FILE_SCORES: Mapping[str, FileScore] = MappingProxyType(
    {
        "percent": _TM_MATCH,
        "similarity": _TM_MATCH,
        "match-quality": _MATCH_QUALITY,
        "matchQuality": _MATCH_QUALITY,
        "matchSuitability": FileScore(
            tr("match suitability"),
            tr("How suitable the translation is for the segment, as stated by the tool that proposed it."),
            is_percentage=True,
            has_unit=True,
            may_be_fraction=True,
        ),
        "quality_estimation": FileScore(
            tr("MT quality"), tr("Quality of the MT as estimated by Trados, from Poor (worst) to Good (best).")
        ),
        "m:score": FileScore(
            tr("MT quality"), tr("Quality of the MT as estimated by Phrase, from 0 (worst) to 1 (best).")
        ),
        "mtConfidence": FileScore(
            tr("MT confidence"), tr("Confidence of the MT system in its translation, from 0 (none) to 1 (full).")
        ),
        "locQualityRatingScore": FileScore(
            tr("quality rating"),
            tr("Rating of the translation by a reviewer or a tool, from 0 (worst) to 100 (best)."),
            is_percentage=True,
        ),
        "locQualityRatingVote": FileScore(
            tr("quality votes"), tr("Result of votes on the translation; higher is better.")
        ),
    }
)
"""Kinds of scores, by the names of the scores in bilingual files."""


def file_score_title(name: str) -> str:
    """Return the title of a score or, if `name` is not in `FILE_SCORES`, the escaped name."""
    file_score = FILE_SCORES.get(name)
    return escape_label(name) if file_score is None else file_score.title


def file_score_meaning(name: str) -> str:
    """Return the title and meaning of a score; empty if `name` is not in `FILE_SCORES`."""
    file_score = FILE_SCORES.get(name)
    return "" if file_score is None else tr("{title}: {meaning}", title=file_score.title, meaning=file_score.meaning)
