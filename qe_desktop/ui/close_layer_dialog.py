"""Closing one of the layers that are open: asked which, taken back like any other step."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Kind, LayerKey, View
from qe_desktop.outgoing import within
from qe_desktop.ui.parts.asking import ask_which
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import tr


def closable(view: View) -> list[LayerKey]:
    """The layers that can be closed: all but those that follow the text, which go when the text is as it was."""
    kinds = (Kind.WORDS, Kind.GAPS, Kind.SOURCE)
    tags = [key for kind in kinds for key in view.shown(kind) if not view.follows_text(key)]
    return list(dict.fromkeys([*tags, *(key for key in view.corpus.layers if key.kind is Kind.SCORES)]))


def ask_layer(workspace: Workspace, parent: QWidget) -> None:
    """Ask which layer to close, and close it."""
    session, view = workspace.session, workspace.view
    if session is None or view is None:
        return
    keys = closable(view)
    if not keys:
        return
    names = [within(str(key)) for key in keys]
    chosen = ask_which(parent, tr("Close a layer"), tr("Layer (Undo brings it back)"), names, tr("Close it"))
    if chosen is not None:
        workspace.attempt(lambda: session.remove(keys[chosen]))
