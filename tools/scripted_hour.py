"""A scripted hour of post-editing with real keys in the real window, to check what the program reports about it.

    python tools/scripted_hour.py OUT [--minutes 60] [--seed 1]

The script opens the English–German sample without its gold, turns recording on, and types the sample's own post-edits
segment by segment, in the order in which the program shows the segments, confirming each. Time is that of a simulated
clock. After a few segments, the work is saved as a project. OUT gets `hour.qedesk` and, for comparison, `hour.json`:
what the window reported (`window`) and what was done (`done`).
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from driver import Driver
from PySide6.QtCore import Qt
from typist import Clock, Done, Typist

BEGAN = 1_800_000_000.0
"""Unix time at which the clock starts."""
REST, OUT_OF_WINDOW = 420.0, 95.0
"""Seconds of a pause that exceeds the limit, and of the time in another window."""
RESTS_AT, OUT_AT = 3, 6
"""Indices, in working order, of the segments with the pause and with the time in another window."""
SETTINGS = "QE_DESKTOP_SETTINGS"


class Hour:
    """Simulated post-editing in the window; `done` lists the segments with the actions of the typist."""

    def __init__(self, driver: Driver, out: Path, seed: int) -> None:
        self.driver, self.out = driver, out
        self.clock = Clock()
        self.typist = Typist(self.clock, seed)
        self.done: list[tuple[int, list[Done]]] = []
        recording = driver.wiring.recording
        recording.clock, recording.current_time = self.clock, lambda: BEGAN + self.clock.now

    def work(self, seconds: float) -> None:
        """Post-edit until the clock reaches `seconds` or no segment is left."""
        driver = self.driver
        driver.open(_without_gold(self.out / "texts"))
        wanted = (samples() / "sample.raw.pe").read_text(encoding="utf-8").splitlines()
        driver.do("inspect.record")
        driver.shell.activateWindow()
        area = driver.shell.area("inspect")
        controller = area.review.controller  # type: ignore[attr-defined]
        self.typist.note("opened")
        driver.do("inspect.correct")
        while self.clock.now < seconds and controller.segment is not None:
            self._segment(controller, wanted[controller.segment])
            if len(self.done) == RESTS_AT + 1:
                # from now on, edits are saved in the project as they are made
                driver.wiring.projects.opener.create(str(self.out / "hour.qedesk"))
                driver.until(lambda: driver.wiring.workspace.project is not None)
        if controller.segment is not None:
            # viewed and left unchanged
            last = controller.segment
            self.typist.press(controller.panel.edit, Qt.Key.Key_Escape)
            self._left(last)
        driver.do("inspect.record")

    def _segment(self, controller: Any, wanted: str) -> None:
        typist, segment, edit = self.typist, controller.segment, controller.panel.edit
        view = controller.view
        typist.read(view.corpus.source_line(segment), view.target(segment))
        if len(self.done) == RESTS_AT:
            typist.rest(REST)
        if len(self.done) == OUT_AT:
            typist.go_out(OUT_OF_WINDOW)
        typist.edit(edit, wanted)
        typist.read(wanted)
        typist.press(edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        self._left(segment)
        if controller.segment == segment:
            raise AssertionError("confirming a segment did not open the next one")
        typist.note("opened")
        self.driver.app.processEvents()

    def _left(self, segment: int) -> None:
        self.typist.note("left")
        self.done.append((segment, list(self.typist.done)))
        self.typist.done.clear()

    def as_json(self) -> dict[str, Any]:
        """Return the post-editing study as it is saved, its tables as they are shown, and the QE systems' scores."""
        from qe_desktop.ui.scores.post_editing.post_editing_page import PostEditingPage

        driver = self.driver
        driver.shell.show_area("scores")
        driver.do("scores.page-post-editing")
        page = driver.shell.findChild(PostEditingPage)
        assert page is not None
        driver.until(
            lambda: (
                page.service.result is not None and not page.service.is_working and not page.service.is_data_outdated
            )
        )
        driver.until(lambda: not driver.wiring.projects.service.pending)
        assert page.service.result is not None
        shown = {
            name: [[cell.text for cell in row] for row in view.cells.rows]
            for name, view in zip(("people", "highlights", "skipping", "segments"), page.table_views(), strict=True)
        }
        return {"study": page.service.result.json(), "shown": shown, "scores": self._scores()}

    def _scores(self) -> dict[str, Any]:
        """Return the scores of the QE systems against the person's post-edit, and the number of scored segments."""
        from qe_desktop.corpus import Provenance

        workspace, scores = self.driver.wiring.workspace, self.driver.wiring.scores
        mine = next(key for key in workspace.references() if key.provenance is Provenance.PERSON)
        workspace.set_reference(mine)
        self.driver.until(lambda: scores.state == "ready" and scores.reference == mine)
        scoring, values = scores.scoring(), scores.snapshot().values
        assert scoring is not None
        systems = {
            key.name: {name: float(found[place]) for name, found in values.items()}
            for place, key in enumerate(scores.layers)
            if key.provenance is Provenance.SYSTEM
        }
        return {"segments": scoring.segments, "systems": systems}


def _without_gold(folder: Path) -> Path:
    """Copy the sample without its gold (source, MT and the QE systems' output) to a folder, and return the folder."""
    shutil.copytree(samples() / "systems", folder / "systems", dirs_exist_ok=True)
    for name in ("sample.src", "sample.mt", "sample.raw.src", "sample.raw.mt"):
        shutil.copy(samples() / name, folder)
    return folder


def samples() -> Path:
    """Return the folder of the English–German sample."""
    from qe_desktop.ui import icons

    return icons.resource_folder() / "samples" / "en-de"


def main() -> int:
    """Run the script, and save what was done and what the window reported; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as settings:
        os.environ[SETTINGS] = str(Path(settings) / "settings.ini")
        os.environ["XDG_DATA_HOME"] = settings
        driver = Driver(args.out, (1280, 800), "light")
        driver.shell.settings.person = "scripted"
        hour = Hour(driver, args.out, args.seed)
        hour.work(60 * args.minutes)
        window = hour.as_json()
        done = [
            {"segment": segment, "done": [dataclasses.asdict(one) for one in steps]} for segment, steps in hour.done
        ]
        found = {"seconds": hour.clock.now, "window": window, "done": done}
        (args.out / "hour.json").write_text(json.dumps(found, ensure_ascii=False, indent=1), encoding="utf-8")
        driver.shell.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
