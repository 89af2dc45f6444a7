"""Stopping the computation of results: Cancel, another corpus, and closing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QLabel, QPushButton

from qe_desktop.ui.widgets.progress_bar import ProgressPanel

ENDLESS = 10_000_000
"""Trials that take too long to finish within a test."""


def start_endless_run(environment: Any, service: Any) -> None:
    """Start an endless run and wait until it reports progress."""
    environment.comparison.set_options(replace(environment.comparison.options, rounds=ENDLESS))
    assert service.state == "working"
    environment.qtbot.waitUntil(lambda: 0 < service.progress < 1)


def test_results_of_the_open_corpus_show_progress_and_can_be_cancelled(
    environment: Any, corpus: Any, driver: Any
) -> None:
    environment.open(corpus(3))
    service, page = driver.controller.session_service, driver.page
    before = service.result
    start_endless_run(environment, service)
    panel = next(widget for widget in page.findChildren(ProgressPanel) if widget.isVisibleTo(page))
    changes: list[str] = []
    service.changed.connect(lambda: changes.append(service.state))
    before_step = service.progress
    environment.qtbot.waitUntil(lambda: service.progress > before_step)
    # progress updates the panel and nothing else
    assert not changes
    assert service.progress_text
    texts = [label.text() for label in panel.findChildren(QLabel)]
    assert service.progress_label() in texts
    next(widget for widget in panel.findChildren(QPushButton) if widget.text() == "Cancel").click()
    assert service.state == "waiting"
    # the significance comparison is a separate job
    environment.comparison.cancel()
    environment.wait()
    assert service.result is before
    assert page.run_again_button.isVisibleTo(page)
    assert not panel.isVisibleTo(page)


def test_corpus_opened_during_a_run_gets_its_own_results(environment: Any, corpus: Any, driver: Any) -> None:
    environment.open(corpus(3))
    service = driver.controller.session_service
    start_endless_run(environment, service)
    environment.settings.rounds = 1000
    environment.comparison.options = replace(environment.comparison.options, rounds=1000)
    service._options = environment.comparison.options
    shown: list[int] = []
    service.changed.connect(lambda: shown.append(0 if service.result is None else len(service.result.findings.systems)))
    environment.open(corpus(5))
    assert service.state == "ready"
    # the previous results disappear and do not return
    assert set(shown[shown.index(0) :]) == {0, 5}
    assert len(driver.names()) == 5
    assert not service.is_data_outdated


def test_opening_and_closing_a_corpus_does_not_stop_a_folder_run(
    environment: Any, corpus: Any, driver: Any, task: Path
) -> None:
    driver.controller.read(task)
    assert driver.controller.folder_service.state == "working"
    environment.workspace.open(corpus(2))
    environment.workspace.close()
    environment.wait()
    assert driver.controller.folder_service.state == "ready"
    assert "good" in driver.names()


def test_closing_stops_all_jobs_without_signals(environment: Any, corpus: Any, driver: Any, task: Path) -> None:
    environment.open(corpus(3))
    services = driver.controller.session_service, environment.comparison
    start_endless_run(environment, services[0])
    driver.controller.read(task)
    emitted: list[object] = []
    for service in (*services, driver.controller.folder_service):
        for signal in (service.changed, service.progressed):
            signal.connect(lambda service=service: emitted.append(service))
    assert environment.jobs.close(60)
    environment.qtbot.wait(0)
    assert emitted == []
    assert environment.jobs.is_idle()
    # a late timer starts no new job
    environment.comparison.run()
    assert environment.jobs.is_idle()
