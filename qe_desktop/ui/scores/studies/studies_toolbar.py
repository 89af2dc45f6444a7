"""Toolbar of the Studies page; the options of significance tests are shared by the pages of the Scores area."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QSpinBox, QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.significance import format_level
from qe_desktop.studies.sampling.sampling_options import (
    DEFAULT_ERROR_SHARES,
    DEFAULT_SIZES,
    SamplingOptions,
    format_share,
)
from qe_desktop.ui.scores.options_bar import RESAMPLING_UNIT_LABEL, CountComboBox, OptionControls, OptionsBar
from qe_desktop.ui.scores.score_descriptions import correction_text
from qe_desktop.ui.scores.studies.study import StudyOptions
from qe_desktop.ui.scores.studies.study_service import StudyService
from qe_desktop.ui.widgets.buttons import MultiSelectButton
from qe_desktop.ui.widgets.form_controls import set_combo_data, set_needs

MAX_DRAWS = 1_000
REPETITIONS = (100, 1_000, 10_000)


class StudiesToolbar(OptionsBar):
    """Options bar with the options of the studies; only those of the current study are visible."""

    study_chosen = Signal(str)
    """Emitted with the name of the study to show."""

    def __init__(
        self, services: Mapping[str, StudyService], shown: StudyService, parent: QWidget | None = None
    ) -> None:
        self._services, self._shown_service = services, shown
        self._ready = False
        super().__init__(shown.comparison, parent)
        self._end_panel()
        self.study = self._combo(
            tr("Stud&y"), tr("Study to show"), [(entry.study.title, name) for name, entry in services.items()]
        )
        self._move_first(self.study)
        self.metrics = MultiSelectButton(
            lambda: (list(self._shown_service.workspace.level.metrics), self._selected_metrics())
        )
        self._add_labelled(self.metrics, tr("&Metrics"), tr("Metrics to check"))
        self._begin_panel(tr("Study options"))
        self.draws = self._number(
            QSpinBox(),
            tr("Random samp&les"),
            tr("Number of samples of each random baseline; several samples give a mean and a range"),
        )
        self.draws.setRange(1, MAX_DRAWS)
        self._hint(self.draws, tr("Several samples give a mean and a range"))
        self._intervals = self._combo(
            tr("&Intervals"),
            tr("Bootstrap intervals of baseline scores and of the number of systems ranked below each baseline"),
            [(tr("none"), False), (tr("95 %"), True)],
        )
        self.mode = self._combo(
            tr("M&ode"),
            tr(
                "The analytic mode computes expected p-values within seconds; the simulation generates and tests all "
                "samples"
            ),
            [(tr("analytic"), "fast"), (tr("simulation"), "full")],
        )
        self._hint(self.mode, tr("Analytic: p-values from formulas. Simulation: tests of all samples; slower"))
        self._repetitions = CountComboBox(REPETITIONS)
        tooltip = tr("Number of repetitions; more of them give more precise p-values, but take longer")
        self._add_labelled(self._repetitions, tr("Repetitions"), tooltip)
        self._hint(self._repetitions, tr("More repetitions give more precise p-values, but take longer"))
        self.errors = self._add_line_edit(
            tr("&Errors in %"), tr("Error rates; all pairs are compared"), DEFAULT_ERROR_SHARES
        )
        self._hint(self.errors, tr("All pairs of these error rates are compared"))
        self.sizes = self._add_line_edit(tr("Si&zes"), tr("Numbers of data sets per error rate"), DEFAULT_SIZES)
        self._hint(self.sizes, tr("Data sets per error rate: the gold with sampled errors of the systems"))
        self._study_controls = OptionControls(
            self._set_study_options, draws=self.draws, intervals=self._intervals, mode=self.mode,
            repetitions=self._repetitions, errors=self.errors, sizes=self.sizes,
        )  # fmt: skip
        self.study.activated.connect(lambda: self.study_chosen.emit(str(self.study.currentData())))
        self.metrics.selection_changed.connect(self._set_metrics)
        for service in services.values():
            service.changed.connect(self.refresh)
        self._ready = True
        self.refresh()

    def _add_line_edit(self, text: str, tooltip: str, usual: Sequence[object]) -> QLineEdit:
        line = QLineEdit()
        line.setPlaceholderText(" ".join(map(str, usual)))
        line.setMinimumWidth(line.fontMetrics().horizontalAdvance(line.placeholderText()) + 24)
        self._add_labelled(line, text, tooltip)
        return line

    @property
    def tab_stops(self) -> list[QWidget]:
        """Controls of the bar in tab order, without those in the options panel, which is a separate window."""
        first = [self.study]
        others = [box for box in self._pairs if box not in first and box not in self._panel]
        return [*first, *others, *([] if self.panel_button is None else [self.panel_button])]

    def show_service(self, service: StudyService) -> None:
        """Show the options of the study that `service` runs."""
        self._shown_service = service
        self.refresh()

    # --- selection

    def refresh(self) -> None:
        """Update the controls."""
        if self._ready:
            set_combo_data(self.study, self._shown_service.study.name)
            self.study.setToolTip(self._shown_service.study.about)
            self._study_controls.show_options(self._shown_service.study_options)
            self.errors.setPlaceholderText(" ".join(map(format_share, self._default_error_shares())))
            self.metrics.setText(tr("{n} selected", "metrics", len(self._selected_metrics())))
        super().refresh()

    def _control_visibility(self) -> Mapping[QWidget, bool]:
        if not self._ready:
            return super()._control_visibility()
        choices, options = self._shown_service.study.choices, self._shown_service.study.options
        return {
            **super()._control_visibility(),
            **dict.fromkeys((self._metric, self._top, self.order), False),
            **{box: name in options for name, box in self._test_controls.by_field.items()},
            **{box: name in choices for name, box in self._study_controls.by_field.items()},
            self.metrics: "metrics" in choices,
            self.study: True,
        }

    def _refresh_test(self) -> None:
        parts = self._shown_service.study.summary_parts(self._shown_service.study_options) if self._ready else ()
        self._test_note.setText(tr("Test: {test}", test=parts[0] if parts else self._service.procedure().title))
        # all other tests of studies are permutation tests
        text, tooltip = RESAMPLING_UNIT_LABEL
        self._relabel(self._unit, text, self._with_documents(tooltip))
        set_needs(self._rounds, "")

    def _default_error_shares(self) -> Sequence[Decimal]:
        """Return the error rates used if none are typed; the last result may have used lower rates than usual."""
        result = self._shown_service.result
        options = None if result is None else getattr(result.study, "options", None)
        if isinstance(options, SamplingOptions) and options.lowers_errors:
            return options.errors
        return DEFAULT_ERROR_SHARES

    def _summary(self) -> str:
        service, options = self._shown_service, self._service.options
        parts = service.study.summary_parts(service.study_options) if self._ready else ()
        if not parts or not self._control_visibility()[self._correction]:
            return super()._summary()
        return join_localized(" · ", [*parts, correction_text(options.correction), f"α {format_level(options.alpha)}"])

    def _set_study_options(self) -> None:
        self._shown_service.set_study_options(replace(self._shown_service.study_options, **self._study_controls.values))

    def _is_default(self) -> bool:
        return super()._is_default() and (
            not self._ready or self._default_study_options() == self._shown_service.study_options
        )

    def _default_study_options(self) -> StudyOptions:
        return replace(
            self._shown_service.study_options,
            **self._study_controls.defaults(StudyOptions(), self._control_visibility()),
        )

    def _reset_panel(self) -> None:
        super()._reset_panel()
        self._shown_service.set_study_options(self._default_study_options())

    # --- metrics

    def _selected_metrics(self) -> list[str]:
        return self._shown_service.study_options.metrics_of(self._shown_service.workspace.level)

    def _set_metrics(self, names: tuple[str, ...]) -> None:
        self._shown_service.set_study_options(replace(self._shown_service.study_options, metrics=names))
        self.refresh()
