"""Callbacks of long computations: progress and cancellation."""

from __future__ import annotations

from collections.abc import Callable

OnProgress = Callable[[float], None]
"""Progress callback, which receives the completed fraction (0..1) and may raise an exception to stop."""
OnStep = Callable[[float, str], object]
"""Progress callback, which receives the completed fraction (0..1; 0 if unknown) and a text; it may raise to stop."""
CheckCancelled = Callable[[], None]
"""Cancellation callback, which is called regularly during long work and may raise an exception to stop it."""
