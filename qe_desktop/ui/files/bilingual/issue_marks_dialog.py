"""Asks whether BAD words are marked as issues in a file that is written beside the job, and whose; off by default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QWidget

from qe_desktop.corpus import Kind, LayerKey, Provenance, View
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox


@dataclass(frozen=True, slots=True)
class IssueMarksChoice:
    """Whose BAD words are marked; None where nobody's are."""

    layer: LayerKey | None = None


class IssueMarksDialog(QDialog):
    """`layers` are those whose words can be marked, `without` the names of files that have no place for marks.

    `done` is what the button says that goes on.
    """

    def __init__(
        self, layers: Sequence[LayerKey], without: Sequence[str], done: str, *, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Marks in the file"))
        self.marks = QCheckBox(tr("&Mark BAD words in the file, those of"))
        self.whose = QComboBox()
        self.whose.setAccessibleName(tr("Whose BAD words are marked"))
        for key in layers:
            self.whose.addItem(escape_label(key.shown), key)
        self.whose.setEnabled(False)
        self.marks.toggled.connect(self.whose.setEnabled)
        buttons = QDialogButtonBox()
        buttons.addButton(done, QDialogButtonBox.ButtonRole.AcceptRole).setDefault(True)
        buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole).setAutoDefault(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        said = [
            tr(
                "Each becomes an issue of ITS 2.0, which other programs may show or ignore. Words that were edited and "
                "locked segments get no mark; issues that the file has already stay."
            )
        ]
        if without:
            names = join_localized(", ", [escape_label(name) for name in without])
            said.append(tr("There is no place for marks in {files}.", files=names))
        vbox(
            hbox(self.marks, Stretched(self.whose, 1)), Label(join_localized(" ", said), wraps=True), buttons,
            on=self, gap=10, margins=None,
        )  # fmt: skip
        self.resize(self.fontMetrics().horizontalAdvance("0") * 72, self.sizeHint().height())

    def answer(self) -> IssueMarksChoice:
        """What was chosen."""
        return IssueMarksChoice(self.whose.currentData() if self.marks.isChecked() else None)


def layers_to_mark(view: View, *, copied: bool) -> list[LayerKey]:
    """The layers of words that can be marked, those last that follow the post-edits, for these changed the words that
    they call BAD. In a copy, the issues that the file brought are there already.
    """
    # here, so that nobody waits for these formats who writes none
    from qe_desktop.formats.bilingual.document_corpus import ISSUES_LAYER

    brought = LayerKey(Provenance.SYSTEM, ISSUES_LAYER, Kind.WORDS)
    found = [key for key in view.tracks(Kind.WORDS) if not (copied and key == brought)]
    return sorted(found, key=view.follows_text)


def ask_issue_marks(
    view: View, forms: Sequence[tuple[str, str]], done: str, *, copied: bool, parent: QWidget
) -> IssueMarksChoice | None:
    """Whose words are marked in files, each given with its name and dialect; None where a person changes their mind.

    Nothing is asked where none of the files has a place for marks, or nobody tagged any words.
    """
    from qe_desktop.formats.bilingual.xml.its_writer import supports_issues

    layers = layers_to_mark(view, copied=copied)
    without = [name for name, form in forms if not supports_issues(form)]
    if not layers or len(without) == len(forms):
        return IssueMarksChoice()
    question = IssueMarksDialog(layers, without, done, parent=parent)
    well = question.exec() == QDialog.DialogCode.Accepted
    answer = question.answer() if well else None
    question.deleteLater()
    return answer
