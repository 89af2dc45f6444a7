"""Asks whether BAD words are marked as issues in a file that is written beside the job, and whose; off by default."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QWidget

from qe_desktop.corpus import Kind, LayerKey, Provenance, View
from qe_desktop.outgoing import label
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, column_of, row_of
from qe_desktop.wording import side_by_side, tr


@dataclass(frozen=True, slots=True)
class MarksAnswer:
    """Whose BAD words are marked; None where nobody's are."""

    layer: LayerKey | None = None


class MarksQuestion(QDialog):
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
            self.whose.addItem(label(key.shown), key)
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
            names = side_by_side(", ", [label(name) for name in without])
            said.append(tr("There is no place for marks in {files}.", files=names))
        column_of(
            row_of(self.marks, Placed(self.whose, 1)), Label(side_by_side(" ", said), wraps=True), buttons,
            on=self, gap=10, margins=None,
        )  # fmt: skip
        self.resize(self.fontMetrics().horizontalAdvance("0") * 72, self.sizeHint().height())

    def answer(self) -> MarksAnswer:
        """What was chosen."""
        return MarksAnswer(self.whose.currentData() if self.marks.isChecked() else None)


def layers_to_mark(view: View, *, copied: bool) -> list[LayerKey]:
    """The layers of words that can be marked, those last that follow the post-edits, for these changed the words that
    they call BAD. In a copy, the issues that the file brought are there already.
    """
    # here, so that nobody waits for these formats who writes none
    from qe_desktop.formats.bilingual.layers import ISSUES

    brought = LayerKey(Provenance.SYSTEM, ISSUES, Kind.WORDS)
    found = [key for key in view.tracks(Kind.WORDS) if not (copied and key == brought)]
    return sorted(found, key=view.follows_text)


def ask_marks(
    view: View, forms: Sequence[tuple[str, str]], done: str, *, copied: bool, parent: QWidget
) -> MarksAnswer | None:
    """Whose words are marked in files, each given with its name and dialect; None where a person changes their mind.

    Nothing is asked where none of the files has a place for marks, or nobody tagged any words.
    """
    from qe_desktop.formats.bilingual.issue_writing import holds_issues

    layers = layers_to_mark(view, copied=copied)
    without = [name for name, form in forms if not holds_issues(form)]
    if not layers or len(without) == len(forms):
        return MarksAnswer()
    question = MarksQuestion(layers, without, done, parent=parent)
    well = question.exec() == QDialog.DialogCode.Accepted
    answer = question.answer() if well else None
    question.deleteLater()
    return answer
