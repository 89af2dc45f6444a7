"""Questions about prepared bilingual files that cannot be saved as they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLineEdit, QWidget

from qe_desktop.corpus import Corpus
from qe_desktop.corpus.languages import parse_language, split_language_pair
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.files.bilingual.prepared_file import PreparedFile, SaveRequest
from qe_desktop.ui.files.bilingual.save_dialogs import InvalidSegmentsDialog, SaveAnswer, ask_add_missing
from qe_desktop.ui.widgets.dialogs import show_question
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import vbox
from qe_desktop.ui.workspace import Workspace


class TargetLanguageDialog(QDialog):
    """Dialog that asks for the target language that the file `file` lacks; the field initially contains `suggested`."""

    def __init__(self, file: str, suggested: str, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Target language"))
        text = tr(
            "{file} does not state the language of its targets (trgLang), which XLIFF 2 requires. Without it, other "
            "programs may reject the file.", file=escape_label(file),
        )  # fmt: skip
        self.language = QLineEdit(suggested)
        self.language.setPlaceholderText(tr("such as de or pt-BR"))
        buttons = QDialogButtonBox()
        self.add = buttons.addButton(tr("Add and save"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.add.setDefault(True)
        buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole).setAutoDefault(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        fields = QFormLayout()
        fields.addRow(tr("&Target language"), self.language)
        vbox(Label(text, wraps=True), fields, buttons, on=self, gap=16, margins=16)
        self.resize(self.fontMetrics().horizontalAdvance("0") * 64, self.sizeHint().height())
        self.language.textChanged.connect(self._check)
        self._check()
        self.language.selectAll()

    def _check(self) -> None:
        is_language = bool(parse_language(self.answer()).language)
        set_needs(self.add, "" if is_language else tr("Enter a language code, such as de or pt-BR."))

    def answer(self) -> str:
        """Return the language code that the user entered."""
        return self.language.text().strip()


class MissingAttributesQuestion:
    """Questions about each prepared file that lacks its target language, or attributes or cells that store statuses.

    Answers are remembered until `forget` is called.
    """

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._answers: dict[int, bool] = {}
        """Whether missing attributes or cells are added, by file index."""
        self._languages: dict[int, str] = {}
        """Target language to add, by file index."""

    def forget(self) -> None:
        """Forget all answers. To be called when other files are opened."""
        self._answers, self._languages = {}, {}

    def apply(self, request: SaveRequest) -> SaveRequest:
        """Return a copy of `request` that contains the answers."""
        added = frozenset(number for number, add in self._answers.items() if add)
        return replace(request, add_missing=added, languages=dict(self._languages))

    def ask(
        self, request: SaveRequest, files: Sequence[PreparedFile], answered: Callable[[bool | None], object]
    ) -> None:
        """Ask, file by file, about missing target languages and about missing attributes or cells for statuses.

        No question is asked twice. `answered` is called with True if the files must be prepared again because something
        will be added to at least one of them, with False if nothing changes, and with None if the user cancels.
        """
        for file in files:
            number, rewritten = file.reviewed.number, file.rewritten
            if rewritten is None:
                continue
            if rewritten.lacks_language and file.is_changed and number not in self._languages:
                self._ask_language(request, file, files, answered)
                return
            if rewritten.addable_statuses and number not in self._answers:
                on_answer = partial(self._on_answer, number, request, files, answered)
                ask_add_missing(
                    file.path.name, len(rewritten.addable_statuses), parent=self._window, answered=on_answer
                )
                return
        now = self.apply(request)
        answered((now.add_missing, now.languages) != (request.add_missing, request.languages))

    def _ask_language(
        self, request: SaveRequest, file: PreparedFile, files: Sequence[PreparedFile],
        answered: Callable[[bool | None], object],
    ) -> None:  # fmt: skip
        question = TargetLanguageDialog(file.path.name, _known_language(request.session.corpus), self._window)

        def end() -> None:
            if question.result() != QDialog.DialogCode.Accepted:
                answered(None)
                return
            self._languages[file.reviewed.number] = question.answer()
            self.ask(request, files, answered)

        show_question(question, end)

    def _on_answer(
        self, number: int, request: SaveRequest, files: Sequence[PreparedFile],
        answered: Callable[[bool | None], object], answer: SaveAnswer,
    ) -> None:  # fmt: skip
        if answer is SaveAnswer.CANCEL:
            answered(None)
            return
        self._answers[number] = answer is SaveAnswer.ADD_MISSING
        self.ask(request, files, answered)


def _known_language(corpus: Corpus) -> str:
    """Return the target language that the user or the files specify; empty if none is specified."""
    _, target = split_language_pair(corpus.language_pair) if corpus.language_pair else corpus.languages
    return target


class InvalidSegmentsQuestion:
    """Question about the segments that were rejected when files were prepared.

    The user is not asked if only inline codes differ and the original files already contain the rejected targets.
    """

    def __init__(self, workspace: Workspace, window: QWidget) -> None:
        self._workspace = workspace
        self._window = window

    def ask(
        self,
        request: SaveRequest,
        rejected_files: Sequence[PreparedFile],
        answered: Callable[[SaveRequest | None], object],
    ) -> None:
        """Ask about `rejected_files`; the answer is a request without the rejected segments, or None on cancel.

        If only inline codes differ, the answer is a request that allows other codes. If the user wants to go to a
        segment, the answer is None, and the target of the segment is opened for editing.
        """
        wrong: dict[int, str] = {}
        only_codes = True
        for file in rejected_files:
            if file.rejection is not None:
                first = file.reviewed.file.first
                wrong |= {first + segment: fault for segment, fault in file.rejection.segments.items()}
                only_codes = only_codes and file.rejection.only_codes
        if only_codes and not request.copies and self._are_written(request, {*wrong}):
            answered(replace(request, allow_other_codes=True))
            return
        names = join_localized(", ", [file.reviewed.file.name for file in rejected_files])
        has_others = bool(self._segments_to_write(request) - wrong.keys() - request.excluded_segments)
        question = InvalidSegmentsDialog(
            names, wrong, only_codes=only_codes, parent=self._window, has_others=has_others
        )

        def end() -> None:
            if question.result() == InvalidSegmentsDialog.DialogCode.Accepted:
                without_invalid = replace(request, excluded_segments=request.excluded_segments | wrong.keys())
                answered(replace(request, allow_other_codes=True) if only_codes else without_invalid)
                return
            if question.selected_segment is not None:
                self._workspace.segment_requested.emit(question.selected_segment)
                self._workspace.target_edit_requested.emit()
            answered(None)

        show_question(question, end)

    def _are_written(self, request: SaveRequest, segments: set[int]) -> bool:
        """Return whether the files already contain the targets of `segments`.

        If so, the codes of the targets were accepted earlier. In a project, return False.
        """
        return self._workspace.project is None and segments.isdisjoint(request.session.reviewing.unsaved_segments())

    def _segments_to_write(self, request: SaveRequest) -> set[int]:
        """Return the segments with unsaved edits; for copies and in projects, return all reviewed segments."""
        if request.copies or self._workspace.project is not None:
            return {*request.review.targets, *request.review.statuses, *request.review.notes}
        return set(request.session.reviewing.unsaved_segments())
