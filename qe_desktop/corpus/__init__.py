"""What is evaluated: segments, texts, tags, scores and systems, as read-only columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qe_desktop.corpus.aligned import places_of, unescaped
from qe_desktop.corpus.alignments import AlignmentColumn
from qe_desktop.corpus.corpus import EOS, Corpus, TextRole
from qe_desktop.corpus.documents import Documents
from qe_desktop.corpus.errors import Fault, Faults, Place, QeError, refuse_all
from qe_desktop.corpus.jobs import Job, JobFile, Status
from qe_desktop.corpus.layers import Kind, Layer, LayerKey, Provenance
from qe_desktop.corpus.metric_scores import MetricColumn
from qe_desktop.corpus.names_matched import AS_GIVEN, NamesMatched
from qe_desktop.corpus.ragged import (
    NumberColumn,
    Offsets,
    RaggedColumn,
    TagColumn,
    offsets_of,
    segment_of,
    segment_sums,
)
from qe_desktop.corpus.reasons import Reason, Reasons
from qe_desktop.corpus.review import UNTOUCHED, Review
from qe_desktop.corpus.text import TextColumn
from qe_desktop.corpus.view import EditedTags, Tags, View
from qe_desktop.corpus.written import AS_WRITTEN, Written, written

if TYPE_CHECKING:
    from qe_desktop.corpus.ratings import (
        BLIND,
        TOGETHER,
        Comment,
        ItemRole,
        Pair,
        PairRatings,
        RatingFlag,
        Ratings,
        Score,
        ScoreRatings,
        codes_of,
        joined,
    )

__all__ = [
    "AS_GIVEN",
    "AS_WRITTEN",
    "BLIND",
    "EOS",
    "TOGETHER",
    "UNTOUCHED",
    "AlignmentColumn",
    "Comment",
    "Corpus",
    "Documents",
    "EditedTags",
    "Fault",
    "Faults",
    "ItemRole",
    "Job",
    "JobFile",
    "Kind",
    "Layer",
    "LayerKey",
    "MetricColumn",
    "NamesMatched",
    "NumberColumn",
    "Offsets",
    "Pair",
    "PairRatings",
    "Place",
    "Provenance",
    "QeError",
    "RaggedColumn",
    "RatingFlag",
    "Ratings",
    "Reason",
    "Reasons",
    "Review",
    "Score",
    "ScoreRatings",
    "Status",
    "TagColumn",
    "Tags",
    "TextColumn",
    "TextRole",
    "View",
    "Written",
    "codes_of",
    "joined",
    "offsets_of",
    "places_of",
    "refuse_all",
    "segment_of",
    "segment_sums",
    "unescaped",
    "written",
]


def __getattr__(name: str) -> object:
    """What is said of ratings, brought in where somebody asks for it: most that is opened has none."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from qe_desktop.corpus import ratings

    return getattr(ratings, name)
