"""Score direction of metrics: set once in the import dialog, remembered for later files and folders."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from qe_desktop.formats import plan_imports
from qe_desktop.formats.importing.planned_file import ScoreDirection
from qe_desktop.levels.folder_scores import FolderScores
from qe_desktop.levels.shared_task import read_folders
from qe_desktop.ui.files.importing.file_opener import FileOpener, apply_known_directions, known_directions
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.workspace import Workspace


@pytest.fixture
def task(tmp_path: Path) -> Path:
    folder = tmp_path / "task"
    (folder / "systems").mkdir(parents=True)
    (folder / "src").write_text("a\nb\n")
    (folder / "ref").write_text("c\nd\n")
    for name in ("one", "two"):
        (folder / "systems" / f"{name}.txt").write_text(f"c\n{name}\n")
    for metric in ("cost", "TER"):
        (folder / f"{metric}.seg.score").write_text("one\t1\none\t2\ntwo\t3\ntwo\t4\n")
    return folder


def test_known_directions_apply_to_files_of_the_metric(task):
    (plan,) = plan_imports([task])
    assert known_directions(plan) == {}
    with_known = apply_known_directions(plan, {"cost": True, "TER": False, "other": True})
    assert known_directions(with_known) == {"cost": True, "TER": False}
    # an answer for the file itself has priority
    answered = with_known.with_answer(ScoreDirection.MORE)
    assert known_directions(apply_known_directions(answered, {"cost": True})) == {"cost": False, "TER": False}


def test_direction_set_in_the_import_dialog_is_remembered(task, qtbot, tmp_path):
    settings, jobs, window = Settings(str(tmp_path / "settings.ini")), JobRunner(), QWidget()
    qtbot.addWidget(window)
    workspace = Workspace(settings, jobs)
    opener = FileOpener(workspace, lambda again: True, window)

    def direction_of(name: str) -> int:
        assert workspace.corpus is not None
        return workspace.corpus.metric_scores[name].better

    opener.open_paths([str(task)])
    qtbot.waitUntil(lambda: jobs.is_idle() and workspace.corpus is not None)
    assert (direction_of("cost"), direction_of("TER"), settings.lower) == (1, -1, {})
    opener.show_import_details()
    opener.details.change_button.click()
    qtbot.waitUntil(lambda: opener.sheet is not None)
    dialog = opener.sheet
    row = next(row for row, file in enumerate(dialog.model.plan.files) if file.name == "cost")
    dialog.model.setData(dialog.model.index(row, 3), (ScoreDirection.LESS,))
    dialog.open_button.click()
    qtbot.waitUntil(lambda: jobs.is_idle() and opener.sheet is None)
    assert (direction_of("cost"), settings.lower) == (-1, {"cost": True})
    workspace.close()
    opener.open_paths([str(task)])
    qtbot.waitUntil(lambda: jobs.is_idle() and workspace.corpus is not None)
    assert (direction_of("cost"), direction_of("TER")) == (-1, -1)
    jobs.close()


def test_known_directions_apply_to_scores_of_a_folder(task):
    for lower, direction_of in (({}, 1), ({"cost": True}, -1)):
        (scoring,) = read_folders(
            [task], scores=FolderScores(lower_by_metric={**lower, "not there": True})
        ).pairs.values()
        assert scoring.level.metrics["cost"].better == direction_of
