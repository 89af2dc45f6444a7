"""Callbacks for progress and cancellation of long computations."""

from __future__ import annotations

from collections.abc import Callable

OnProgress = Callable[[float], None]
"""Progress callback; it receives the completed fraction (0..1), and may raise an exception to stop the work."""
OnStep = Callable[[float, str], object]
"""Progress callback that also receives a message; it may raise an exception to stop the work.

The callback receives the completed fraction (0..1; 0 if unknown) and a message.
"""
CheckCancelled = Callable[[], None]
"""Cancellation callback; it is called regularly during long work, and may raise an exception to stop the work."""
