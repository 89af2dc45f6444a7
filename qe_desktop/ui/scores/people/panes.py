"""The pictures of a study: a metric against people, and curves; made beside the window when somebody looks."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from qe_desktop.levels.drawings import Panels
from qe_desktop.studies.curves import Curve, recall_curve, reference_curves
from qe_desktop.studies.pictures import curve_panels, metric_against_people
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.people.keeper import PeopleKeeper
from qe_desktop.ui.scores.people.values import Beside
from qe_desktop.ui.scores.pictures.made_pane import MAKING, POINT, MadePane
from qe_desktop.wording import tr


class AgainstPane(MadePane):
    """The metric that is looked at, against people: systems, and pairs of them."""

    def __init__(self, keeper: PeopleKeeper, parent: QWidget | None = None) -> None:
        super().__init__(keeper.workspace, tr("The metric against people"), "people-picture", parent)
        self._keeper = keeper
        keeper.changed.connect(self.refresh)

    def _subject(self) -> tuple[object, ...] | None:
        found = self._keeper.found
        decimals = self._workspace.settings.decimals
        return None if found is None else (found.study, self._keeper.metric, decimals)

    def _begin(self) -> None:
        found = self._keeper.found
        assert found is not None
        place = found.metrics.index(self._keeper.metric)
        number = self._number()

        def work(progress: Progress) -> Panels:
            return metric_against_people(found.study, place, number)

        self._submit(work, self.show_content)


class CurvePane(MadePane):
    """A kind of curves, computed when they are first looked at, and kept with the study."""

    def __init__(self, keeper: PeopleKeeper, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(keeper.workspace, title, f"people-{name}", parent, hint=POINT)
        self._keeper, self._name = keeper, name
        keeper.changed.connect(self.refresh)

    def _subject(self) -> tuple[object, ...] | None:
        found = self._keeper.found
        return None if found is None else (found.study, self._workspace.settings.decimals)

    def _begin(self) -> None:
        found = self._keeper.found
        assert found is not None
        name, number = self._name, self._number()
        if found.asked.texts is None:
            self.show_content(
                tr("Curves are of metrics of texts, and there are none. Add translations and a reference.")
            )
            return

        def work(progress: Progress) -> tuple[Beside, Panels]:
            curves = found.curves.get(name) or computed(found, name, progress)
            return found.with_curves(name, curves), curve_panels(curves, number)

        self.content = MAKING
        self._submit(work, self._on_done)

    def _on_progress(self, fraction: float, text: str) -> None:
        if isinstance(self.content, str):
            self.show_content(tr("Computing the curve: {share:.0%}", share=fraction))

    def _on_done(self, result: tuple[Beside, Panels]) -> None:
        with_curves, panels = result
        self.show_content(panels or tr("No metric of texts was chosen, and curves are of these."))
        now = self._keeper.found
        if now is not None and now.study is with_curves.study:
            # another curve may have been computed meanwhile
            self._keeper.keep(now.with_curves(self._name, with_curves.curves[self._name]))


def computed(found: Beside, name: str, progress: Progress) -> tuple[Curve, ...]:
    """The curves of a name; QeError where there cannot be any."""
    asked, people, options = found.asked, found.study.studied, found.wish.options
    assert asked.texts is not None

    def watch(done: int, total: int) -> None:
        progress.report(done / max(1, total))

    if name == "recall":
        return (recall_curve(asked.texts, people, options, watch),)
    return reference_curves(asked.texts, asked.of_texts, people, options, watch)
