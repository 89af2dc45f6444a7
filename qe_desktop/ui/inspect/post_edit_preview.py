"""Preview of a folded post-edit in one line: its changes from the MT, each with a little context."""

from __future__ import annotations

import re

from qe_desktop.corpus import TextRole, View
from qe_desktop.formats.bilingual.word_tokenization import Spans
from qe_desktop.project.review.target_changes import ChangeKind, compare_targets
from qe_desktop.ui import theme
from qe_desktop.ui.inspect.postedit.diff_view import accessible_diff, change_format, shorten_diff
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun
from qe_desktop.ui.widgets.labels import FormattedLabel, plain_tooltip

MAX_COMPARED_CHARS = 3_000
"""Maximum length of texts that are compared; of longer ones, the beginning of the post-edit is shown."""


class PostEditPreview(FormattedLabel):
    """Label with the changes of a post-edit: removed words struck out, added ones underlined; elided at its end."""

    def __init__(self) -> None:
        super().__init__("muted")
        self._runs: tuple[DiffRun, ...] = ()
        self._texts: tuple[str | None, str | None] = (None, None)
        """MT and post-edit that were compared last."""
        theme.themes.theme_changed.connect(self._show)

    @property
    def has_changes(self) -> bool:
        """Whether words are struck out or underlined."""
        return any(run.change is not ChangeKind.KEPT for run in self._runs)

    def show_segment(self, view: View | None, segment: int) -> None:
        """Show the post-edit of a segment; nothing without a view or a post-edit."""
        columns = (
            (None, None) if view is None else (view.corpus.text(TextRole.MT), view.corpus.text(TextRole.POST_EDIT))
        )
        mt, post_edit = (None if column is None else column[segment] for column in columns)
        if (mt, post_edit) == self._texts:
            return
        self._texts = mt, post_edit
        self._runs = () if post_edit is None else preview_runs(mt, post_edit)
        self._show()
        self.setAccessibleDescription(accessible_diff(self._runs))

    def _show(self) -> None:
        kept = ChangeKind.KEPT
        self.set_parts(
            [(run.text, None if run.change is kept else change_format(run, theme.current())) for run in self._runs]
        )
        _, post_edit = self._texts
        self.setToolTip("" if post_edit is None else plain_tooltip(post_edit))


def preview_runs(mt: str | None, post_edit: str) -> tuple[DiffRun, ...]:
    """Return the runs of the preview: the changes with their context, or an unchanged text as a whole."""
    if mt is None or max(len(post_edit), len(mt)) > MAX_COMPARED_CHARS:
        return (DiffRun(ChangeKind.KEPT, post_edit[:MAX_COMPARED_CHARS]),)
    changes = compare_targets([(mt, post_edit)], _word_spans)[0]
    runs: list[DiffRun] = [DiffRun(run.kind, run.text, (), run.move) for run in changes]
    if len(runs) > 1:
        runs = shorten_diff(runs)
        runs[0] = runs[0]._replace(text=runs[0].text.lstrip())
    return tuple(runs)


def _word_spans(text: str) -> Spans:
    return [match.span() for match in re.finditer(r"\S+", text)]
