"""Copying from the segment list and the reader by shortcuts and commands, and the context menu of a segment."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu, QWidget

from qe_desktop.corpus import Kind, TextRole
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.clipboard_text import (
    current_target,
    list_table,
    pair_line,
    segment_text,
    tags_as_table,
    word_text,
)
from qe_desktop.ui.inspect.postedit.status_symbols import can_reopen, editable_view, is_reviewable
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentModel
from qe_desktop.ui.inspect.segment_list.segment_view import SegmentView
from qe_desktop.ui.inspect.translations.comparison_panel import TranslationComparisonPanel
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.widgets.background_export import copy_text


class ClipboardController(QObject):
    """Controller that copies parts of the current segment, and provides its context menu: review and copy commands."""

    def __init__(
        self, view: SegmentView, reader: SegmentTagEditor, comparison: TranslationComparisonPanel, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._workspace, self._inspect_view = reader.workspace, reader.inspect_view
        self._view, self._reader, self._comparison = view, reader, comparison
        self._commands: ActionRegistry | None = None
        view.copy_requested.connect(self.copy_pair)
        reader.copy_requested.connect(self.copy_words)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._show_list_menu)
        reader.menu_requested.connect(self._show_reader_menu)

    def connect_actions(self, commands: ActionRegistry) -> None:
        """Connect the copy commands; without them, there is no context menu."""
        self._commands = commands
        commands.connect_to("inspect.copy-words", self.copy_words)
        commands.connect_to("inspect.copy-source", partial(self._copy_text, TextRole.SOURCE))
        commands.connect_to("inspect.copy-mt", partial(self._copy_text, TextRole.MT))
        commands.connect_to("inspect.copy-target", self.copy_target)
        commands.connect_to("inspect.copy-pair", self.copy_pair)
        commands.connect_to("inspect.copy", self.copy_segment)
        commands.connect_to("inspect.copy-list", self.copy_list)

    # --- copy

    def copy_words(self) -> None:
        """Copy the selected words, or the word at the cursor."""
        workspace = self._workspace
        if workspace.view is not None:
            indices = self._reader.word_cursor.selected()
            _copy(word_text(workspace.view, self._inspect_view.kind, workspace.segment, indices))

    def copy_target(self) -> None:
        """Copy the current target of the segment."""
        if self._workspace.view is not None:
            _copy(current_target(self._workspace.view, self._workspace.segment))

    def copy_pair(self) -> None:
        """Copy source and target as two spreadsheet cells."""
        if self._workspace.view is not None:
            _copy(pair_line(self._workspace.view, self._workspace.segment))

    def copy_segment(self) -> None:
        """Copy the segment as TSV: with its translations if they are shown, otherwise with its tags."""
        if self._comparison.isVisible():
            self._comparison.copy()
        elif self._inspect_view.view is not None:
            _copy(tags_as_table(self._inspect_view.view, self._workspace.segment).tsv())

    def copy_list(self) -> None:
        """Copy all listed segments as TSV, with the columns on screen; the TSV is computed in the background."""
        model = self._view.model()
        listing = model.list_state if isinstance(model, SegmentModel) else None
        if listing is None or not len(listing.segments):
            return
        titles = self._view.shown_titles()

        def work(progress: Progress) -> str:
            return list_table(listing, titles, progress.check).tsv()

        self._workspace.jobs.submit(
            tr("Segment list"), work, _copy, latest="copy-list", owner=self._view, computing=True
        )  # fmt: skip

    def _copy_text(self, role: TextRole) -> None:
        """Copy the source or the MT as loaded."""
        if self._workspace.view is not None:
            _copy(segment_text(self._workspace.view.corpus, role, self._workspace.segment))

    # --- context menu

    def _show_list_menu(self, at: QPoint) -> None:
        # the mouse press has already selected the row
        self._show_menu(self._view.viewport().mapToGlobal(at), None)

    def _show_reader_menu(self, position: tuple[Kind, int] | None, at: QPoint) -> None:
        if position is not None and position[0] is self._inspect_view.kind:
            if position[1] not in self._reader.word_cursor.selected():
                self._reader.go_to_index(position[1])
            position = None
        self._show_menu(at, position)

    def _show_menu(self, at: QPoint, position: tuple[Kind, int] | None) -> None:
        menu = self.menu(position)
        if menu is not None:
            # the selected action runs before the menu is deleted
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(at)

    def menu(self, position: tuple[Kind, int] | None = None) -> QMenu | None:
        """Return the context menu of the segment; None if there is no segment or the commands are not connected.

        `position` is the kind and index of a word to copy that the cursor cannot reach, such as a source word while the
        MT is tagged. If it is None, the menu copies the selected words.
        """
        commands, view = self._commands, self._workspace.view
        if commands is None or view is None or not view.corpus.size:
            return None
        menu, segment = QMenu(self._view), self._workspace.segment
        if editable_view(view) is not None and is_reviewable(view):
            reopen = ["reopen"] if can_reopen(view, segment) else []
            for name in ("correct", "confirm", "reject", *reopen, "note"):
                menu.addAction(commands[f"inspect.{name}"])
            menu.addSeparator()
        if position is None:
            menu.addAction(commands["inspect.copy-words"])
        else:
            word = word_text(view, position[0], segment, position[1:])
            copy_action = menu.addAction(tr("Copy “{word}”", word=escape_label(word).replace("&", "&&")))
            copy_action.triggered.connect(partial(_copy, word))
        edited = ["copy-target"] if view.is_edited(segment) else []
        for name in ("copy-source", "copy-mt", *edited, "copy-pair", "copy"):
            menu.addAction(commands[f"inspect.{name}"])
        menu.addAction(commands["inspect.copy-list"])
        menu.addSeparator()
        menu.addAction(commands["inspect.go-to"])
        return menu


def _copy(text: str, *_: object) -> None:
    # never overwrite the clipboard with empty text
    if text:
        copy_text(text)
