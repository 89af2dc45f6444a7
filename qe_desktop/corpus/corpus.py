"""Immutable corpus: texts, tags, scores and other columns with the same segments."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import AlignmentColumn, Documents, Floats, Offsets, offsets_from_lengths
from qe_desktop.corpus.languages import parse_language, split_language_pair
from qe_desktop.corpus.layers import Kind, Layer, LayerKey, MetricColumn, Provenance
from qe_desktop.corpus.system_matching import IDENTITY_MAPPING, SystemNameMapping
from qe_desktop.corpus.text import TextColumn
from qe_desktop.corpus.translation_job import TranslationJob
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.corpus.ratings import Ratings

EOS = "<EOS>"
"""Token appended to each segment in WMT22 files; its tag is BAD if words are missing at the end."""


class TextRole(enum.Enum):
    """Role of a text in a corpus, such as source, MT or post-edit, each tokenized or as written."""

    SOURCE = "source"
    """Source tokens."""
    MT = "MT"
    """Tokens of the MT, to which the word and gap tags belong."""
    REFERENCE = "reference"
    POST_EDIT = "post-edit"
    RAW_SOURCE = "source, as written"
    """Source before tokenization."""
    RAW_MT = "MT, as written"
    """MT before tokenization."""
    RAW_POST_EDIT = "post-edit, as written"
    """Post-edit before tokenization."""

    # identity hash, as for layer keys, because a role is looked up for every line
    __hash__ = object.__hash__

    @property
    def display_name(self) -> str:
        """Localized name; in projects and files, the value of the member is used instead."""
        return _ROLE_LABELS[self]


_ROLE_LABELS = {
    TextRole.SOURCE: tr("source"),
    TextRole.MT: tr("MT"),
    TextRole.REFERENCE: tr("reference"),
    TextRole.POST_EDIT: tr("post-edit"),
    TextRole.RAW_SOURCE: tr("raw source"),
    TextRole.RAW_MT: tr("raw MT"),
    TextRole.RAW_POST_EDIT: tr("raw post-edit"),
}

MT_SYSTEM = "MT"
"""Name of the MT in lists of systems, because the system that produced the MT may be unknown."""


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """Texts, layers, alignments and documents of `size` segments.

    If `eos` is true, each segment has one more word tag than MT tokens; the last tag belongs to a virtual `<EOS>`.
    `translations` maps the names of further MT systems to their outputs. `references` maps names to human translations,
    in loading order; the MT and the other outputs are scored against them. `ratings` contains human ratings of the MT,
    the translations and the references. A reference in `texts` is moved to `references` under the name “reference”.
    Raises ValueError if another reference has that name.

    `metric_scores` contains external metric scores, by metric. `rating_systems` maps the system names in the ratings to
    those in the corpus. `job` is the data of the bilingual files that the corpus was read from, if any. `languages` are
    the source and the target language stated in the files, empty if unknown; see also `source_and_target`.
    """

    name: str
    size: int
    texts: Mapping[TextRole, TextColumn] = field(default_factory=dict)
    layers: Mapping[LayerKey, Layer] = field(default_factory=dict)
    alignments: AlignmentColumn | None = None
    documents: Documents | None = None
    eos: bool = False
    language_pair: str = ""
    folder: str = ""
    translations: Mapping[str, TextColumn] = field(default_factory=dict)
    ratings: Ratings | None = None
    references: Mapping[str, TextColumn] = field(default_factory=dict)
    metric_scores: Mapping[str, MetricColumn] = field(default_factory=dict)
    rating_systems: SystemNameMapping = IDENTITY_MAPPING
    job: TranslationJob | None = None
    languages: tuple[str, str] = ("", "")

    def __post_init__(self) -> None:
        texts, references = dict(self.texts), dict(self.references)
        single = texts.pop(TextRole.REFERENCE, None)
        if single is not None and references.setdefault(TextRole.REFERENCE.value, single) is not single:
            raise ValueError("two references are named “reference”")
        object.__setattr__(self, "texts", MappingProxyType(texts))
        object.__setattr__(self, "layers", MappingProxyType(dict(self.layers)))
        object.__setattr__(self, "translations", MappingProxyType(dict(self.translations)))
        object.__setattr__(self, "references", MappingProxyType(references))
        object.__setattr__(self, "metric_scores", MappingProxyType(dict(self.metric_scores)))

    def source_and_target(self) -> tuple[str, str]:
        """Source and target language, each empty if unknown.

        The languages are those stated in the files, unless `language_pair` names different ones.
        """
        if not self.language_pair or "-".join(self.languages) == self.language_pair:
            return self.languages
        named = split_language_pair(self.language_pair)
        source, target = map(_more_specific_language, self.languages, named)
        return source, target

    def target_language_of(self, segment: int) -> str:
        """Target language of a segment: `TargetRules.language` if it is set, else the target language of the corpus."""
        rules = None if self.job is None else self.job.rules.get(segment)
        return (rules.language if rules is not None else "") or self.source_and_target()[1]

    def source_language_of(self, segment: int) -> str:
        """Source language of a segment: `TargetRules.source_language`, or else the source language of the corpus."""
        rules = None if self.job is None else self.job.rules.get(segment)
        return (rules.source_language if rules is not None else "") or self.source_and_target()[0]

    def target_languages(self) -> tuple[str, ...]:
        """Distinct known target languages of the segments, in order of appearance."""
        return tuple(filter(None, dict.fromkeys(map(self.target_language_of, range(self.size)))))

    def text(self, role: TextRole) -> TextColumn | None:
        """Text column of a role; for `REFERENCE`, the first reference. None if there is no such text."""
        return next(iter(self.references.values()), None) if role is TextRole.REFERENCE else self.texts.get(role)

    def mt_line(self, segment: int) -> str:
        """MT of a segment as a line with codes (see `TranslationJob`); empty if the MT is missing.

        The line is from the bilingual file if there is one, else from the raw text, else from the tokens.
        """
        if self.job is not None:
            return self.job.mt[segment]
        column = self.texts.get(TextRole.RAW_MT, self.texts.get(TextRole.MT))
        return "" if column is None else column[segment].replace("⟨", "⟨⟨")

    def target_line(self, segment: int) -> str:
        """Initial target of a segment in a review: the target in the bilingual file if there is one, else the MT."""
        return self.mt_line(segment) if self.job is None else self.job.targets[segment]

    def mt_lines(self, segments: Sequence[int]) -> list[str]:
        """`mt_line` of each of the given segments."""
        return [*map(self.mt_line, segments)] if self.job is None else self.job.mt.lines_of(segments)

    def target_lines(self, segments: Sequence[int]) -> list[str]:
        """`target_line` of each of the given segments."""
        return self.mt_lines(segments) if self.job is None else self.job.targets.lines_of(segments)

    def source_line(self, segment: int) -> str:
        """Source of a segment as a line with codes (see `TranslationJob`); empty if the source is missing.

        The line is from the bilingual file if there is one, else from the raw text, else from the tokens.
        """
        if self.job is not None:
            return self.job.sources[segment]
        column = self.texts.get(TextRole.RAW_SOURCE, self.texts.get(TextRole.SOURCE))
        return "" if column is None else column[segment].replace("⟨", "⟨⟨")

    def tokens(self, role: TextRole, segment: int) -> list[str]:
        """Tokens of a segment; empty if no text has this role. If `eos` is true, the MT ends with `<EOS>`."""
        column = self.text(role)
        if column is None:
            return []
        tokens = column.tokens(segment)
        return [*tokens, EOS] if self.eos and role is TextRole.MT else tokens

    def word_counts(self) -> NDArray[np.int32] | None:
        """Number of word tags of each segment, shape (segments,); None if there is no MT."""
        column = self.texts.get(TextRole.MT)
        return None if column is None else column.token_counts() + np.int32(self.eos)

    def cache_text_properties(self) -> None:
        """Compute and cache the writing direction of each text, and the token counts of the source and the MT.

        Called in background threads after reading, so that the GUI thread does not need to compute these values.
        """
        for role, column in self.texts.items():
            column.direction()
            if role in (TextRole.SOURCE, TextRole.MT):
                column.token_counts()

    def offsets(self, kind: Kind) -> Offsets | None:
        """Segment offsets in a tag column of this kind, shape (segments + 1,); None if the tagged text is missing."""
        source = self.texts.get(TextRole.SOURCE)
        counts = self.word_counts() if kind is not Kind.SOURCE else None if source is None else source.token_counts()
        if counts is None:
            return None
        # gaps are between the words of the text, which exclude `<EOS>`
        return offsets_from_lengths(counts + (1 - int(self.eos)) if kind is Kind.GAPS else counts)

    def with_layer(self, layer: Layer) -> Corpus:
        """Copy of this corpus with a layer added or replaced."""
        return replace(self, layers={**self.layers, layer.key: layer})

    def without_layer(self, key: LayerKey) -> Corpus:
        """Copy of this corpus without the layer that has this key."""
        return replace(self, layers={layer_key: layer for layer_key, layer in self.layers.items() if layer_key != key})

    def with_matched(self, metric: str, matched: SystemNameMapping) -> Corpus:
        """Copy of this corpus in which `matched` maps a metric's system names to those of the corpus.

        If `metric` is empty, `matched` maps the system names in the ratings. If the corpus has no scores of the metric,
        the corpus itself is returned.
        """
        if not metric:
            return replace(self, rating_systems=matched)
        column = self.metric_scores.get(metric)
        if column is None:
            return self
        return replace(self, metric_scores={**self.metric_scores, metric: replace(column, matched=matched)})

    def find(self, provenance: Provenance, kind: Kind) -> Iterator[Layer]:
        """Layers of a provenance and kind, in loading order."""
        return (layer for key, layer in self.layers.items() if key.provenance is provenance and key.kind is kind)

    def score_errors(self, scores: LayerKey, gold: LayerKey) -> Floats:
        """Segment scores minus gold scores, shape (segments,).

        Raises KeyError if a layer does not exist, and TypeError if a layer has no segment scores.
        """
        return self.layers[scores].scores - self.layers[gold].scores

    def gold(self, kind: Kind) -> Layer | None:
        """First gold layer of a kind; None if there is none."""
        return next(self.find(Provenance.GOLD, kind), None)

    def names(self, *provenances: Provenance) -> list[str]:
        """Distinct names of the layers with these provenances, in loading order."""
        return list(dict.fromkeys(key.name for key in self.layers if key.provenance in provenances))


def _more_specific_language(stated: str, named: str) -> str:
    """Return `stated`, the language in a file, or `named` if `stated` is empty or `named` is a different language."""
    is_same_language = parse_language(stated).language == parse_language(named).language
    return stated if stated and (is_same_language or not named) else named


def mt_system_name(corpus: Corpus) -> str:
    """Name of the MT in lists of systems: `MT_SYSTEM`, numbered if a different text has that name."""
    raw = corpus.text(TextRole.RAW_MT)
    mt = corpus.text(TextRole.MT) if raw is None else raw
    return MT_SYSTEM if mt is None else distinct_name(MT_SYSTEM, mt, corpus.translations)


def distinct_name(name: str, text: TextColumn, other_texts: Mapping[str, TextColumn]) -> str:
    """Return `name`, followed by a number if a text in `other_texts` has that name but differs from `text`."""
    unique_name, number = name, 1
    while unique_name in other_texts and not is_same_text(text, other_texts[unique_name]):
        number += 1
        unique_name = f"{name} {number}"
    return unique_name


# called on every event of the window; texts never change, and texts of closed corpora leave the small cache
@lru_cache(maxsize=8)
def is_same_text(first: TextColumn, second: TextColumn) -> bool:
    """Whether two columns have the same lines."""
    if first is second or len(first) != len(second):
        return first is second
    return all(first.raw(segment) == second.raw(segment) for segment in range(len(first)))
