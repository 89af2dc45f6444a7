"""Which edits of tags are in no file yet."""

from __future__ import annotations

from qe_desktop.corpus import LayerKey
from qe_desktop.project.events import EditAction, EditRow


class InFiles:
    """Remembers of each layer the last edit that is not undone, and which one it was when a file was written."""

    def __init__(self) -> None:
        self._origins: dict[LayerKey, list[str]] = {}
        self._in_file: dict[LayerKey, str] = {}

    def note(self, row: EditRow) -> EditRow:
        """An edit was made, taken back or made again."""
        origins = self._origins.setdefault(row.layer, [])
        if row.action is not EditAction.UNDO:
            origins.append(row.refers or row.uid)
        elif origins:
            origins.pop()
        return row

    def forget(self, key: LayerKey) -> None:
        """A layer is gone."""
        self._in_file.pop(key, None)
        self._origins.pop(key, None)

    def saved(self, key: LayerKey) -> None:
        """A layer is in a file as it is now."""
        self._in_file[key] = self._latest(key)

    def is_saved(self, key: LayerKey) -> bool:
        """Whether a layer is in a file as it is now, be it the one that it was loaded from."""
        return self._latest(key) == self._in_file.get(key, "")

    def _latest(self, key: LayerKey) -> str:
        origins = self._origins.get(key)
        return origins[-1] if origins else ""
