"""What a table holds beside the texts of its segments: documents, and tags and scores of layers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from qe_desktop.corpus import LayerKey, TagColumn, TextColumn
from qe_desktop.corpus.layers import Scores


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """Columns over the segments of a document. `documents` are names, one a segment, or none at all.

    `tags` are of the words of the MT (or of its gaps, or of the source), one for each. `words` are those of the MT with
    blanks between them, where the rule of `words` does not find them. `eos` says that each MT has one more tag, for a
    virtual `<EOS>`. `scores` are NaN where a segment has none.
    """

    documents: tuple[str, ...] = ()
    tags: Mapping[LayerKey, TagColumn] = field(default_factory=dict)
    scores: Mapping[LayerKey, Scores] = field(default_factory=dict)
    words: TextColumn | None = None
    eos: bool = False


NOTHING_BESIDE = Beside()
