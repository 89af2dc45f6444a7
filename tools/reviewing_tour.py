"""Screenshots of post-editing: a bilingual file with highlights, typing in a target with inline codes, statistics."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from driver import Driver

JOB, TAGS = "jobs/en-de/manuals.sdlxliff", "jobs/qe/sample-qe.tags"
TYPED = "ganz "
EDITED = 4
"""Number of segments to confirm before views of post-edited segments are saved; `marked` may confirm more."""
SEVERAL = 3
"""Minimum number of changes between MT and post-edit of the partly edited segment; only the first one is made."""


def reviewing_tour(driver: Driver, samples: Path, discard: Callable[[Driver], None]) -> None:
    """Save the views of post-editing, with a copy of the sample's bilingual file; `discard` marks edits as saved."""
    from PySide6.QtTest import QTest

    with tempfile.TemporaryDirectory() as folder:
        path = Path(shutil.copy(samples / JOB, folder))
        driver.open(path)
        driver.save("review-opened")
        shutil.copy(samples / TAGS, folder)
        driver.open(Path(folder))
        driver.do("edit.qe-checks")
        driver.shell.notices.clear()
        driver.shell.activateWindow()
        driver.do("inspect.record")
        controller = _controller(driver)
        driver.wiring.workspace.go_to(_with_codes(driver))
        driver.do("inspect.correct")
        driver.save("review-target")
        QTest.keyClicks(controller.panel.edit, TYPED)
        driver.save("review-typed")
        for _ in range(EDITED):
            QTest.keyClicks(controller.panel.edit, TYPED)
            driver.do("inspect.confirm")
        driver.do("inspect.note")
        driver.save("review-note")
        controller.panel.note.cancelled.emit()
        driver.do("inspect.previous-open")
        driver.wiring.workspace.go_to(_with_codes(driver))
        _history(driver)
        driver.do("edit.replace")
        _replacing(driver)
        driver.shell.show_area("scores")
        driver.do("scores.page-post-editing")
        driver.save("post-editing")
        _pages(driver)
        driver.shell.show_area("inspect")
        _preferences(driver)
        discard(driver)
        _unclear(driver, Path(folder))
        discard(driver)
        driver.wiring.workspace.close()
        driver.settle()


def marked(driver: Driver, folder: Path, sample: Path) -> None:
    """Save a view of a corpus with two QE systems and no gold: several segments are post-edited, one only partly."""
    from typist import Clock, Typist, changes

    (folder / "tmp-texts/systems").mkdir(parents=True)
    for name in ("sample.src", "sample.mt", "sample.raw.src", "sample.raw.mt"):
        shutil.copy(sample / name, folder / "tmp-texts")
    for name in ("strong.probabilities", "weak.tags"):
        shutil.copy(sample / "systems" / name, folder / "tmp-texts/systems")
    driver.open(folder / "tmp-texts")
    driver.shell.notices.clear()
    driver.shell.activateWindow()
    wanted = (sample / "sample.raw.pe").read_text(encoding="utf-8").splitlines()
    controller, typist = _controller(driver), Typist(Clock(), 1)
    driver.do("inspect.correct")
    done = 0
    while (
        len(left := list(changes(controller.panel.edit.toPlainText(), wanted[controller.segment]))) < SEVERAL
        or done < EDITED
    ):
        typist.edit(controller.panel.edit, wanted[controller.segment])
        driver.do("inspect.confirm")
        done += 1
    before, (start, end, text) = controller.panel.edit.toPlainText(), left[0]
    typist.edit(controller.panel.edit, before[:start] + text + before[end:])
    driver.save("review")


def _controller(driver: Driver) -> Any:
    return driver.shell.area("inspect").review.controller  # type: ignore[attr-defined]


def _with_codes(driver: Driver) -> int:
    """Return the index of the first segment whose MT has inline codes; 0 if there is none."""
    corpus = driver.wiring.workspace.corpus
    assert corpus is not None
    return next((one for one in range(corpus.size) if "⟨" in corpus.mt_line(one)), 0)


def _history(driver: Driver) -> None:
    driver.shell.commands["inspect.history"].trigger()
    driver.save("review-history")
    driver.close_dialogs()


def _replacing(driver: Driver) -> None:
    from PySide6.QtTest import QTest

    bar = driver.shell.area("inspect").review.replace_controller.bar  # type: ignore[attr-defined]
    QTest.keyClicks(bar.search_field, TYPED.strip())
    QTest.keyClicks(bar.replacement_field, "sehr")
    driver.until(bar.replace.isEnabled)
    driver.save("review-replace")
    bar.close_bar()


def _pages(driver: Driver) -> None:
    from qe_desktop.ui.scores.post_editing.post_editing_page import PostEditingPage

    page = driver.shell.findChild(PostEditingPage)
    assert page is not None
    for place in range(1, page.tabs.count()):
        page.tabs.setCurrentIndex(place)
        driver.save(f"post-editing-{place}")
    page.tabs.setCurrentIndex(0)


def _preferences(driver: Driver) -> None:
    preferences = driver.wiring._show_preferences()
    for name in ("appearance", "systems", "checks", "journals"):
        preferences.pages.setCurrentWidget(getattr(preferences, name))
        driver.save(f"preferences-{name}")
    driver.close_dialogs()


def _unclear(driver: Driver, folder: Path) -> None:
    """Save the import dialog for two texts whose names do not show which is the source."""
    paths = [folder / "tmp-1.txt", folder / "tmp-2.txt"]
    for path, text in zip(paths, ("One word\nTwo\n", "Ein Wort\nZwei\n"), strict=True):
        path.write_text(text, encoding="utf-8")
    driver.shell.open_paths([str(path) for path in paths])
    driver.until(lambda: driver.wiring.opener.sheet is not None)
    driver.save("sheet-unclear")
    driver.close_dialogs()
