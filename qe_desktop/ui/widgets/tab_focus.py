"""Movement of the focus by Tab and Shift+Tab within a window."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def move_focus(window: QWidget, *, forward: bool, wraps: bool = True) -> bool:
    """Move the focus to the next or previous control of a window; return False if there is no other.

    With `wraps`, the first control comes after the last.
    Qt also stops at a container that passes the focus on to a control inside it, which leads back to this control
    from those that follow it. Such containers are for focus that the program sets, so that they are skipped here.
    """
    start = window.focusWidget() or window
    widget = _neighbour(start, forward)
    while widget is not None and widget is not start and (wraps or widget is not window):
        if _is_tab_stop(widget, window):
            widget.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
            return True
        widget = _neighbour(widget, forward)
    return False


def _neighbour(widget: QWidget, forward: bool) -> QWidget | None:
    return widget.nextInFocusChain() if forward else widget.previousInFocusChain()


def _is_tab_stop(widget: QWidget, window: QWidget) -> bool:
    return (
        bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        and widget.focusProxy() is None
        and widget.isEnabled()
        and widget.isVisibleTo(window)
        and widget.window() is window
    )
