"""Dialog that asks which layer's BAD words to mark as issues in a written file; by default, none are marked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QWidget

from qe_desktop.corpus import Kind, LayerKey, Provenance, View
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.close_attempt import show_question
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox


@dataclass(frozen=True, slots=True)
class IssueMarksChoice:
    """Answer of the dialog: the layer whose BAD words are marked, or None if none are marked."""

    layer: LayerKey | None = None


class IssueMarksDialog(QDialog):
    """Dialog to select one of `layers` to mark; `without` are the names of files that cannot store marks.

    `done` is the text of the button that confirms.
    """

    def __init__(
        self, layers: Sequence[LayerKey], without: Sequence[str], done: str, *, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Marks in the file"))
        self.marks = QCheckBox(tr("&Mark BAD words of"))
        self.whose = QComboBox()
        self.whose.setAccessibleName(tr("Layer whose BAD words are marked"))
        for key in layers:
            self.whose.addItem(escape_label(key.shown), key)
        self.whose.setEnabled(False)
        self.marks.toggled.connect(self.whose.setEnabled)
        buttons = QDialogButtonBox()
        buttons.addButton(done, QDialogButtonBox.ButtonRole.AcceptRole).setDefault(True)
        buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole).setAutoDefault(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        texts = [
            tr(
                "Each marked word becomes an ITS 2.0 issue, which other programs may show or ignore. Edited words and "
                "locked segments are not marked. Copies keep existing issues; exports do not."
            )
        ]
        if without:
            names = join_localized(", ", [escape_label(name) for name in without])
            texts.append(tr("The format of {files} cannot store marks.", files=names))
        vbox(
            hbox(self.marks, Stretched(self.whose, 1)), Label(join_localized(" ", texts), wraps=True), buttons,
            on=self, gap=10, margins=None,
        )  # fmt: skip
        self.resize(self.fontMetrics().horizontalAdvance("0") * 72, self.sizeHint().height())

    def answer(self) -> IssueMarksChoice:
        """Return the choice: the selected layer, or None if the check box is off."""
        return IssueMarksChoice(self.whose.currentData() if self.marks.isChecked() else None)


def layers_to_mark(view: View, *, copied: bool) -> list[LayerKey]:
    """Return the layers whose words can be marked.

    Layers derived from the post-edited text come last, because the words that they tag BAD were edited, and edited
    words are not marked. For a copy, the issues that the file already contains are left out.
    """
    # imported here, because only exports need these formats
    from qe_desktop.formats.bilingual.document_corpus import ISSUES_LAYER

    imported = LayerKey(Provenance.SYSTEM, ISSUES_LAYER, Kind.WORDS)
    keys = [key for key in view.tracks(Kind.WORDS) if not (copied and key == imported)]
    return sorted(keys, key=view.follows_text)


def ask_issue_marks(
    view: View, forms: Sequence[tuple[str, str]], done: str, *, copied: bool, parent: QWidget,
    answered: Callable[[IssueMarksChoice | None], object],
) -> None:  # fmt: skip
    """Ask for the layer to mark in files, given as names and formats; call `answered` with None if the user cancels.

    If no file can store marks, or no layer has tagged words, `answered` is called at once, with a choice of no layer.
    """
    from qe_desktop.formats.bilingual.xml.its_writer import supports_issues

    layers = layers_to_mark(view, copied=copied)
    without = [name for name, form in forms if not supports_issues(form)]
    if not layers or len(without) == len(forms):
        answered(IssueMarksChoice())
        return
    question = IssueMarksDialog(layers, without, done, parent=parent)

    def end() -> None:
        answered(question.answer() if question.result() == QDialog.DialogCode.Accepted else None)

    show_question(question, end)
