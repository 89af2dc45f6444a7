"""The pictures of a study: a metric against people, and curves; made beside the window when somebody looks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import QeError
from qe_desktop.levels.drawings import Panels
from qe_desktop.studies.curves import Curve, recall_curve, reference_curves
from qe_desktop.studies.pictures import curve_panels, metric_against_people
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.ui.scores.people.keeper import PeopleKeeper
from qe_desktop.ui.scores.people.values import Beside
from qe_desktop.ui.scores.pictures.panel_pane import HINT, PanelPane
from qe_desktop.wording import tr

MAKING = tr("Drawing…")
POINT = tr("Point at something to read it in words; arrows walk from one to the next.")
NONE = tr("There is nothing to draw yet.")
STOPPED = tr("The drawing was stopped. It is done when the picture is next seen.")


class StudyPane(PanelPane):
    """Subclasses say what is drawn (`_subject`, compared part by part) and how it is made (`_work`)."""

    def __init__(
        self, keeper: PeopleKeeper, title: str, name: str, parent: QWidget | None = None, *, hint: str = HINT
    ) -> None:
        super().__init__(keeper.workspace, title, NONE, parent, hint=hint)
        self._keeper = keeper
        self._title, self._name = title, name
        self._drawn: tuple[object, ...] | None = None
        keeper.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Draw what there is now, if somebody looks and it is another one."""
        if not self.isVisible():
            return
        found, subject = self._keeper.found, self._subject()
        if self._drawn is not None and _same(subject, self._drawn):
            return
        self._drawn = subject
        if found is None:
            self.show_content(NONE)
            return
        self._begin(found)

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up."""
        super().showEvent(event)
        self.refresh()

    def _subject(self) -> tuple[object, ...]:
        """What the picture depends on."""
        raise NotImplementedError

    def _begin(self, found: Beside) -> None:
        """Make the picture of a study."""
        raise NotImplementedError

    def _submit(self, work: Callable[[Progress], object], done: Callable[..., object]) -> None:
        if isinstance(self.content, str):
            self.show_content(MAKING)
        self._keeper.workspace.jobs.submit(
            self._title, work, done, self._on_failed, self._on_progress,
            on_cancelled=self._on_cancelled, latest=f"people-{self._name}", owner=self,
        )  # fmt: skip

    def _number(self) -> Callable[[float], str]:
        return partial(score_text, decimals=self._keeper.workspace.settings.decimals)

    def _on_progress(self, fraction: float, text: str) -> None:
        """A picture is quickly made; what takes longer says so."""

    def _on_cancelled(self) -> None:
        self._drawn = None
        self.show_content(STOPPED)

    def _on_failed(self, error: QeError) -> None:
        self.show_content(tr("There is no picture: {message}. {hint}", message=error.message, hint=error.hint))


class AgainstPane(StudyPane):
    """The metric that is looked at, against people: systems, and pairs of them."""

    def __init__(self, keeper: PeopleKeeper, parent: QWidget | None = None) -> None:
        super().__init__(keeper, tr("The metric against people"), "picture", parent)

    def _subject(self) -> tuple[object, ...]:
        found = self._keeper.found
        decimals = self._keeper.workspace.settings.decimals
        return (None if found is None else found.study, self._keeper.metric, decimals)

    def _begin(self, found: Beside) -> None:
        place = found.metrics.index(self._keeper.metric)
        number = self._number()

        def work(progress: Progress) -> Panels:
            return metric_against_people(found.study, place, number)

        self._submit(work, self.show_content)


class CurvePane(StudyPane):
    """A kind of curves, computed when they are first looked at, and kept with the study."""

    def __init__(self, keeper: PeopleKeeper, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(keeper, title, name, parent, hint=POINT)

    def _subject(self) -> tuple[object, ...]:
        found = self._keeper.found
        decimals = self._keeper.workspace.settings.decimals
        return (None if found is None else found.study, decimals)

    def _begin(self, found: Beside) -> None:
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
    asked, options = found.asked, found.wish.options
    assert asked.texts is not None

    def watch(done: int, total: int) -> None:
        progress.report(done / max(1, total))

    if name == "recall":
        return (recall_curve(asked.texts, asked.people, options, watch),)
    return reference_curves(asked.texts, asked.of_texts, asked.people, options, watch)


def _same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(
        here is there or here == there for here, there in zip(one, other, strict=True)
    )
