"""Options bar: controls for level, gold, metric and tokenizer, and for the options of the tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QSpinBox, QWidget

from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.levels import Level
from qe_desktop.levels.translations.translation_level import settings_of
from qe_desktop.metrics import Metric
from qe_desktop.metrics.text.tokenizers import installed_tokenizers
from qe_desktop.significance import CORRECTION_LABELS, CORRECTIONS, SignificanceOptions, format_level, top_and_bottom
from qe_desktop.significance.score_intervals import INTERVAL_LABELS
from qe_desktop.ui.scores.score_descriptions import correction_text
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.control_bar import HINT_SCALE, LabelledControlsBar
from qe_desktop.ui.widgets.form_controls import (
    AlphaSpinBox,
    FormValues,
    set_combo_data,
    set_combo_items,
    set_item_needs,
    set_needs,
    set_spin_value,
)
from qe_desktop.ui.widgets.glossary.terms import term_meaning
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.placeholder_page import EmptyState, reason_text


class CountComboBox(QComboBox):
    """Combo box that offers the usual counts and the current count."""

    def __init__(self, usual: Sequence[int]) -> None:
        super().__init__()
        self._usual = usual
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def show_count(self, count: int) -> None:
        """Select a count; add it if it is not one of the usual counts."""
        set_combo_items(self, [(f"{choice:,}", choice) for choice in sorted({*self._usual, count})])
        set_combo_data(self, count)


class OptionControls(FormValues):
    """Controls for the fields of an options object, keyed by field name; `changed` is called after an edit."""

    def __init__(self, changed: Callable[[], object], **controls: QWidget) -> None:
        super().__init__(controls)
        self.by_field = controls
        for control in controls.values():
            edited: Any = control
            if isinstance(control, QComboBox):
                edited.activated.connect(changed)
            elif isinstance(control, QLineEdit):
                edited.editingFinished.connect(changed)
            else:
                edited.valueChanged.connect(changed)

    def show_options(self, options: object) -> None:
        """Show the values of the fields, but keep text that is being typed."""
        for field, control in self.by_field.items():
            value = getattr(options, field)
            if isinstance(control, CountComboBox):
                control.show_count(value)
            elif isinstance(control, QComboBox):
                set_combo_data(control, value)
            elif not isinstance(control, QLineEdit):
                set_spin_value(control, value)
            elif control.text() != value and not control.hasFocus():
                control.setText(value)

    def defaults(self, default: object, visible: Mapping[QWidget, bool]) -> dict[str, Any]:
        """Return the values in `default` of the fields with visible controls.

        A control is visible unless `visible` maps it to False.
        """
        fields = (field for field, control in self.by_field.items() if visible.get(control, True))
        return {field: getattr(default, field) for field in fields}


ROUNDS = (1_000, 10_000, 100_000)
CORRECTION_CHOICES = tuple(
    (tr("none", "a correction") if correction == "none" else CORRECTION_LABELS[correction], correction)
    for correction in CORRECTIONS
)
UNITS = ((tr("segments"), "segment"), (tr("documents"), "document"))
INTERVALS = tuple((label, method) for method, label in INTERVAL_LABELS.items())
ORDERS = ((tr("by score"), True), (tr("as loaded"), False))
TAGS_LABEL = (tr("&Tags"), tr("Tags to score"))
LEVEL_LABEL = (tr("&Level"), tr("Level at which systems are scored; each level has its own gold"))
"""Label and tooltip of the level control if some levels do not have tags."""
GOLD_LABEL = (tr("&Gold"), tr("Gold tags or scores that systems are compared with"))
REFERENCE_LABEL = (tr("Reference &text"), tr("Reference translations that systems are compared with"))
"""Label and tooltip of the control for the gold if translations are scored."""
RESAMPLING_UNIT_LABEL = (tr("Resampling &unit"), tr("Unit permuted in tests and resampled for intervals"))
TOKENIZER_LABEL = tr("To&kenizer")
BOOTSTRAP_UNIT_LABEL = (tr("Resampling &unit"), tr("Unit resampled for intervals"))
"""Label and tooltip of the unit control if the test is analytic and permutes nothing."""
TEST_NOTE = tr("The level and the metric determine the test")
ALPHA_TIP = tr("Adjusted p-values up to alpha are significant. Intervals are 95 % intervals, whatever alpha is.")
ALPHA_HINT = tr("Intervals stay at 95 %")
UNIT_HINT = tr("Use documents if segments of a document are correlated")
SEED_TIP = tr("The same seed gives the same p-values and intervals")
ROUNDS_TIP = tr("Number of permutations; larger numbers give more precise p-values but take longer")
NO_DOCUMENTS = tr("There is no document information; add a file with one document name per line (.docs)")


class OptionsBar(LabelledControlsBar):
    """Bar of controls for level, gold, metric and tokenizer, and for the options of `SignificanceService`."""

    order_changed = Signal(bool)
    """Emitted when the order of systems in the matrix changed; the argument is True if they are sorted by score."""

    def __init__(self, comparison: SignificanceService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._service = comparison
        self._workspace = comparison.workspace
        self._level = self._combo(*TAGS_LABEL)
        # a level without scores must not be a dead end
        self._always_shown = frozenset([self._level])
        self._reference = self._combo(*GOLD_LABEL)
        self._metric = self._combo(tr("&Metric"), tr("Metric that is tested and plotted"))
        self._tokenizer = self._combo(TOKENIZER_LABEL, term_meaning("tokenizer"))
        self._begin_panel(tr("Test options"))
        self._add_heading(tr("Significance and intervals"))
        self._test_note = Label(scale=HINT_SCALE, token="muted")
        self._column.addWidget(self._test_note)
        self._correction = self._combo(tr("&Correction"), _CORRECTION_TIP, CORRECTION_CHOICES)
        self._hint(self._correction, tr("Holm is never less powerful than Bonferroni"))
        self._alpha = self._number(AlphaSpinBox(), tr("&Alpha"), ALPHA_TIP)
        shared = tr("Correction, alpha and seed also apply to “Against human scores”")
        self._hint(self._alpha, "\n".join((shared, ALPHA_HINT)))
        self._rounds = CountComboBox(ROUNDS)
        self._add_labelled(self._rounds, tr("T&rials"), ROUNDS_TIP)
        self._hint(self._rounds, tr("More trials give more precise p-values, but take longer"))
        self._unit = self._combo(*RESAMPLING_UNIT_LABEL, UNITS)
        separate = tr("The page “Against human scores” has its own resampling unit")
        self._hint(self._unit, "\n".join((UNIT_HINT, separate)))
        self._interval_method = self._combo(tr("I&ntervals"), _INTERVALS_TIP, INTERVALS)
        self._hint(self._interval_method, tr("BCa corrects the bootstrap for bias and skewness"))
        self._add_heading(tr("Table and matrix"))
        self.order = self._combo(tr("&Order"), tr("Order of systems in the matrix and the interval plot"), ORDERS)
        self._top = self._number(
            QSpinBox(), tr("To&p systems for d"), tr("Number of best systems for which d_top is computed")
        )
        self._hint(self._top, tr("d_top is computed for these systems, d_bottom for the others"))
        self._add_heading(tr("Random numbers"))
        self._seed = self._number(QSpinBox(), tr("See&d"), SEED_TIP)
        self._hint(self._seed, tr("The same seed gives the same values"))
        self._seed.setRange(0, 9999)
        set_combo_data(self.order, self._workspace.settings.best_first)
        self._test_controls = OptionControls(
            self._set_options, correction=self._correction, alpha=self._alpha, rounds=self._rounds,
            unit=self._unit, seed=self._seed, interval_method=self._interval_method,
        )  # fmt: skip
        self._connect()
        self.refresh()

    def _connect(self) -> None:
        self._level.activated.connect(self._set_level)
        self._reference.activated.connect(self._set_reference)
        self._metric.activated.connect(self._set_metric)
        self._tokenizer.activated.connect(self._set_tokenizer)
        self._top.valueChanged.connect(self._set_options)
        self.order.activated.connect(self._set_order)
        self._service.changed.connect(self.refresh)
        self._service.scores.reset.connect(self.refresh)

    # --- selection

    def refresh(self) -> None:
        """Update the controls."""
        options, systems = self._service.options, len(self._service.scores.layers)
        self._refresh_levels()
        self._refresh_references()
        self._refresh_metrics()
        self._refresh_tokenizers(self._scored_levels())
        set_combo_data(self._metric, self._current_metric())
        metric = self._offered_metrics().get(self._current_metric())
        self._metric.setToolTip(plain_tooltip(metric.help()) if metric is not None else "")
        self._test_controls.show_options(options)
        self._refresh_test()
        self._test_note.setVisible(self._control_visibility()[self._correction])
        top = top_and_bottom(systems, options.top)[0] if systems else 0
        with QSignalBlocker(self._top):
            self._top.setRange(1 if systems > 1 else 0, max(1, systems - 1))
            of_all = tr("of {n}", "", systems)
            self._top.setSuffix(f" {of_all}" if systems > 1 else "")
        reason = tr("At least four systems are needed to compute both d_top and d_bottom.")
        set_needs(self._top, "" if systems > 3 else reason)
        set_spin_value(self._top, top)
        self.set_summary(self._summary())
        self._show_pairs(self._control_visibility())
        self._show_default(self._is_default())

    def _summary(self) -> str:
        """Return a summary of how differences are tested or, with a single system, of how intervals are computed.

        Return an empty string if there are no systems.
        """
        options, test, visible = self._service.options, self._service.procedure(), self._control_visibility()
        if not visible[self._correction]:
            return INTERVAL_LABELS[options.interval_method] if visible[self._interval_method] else ""
        correction = correction_text(options.correction)
        parts = [test.title]
        if self._has_exact_test():
            parts.append(tr("exact"))
        elif not test.is_closed_form:
            parts.append(tr("{n:,} {n:trial|trials}", "", options.rounds))
        return join_localized(" · ", [*parts, correction, f"α {format_level(options.alpha)}"])

    def _has_exact_test(self) -> bool:
        """Return whether the result comes from all permutations instead of random trials."""
        result = self._service.result
        return result is not None and self._service.state == "ready" and result.comparison.exact

    def _control_visibility(self) -> Mapping[QWidget, bool]:
        # a comparison needs two systems, an interval only one
        systems = len(self._service.scores.layers)
        intervals = dict.fromkeys((self._unit, self._interval_method, self._seed), systems > 0)
        offered: dict[QWidget, bool] = {box: box.count() > 1 for box in (self._level, self._reference)}
        texts = any(level.tokenization is not None for level in self._scored_levels())
        pairs = {**dict.fromkeys(self._pairs, systems > 1), **intervals}
        return {**pairs, **offered, self._metric: True, self._tokenizer: texts}

    def _current_metric(self) -> str:
        return self._service.metric

    def _refresh_levels(self) -> None:
        levels = self._workspace.levels()
        if set_combo_items(self._level, [(level.title, level) for level in levels]):
            text, tooltip = TAGS_LABEL if all(level.tags is not None for level in levels) else LEVEL_LABEL
            self._relabel(self._level, text, tooltip)
        view = self._workspace.view
        for index, level in enumerate(levels):
            obstacle = level.explain_missing_subjects() if view is not None and level.lacks_subjects(view) else None
            reason = "" if obstacle is None else reason_text(EmptyState(obstacle.title, obstacle.text))
            set_item_needs(self._level, index, reason)
        set_combo_data(self._level, self._workspace.level)

    def _refresh_references(self) -> None:
        keys = self._workspace.references()
        level = self._workspace.level
        self._show_references(level, [(level.reference_name(key), key) for key in keys])
        set_combo_data(self._reference, self._workspace.reference)

    def _show_references(self, level: Level, items: Sequence[tuple[str, object]]) -> None:
        """Fill the list of golds; for translations, these are references, and the label says so."""
        is_text = level.tokenization is not None
        self._relabel(self._reference, *(REFERENCE_LABEL if is_text else GOLD_LABEL))
        set_combo_items(self._reference, items)

    def _refresh_metrics(self) -> None:
        metrics = self._offered_metrics()
        if set_combo_items(self._metric, [(name, name) for name in metrics]):
            for index, metric in enumerate(metrics.values()):
                self._metric.setItemData(index, plain_tooltip(metric.help()), Qt.ItemDataRole.ToolTipRole)

    def _scored_levels(self) -> Sequence[Level]:
        """Return the scored levels: the current level or, in some subclasses, one level for each language pair."""
        return [self._workspace.level]

    def _refresh_tokenizers(self, levels: Sequence[Level]) -> None:
        """Fill the list of tokenizers: the default of the language first, then the installed tokenizers."""
        chosen = next((level.tokenization for level in levels if level.tokenization is not None), None)
        if chosen is None:
            return
        # the language's tokenizer is known only after scoring
        tokenizers = [] if chosen.tokenizer else list(dict.fromkeys(level.tokenizer for level in levels))
        by_language = (
            tr("by language ({tokenizers})", tokenizers=join_names(tokenizers)) if tokenizers else tr("by language")
        )
        set_combo_items(self._tokenizer, [(by_language, ""), *((name, name) for name in installed_tokenizers())])
        set_combo_data(self._tokenizer, chosen.tokenizer)
        remarks = dict.fromkeys(remark for level in levels for remark in chosen.remarks(settings_of(level)))
        self._explain(self._tokenizer, TOKENIZER_LABEL, join_localized(" ", (term_meaning("tokenizer"), *remarks)))

    def _set_tokenizer(self) -> None:
        self._workspace.set_tokenizer(str(self._tokenizer.currentData()))
        # show the tokenizer in use, even if the selected one was rejected
        self.refresh()

    def _offered_metrics(self) -> Mapping[str, Metric]:
        return self._workspace.level.metrics

    def _refresh_test(self) -> None:
        """Adapt the controls to the current test: an analytic test has no trials and permutes nothing."""
        test, document_test = self._service.procedure(), self._service.procedure("document")
        self._show_test(test.title)
        text, unit = BOOTSTRAP_UNIT_LABEL if test.is_closed_form else RESAMPLING_UNIT_LABEL
        if test.is_closed_form and document_test is not test:
            unit = tr("{about}. With documents as the unit, the test is {test}.", about=unit, test=document_test.title)
        self._relabel(self._unit, text, self._with_documents(unit))
        reason = tr("{test}: p is computed analytically, without trials.", test=test.title)
        set_needs(self._rounds, reason if test.is_closed_form else "")
        seed = tr("The same seed gives the same intervals") if test.is_closed_form else SEED_TIP
        self._explain(self._seed, self._labels[self._seed].text(), seed)

    def _show_test(self, title: str) -> None:
        """Show in the panel which test is used, and that it cannot be selected."""
        self._test_note.setText("\n".join((tr("Test: {test}", test=title), TEST_NOTE)))

    def _has_documents(self) -> bool:
        corpus = self._workspace.corpus
        return corpus is not None and corpus.documents is not None

    def _with_documents(self, tooltip: str) -> str:
        """Enable documents as the resampling unit if there are any, and return the tooltip of the unit.

        If there are no documents, the tooltip is `tooltip` followed by a note that segments are used.
        """
        allowed = self._has_documents()
        set_item_needs(self._unit, 1, "" if allowed else NO_DOCUMENTS)
        fallback = tr(
            "There is no document information, so segments are used. To use documents, add a file with one document "
            "name per line (.docs)."
        )
        return (
            tooltip if allowed else join_localized(" ", (tooltip if tooltip.endswith(".") else f"{tooltip}.", fallback))
        )

    def _set_level(self) -> None:
        self._workspace.set_level(self._level.currentData())

    def _set_reference(self) -> None:
        self._workspace.set_reference(self._reference.currentData())

    def _set_metric(self) -> None:
        self._service.set_metric(self._metric.currentData())

    def _set_options(self) -> None:
        before, systems = self._service.options, len(self._service.scores.layers)
        top = self._top.value()
        is_default_top = top == top_and_bottom(systems)[0] or not self._top.isEnabled()
        options = replace(before, top=None if is_default_top else top, **self._test_controls.values)
        if options != before:
            self._service.set_options(options)

    def _set_order(self) -> None:
        self._workspace.settings.best_first = bool(self.order.currentData())
        self.order_changed.emit(self._workspace.settings.best_first)
        self._show_default(self._is_default())

    # --- default values

    def _default_options(self) -> SignificanceOptions:
        """Return the current options, but with default values for the options that have visible controls."""
        visible, default = self._control_visibility(), SignificanceOptions()
        options = replace(self._service.options, **self._test_controls.defaults(default, visible))
        return replace(options, top=default.top) if visible[self._top] else options

    def _has_default_order(self) -> bool:
        return (
            not self._control_visibility()[self.order]
            or self._workspace.settings.best_first is Settings.best_first.default
        )

    def _is_default(self) -> bool:
        return self._default_options() == self._service.options and self._has_default_order()

    def _reset_panel(self) -> None:
        if not self._has_default_order():
            set_combo_data(self.order, Settings.best_first.default)
            self._set_order()
        if (options := self._default_options()) != self._service.options:
            self._service.set_options(options)


_INTERVALS_TIP = tr(
    "Method for 95 % intervals. BCa corrects the bootstrap for bias and skewness, which matters for Pearson's r, MCC "
    "and small samples. Fisher's z is analytic and applies only to Pearson's r; if it is selected, other "
    "metrics use the percentile bootstrap."
)
_CORRECTION_TIP = tr("Correction for multiple comparisons. Holm is never less powerful than Bonferroni.")
