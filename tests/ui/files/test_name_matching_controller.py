"""Opening files whose scores use other system names: matching dialog, saved matches, and displayed names."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import QeError, SystemNameMapping
from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.project import Session
from qe_desktop.ui import icons
from qe_desktop.ui.files.importing.import_dialog import import_notes
from qe_desktop.ui.files.importing.name_matching_controller import COMMAND
from qe_desktop.ui.files.importing.name_matching_dialog import NameMatchingDialog
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.window import Shell

SEGMENTS = 6
RATED = "rater\tsystem\tsegment\tscore\n"


class Window:
    """Main window with the open corpus."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.shell = Shell(Settings())
        self.wiring = MainController(self.shell)
        self.workspace = self.wiring.workspace
        self.shell.show()

    def wait(self) -> None:
        comparison = self.wiring.comparison
        self.qtbot.waitUntil(lambda: self.shell.jobs.is_idle() and not comparison._timer.isActive())

    def open(self, path: Path) -> None:
        self.shell.open_paths([str(path)])
        self.wait()
        assert self.workspace.corpus is not None

    @property
    def sheet(self) -> NameMatchingDialog:
        dialog = self.wiring.matching.dialog
        assert dialog is not None
        return dialog

    def scored(self, metric: str = "COMET") -> list[str]:
        assert self.workspace.corpus is not None
        return list(self.workspace.corpus.metric_scores[metric].scores_by_system)

    def close(self) -> None:
        self.workspace.close()
        self.wait()


@pytest.fixture
def window(qtbot: QtBot) -> Window:
    created = Window(qtbot)

    def finish(shell: Shell) -> None:
        # pytest-qt deletes the window before fixtures end
        qtbot.waitUntil(lambda: not created.wiring.projects.service.pending)
        created.workspace.close()
        shell.jobs.close()

    qtbot.addWidget(created.shell, before_close_func=finish)
    return created


@pytest.fixture
def task(tmp_path: Path) -> Path:
    folder = tmp_path / "task"
    for name in ("references", "translations", "metrics"):
        (folder / name).mkdir(parents=True)
    (folder / "c.src").write_text("a b\n" * SEGMENTS)
    (folder / "references" / "A.txt").write_text("c d e\n" * SEGMENTS)
    for name in ("Online-A", "Online-B"):
        (folder / "translations" / f"{name}.txt").write_text(f"c d {name}\n" * SEGMENTS)
    scores(folder, "COMET", {"online_A.en-de": 1.0, "B": 2.0})
    return folder


def scores(folder: Path, metric: str, means: dict[str, float]) -> None:
    rows = [f"{name}\t{mean}\n" for name, mean in means.items() for _ in range(SEGMENTS)]
    (folder / "metrics" / f"{metric}.seg.score").write_text("".join(rows))


def test_matching_is_requested_once_and_remembered_for_the_names(window: Window, task: Path) -> None:
    window.open(task)
    assert window.scored() == ["online_A.en-de", "B"]
    window.sheet.apply_button.click()
    window.wait()
    assert window.wiring.matching.dialog is None
    assert window.scored() == ["Online-A", "Online-B"]
    workspace = window.workspace
    workspace.set_level(next(level for level in workspace.levels() if level.name == "translations"))
    window.wait()
    assert window.wiring.scores.values["COMET"].tolist() == [1.0, 2.0]
    window.close()
    window.open(task)
    assert window.wiring.matching.dialog is None
    assert window.scored() == ["Online-A", "Online-B"]
    # other names are not matched yet
    scores(task, "COMET", {"online_A.en-de": 1.0, "C": 2.0})
    window.close()
    window.open(task)
    assert window.sheet.names.draft.names == ("online_A.en-de", "C")
    window.sheet.reject()


def test_saved_names_that_cannot_be_applied_are_not_reported_as_applied(
    window: Window, task: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.open(task)
    window.sheet.apply_button.click()
    window.wait()
    window.close()
    messages: list[str] = []
    errors: list[QeError] = []
    window.wiring.matching.message_posted.connect(lambda title, details: messages.append(title))
    window.workspace.failed.connect(errors.append)

    def refuse(session: Session, metric: str, matched: SystemNameMapping) -> None:
        raise QeError("no")

    monkeypatch.setattr(Session, "match", refuse)
    window.open(task)
    assert len(errors) == 1
    assert messages == []
    monkeypatch.undo()
    window.close()
    window.open(task)
    assert messages == ["The saved matches of system names were applied"]


def test_matched_names_are_shown_in_the_score_table(window: Window, task: Path) -> None:
    window.open(task)
    window.sheet.apply_button.click()
    window.shell.show_area("scores")
    workspace = window.workspace
    workspace.set_level(next(level for level in workspace.levels() if level.name == "translations"))
    window.wait()
    area = window.shell.area("scores")
    systems = area.systems  # type: ignore[attr-defined]
    cell = systems.table.scores_model.index(0, 0)
    texts = {cell.siblingAtRow(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(2)}
    assert texts == {"Online-A, called online_A.en-de in the COMET scores", "Online-B, called B in the COMET scores"}
    assert "called online_A.en-de" in cell.data(Qt.ItemDataRole.ToolTipRole)
    title = systems._title.text()
    assert "Online-A is called online_A.en-de in the COMET scores; the metric scores use other names for 1" in title


def test_cancelling_keeps_the_names_and_the_command_reopens_the_dialog(window: Window, task: Path) -> None:
    window.open(task)
    window.sheet.reject()
    window.wait()
    assert window.wiring.matching.dialog is None
    assert window.scored() == ["online_A.en-de", "B"]
    assert window.shell.commands[COMMAND].isEnabled()
    window.shell.commands[COMMAND].trigger()
    window.wait()
    window.sheet.names.choose(0, "Online-B")
    window.sheet.apply_button.click()
    assert window.scored() == ["Online-B", "B"]
    window.shell.commands[COMMAND].trigger()
    window.wait()
    assert window.sheet.names.draft.matches["online_A.en-de"] == "Online-B"
    window.sheet.reject()


def test_project_stores_the_matching(window: Window, task: Path, tmp_path: Path) -> None:
    window.open(task)
    window.sheet.apply_button.click()
    window.wait()
    path = str(tmp_path / "kept.qedesk")
    window.wiring.projects.opener.create(path)
    window.wait()
    session = window.workspace.session
    assert session is not None
    session.match("COMET", SystemNameMapping({"B": "Online-A", "online_A.en-de": None}))
    window.qtbot.waitUntil(lambda: not window.wiring.projects.service.pending)
    window.close()
    window.shell.open_paths([path])
    window.qtbot.waitUntil(lambda: window.workspace.project is not None)
    window.wait()
    assert window.scored() == ["Online-A"]
    assert window.wiring.matching.dialog is None


def test_systems_of_ratings_can_be_matched(window: Window, task: Path) -> None:
    scores(task, "COMET", {"Online-A": 1.0, "Online-B": 2.0})
    rows = [f"Ada\t{name}\t{segment}\t{segment}\n" for name in ("sys A", "sys B") for segment in range(1, 4)]
    (task / "people.tsv").write_text(RATED + "".join(rows))
    window.open(task)
    assert window.sheet.names.title == "ratings"
    window.sheet.names.choose(0, "Online-A")
    window.sheet.names.choose(1, "Online-B")
    window.sheet.apply_button.click()
    workspace = window.workspace
    workspace.set_level(next(level for level in workspace.levels() if level.name == "people"))
    window.wait()
    assert [key.name for key in window.wiring.scores.layers] == ["Online-A", "Online-B"]
    assert window.wiring.scores.snapshot().other_names == {
        "Online-A": ["rated under the name sys A"],
        "Online-B": ["rated under the name sys B"],
    }


def test_no_dialog_opens_if_every_translation_has_scores(window: Window, task: Path) -> None:
    scores(task, "COMET", {"Online-A": 1.0, "Online-B": 2.0, "nobody": 1.0})
    window.open(task)
    assert window.wiring.matching.dialog is None
    window.close()
    assert not window.shell.commands[COMMAND].isEnabled()


def test_without_translations_the_command_is_disabled_and_a_request_is_explained(
    window: Window, tmp_path: Path
) -> None:
    rows = "".join(f"Ada\t{name}\t{segment}\t{segment}\n" for name in ("A", "B") for segment in range(1, 4))
    (tmp_path / "people.tsv").write_text(RATED + rows)
    window.open(tmp_path / "people.tsv")
    assert window.workspace.corpus.ratings is not None
    assert not window.shell.commands[COMMAND].isEnabled()
    with window.qtbot.waitSignal(window.wiring.matching.message_posted) as message:
        window.wiring.matching.ask()
    assert message.args[0] == "There are no system names to match"
    assert window.wiring.matching.dialog is None


@pytest.mark.parametrize("command", [COMMAND, "edit.qe-run", "edit.qe-checks", "edit.post-edit-gold"])
def test_the_reason_of_a_disabled_command_names_read_only_projects(window: Window, command: str) -> None:
    assert not window.shell.commands[command].isEnabled()
    assert "read-only projects" in window.shell.commands.explanation(command)


def test_mt_is_a_system_if_the_scores_name_it(window: Window, tmp_path: Path) -> None:
    # a copy of the bundled sample opens without notices about missing translations
    sample = tmp_path / "copy"
    shutil.copytree(icons.resource_folder() / "samples" / "en-de", sample)
    window.open(sample)
    assert window.wiring.matching.dialog is None
    assert set(window.scored("simulated-metric")) == {"MT", "fluent", "literal"}
    message = import_notes(plan_imports([sample])[0], window.workspace.corpus)
    details = "" if message is None else "".join(message.details)
    assert "no translation by" not in details
    assert "no translation by" not in "".join(note for file in plan_imports([sample])[0].files for note in file.notes)


def test_scores_without_any_translation_have_one_note(tmp_path: Path) -> None:
    folder = tmp_path / "metrics"
    folder.mkdir()
    for metric in ("COMET", "BLEURT"):
        (folder / f"{metric}.seg.score").write_text("one\t0.5\none\t0.75\ntwo\t0.25\ntwo\t0\n")
    (plan,) = plan_imports(list(folder.iterdir()))
    message = import_notes(plan, build_corpus(plan))
    assert message is not None
    assert "No translations are open; metric scores are used without texts" in message.title
    assert not message.details
