"""Question whether to add attributes or cells that bilingual files lack for statuses, asked once per open file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtWidgets import QWidget

from qe_desktop.ui.files.bilingual.prepared_file import PreparedFile
from qe_desktop.ui.files.bilingual.save_dialogs import SaveAnswer, ask_add_missing


class MissingAttributesQuestion:
    """Question about each prepared file that lacks attributes or cells for statuses; the answers are remembered."""

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._answers: dict[int, bool] = {}
        """Whether missing attributes are added, by file index."""

    @property
    def add_missing(self) -> frozenset[int]:
        """Indices of the files to which missing attributes are added."""
        return frozenset(number for number, add in self._answers.items() if add)

    def forget(self) -> None:
        """Forget all answers, because other files were opened."""
        self._answers = {}

    def ask(self, files: Sequence[PreparedFile], answered: Callable[[bool | None], object]) -> None:
        """Ask about the files that lack attributes, one after the other; no file is asked about twice.

        `answered` is called with True if the files must be prepared again because attributes are to be added to any of
        them. It is called with False if nothing changes, and with None if the user cancels.
        """
        self._ask(files, self.add_missing, answered)

    def _ask(
        self, files: Sequence[PreparedFile], before: frozenset[int], answered: Callable[[bool | None], object]
    ) -> None:
        for file in files:
            lacking = 0 if file.rewritten is None else len(file.rewritten.addable)
            if lacking and file.reviewed.number not in self._answers:
                on_answer = partial(self._on_answer, file.reviewed.number, files, before, answered)
                ask_add_missing(file.path.name, lacking, parent=self._window, answered=on_answer)
                return
        answered(self.add_missing != before)

    def _on_answer(
        self, number: int, files: Sequence[PreparedFile], before: frozenset[int],
        answered: Callable[[bool | None], object], answer: SaveAnswer,
    ) -> None:  # fmt: skip
        if answer is SaveAnswer.BACK:
            answered(None)
            return
        self._answers[number] = answer is SaveAnswer.ADD
        self._ask(files, before, answered)
