"""Question about segments that cannot be written, or whose inline codes differ from those of the source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import join_localized
from qe_desktop.ui.close_attempt import show_question
from qe_desktop.ui.files.bilingual.prepared_file import PreparedFile, SaveRequest
from qe_desktop.ui.files.bilingual.save_dialogs import InvalidSegmentsDialog
from qe_desktop.ui.workspace import Workspace


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
