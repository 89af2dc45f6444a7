"""Saving of tags to a file, closing of layers, and the question asked before unsaved edits are discarded."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QMessageBox,
    QWidget,
)

from qe_desktop.corpus import Kind, LayerKey, Provenance, QeError, TextRole, View
from qe_desktop.escaping import escape_label, isolate_bidi, safe_file_name
from qe_desktop.formats import write_submission, write_tags
from qe_desktop.formats.files_in_use import count_hard_links, hard_links_text
from qe_desktop.i18n.messages import tr
from qe_desktop.project import Session
from qe_desktop.ui import icons
from qe_desktop.ui.widgets.dialogs import CloseAttempt, FileDialog, WarningBox, append_suffix, ask_item, show_question
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import vbox
from qe_desktop.ui.workspace import Workspace


@dataclass(frozen=True, slots=True)
class TagFileFormat:
    """File format of a saved layer: display name, kinds of tags, file suffix, and whether it is a WMT22 submission."""

    display_name: str
    kinds: tuple[Kind, ...]
    suffix: str
    is_submission: bool = False


WORDS_AND_GAPS = TagFileFormat(tr("gaps and words alternating: 2n+1 tags for n words"), (Kind.WORDS, Kind.GAPS), "tags")
WORDS = TagFileFormat(tr("one tag per word"), (Kind.WORDS,), "tags")
GAPS = TagFileFormat(tr("one tag per gap: n+1 tags for n words"), (Kind.GAPS,), "gap_tags")
SOURCE = TagFileFormat(tr("one tag per source word"), (Kind.SOURCE,), "source_tags")
WMT22 = TagFileFormat(tr("WMT22 submission (seven columns)"), (Kind.WORDS,), "predictions.txt", is_submission=True)


def available_formats(session: Session, provenance: Provenance, name: str) -> list[TagFileFormat]:
    """Return the formats in which a layer's tags can be written; for a layer from a WMT submission, WMT22 is first."""
    kinds = {
        kind
        for kind in Kind
        if kind.is_tags
        and any((key.provenance, key.name) == (provenance, name) for key in session.view.tag_layers(kind))
    }
    forms = [form for form in (WORDS_AND_GAPS, WORDS, WMT22, GAPS, SOURCE) if kinds.issuperset(form.kinds)]
    if WMT22 in forms and session.corpus.text(TextRole.MT) is None:
        forms.remove(WMT22)
    layer = session.corpus.layers.get(LayerKey(provenance, name, Kind.WORDS))
    if layer is not None and layer.form.startswith("WMT2") and WMT22 in forms:
        forms.sort(key=lambda form: form is not WMT22)
    return forms


def write_tag_file(
    session: Session, provenance: Provenance, name: str, form: TagFileFormat, path: Path, language_pair: str = ""
) -> list[LayerKey]:
    """Write the current tags of the layers named `name`; return the keys of the written layers.

    A WMT22 submission contains `language_pair` or, if it is empty, the language pair of the corpus. Raises QeError on
    failure.
    """
    keys = [LayerKey(provenance, name, kind) for kind in form.kinds]
    columns = [session.view.tags(key) for key in keys]
    mt = session.corpus.text(TextRole.MT)
    if form.is_submission and mt is not None:
        pair = language_pair or session.corpus.language_pair
        write_submission(path, columns[0], mt, language_pair=pair, method=name)
    else:
        write_tags(path, columns[0], gaps=columns[1] if len(columns) > 1 else None)
    return keys


class SaveTagsDialog(QDialog):
    """Dialog to select a layer, initially `first`, and the format in which its tags are saved."""

    def __init__(self, session: Session, first: LayerKey | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Save tags"))
        self._session = session
        self.layer_choice = QComboBox()
        self.form = QComboBox()
        self.language_pair_field = QLineEdit(session.corpus.language_pair)
        self.language_pair_field.setPlaceholderText(tr("such as en-de"))
        self._note = Label()
        self._note.setTextFormat(Qt.TextFormat.PlainText)
        self._targets_note = Label(tr("This saves tags only. File ▸ Export as… saves your edited targets."), wraps=True)
        self._targets_note.setVisible(bool(session.reviewing.unsaved_segments()))
        layers: dict[tuple[Provenance, str], LayerKey] = {}
        for kind in (Kind.WORDS, Kind.GAPS, Kind.SOURCE):
            for key in session.view.tag_layers(kind):
                layers.setdefault((key.provenance, key.name), key)
        unsaved = {(key.provenance, key.name) for key in session.unsaved_layers()}
        for (provenance, name), key in layers.items():
            edited = (provenance, name) in unsaved
            self.layer_choice.addItem(
                tr("{name} – edited", name=key.display_name) if edited else key.display_name, (provenance, name)
            )
        if first is not None:
            index = (
                list(layers).index((first.provenance, first.name)) if (first.provenance, first.name) in layers else 0
            )
            self.layer_choice.setCurrentIndex(index)
        self.buttons = QDialogButtonBox()
        choose = self.buttons.addButton(tr("Select file…"), QDialogButtonBox.ButtonRole.AcceptRole)
        cancel = self.buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        cancel.setAutoDefault(False)
        cancel.setDefault(False)
        choose.setDefault(True)
        self._fields = QFormLayout()
        self._fields.addRow(tr("&Tags of"), self.layer_choice)
        self._fields.addRow(tr("&Format"), self.form)
        self._fields.addRow(tr("&Language pair"), self.language_pair_field)
        vbox(self._fields, self._note, self._targets_note, self.buttons, on=self, gap=16, margins=16)
        self.layer_choice.currentIndexChanged.connect(self._fill)
        self.form.currentIndexChanged.connect(self._show_pair)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._fill()

    def _fill(self) -> None:
        provenance, name = self.selected_layer()
        self.form.clear()
        for form in available_formats(self._session, provenance, name):
            self.form.addItem(form.display_name, form)
        layer = self._session.corpus.layers.get(LayerKey(provenance, name, Kind.WORDS))
        self._note.setText(tr("Origin: {file}", file=layer.origin) if layer is not None and layer.origin else "")

    def _show_pair(self) -> None:
        form = self.form.currentData()
        self._fields.setRowVisible(self.language_pair_field, isinstance(form, TagFileFormat) and form.is_submission)

    def selected_layer(self) -> tuple[Provenance, str]:
        """Return the provenance and name of the layer to save."""
        provenance, name = self.layer_choice.currentData()
        return provenance, name


class TagsSaver(QObject):
    """Controller that saves tags on request, and asks before unsaved edits are discarded."""

    failed = Signal(object)
    """Emitted with the `QeError` that prevented saving."""
    hard_links_found = Signal(str)
    """Emitted after a file with other hard links was replaced, with a note that these links keep the old contents."""
    saved = Signal(str)
    """Emitted with a status bar text that states what was saved and when."""

    def __init__(self, workspace: Workspace, window: QWidget) -> None:
        super().__init__(window)
        self.workspace = workspace
        self.guards: list[Callable[[CloseAttempt], bool | None]] = []
        """Other checks for unsaved changes; each returns whether the session may be closed, or None while undecided."""
        self._window = window

    def ask_and_save(self, ended: Callable[[bool], object] = lambda saved: None) -> None:
        """Ask for a layer, a format and a path, and save the tags; then call `ended` with whether they were saved."""
        session = self.workspace.session
        if session is None or not any(session.view.tag_layers(kind) for kind in Kind if kind.is_tags):
            ended(False)
            return
        unsaved = session.unsaved_layers()
        target = self.workspace.target
        if not unsaved and session.reviewing.unsaved_segments():
            # only targets were edited; the tags derived from them have changed too
            unsaved = session.view.derived_tags(Kind.WORDS)
        first = target if target in unsaved or not unsaved else unsaved[0]
        dialog = SaveTagsDialog(session, first, self._window)

        def answered() -> None:
            if dialog.result() == QDialog.DialogCode.Accepted and session is self.workspace.session:
                self._save_as(session, dialog, ended)
            else:
                ended(False)

        show_question(dialog, answered)

    def _save_as(self, session: Session, dialog: SaveTagsDialog, ended: Callable[[bool], object]) -> None:
        """Ask for a path, and save the layer selected in `dialog`; then call `ended` with whether it was saved."""
        provenance, name = dialog.selected_layer()
        form: TagFileFormat = dialog.form.currentData()
        language_pair = dialog.language_pair_field.text().strip()
        start = self._folder(session.corpus.folder)
        proposed = start / f"{safe_file_name(f'{session.corpus.name}.{name}', 'tags')}.{form.suffix}"
        title = tr("Save the tags of {name}", name=escape_label(name))

        def chosen(path: str, _: str) -> None:
            is_open = session is self.workspace.session
            ended(is_open and self.save(provenance, name, form, Path(path), language_pair))

        FileDialog.open_save_dialog(
            self._window, title, str(proposed), complete=append_suffix(form.suffix),
            chosen=chosen, cancelled=lambda: ended(False),
        )  # fmt: skip

    def _folder(self, opened: str) -> Path:
        """Return the initial folder of the file dialog: `opened`, unless it is empty or contains bundled samples.

        In these cases, return the folder used last or, if there is none, the home folder.
        """
        inside = opened and Path(opened).resolve().is_relative_to(icons.resource_folder().resolve())
        return Path((opened if not inside else "") or self.workspace.settings.last_folder or Path.home())

    def save(self, provenance: Provenance, name: str, form: TagFileFormat, path: Path, language_pair: str = "") -> bool:
        """Save tags to a file, and return whether they were saved; emit `saved` or, on an error, `failed`."""
        session = self.workspace.session
        if session is None:
            return False
        names = count_hard_links(path)
        try:
            keys = write_tag_file(session, provenance, name, form, path, language_pair)
        except (QeError, OSError) as error:
            if isinstance(error, OSError):
                error = QeError(f"{path}: {error.strerror}", hint=tr("Save to another folder."))
            self.failed.emit(error)
            return False
        session.mark_saved(keys)
        if names:
            self.hard_links_found.emit(hard_links_text(names, escape_label(path.name)))
        now = datetime.now()
        self.saved.emit(
            tr(
                "Tags of {name} saved to {file} at {time:%H:%M:%S}",
                name=isolate_bidi(name),
                file=isolate_bidi(path.name),
                time=now,
            )
        )
        return True

    def may_close(self, closing: CloseAttempt) -> bool | None:
        """Return whether the session may be closed: edited tags are saved or discarded, and all `guards` agree.

        If the user must be asked or edits are being saved, None is returned, and `closing` is resumed afterwards.
        """
        session = self.workspace.session
        if session is not None and session.unsaved_layers() and not closing.was_discarded(self, len(session.rows())):
            self._ask_closing(session, closing)
            return None
        answers = (guard(closing) for guard in self.guards)
        return next((answer for answer in answers if not answer), True)

    def _ask_closing(self, session: Session, closing: CloseAttempt) -> None:
        layers = ", ".join(dict.fromkeys(key.name for key in session.unsaved_layers()))
        text = tr("The edits to {layers} are not saved.", layers=escape_label(layers))
        box = WarningBox(text, tr("Unsaved edits will be lost."), self._window)
        save = box.addButton(tr("Save…"), QMessageBox.ButtonRole.AcceptRole)
        discard = box.addButton(tr("Discard edits"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(tr("Go back"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(save)

        def answered() -> None:
            if box.clickedButton() is save:
                self.ask_and_save(closing.resume)
                return
            if box.clickedButton() is discard:
                closing.record_discard(self, len(session.rows()))
            closing.resume(box.clickedButton() is discard)

        show_question(box, answered)


def closable_layers(view: View) -> list[LayerKey]:
    """Return the layers that can be closed: segment scores, and tags except those derived from the edited targets."""
    kinds = (Kind.WORDS, Kind.GAPS, Kind.SOURCE)
    tags = [key for kind in kinds for key in view.displayed_layers(kind) if not view.is_derived(key)]
    return list(dict.fromkeys([*tags, *(key for key in view.corpus.layers if key.kind is Kind.SCORES)]))


def ask_layer_to_close(workspace: Workspace, parent: QWidget) -> None:
    """Ask the user which layer to close, and close it; do nothing if no layer can be closed."""
    session, view = workspace.session, workspace.view
    if session is None or view is None:
        return
    keys = closable_layers(view)
    if not keys:
        return
    names = [isolate_bidi(tr("{layer}: {kind}", layer=key.display_name, kind=key.kind.display_name)) for key in keys]
    chosen = ask_item(parent, tr("Close layer"), tr("Layer (Undo restores it)"), names, tr("Close"))
    if chosen is not None:
        workspace.attempt(lambda: session.remove(keys[chosen]))
