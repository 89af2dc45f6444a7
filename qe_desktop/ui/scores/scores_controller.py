"""Controller that connects the Systems page of the Scores area to the commands of the window."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtCore import QObject

from qe_desktop.i18n.messages import tr
from qe_desktop.levels import all_levels
from qe_desktop.report.render.output_formats import FILE_FORMATS
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.scores import commands as names
from qe_desktop.ui.scores.area import SYSTEMS_PAGE, ScoresArea
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.widgets.image_export import ImageSource, ask_and_save_image, copy_image, copy_image_numbers
from qe_desktop.ui.widgets.report_export import ask_and_save_report, copy_report


class ScoresController(QObject):
    """Controller that connects commands to the Systems page and updates the state and text of the commands."""

    def __init__(self, area: ScoresArea, comparison: SignificanceService, commands: ActionRegistry) -> None:
        super().__init__(area)
        self._area, self._page, self._comparison, self._commands = area, area.systems, comparison, commands
        self._workspace = comparison.workspace
        self._handlers: dict[str, Callable[[], object]] = {**self._choice_handlers(), **self._export_handlers()}
        for id, handler in self._handlers.items():
            commands.connect_to(id, handler)
        for signal in (comparison.changed, comparison.scores.reset, self._workspace.reference_changed):
            signal.connect(self.refresh)
        area.systems.gallery.currentChanged.connect(self.refresh)
        area.systems.gallery.drawn.connect(self.refresh)
        self.refresh()

    # --- handlers

    def _choice_handlers(self) -> dict[str, Callable[[], object]]:
        all_suffixes = names.known_suffixes
        return {
            **{f"{names.LEVEL}{level.name}": partial(self._set_level, level.name) for level in all_levels()},
            **{f"{names.GOLD}{name}": partial(self._set_gold, int(name)) for name in all_suffixes(names.GOLD)},
            **{f"{names.METRIC}{name}": partial(self._set_metric, name) for name in all_suffixes(names.METRIC)},
            **{f"{names.CHART}{name}": partial(self._show_picture, name) for name in all_suffixes(names.CHART)},
        }

    def _export_handlers(self) -> dict[str, Callable[[], object]]:
        table, matrix = self._page.table.report_source, self._page.matrix.view.report_source
        handlers: dict[str, Callable[[], object]] = {}
        for copying, saving, of in (
            (names.COPY_TABLE, names.SAVE_TABLE, table),
            (names.COPY_MATRIX, names.SAVE_MATRIX, matrix),
        ):
            for form in FILE_FORMATS:
                handlers[f"{copying}{form.suffix}"] = partial(copy_report, of, form, self._workspace)
                handlers[f"{saving}{form.suffix}"] = partial(ask_and_save_report, of, form, self._workspace, self._area)
        handlers[f"{names.COPY_MATRIX}{names.IMAGE}"] = self._page.matrix.view.copy_matrix_image
        copy_numbers = partial(copy_image_numbers, context=self._workspace, owner=self._area)
        handlers[f"{names.COPY_CHART}{names.NUMBERS}"] = partial(self._export_chart, copy_numbers)
        handlers[f"{names.COPY_CHART}{names.IMAGE}"] = partial(
            self._export_chart, partial(copy_image, context=self._workspace)
        )
        for image_format in names.IMAGE_FORMATS:
            save = partial(ask_and_save_image, suffix=image_format, context=self._workspace, parent=self._area)
            handlers[f"{names.SAVE_MATRIX}{image_format}"] = partial(save, self._page.matrix.view.image_source)
            handlers[f"{names.SAVE_CHART}{image_format}"] = partial(self._export_chart, save)
        return handlers

    def _set_level(self, name: str) -> None:
        self._workspace.set_level(next(level for level in all_levels() if level.name == name))
        self.refresh()

    def _set_gold(self, number: int) -> None:
        self._workspace.set_reference(self._workspace.references()[number - 1])
        self.refresh()

    def _set_metric(self, name: str) -> None:
        self._comparison.set_metric(name)
        self.refresh()

    def _show_picture(self, name: str) -> None:
        self._area.pages.show_page(SYSTEMS_PAGE)
        self._page.gallery.show_chart(name)
        self.refresh()

    def _export_chart(self, export: Callable[[ImageSource], object]) -> None:
        """Pass the chart of the current tab, if there is one, to `export`."""
        plot = self._page.gallery.current_plot()
        if plot is not None:
            export(plot.image_source)

    # --- actions

    def refresh(self) -> None:
        """Update the state of the commands, and the texts of the commands that select the gold."""
        workspace, gallery = self._workspace, self._page.gallery
        levels, golds = workspace.levels(), workspace.references()
        self._update_choices(
            names.LEVEL, {level.name: level.title for level in levels if len(levels) > 1}, workspace.level.name
        )
        for level in levels:
            lacks_subjects = workspace.view is not None and level.lacks_subjects(workspace.view)
            self._commands[f"{names.LEVEL}{level.name}"].setEnabled(len(levels) > 1 and not lacks_subjects)
        gold_names = {
            str(number): workspace.level.reference_name(key)
            for number, key in enumerate(golds[: names.MAX_GOLD_COMMANDS], 1)
            if len(golds) > 1
        }
        gold = workspace.reference
        self._update_choices(names.GOLD, gold_names, str(golds.index(gold) + 1) if gold in golds else "")
        for number, name in gold_names.items():
            self._commands.set_text(f"{names.GOLD}{number}", tr("Score against {gold}", gold=name))
        scored = bool(self._page.table.scores_model.rowCount())
        metrics = workspace.level.metrics if scored else {}
        self._update_choices(names.METRIC, {name: name for name in metrics}, self._comparison.metric)
        self._update_choices(names.CHART, gallery.chart_titles() if scored else {}, gallery.current_chart())
        plot = gallery.current_plot()
        has_plot = plot is not None and plot.shows_plot
        numbers = plot is not None and plot.image_source.numbers() is not None
        compared = self._page.matrix.view.matrix.rowCount() > 0
        for prefixes, enabled in (
            ((names.COPY_TABLE, names.SAVE_TABLE), scored),
            ((names.COPY_MATRIX, names.SAVE_MATRIX), compared),
            ((names.COPY_CHART, names.SAVE_CHART), has_plot),
        ):
            for id in self._handlers:
                if id.startswith(prefixes):
                    self._commands[id].setEnabled(enabled)
        self._commands[f"{names.COPY_CHART}{names.NUMBERS}"].setEnabled(numbers)

    def _update_choices(self, prefix: str, titles: Mapping[str, object], chosen: str) -> None:
        for name in names.known_suffixes(prefix):
            action = self._commands[f"{prefix}{name}"]
            action.setVisible(name in titles)
            action.setEnabled(name in titles)
            action.setChecked(name == chosen)
