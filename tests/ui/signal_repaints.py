"""Repaint every window between any two deliveries of a signal, as Qt itself may do at any time."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from PySide6.QtWidgets import QApplication


class RepaintProfiler:
    """Profile function that repaints all windows before a signal is emitted and after each of its slots returns."""

    def __init__(self) -> None:
        self.paints = 0
        self._emitting: list[FrameType] = []
        self._painting = False

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        if self._painting:
            return
        if event == "c_call" and getattr(argument, "__name__", "") == "emit":
            self._emitting.append(frame)
            self._paint()
        elif event in ("c_return", "c_exception") and self._emitting and self._emitting[-1] is frame:
            if getattr(argument, "__name__", "") == "emit":
                self._emitting.pop()
        elif event == "return" and self._emitting and frame.f_back is self._emitting[-1]:
            self._paint()

    def _paint(self) -> None:
        self._painting = True
        try:
            for widget in QApplication.topLevelWidgets():
                if widget.isVisible():
                    widget.repaint()
                    self.paints += 1
        finally:
            self._painting = False


@contextmanager
def repaint_during_signals() -> Iterator[RepaintProfiler]:
    """Repaint between deliveries while the context is active."""
    previous = sys.getprofile()
    profiler = RepaintProfiler()
    sys.setprofile(profiler)
    try:
        yield profiler
    finally:
        sys.setprofile(previous)
