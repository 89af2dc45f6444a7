"""Findings that are stopped on the way: by a person, by another corpus, by the window that closes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QPushButton

from qe_desktop.ui.widgets.progress_bar import ProgressPanel

ENDLESS = 10_000_000
"""Rounds that nobody waits for."""


def begun(world: Any, service: Any) -> None:
    """Compute something that takes for ever, until it says how far it is."""
    world.comparison.set_options(replace(world.comparison.options, rounds=ENDLESS))
    assert service.state == "working"
    world.qtbot.waitUntil(lambda: 0 < service.progress < 1)


def test_findings_of_what_is_open_say_how_far_they_are_and_can_be_cancelled(
    world: Any, corpus: Any, findings: Any
) -> None:
    world.open(corpus(3))
    service, page = findings.controller.of_open, findings.page
    before = service.result
    begun(world, service)
    line = next(one for one in page.findChildren(ProgressPanel) if one.isVisibleTo(page))
    assert service.progress_text
    next(one for one in line.findChildren(QPushButton) if one.text() == "Cancel").click()
    assert service.state == "waiting"
    # the comparison beside it is stopped by itself
    world.comparison.cancel()
    world.wait()
    assert service.result is before
    assert page.again.isVisibleTo(page)
    assert not line.isVisibleTo(page)


def test_another_corpus_that_is_opened_meanwhile_has_its_own_findings(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(3))
    service = findings.controller.of_open
    begun(world, service)
    world.settings.rounds = 1000
    world.comparison.options = replace(world.comparison.options, rounds=1000)
    service._options = world.comparison.options
    shown: list[int] = []
    service.changed.connect(lambda: shown.append(0 if service.result is None else len(service.result.findings.systems)))
    world.open(corpus(5))
    assert service.state == "ready"
    # what was shown goes away, and nothing of it comes back
    assert set(shown[shown.index(0) :]) == {0, 5}
    assert len(findings.names()) == 5
    assert not service.stale


def test_findings_of_a_folder_go_on_whatever_is_opened_and_closed(
    world: Any, corpus: Any, findings: Any, task: Path
) -> None:
    findings.controller.read(task)
    assert findings.controller.of_folder.state == "working"
    world.workspace.open(corpus(2))
    world.workspace.close()
    world.wait()
    assert findings.controller.of_folder.state == "ready"
    assert "good" in findings.names()


def test_closing_ends_what_is_computed_and_tells_nobody(world: Any, corpus: Any, findings: Any, task: Path) -> None:
    world.open(corpus(3))
    services = findings.controller.of_open, world.comparison
    begun(world, services[0])
    findings.controller.read(task)
    told: list[object] = []
    for service in (*services, findings.controller.of_folder):
        service.changed.connect(lambda service=service: told.append(service))
    assert world.jobs.close(60)
    world.qtbot.wait(0)
    assert told == []
    assert world.jobs.idle()
    # a timer that asks once more is refused
    world.comparison.run()
    assert world.jobs.idle()
