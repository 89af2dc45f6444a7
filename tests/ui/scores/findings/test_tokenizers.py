"""Tokenizers of several language pairs on the All metrics page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ui.scores.test_tokenizer import CLOSE, FAR, GERMAN, REFERENCE, bleu, select_tokenizer, selected_tokenizer


def write_pairs(folder: Path) -> Path:
    """Write a folder with a Chinese and a German language pair."""
    pairs = {
        "en-zh": {"ref.A": REFERENCE, "systems/close.txt": CLOSE, "systems/far.txt": FAR},
        "en-de": {"ref.A": GERMAN, "systems/close.txt": GERMAN, "systems/far.txt": GERMAN[1:] + GERMAN[:1]},
    }
    for pair, files in pairs.items():
        (folder / pair / "systems").mkdir(parents=True)
        for name, lines in files.items():
            (folder / pair / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return folder


def test_folder_results_use_one_tokenizer_per_language_pair(environment: Any, driver: Any, tmp_path: Path) -> None:
    driver.read(write_pairs(tmp_path / "task"))
    bar = driver.page.bar
    assert selected_tokenizer(bar) == "by language (13a and zh)"
    results = {pair.name: pair for pair in driver.controller.folder_service.result.findings.pairs}
    assert results["en-zh"].scores[:, 0].tolist() == pytest.approx(bleu("zh"))
    select_tokenizer(bar, "char")
    environment.wait()
    results = {pair.name: pair for pair in driver.controller.folder_service.result.findings.pairs}
    assert results["en-zh"].scores[:, 0].tolist() == pytest.approx(bleu("char"))
    assert {pair.scoring.level.tokenizer for pair in results.values()} == {"char"}
    assert selected_tokenizer(bar) == "char"
    # a pair opened from the table keeps its tokenizer
    driver.go_to("far", "en-zh")
    driver.view.cell_activated.emit(driver.view.currentIndex())
    driver.view.cell_activated.emit(driver.view.currentIndex())
    environment.wait()
    assert environment.workspace.level.tokenizer == "char"


def test_previous_tokenizer_can_be_selected_after_one_that_cannot_be_used(
    environment: Any, driver: Any, tmp_path: Path
) -> None:
    driver.read(write_pairs(tmp_path / "task"))
    service = driver.controller.folder_service
    service.set_tokenizer("none such")
    environment.wait()
    assert service.state == "failed"
    select_tokenizer(driver.page.bar, "")
    environment.wait()
    assert service.state == "ready"
    assert service.error is None
