"""Any number of main windows in this process, for projects in files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance
from qe_desktop.project import Edit
from qe_desktop.project.store import Project
from qe_desktop.ui import main_controller
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.window import Shell
from tests.small_corpora import corpus_of, tags

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)


def small_corpus() -> Corpus:
    """Return a corpus with gold and two systems."""
    systems = {"a": tags("obb", "boob", "b"), "b": tags("ooo", "oooo", "o")}
    return corpus_of(tags("oob", "boob", "o"), systems)


class ProjectWindow:
    """A main window with its controllers, for a named user."""

    def __init__(self, qtbot, person: str, settings_file: Path) -> None:
        self.qtbot = qtbot
        self.closed = False
        settings = Settings(str(settings_file))
        settings.person = person
        self.shell = Shell(settings)
        self.wiring = main_controller.MainController(self.shell)
        self.wiring.projects.service._interval = 0.1
        self.shell.show()

    @property
    def workspace(self):
        return self.wiring.workspace

    @property
    def session(self):
        return self.wiring.workspace.session

    @property
    def service(self):
        return self.wiring.projects.service

    def wait_until(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()))

    def open(self, path: Path | str) -> None:
        """Open a project and wait until its session is open."""
        before = self.workspace.project
        self.shell.open_paths([str(path)])
        self.wait_until(lambda: self.workspace.project is not before and self.shell.jobs.is_idle())

    def edit(self, segment: int, word: int, tag: int | None = None, layer: LayerKey = GOLD) -> None:
        """Toggle or set the tag of a word."""
        if tag is None:
            tag = 1 - int(self.session.view.segment_tags(layer, segment)[word])
        self.workspace.edit(Edit(layer, segment, (word,), (tag,)))

    def tags(self, segment: int, layer: LayerKey = GOLD) -> list[int]:
        return self.session.view.segment_tags(layer, segment).tolist()

    def wait_until_saved(self) -> None:
        self.wait_until(lambda: not self.service.pending)

    def notice_texts(self) -> list[str]:
        """Return the notices in the window, as a screen reader receives them."""
        return [notice.message.plain_text() for notice in self.shell.notices.notices()]

    @property
    def status(self) -> str:
        return self.shell.status._saved.text()

    def discard(self) -> None:
        if self.session is not None:
            self.session.mark_saved(self.session.unsaved_layers())

    def close(self) -> None:
        """Close the window without unsaved edits and delete it."""
        self.discard()
        self.shell.close()
        # pending edits may have to be saved first
        self.wait_until(lambda: not self.shell.isVisible())
        self.closed = True
        self.shell.deleteLater()
        QApplication.sendPostedEvents(self.shell, int(QEvent.Type.DeferredDelete.value))


@pytest.fixture
def windows(qtbot, tmp_path: Path) -> Iterator[Callable[[str], ProjectWindow]]:
    """Yield a function that creates windows; those left open at the end are closed."""
    created: list[ProjectWindow] = []

    def make(person: str = "Anna") -> ProjectWindow:
        created.append(ProjectWindow(qtbot, person, tmp_path / f"settings-{person}.ini"))
        return created[-1]

    yield make
    for window in created:
        if not window.closed:
            window.close()


@pytest.fixture
def project_path(tmp_path: Path) -> Path:
    """Return the path of a project file with a small corpus."""
    path = tmp_path / "small.qedesk"
    Project.create(path, small_corpus(), person="Anna").close()
    return path
