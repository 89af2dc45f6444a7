"""Scoring level of translations against one or more references, with columns for external metric scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, Kind, LayerKey, MetricColumn, Provenance, TextColumn, TextRole, View
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.corpus import is_same_text, mt_system_name
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.formats.importing.planned_file import orientation_warning
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.level import (
    WILLIAMS_TESTS,
    Families,
    FamilyRowsMap,
    Level,
    ScoringObstacle,
    Selection,
    equal_pairs,
)
from qe_desktop.metrics import TRANSLATION_METRICS, Metric
from qe_desktop.metrics.external import ExternalScores, external_metric
from qe_desktop.metrics.text.tokenization import DEFAULT_TOKENIZATION, Tokenization
from qe_desktop.metrics.text.tokenized_pairs import TokenizedPair, TokenizedText, Vocabulary
from qe_desktop.metrics.text.translation_metrics import TranslationMetricSettings, translation_metrics

ALL_REFERENCES = ""
"""Name that stands for all references together."""


def reference_key(name: str) -> LayerKey:
    """Return the key of one reference, or of all references (`ALL_REFERENCES`)."""
    return LayerKey(Provenance.GOLD, name, Kind.TRANSLATION)


def system_key(name: str) -> LayerKey:
    """Return the key of a system's translation."""
    return LayerKey(Provenance.SYSTEM, name, Kind.TRANSLATION)


def translations_of(corpus: Corpus) -> Mapping[str, TextColumn]:
    """Return all translations by system, including the MT unless it is identical to a system's translation."""
    raw_mt = corpus.text(TextRole.RAW_MT)
    mt = corpus.text(TextRole.MT) if raw_mt is None else raw_mt
    if mt is None or any(is_same_text(mt, column) for column in corpus.translations.values()):
        return corpus.translations
    return {mt_system_name(corpus): mt, **corpus.translations}


def scored_references(selection: Selection) -> tuple[TextColumn, ...]:
    """Return the selected reference, or all references in the order of the corpus if all are selected."""
    references = selection.view.corpus.references
    return (
        tuple(references.values())
        if selection.reference.name == ALL_REFERENCES
        else (references[selection.reference.name],)
    )


class ScoredTexts:
    """References and translations of all segments or of one `segment`; each text is tokenized once per tokenizer."""

    def __init__(self, selection: Selection, segment: int | None = None) -> None:
        self._columns = translations_of(selection.view.corpus)
        self._segment = segment
        self._vocabulary = Vocabulary()
        self.references = tuple(self._text(column) for column in scored_references(selection))

    def translation(self, name: str) -> TokenizedText:
        """Return a new `TokenizedText` of a system's translation; it is not cached, so that its tokens can be freed."""
        return self._text(self._columns[name])

    def _text(self, column: TextColumn) -> TokenizedText:
        return TokenizedText(
            list(column.lines()) if self._segment is None else [column[self._segment]], self._vocabulary
        )


NO_CORRELATION = tr("the Williams test applies only to segment scores, not to translations")


@dataclass(frozen=True, eq=False, kw_only=True)
class TranslationLevel(Level):
    """Level of translations, scored against one or more references.

    `imported_scores` are external metric scores by metric and system, shape (segments,) each, NaN if missing; systems
    without scores are omitted. `columns` are the external metrics of the corpus, and `base_level` is the level without
    external metrics (None if there are none). `settings` are the tokenization settings of the metrics.
    `selected_tokenization` is the tokenization that the user selected; `of_view` derives `settings` from it for each
    corpus. If it is None, `settings` apply to all corpora.
    """

    name: str = "translations"
    group: str = "translations"
    title: str = tr("translations")
    heading: str = tr("Translations")
    items: str = tr("translations")
    items_heading: str = tr("Translations")
    metrics: Mapping[str, Metric] = field(default_factory=lambda: TRANSLATION_METRICS)
    shown_metrics: tuple[str, ...] = ("BLEU", "chrF", "TER")
    tested_metrics: tuple[str, ...] = ("BLEU", "chrF", "TER")
    main_metric: str = "BLEU"
    companion_metric: str = "chrF"
    tests: tuple[str, ...] = ("randomisation", "bootstrap", "sacrebleu-ar", "sacrebleu-bs")
    untested_reasons: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(WILLIAMS_TESTS, NO_CORRELATION))
    imported_scores: Mapping[str, Mapping[str, Floats]] = field(default_factory=dict)
    base_level: TranslationLevel | None = None
    columns: tuple[MetricColumn, ...] = ()
    settings: TranslationMetricSettings = field(default_factory=TranslationMetricSettings)
    selected_tokenization: Tokenization | None = None
    reversed_score_warnings: tuple[str, ...] = ()
    """Warnings that the orientation of some `columns` may be reversed."""

    def of_view(self, view: View) -> TranslationLevel:
        """Return the level with the tokenizer for the view's texts, and with the corpus's external metrics added."""
        level = self.base_level or self
        if level.selected_tokenization is not None:
            settings = level.selected_tokenization.settings(view.corpus)
            level = level if settings == level.settings else tokenized_level(level.selected_tokenization, settings)
        return with_metrics(level, view.corpus.metric_scores)

    # --- tokenization

    @property
    def tokenization(self) -> Tokenization | None:
        """Return the tokenization that the user selected; None if none was selected."""
        return self.selected_tokenization

    @property
    def tokenizer(self) -> str:
        """Return the sacreBLEU name of the selected tokenizer, or of the default tokenizer of the language."""
        return self.settings.tokenizer

    def with_tokenization(self, tokenization: Tokenization) -> TranslationLevel:
        """Return the level with `tokenization`; `of_view` adapts the settings of the level to the texts of a corpus."""
        return (
            self
            if tokenization == self.selected_tokenization
            else tokenized_level(tokenization, tokenization.settings())
        )

    @property
    def remarks(self) -> list[str]:
        """Return notes on missing or unsuitable tokenizers, and on metrics whose orientation may be reversed."""
        return [
            *(() if self.selected_tokenization is None else self.selected_tokenization.remarks(self.settings)),
            *self.reversed_score_warnings,
        ]

    # --- contents

    def references(self, view: View) -> list[LayerKey]:
        """Return the keys of the references; if there are several, the key of all references together comes first."""
        names = list(view.corpus.references)
        return [reference_key(name) for name in ([ALL_REFERENCES, *names] if len(names) > 1 else names)]

    def subjects(self, view: View, reference: LayerKey) -> list[LayerKey]:
        """Return the keys of the systems' translations."""
        return [system_key(name) for name in translations_of(view.corpus)]

    def size(self, selection: Selection) -> int:
        """Return the number of segments."""
        return selection.view.corpus.size

    # --- computation

    def rows(self, selection: Selection, families: Families, on_progress: OnProgress | None = None) -> FamilyRowsMap:
        """Return the rows of the families, computed one system at a time to save memory."""
        texts = ScoredTexts(selection) if any(family.name not in self.imported_scores for family in families) else None
        by_family: dict[str, list[Floats]] = {family.name: [] for family in families}
        size = selection.view.corpus.size
        steps = len(selection.subjects) * len(families)
        for key in selection.subjects:
            pair = None if texts is None else TokenizedPair(texts.translation(key.name), texts.references)
            for family in families:
                scores = self.imported_scores.get(family.name)
                family_input = pair if scores is None else ExternalScores(scores.get(key.name, np.full(size, np.nan)))
                by_family[family.name].append(family.rows(family_input))
                if on_progress is not None:
                    on_progress(sum(map(len, by_family.values())) / steps)
        return {
            family.name: np.stack(by_family[family.name])
            if selection.subjects
            else np.zeros((0, size, len(family.columns)))
            for family in families
        }

    def rows_at(
        self, selection: Selection, families: Families, view_segments: Sequence[tuple[View, int]]
    ) -> FamilyRowsMap:
        """Return the rows of some segments.

        For external metrics and for families that need all segments, the rows of all segments are computed.
        """
        full_families = [
            family for family in families if family.needs_all_segments or family.name in self.imported_scores
        ]
        by_family = dict(super().rows_at(selection, full_families, view_segments)) if full_families else {}
        texts = [ScoredTexts(replace(selection, view=view), segment) for view, segment in view_segments]
        for family in families:
            if family in full_families:
                continue
            rows = [
                [family.rows(TokenizedPair(text.translation(key.name), text.references))[0] for text in texts]
                for key in selection.subjects
            ]
            by_family[family.name] = np.reshape(
                rows, (len(selection.subjects), len(view_segments), len(family.columns))
            )
        return by_family

    def identical_subjects(self, selection: Selection) -> NDArray[np.bool_]:
        """Return which systems have identical translations, shape (systems, systems)."""
        columns = translations_of(selection.view.corpus)
        return equal_pairs(_digest_lines(columns[key.name]) for key in selection.subjects)

    def gold_bytes(self, selection: Selection) -> bytes:
        """Return digests of the references, for comparing the references of different corpora."""
        return b"".join(_digest_lines(column) for column in scored_references(selection))

    # --- texts

    def other_names(self, view: View) -> dict[str, list[str]]:
        """Return, by system, texts that state the other names of the system in metric scores."""
        names: dict[str, list[str]] = {}
        for metric, column in view.corpus.metric_scores.items():
            for system, name in column.original_names.items():
                alias = tr("called {name} in the {metric} scores", name=name, metric=metric)
                names.setdefault(system, []).append(alias)
        return names

    def reference_name(self, reference: LayerKey) -> str:
        """Return the name of a reference, or the text for all references together."""
        return tr("all references") if reference.name == ALL_REFERENCES else super().reference_name(reference)

    def data_summary(self, selection: Selection) -> str:
        """Return a summary: the numbers of segments and of references, and the tokenizer."""
        segments = tr("{n:,} {n:segment|segments}", "", selection.view.corpus.size)
        count = len(scored_references(selection))
        return tr(
            "{segments}, {n} {n:reference|references}, tokenizer {tokenizer}",
            "", count, segments=segments, tokenizer=self.tokenizer,
        )  # fmt: skip

    def summary(self, selection: Selection) -> str:
        """Return `data_summary`, followed by a note on systems that have other names in metric scores."""
        other_names = self.other_names(selection.view)
        names = [key.name for key in selection.subjects if key.name in other_names]
        if not names:
            return self.data_summary(selection)
        description = other_names[names[0]][0]
        if len(names) == 1:
            return tr(
                "{segments}; {system} is {alias}",
                segments=self.data_summary(selection),
                system=names[0],
                alias=description,
            )
        return tr(
            "{segments}; {system} is {alias}; the metric scores use other names for {n:,} more {n:system|systems}",
            "", len(names) - 1, segments=self.data_summary(selection), system=names[0], alias=description,
        )  # fmt: skip

    def headline(self, selection: Selection) -> str:
        """Return the result of `Level.headline`, followed by warnings on metrics whose orientation may be reversed."""
        return join_localized("; ", (super().headline(selection), *self.reversed_score_warnings))

    def signature(self, selection: Selection) -> Mapping[str, str]:
        """Return the settings needed to reproduce the numbers: the references and the tokenization."""
        names = (
            "+".join(selection.view.corpus.references)
            if selection.reference.name == ALL_REFERENCES
            else selection.reference.name
        )
        tokenizer_settings = self.settings.word_tokenizer.signature
        ter = {"ter-normalized": self.settings.ter_normalized, "ter-asian": self.settings.ter_asian}
        return {
            "references": names, "undefined": "null", "tok": tokenizer_settings["tok"],
            **{name: "yes" for name, is_set in ter.items() if is_set},
        }  # fmt: skip

    def explain_missing_reference(self) -> ScoringObstacle:
        """Return a message that suggests adding a reference."""
        return ScoringObstacle(
            tr("There is no reference"),
            tr("Metrics such as BLEU compare translations with human translations. Add one or more references."),
        )

    def explain_missing_subjects(self) -> ScoringObstacle:
        """Return a message that suggests adding translations of systems."""
        return ScoringObstacle(
            tr("There are no translations yet"),
            tr("Add the translation of one system to score it, or of several to compare them."),
        )


def _digest_lines(text: TextColumn) -> bytes:
    # imported here: scores need no digests
    from hashlib import blake2b

    return blake2b("\n".join(text.lines()).encode("utf-8", "surrogatepass"), digest_size=16).digest()


_LEVELS: WeakValueDictionary[tuple[object, ...], TranslationLevel] = WeakValueDictionary()
"""Cache of levels, keyed by `id` of the base level and columns; a cached level keeps these objects alive."""


def with_metrics(level: TranslationLevel, scores: Mapping[str, MetricColumn]) -> TranslationLevel:
    """Return the level with external metrics added.

    For the same level and columns, the same object is returned while that object is in use. If a metric has the name of
    another metric, the name of its score file is appended to distinguish the two.
    """
    if not scores:
        return level
    key = (id(level), *((name, id(column)) for name, column in scores.items()))
    cached = _LEVELS.get(key)
    if cached is None:
        columns: dict[str, MetricColumn] = {}
        for name, column in scores.items():
            columns[_unique_name(name, column, (*level.metrics, *columns))] = column
        new_level = replace(
            level,
            metrics={
                **level.metrics,
                **{name: _metric_with_signature(name, metric_column) for name, metric_column in columns.items()},
            },
            shown_metrics=(*level.shown_metrics, *columns),
            tested_metrics=(*level.tested_metrics, *columns),
            imported_scores={
                **level.imported_scores,
                **{name: metric_column.scores_by_system for name, metric_column in columns.items()},
            },
            base_level=level,
            columns=tuple(scores.values()),
            reversed_score_warnings=tuple(orientation_warnings(columns)),
        )
        # another thread may have added it meanwhile
        cached = _LEVELS.setdefault(key, new_level)
    return cached


def orientation_warnings(scores: Mapping[str, MetricColumn]) -> list[str]:
    """Return warnings about metrics whose orientation, judging by their scores, may be reversed."""
    warnings = [
        orientation_warning(name, column.better, column.scores_by_system.values()) for name, column in scores.items()
    ]
    return [remark for remark in warnings if remark]


def _metric_with_signature(name: str, column: MetricColumn) -> Metric:
    """Return an external metric; its signature has the score file, the orientation and the number of matched names."""
    matched = [f"matched:{len(column.original_names)}"] if column.original_names else []
    parts = [
        *([f"file:{column.origin}"] if column.origin else []),
        f"better:{'more' if column.better > 0 else 'less'}",
        *matched,
    ]
    caution = orientation_warning(name, column.better, column.scores_by_system.values())
    return replace(external_metric(name, column.better), signature="|".join(parts), caution=caution)


def _unique_name(name: str, column: MetricColumn, existing_names: Collection[str]) -> str:
    while name in existing_names:
        name = f"{name} ({column.origin})"
    return name


TRANSLATIONS = TranslationLevel(selected_tokenization=DEFAULT_TOKENIZATION)


@cache
def tokenized_level(chosen: Tokenization, settings: TranslationMetricSettings) -> TranslationLevel:
    """Return the level with this tokenization; calls with equal arguments return the same object."""
    if chosen == TRANSLATIONS.selected_tokenization and settings == TRANSLATIONS.settings:
        return TRANSLATIONS
    return replace(TRANSLATIONS, metrics=translation_metrics(settings), settings=settings, selected_tokenization=chosen)


def settings_of(level: Level) -> TranslationMetricSettings:
    """Return the tokenization settings of a level's metrics; the default settings if the level scores no texts."""
    return level.settings if isinstance(level, TranslationLevel) else TranslationMetricSettings()
