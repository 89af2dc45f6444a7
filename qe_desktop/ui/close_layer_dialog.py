"""Dialog that closes one of the open layers; closing can be undone."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Kind, LayerKey, View
from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.dialogs import ask_item
from qe_desktop.ui.workspace import Workspace


def closable_layers(view: View) -> list[LayerKey]:
    """Return the layers that can be closed: tags and segment scores, except those computed from the text."""
    kinds = (Kind.WORDS, Kind.GAPS, Kind.SOURCE)
    tags = [key for kind in kinds for key in view.shown(kind) if not view.follows_text(key)]
    return list(dict.fromkeys([*tags, *(key for key in view.corpus.layers if key.kind is Kind.SCORES)]))


def ask_layer_to_close(workspace: Workspace, parent: QWidget) -> None:
    """Ask the user which layer to close, and close it; do nothing if no layer can be closed."""
    session, view = workspace.session, workspace.view
    if session is None or view is None:
        return
    keys = closable_layers(view)
    if not keys:
        return
    names = [isolate_bidi(str(key)) for key in keys]
    chosen = ask_item(parent, tr("Close layer"), tr("Layer (Undo restores it)"), names, tr("Close"))
    if chosen is not None:
        workspace.attempt(lambda: session.remove(keys[chosen]))
