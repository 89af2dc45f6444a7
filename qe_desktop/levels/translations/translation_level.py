"""Translations against one or more references. What other metrics made of them stands beside, as a number a segment."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import LayerKey, MetricColumn, View
from qe_desktop.formats.scores.score_direction import orientation_warning
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.level import (
    WILLIAMS_TESTS,
    Families,
    FamilyRowsMap,
    Level,
    OnProgress,
    ScoringObstacle,
    Selection,
)
from qe_desktop.levels.translations.translation_texts import (
    ALL_REFERENCES,
    ScoredTexts,
    reference_key,
    scored_references,
    system_key,
    translations_of,
)
from qe_desktop.metrics import TRANSLATION_METRICS, Metric
from qe_desktop.metrics.external import ExternalScores, external_metric
from qe_desktop.metrics.text.tokenization import BY_LANGUAGE, Tokenization
from qe_desktop.metrics.text.tokenized_pairs import TokenizedPair
from qe_desktop.metrics.text.translation_metrics import TranslationMetricSettings, translation_metrics

NO_CORRELATION = tr("the Williams test compares correlations of sentence scores, not translations")


@dataclass(frozen=True, eq=False, kw_only=True)
class TranslationLevel(Level):
    """Texts. `brought` are scores that other metrics gave, by metric and system, shape (segments,) each; NaN where they
    gave none; systems that are not there have none. `own` is the level without the metrics that a corpus brought, which
    are those of `columns`; None without any. `settings` say how texts are cut for the metrics, and `chosen` how
    a person chose it, from which the settings of other texts follow; None where the settings are for all texts.
    """

    name: str = "translations"
    group: str = "translations"
    title: str = tr("translations")
    heading: str = tr("Translations")
    items: str = tr("translations")
    items_heading: str = tr("Translations")
    metrics: Mapping[str, Metric] = field(default_factory=lambda: TRANSLATION_METRICS)
    shown: tuple[str, ...] = ("BLEU", "chrF", "TER")
    tested: tuple[str, ...] = ("BLEU", "chrF", "TER")
    main: str = "BLEU"
    beside: str = "chrF"
    tests: tuple[str, ...] = ("randomisation", "bootstrap", "sacrebleu-ar", "sacrebleu-bs")
    untested: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(WILLIAMS_TESTS, NO_CORRELATION))
    brought: Mapping[str, Mapping[str, NDArray[np.float64]]] = field(default_factory=dict)
    own: TranslationLevel | None = None
    columns: tuple[MetricColumn, ...] = ()
    settings: TranslationMetricSettings = field(default_factory=TranslationMetricSettings)
    chosen: Tokenization | None = None
    turned: tuple[str, ...] = ()
    """Of which `columns` the other scores may be the better ones, in words."""

    def of_view(self, view: View) -> TranslationLevel:
        """The level with the tokenizer of the texts, and with the metrics that scores came of with the corpus, as
        columns like any others.
        """
        level = self.own or self
        if level.chosen is not None:
            settings = level.chosen.settings(view.corpus)
            level = level if settings == level.settings else tokenized_level(level.chosen, settings)
        return with_metrics(level, view.corpus.metric_scores)

    # --- how texts are cut

    @property
    def tokenization(self) -> Tokenization | None:
        """How a person chose to tokenize texts."""
        return self.chosen

    @property
    def tokenizer(self) -> str:
        """The one that a person named, or that of the language."""
        return self.settings.tokenizer

    def tokenized(self, tokenization: Tokenization) -> TranslationLevel:
        """The level by which texts are tokenized so; `of_view` then says how those of a corpus are."""
        return self if tokenization == self.chosen else tokenized_level(tokenization, tokenization.settings())

    @property
    def remarks(self) -> list[str]:
        """That a tokenizer is not installed, or does not fit the language, and that scores look turned."""
        return [*(() if self.chosen is None else self.chosen.remarks(self.settings)), *self.turned]

    # --- what there is

    def references(self, view: View) -> list[LayerKey]:
        """All references together, then each of them."""
        names = list(view.corpus.references)
        return [reference_key(name) for name in ([ALL_REFERENCES, *names] if len(names) > 1 else names)]

    def subjects(self, view: View, reference: LayerKey) -> list[LayerKey]:
        """The translations of systems."""
        return [system_key(name) for name in translations_of(view.corpus)]

    def size(self, taken: Selection) -> int:
        """A translation a segment."""
        return taken.view.corpus.size

    # --- counting

    def rows(self, taken: Selection, families: Families, watch: OnProgress | None = None) -> FamilyRowsMap:
        """The rows of the families, a system after the other."""
        texts = ScoredTexts(taken) if any(family.name not in self.brought for family in families) else None
        found: dict[str, list[NDArray[np.float64]]] = {family.name: [] for family in families}
        size = taken.view.corpus.size
        steps = len(taken.subjects) * len(families)
        for key in taken.subjects:
            beside = None if texts is None else TokenizedPair(texts.translation(key.name), texts.references)
            for family in families:
                scores = self.brought.get(family.name)
                given = beside if scores is None else ExternalScores(scores.get(key.name, np.full(size, np.nan)))
                found[family.name].append(family.rows(given))
                if watch is not None:
                    watch(sum(map(len, found.values())) / steps)
        return {
            family.name: np.stack(found[family.name]) if taken.subjects else np.zeros((0, size, len(family.columns)))
            for family in families
        }

    def rows_at(self, taken: Selection, families: Families, places: Sequence[tuple[View, int]]) -> FamilyRowsMap:
        """As those of all segments, which are counted for families alone that need them."""
        whole = [family for family in families if family.weighted or family.name in self.brought]
        found = dict(super().rows_at(taken, whole, places)) if whole else {}
        texts = [ScoredTexts(replace(taken, view=view), segment) for view, segment in places]
        for family in families:
            if family in whole:
                continue
            rows = [
                [family.rows(TokenizedPair(text.translation(key.name), text.references))[0] for text in texts]
                for key in taken.subjects
            ]
            found[family.name] = np.reshape(rows, (len(taken.subjects), len(places), len(family.columns)))
        return found

    def identical(self, taken: Selection) -> NDArray[np.bool_]:
        """Which systems gave the same translations throughout."""
        columns = translations_of(taken.view.corpus)
        marks = [_mark(list(columns[key.name].lines())) for key in taken.subjects]
        codes: dict[bytes, int] = {}
        code = np.asarray([codes.setdefault(mark, len(codes)) for mark in marks], np.int64)
        return np.asarray(code[:, None] == code[None, :])

    def gold(self, taken: Selection) -> bytes:
        """The references."""
        return b"".join(_mark(list(column.lines())) for column in scored_references(taken))

    # --- in words

    def also_called(self, view: View) -> dict[str, list[str]]:
        """What metrics call them."""
        found: dict[str, list[str]] = {}
        for metric, column in view.corpus.metric_scores.items():
            for system, name in column.otherwise.items():
                found.setdefault(system, []).append(tr("scored as {name} by {metric}", name=name, metric=metric))
        return found

    def against(self, reference: LayerKey) -> str:
        """The references."""
        return tr("all references") if reference.name == ALL_REFERENCES else super().against(reference)

    def described(self, taken: Selection) -> str:
        """How many segments and references."""
        segments = tr("{n:,} {n:segment|segments}", "", taken.view.corpus.size)
        count = len(scored_references(taken))
        return tr(
            "{segments}, {n} {n:reference|references}, tokenizer {tokenizer}",
            "", count, segments=segments, tokenizer=self.tokenizer,
        )  # fmt: skip

    def summary(self, taken: Selection) -> str:
        """The same, and how many systems metrics call otherwise."""
        called = self.also_called(taken.view)
        names = [key.name for key in taken.subjects if key.name in called]
        if not names:
            return self.described(taken)
        said = called[names[0]][0]
        if len(names) == 1:
            return tr("{segments}; {system} is {said}", segments=self.described(taken), system=names[0], said=said)
        return tr(
            "{segments}; {system} is {said}, and {n:,} more {n:system is|systems are} called otherwise in scores",
            "", len(names) - 1, segments=self.described(taken), system=names[0], said=said,
        )  # fmt: skip

    def headline(self, taken: Selection) -> str:
        """The same in the window, and of which scores the other ones may be better."""
        return join_localized("; ", (super().headline(taken), *self.turned))

    def signature(self, taken: Selection) -> Mapping[str, str]:
        """Which references, and how texts were cut."""
        names = (
            "+".join(taken.view.corpus.references) if taken.reference.name == ALL_REFERENCES else taken.reference.name
        )
        cut = self.settings.cut.signature
        ter = {"ter-normalized": self.settings.ter_normalized, "ter-asian": self.settings.ter_asian}
        return {
            "references": names, "undefined": "null", "tok": cut["tok"],
            **{name: "yes" for name, is_set in ter.items() if is_set},
        }  # fmt: skip

    def without_reference(self) -> ScoringObstacle:
        """Add a reference."""
        return ScoringObstacle(
            tr("There is no reference"),
            tr("Metrics such as BLEU say how near translations are to those of people. Add a reference, or several."),
        )

    def without_subjects(self) -> ScoringObstacle:
        """Add systems."""
        return ScoringObstacle(
            tr("There are no translations yet"),
            tr("The reference is open. Add the translation of one system to score it, of two or more to compare."),
        )


def _mark(lines: Sequence[str]) -> bytes:
    # scores alone are made without it
    from hashlib import blake2b

    return blake2b("\n".join(lines).encode("utf-8", "surrogatepass"), digest_size=16).digest()


_LEVELS: WeakValueDictionary[tuple[object, ...], TranslationLevel] = WeakValueDictionary()
"""By a level and what corpora bring: whoever holds a level finds it again, for it holds what it is found by."""


def with_metrics(level: TranslationLevel, scores: Mapping[str, MetricColumn]) -> TranslationLevel:
    """The level with metrics that were computed elsewhere; the same object for the same columns as long as it is held.

    One that is called like a metric of the level is told from it by the file of its scores.
    """
    if not scores:
        return level
    held = (id(level), *((name, id(column)) for name, column in scores.items()))
    found = _LEVELS.get(held)
    if found is None:
        columns: dict[str, MetricColumn] = {}
        for name, column in scores.items():
            columns[_unlike(name, column, (*level.metrics, *columns))] = column
        made = replace(
            level,
            metrics={**level.metrics, **{name: _metric_with_signature(name, one) for name, one in columns.items()}},
            shown=(*level.shown, *columns),
            tested=(*level.tested, *columns),
            brought={**level.brought, **{name: one.scored for name, one in columns.items()}},
            own=level,
            columns=tuple(scores.values()),
            turned=tuple(orientation_warnings(columns)),
        )
        # another thread may have made it meanwhile
        found = _LEVELS.setdefault(held, made)
    return found


def orientation_warnings(scores: Mapping[str, MetricColumn]) -> list[str]:
    """Of which metrics the other scores may be the better ones, as it seems from their scores."""
    found = [orientation_warning(name, one.better, one.scored.values()) for name, one in scores.items()]
    return [remark for remark in found if remark]


def _metric_with_signature(name: str, column: MetricColumn) -> Metric:
    """The metric, with what one must know to get its numbers again."""
    matched = [f"matched:{len(column.otherwise)}"] if column.otherwise else []
    parts = [
        *([f"file:{column.origin}"] if column.origin else []),
        f"better:{'more' if column.better > 0 else 'less'}",
        *matched,
    ]
    caution = orientation_warning(name, column.better, column.scored.values())
    return replace(external_metric(name, column.better), signature="|".join(parts), caution=caution)


def _unlike(name: str, column: MetricColumn, known: Collection[str]) -> str:
    while name in known:
        name = f"{name} ({column.origin})"
    return name


TRANSLATIONS = TranslationLevel(chosen=BY_LANGUAGE)


@cache
def tokenized_level(chosen: Tokenization, settings: TranslationMetricSettings) -> TranslationLevel:
    """The level of translations whose texts are cut by these settings; the same object for the same ones."""
    if chosen == TRANSLATIONS.chosen and settings == TRANSLATIONS.settings:
        return TRANSLATIONS
    return replace(TRANSLATIONS, metrics=translation_metrics(settings), settings=settings, chosen=chosen)


def settings_of(level: Level) -> TranslationMetricSettings:
    """How texts are cut for the metrics of a level; the usual way for one that scores no texts."""
    return level.settings if isinstance(level, TranslationLevel) else TranslationMetricSettings()
