"""Stopping the computation of results: Cancel, another corpus, and closing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QPushButton

from qe_desktop.ui.widgets.progress_bar import ProgressPanel

ENDLESS = 10_000_000
"""Trials that take too long to finish within a test."""


def start_endless_run(world: Any, service: Any) -> None:
    """Start an endless run and wait until it reports progress."""
    world.comparison.set_options(replace(world.comparison.options, rounds=ENDLESS))
    assert service.state == "working"
    world.qtbot.waitUntil(lambda: 0 < service.progress < 1)


def test_results_of_the_open_corpus_show_progress_and_can_be_cancelled(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(3))
    service, page = findings.controller.of_open, findings.page
    before = service.result
    start_endless_run(world, service)
    panel = next(widget for widget in page.findChildren(ProgressPanel) if widget.isVisibleTo(page))
    assert service.progress_text
    next(widget for widget in panel.findChildren(QPushButton) if widget.text() == "Cancel").click()
    assert service.state == "waiting"
    # the significance comparison is a separate job
    world.comparison.cancel()
    world.wait()
    assert service.result is before
    assert page.again.isVisibleTo(page)
    assert not panel.isVisibleTo(page)


def test_corpus_opened_during_a_run_gets_its_own_results(world: Any, corpus: Any, findings: Any) -> None:
    world.open(corpus(3))
    service = findings.controller.of_open
    start_endless_run(world, service)
    world.settings.rounds = 1000
    world.comparison.options = replace(world.comparison.options, rounds=1000)
    service._options = world.comparison.options
    shown: list[int] = []
    service.changed.connect(lambda: shown.append(0 if service.result is None else len(service.result.findings.systems)))
    world.open(corpus(5))
    assert service.state == "ready"
    # the previous results disappear and do not return
    assert set(shown[shown.index(0) :]) == {0, 5}
    assert len(findings.names()) == 5
    assert not service.stale


def test_opening_and_closing_a_corpus_does_not_stop_a_folder_run(
    world: Any, corpus: Any, findings: Any, task: Path
) -> None:
    findings.controller.read(task)
    assert findings.controller.of_folder.state == "working"
    world.workspace.open(corpus(2))
    world.workspace.close()
    world.wait()
    assert findings.controller.of_folder.state == "ready"
    assert "good" in findings.names()


def test_closing_stops_all_jobs_without_signals(world: Any, corpus: Any, findings: Any, task: Path) -> None:
    world.open(corpus(3))
    services = findings.controller.of_open, world.comparison
    start_endless_run(world, services[0])
    findings.controller.read(task)
    emitted: list[object] = []
    for service in (*services, findings.controller.of_folder):
        service.changed.connect(lambda service=service: emitted.append(service))
    assert world.jobs.close(60)
    world.qtbot.wait(0)
    assert emitted == []
    assert world.jobs.idle()
    # a late timer starts no new job
    world.comparison.run()
    assert world.jobs.idle()
