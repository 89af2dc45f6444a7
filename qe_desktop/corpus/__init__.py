"""Corpus data: segments, texts, tags, scores and systems, as read-only columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qe_desktop.corpus.columns import (
    AlignmentColumn,
    Documents,
    NumberColumn,
    Offsets,
    RaggedColumn,
    TagColumn,
    offsets_from_lengths,
    segment_indices,
    segment_sums,
)
from qe_desktop.corpus.corpus import EOS, Corpus, TextRole
from qe_desktop.corpus.errors import Fault, Faults, QeError, SourceLocation, raise_for_rows
from qe_desktop.corpus.layers import Kind, Layer, LayerKey, MetricColumn, Provenance, Reasons
from qe_desktop.corpus.system_matching import IDENTITY_MAPPING, SystemNameMapping
from qe_desktop.corpus.text import TextColumn
from qe_desktop.corpus.text_spans import RAW_ROLES, DisplayText, display_text, token_offsets, unescape_token
from qe_desktop.corpus.translation_job import JobFile, Review, ReviewStatus, TranslationJob
from qe_desktop.corpus.view import EditedTags, Tags, View

if TYPE_CHECKING:
    from qe_desktop.corpus.ratings import (
        BLIND_SUFFIX,
        CAMPAIGN_JOINER,
        Comment,
        ItemRole,
        PairRatings,
        PairwiseJudgement,
        RatingFlag,
        Ratings,
        Score,
        ScoreRatings,
        encode_names,
        join_ratings,
    )

__all__ = [
    "BLIND_SUFFIX",
    "CAMPAIGN_JOINER",
    "EOS",
    "IDENTITY_MAPPING",
    "RAW_ROLES",
    "AlignmentColumn",
    "Comment",
    "Corpus",
    "DisplayText",
    "Documents",
    "EditedTags",
    "Fault",
    "Faults",
    "ItemRole",
    "JobFile",
    "Kind",
    "Layer",
    "LayerKey",
    "MetricColumn",
    "NumberColumn",
    "Offsets",
    "PairRatings",
    "PairwiseJudgement",
    "Provenance",
    "QeError",
    "RaggedColumn",
    "RatingFlag",
    "Ratings",
    "Reasons",
    "Review",
    "ReviewStatus",
    "Score",
    "ScoreRatings",
    "SourceLocation",
    "SystemNameMapping",
    "TagColumn",
    "Tags",
    "TextColumn",
    "TextRole",
    "TranslationJob",
    "View",
    "display_text",
    "encode_names",
    "join_ratings",
    "offsets_from_lengths",
    "raise_for_rows",
    "segment_indices",
    "segment_sums",
    "token_offsets",
    "unescape_token",
]


def __getattr__(name: str) -> object:
    """Import `corpus.ratings` on first access to one of its names, because most corpora have no ratings."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from qe_desktop.corpus import ratings

    return getattr(ratings, name)
