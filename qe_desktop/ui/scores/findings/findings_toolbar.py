"""Toolbar of the All metrics page: metric and language pair by which systems are sorted, and test options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.levels import GROUPS, Level
from qe_desktop.metrics import Metric
from qe_desktop.ui.scores.findings.findings_service import FindingsService, FolderFindingsService
from qe_desktop.ui.scores.findings.findings_table import AVERAGE
from qe_desktop.ui.scores.options_bar import LEVEL_LABEL, RESAMPLING_UNIT_LABEL, TEST_NOTE, OptionsBar
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.widgets.form_controls import set_combo_data, set_combo_items

ORDER_LABEL = tr("Order &by")
PAIR_ORDER_HELP = tr("Language pair by which systems are sorted and clustered")
AVERAGE_HELP = tr("Systems are sorted by their average over the language pairs. There are no clusters for the average.")


class FindingsToolbar(OptionsBar):
    """Options bar of the All metrics page.

    It adds the choice of the language pair by which systems are sorted, and hides options that do not apply.
    """

    pair_order_chosen = Signal(str)
    """Emitted with the language pair by which systems are to be sorted, or with `AVERAGE`."""

    def __init__(
        self, comparison: SignificanceService, service: FindingsService, parent: QWidget | None = None
    ) -> None:
        self._shown_service = service
        self._pair_order = AVERAGE
        self._ready = False
        super().__init__(comparison, parent)
        self._end_panel()
        self._pair = self._combo(ORDER_LABEL, PAIR_ORDER_HELP)
        self._pair.activated.connect(lambda: self.pair_order_chosen.emit(str(self._pair.currentData())))
        self._ready = True
        self.refresh()

    def show_service(self, service: FindingsService, pair_order: str) -> None:
        """Show the options of another service, and the language pair (or `AVERAGE`) by which systems are sorted."""
        self._shown_service, self._pair_order = service, pair_order
        self.refresh()

    def refresh(self) -> None:
        """Update the controls."""
        result = self._shown_service.result
        if self._ready and result is not None and len(result.findings.pairs) > 1:
            pairs = [(pair.name, pair.name) for pair in result.findings.pairs]
            set_combo_items(self._pair, [(tr("average"), AVERAGE), *pairs])
            set_combo_data(self._pair, self._pair_order)
            self._relabel(self._pair, ORDER_LABEL, AVERAGE_HELP if self._pair_order == AVERAGE else PAIR_ORDER_HELP)
        super().refresh()

    def _has_exact_test(self) -> bool:
        result = self._shown_service.result if self._ready else None
        if result is None or self._shown_service.state != "ready":
            return False
        comparisons = [comparison for pair in result.findings.pairs for comparison in pair.comparisons]
        return bool(comparisons) and all(comparison.exact for comparison in comparisons)

    def _control_visibility(self) -> Mapping[QWidget, bool]:
        if not self._ready:
            return super()._control_visibility()
        result = self._shown_service.result
        visible = {
            self._metric: result is not None,
            self._pair: result is not None and len(result.findings.pairs) > 1,
            **dict.fromkeys(self._test_controls.by_field.values(), True),
            **dict.fromkeys((self._top, self.order), False),
        }
        return {**super()._control_visibility(), **visible}

    def _current_metric(self) -> str:
        return self._shown_service.metric

    def _refresh_levels(self) -> None:
        folder = self._shown_service
        if not isinstance(folder, FolderFindingsService):
            super()._refresh_levels()
            return
        groups = () if folder.result is None else folder.result.groups
        set_combo_items(self._level, [(GROUPS[name].levels[0].title, name) for name in groups])
        set_combo_data(self._level, "" if folder.result is None else folder.result.findings.level.group)
        self._relabel(self._level, *LEVEL_LABEL)

    def _set_level(self) -> None:
        if isinstance(self._shown_service, FolderFindingsService):
            self._shown_service.set_group(self._level.currentData())
        else:
            super()._set_level()

    def _refresh_references(self) -> None:
        folder = self._shown_service
        if not isinstance(folder, FolderFindingsService) or folder.result is None:
            super()._refresh_references()
            return
        findings = folder.result.findings
        items = [(findings.level.reference_name(key), key) for key in folder.golds()]
        self._show_references(findings.level, items)
        set_combo_data(self._reference, findings.pairs[0].scoring.reference)

    def _set_reference(self) -> None:
        if isinstance(self._shown_service, FolderFindingsService):
            self._shown_service.set_gold(self._reference.currentData().name)
        else:
            super()._set_reference()

    def _scored_levels(self) -> Sequence[Level]:
        folder = self._shown_service
        if not isinstance(folder, FolderFindingsService):
            return super()._scored_levels()
        return [] if folder.result is None else [pair.scoring.level for pair in folder.result.findings.pairs]

    def _set_tokenizer(self) -> None:
        if isinstance(self._shown_service, FolderFindingsService):
            self._shown_service.set_tokenizer(str(self._tokenizer.currentData()))
        else:
            super()._set_tokenizer()

    def _refresh_test(self) -> None:
        # each metric has its own test, so all options apply
        self._test_note.setText(TEST_NOTE)
        text, tooltip = RESAMPLING_UNIT_LABEL
        self._relabel(self._unit, text, self._with_documents(tooltip))

    def _offered_metrics(self) -> Mapping[str, Metric]:
        result = self._shown_service.result
        return super()._offered_metrics() if result is None else {metric.name: metric for metric in result.metrics}

    def _set_metric(self) -> None:
        self._shown_service.set_metric(self._metric.currentData())

    def _has_documents(self) -> bool:
        return self._shown_service.has_documents
