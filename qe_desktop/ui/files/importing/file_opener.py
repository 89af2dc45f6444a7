"""Opens files, folders and samples: recognise beside the window, ask where there is something to ask, then read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, QeError, View
from qe_desktop.formats import Plan, PlannedFile, Role, assemble, plan
from qe_desktop.formats.jobs import Preview, preview
from qe_desktop.formats.regular_files import listed
from qe_desktop.levels import levels_of
from qe_desktop.project import Session
from qe_desktop.ui import icons
from qe_desktop.ui.importing.known_metrics import known_of, with_known
from qe_desktop.ui.importing.sample_job import JOB, copied, own_place
from qe_desktop.ui.importing.sheet import ImportSheet
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.project.store import Project

MayReplace = Callable[[Callable[[], object]], bool]
"""Whether what is open may go now; it calls what it is given when it is worth being asked again."""
SHOWN = 3
"""Files whose faults are told one by one when none of them can be opened."""


class Opener(QObject):
    """Nothing that is open is touched before everything new was read and checked."""

    reading = Signal()
    """What was chosen is being read."""
    opened = Signal(object)
    """A `Plan` that is open now."""
    told = Signal(str)
    """Something to say to the person."""
    refused = Signal(object)
    """A `QeError`."""

    def __init__(self, workspace: Workspace, may_replace: MayReplace, window: QWidget) -> None:
        super().__init__(window)
        self.workspace = workspace
        self.sheet: ImportSheet | None = None
        self._may_replace = may_replace
        self._window = window
        self._reading: Plan | None = None
        self._places: tuple[Path, ...] = ()
        """The files and folders that were recognised last."""
        self._open: tuple[str, tuple[Path, ...]] = ("", ())
        """The folder of what is open, and the files and folders that it was opened from."""
        self._named: set[Path] = set()
        self._copy: Plan | None = None
        """The sample job, which is a copy of the one that is bundled."""

    def paths(self, paths: list[str]) -> None:
        """Recognise files and folders. They are opened at once where nothing is open and nothing is doubtful.

        A file that was named and has no use is doubtful, for whoever named it meant it.
        """
        self._named = {Path(path) for path in paths}
        self._recognise(tr("Recognise files"), paths, self._on_planned)

    def sample(self, key: str) -> None:
        """Open a bundled sample; of a job, a copy that may be written."""
        samples, place = icons.resources() / "samples", own_place()
        if key == JOB:
            self._look(tr("Open the sample"), lambda: [copied(samples, place)], self._on_sample_job)
        else:
            self._recognise(tr("Open the sample"), [samples / key], self._on_sample)

    def _on_sample_job(self, plans: list[Plan]) -> None:
        self._copy, self._places = plans[0], ()
        self._on_sample(plans)

    def show_recognised(self) -> None:
        """Show once more what the open files were recognised as."""
        corpus = self.workspace.corpus
        if corpus is not None and corpus.folder:
            folder, places = self._open
            again = places if places and folder == corpus.folder else [corpus.folder]
            self._recognise(tr("Recognise files"), again, self._show_sheet)

    @property
    def places(self) -> tuple[str, ...]:
        """What was opened, to be opened again: the files that somebody named, else the folder that they are in."""
        folder, places = self._open
        return tuple(map(str, places)) if any(not path.is_dir() for path in places) else (folder,)

    def _recognise(self, name: str, paths: Sequence[str | Path], then: Callable[[list[Plan]], None]) -> None:
        places = [Path(path) for path in paths]

        def found(plans: list[Plan]) -> None:
            self._places = tuple(places)
            then(plans)

        self._look(name, lambda: places, found)

    def _look(self, name: str, places: Callable[[], list[Path]], then: Callable[[list[Plan]], None]) -> None:
        lower = self.workspace.settings.lower

        def look(progress: Progress) -> list[Plan]:
            found = _planned(places(), progress)
            return [with_known(one, lower) for one in found]

        self.workspace.jobs.submit(name, look, then, self.refused.emit, latest="open", owner=self)

    def _on_sample(self, plans: list[Plan]) -> None:
        self._open_planned(plans[0])

    def _on_planned(self, plans: list[Plan]) -> None:
        files = [file for found in plans for file in found.files]
        broken = [file.problem for file in files if file.problem is not None]
        if broken and all(file.role is Role.IGNORED for file in files if file.problem is None):
            for problem in broken[:SHOWN]:
                self.refused.emit(problem)
            return
        unused = [file for file in files if file.role is Role.IGNORED and file.path in self._named]
        if len(unused) == len(files) and not any(found.unclear() for found in plans):
            self.refused.emit(plans[0].nothing())
            return
        useless = all(file.role is Role.IGNORED for file in files)
        doubtful = useless or len(plans) > 1 or self.workspace.session is not None or bool(broken) or bool(unused)
        if not doubtful and not plans[0].unanswered():
            self._read(plans[0], None)
            return
        self._show_sheet(plans)

    def _show_sheet(self, plans: list[Plan]) -> None:
        open_now = self.workspace.session is not None
        corpus = self.workspace.corpus
        replaces = tr("“Open” closes what is open now.") if open_now else ""
        same = [found.folder == corpus.folder and found.name == corpus.name for found in plans] if corpus else []
        sheet = ImportSheet(
            plans,
            first=same.index(True) if True in same else 0,
            may_add=open_now,
            replaces=replaces,
            texts=tuple(corpus.texts) if corpus is not None else (),
            parent=self._window,
        )
        sheet.opened.connect(self._open_planned)
        sheet.added.connect(self._add_planned)
        sheet.preview_wanted.connect(self._preview)
        sheet.rejected.connect(self._stop_reading)
        sheet.finished.connect(self._forget_sheet)
        self.sheet = sheet
        sheet.show_first()
        sheet.show()

    def _preview(self, file: PlannedFile) -> None:
        """Bring the first segments of a file, beside the window."""

        def done(found: Preview) -> None:
            if self.sheet is not None:
                self.sheet.panel.show_rows(found.names, found.rows)

        def failed(error: QeError) -> None:
            if self.sheet is not None:
                self.sheet.panel.say(error.message)

        work = partial(_previewed, file)
        self.workspace.jobs.submit(tr("Look into files"), work, done, failed, latest="preview", owner=self)

    def _forget_sheet(self) -> None:
        if self.sheet is not None:
            self.sheet.deleteLater()
        self.sheet = None

    def _stop_reading(self) -> None:
        # what a person turns away from is not opened behind their back
        self.workspace.jobs.cancel("open")

    def _open_planned(self, chosen: Plan) -> None:
        if self._may_replace(partial(self._open_planned, chosen)):
            self._read(chosen, None)

    def _add_planned(self, chosen: Plan) -> None:
        session = self.workspace.session
        if session is not None:
            self._read(chosen, session)

    def _read(self, chosen: Plan, to: Session | None) -> None:
        """Read files, and open them, or add them `to` what is open."""
        said = known_of(chosen)
        if said:
            # it is said once of a metric, whichever file its scores are in
            self.workspace.settings.lower = {**self.workspace.settings.lower, **said}
        if self.sheet is not None:
            self.sheet.set_busy(True)

        onto = None if to is None else to.corpus
        project = self.workspace.project if onto is not None else None

        def work(progress: Progress) -> Corpus:
            corpus = assemble(chosen, onto=onto, progress=_teller(progress), watch=progress.check)
            if project is not None:
                project.extend(corpus, onto)
            # what texts and levels find out when they are first asked, the window need not wait for
            corpus.look_up()
            levels_of(View(corpus))
            return corpus

        def take(corpus: Corpus) -> None:
            if to is None or onto is None:
                self.workspace.open(corpus)
            elif not self._add(to, corpus, onto, project):
                return
            self._on_read(chosen, corpus, added=to is not None)

        self._reading = chosen
        self.workspace.jobs.submit(
            tr("Open", "what is being done"), work, take, self._on_refused,
            on_cancelled=self._on_cancelled, latest="open", owner=self,
        )  # fmt: skip
        self.reading.emit()

    def _add(self, session: Session, corpus: Corpus, onto: Corpus, project: Project | None) -> bool:
        """Add what was read onto a corpus to the session as it is now, and to its project if that is another one by
        now; whether it was added.
        """
        try:
            if session is not self.workspace.session:
                message = tr("The files were not added: something else was opened meanwhile")
                raise QeError(message, hint=tr("Add them again where they belong."))
            session.extend(corpus, onto)
        except QeError as error:
            self._on_refused(error)
            return False
        now = self.workspace.project
        if now is not None and now is not project:
            # the session was put into a project while the files were read
            whole = session.corpus
            self.workspace.jobs.submit(tr("Save"), lambda _: now.extend(whole, onto), on_failed=self.refused.emit)
        return True

    def _on_read(self, chosen: Plan, corpus: Corpus, *, added: bool) -> None:
        if self.sheet is not None:
            self.sheet.accept()
        before = self._open[1] if added else ()
        self._open = (corpus.folder if added else chosen.folder, tuple(dict.fromkeys((*before, *self._places))))
        self.opened.emit(chosen)
        if chosen is self._copy:
            self.told.emit(tr("This job is a copy to try things on, in {folder}", folder=chosen.folder))

    def _on_refused(self, error: QeError) -> None:
        if self.sheet is None and self._reading is not None and len(self._reading.files) > 1:
            # what does not fit may be left out
            self._show_sheet([self._reading])
        if self.sheet is not None:
            self.sheet.refuse(error)
        else:
            self.refused.emit(error)

    def _on_cancelled(self) -> None:
        if self.sheet is not None:
            self.sheet.set_busy(False)


def _planned(places: list[Path], progress: Progress) -> list[Plan]:
    """The plans of files and folders; of a folder of texts whose names tell nothing, one that asks what they are."""
    teller = _teller(progress)
    try:
        return plan(places, progress=teller, watch=progress.check)
    except QeError:
        inside = [file for place in places if place.is_dir() for file in listed(place)[0]]
        found = plan(inside, progress=teller, watch=progress.check) if inside else []
        if not any(len(one.unclear()) > 1 for one in found):
            raise
        return found


def _previewed(file: PlannedFile, progress: Progress) -> Preview:
    return preview(file, progress.check)


def _teller(progress: Progress) -> Callable[[str, float], None]:
    """Tells a job's progress of the file that is read; ends the job there when it was cancelled."""
    return lambda name, share: progress.report(share, name)
