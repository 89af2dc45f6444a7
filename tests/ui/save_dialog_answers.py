"""Answers to the dialogs that ask for a file to write without waiting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from qe_desktop.ui.widgets.dialogs import FileDialog

Answer = Path | tuple[Path, str] | None
"""The path to select, the path and the filter to select, or None to cancel."""


def answer_save_dialogs(monkeypatch: pytest.MonkeyPatch, *answers: Answer) -> list[tuple[Path, str]]:
    """Answer the next save dialogs in this order, and all later ones like the last of these.

    Return a list that receives the proposed path and the filters of each dialog.
    """
    opened: list[tuple[Path, str]] = []

    def answer(
        parent: object, title: str, directory: str = "", filters: str = "", complete: object = None, *,
        chosen: Callable[[str, str], object], cancelled: Callable[[], object],
    ) -> None:  # fmt: skip
        opened.append((Path(directory), filters))
        selected = answers[min(len(opened), len(answers)) - 1]
        path, name_filter = selected if isinstance(selected, tuple) else (selected, "")
        QTimer.singleShot(0, cancelled if path is None else lambda: chosen(str(path), name_filter))

    monkeypatch.setattr(FileDialog, "open_save_dialog", staticmethod(answer))
    return opened
