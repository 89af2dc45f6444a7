"""Preview of a folded post-edit in one line: its changes from the MT, each with a little context."""

from __future__ import annotations

from qe_desktop.corpus import Corpus, DisplayText, TextRole, View, display_text
from qe_desktop.corpus.detokenized_text import RAW_ROLES
from qe_desktop.project.review.target_changes import ChangeKind, compare_targets
from qe_desktop.ui import theme
from qe_desktop.ui.inspect.postedit.diff_view import accessible_diff, change_format, shorten_diff, space_changes
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun
from qe_desktop.ui.widgets.labels import FormattedLabel, plain_tooltip

MAX_COMPARED_CHARS = 3_000
"""Maximum length of compared texts; if a text is longer, the beginning of the post-edit is shown."""


class PostEditPreview(FormattedLabel):
    """Label with the changes of a post-edit: removed words struck out, added ones underlined; elided at its end."""

    def __init__(self) -> None:
        super().__init__("muted")
        self._runs: tuple[DiffRun, ...] = ()
        self._texts: tuple[DisplayText | None, DisplayText | None] = (None, None)
        """MT and post-edit that were compared last."""
        theme.themes.theme_changed.connect(self._show)

    @property
    def runs(self) -> tuple[DiffRun, ...]:
        """Runs that are shown."""
        return self._runs

    def show_segment(self, view: View | None, segment: int) -> None:
        """Show the post-edit of a segment; nothing without a view or a post-edit."""
        texts = (None, None) if view is None else _compared_texts(view.corpus, segment)
        if texts == self._texts:
            return
        self._texts = mt, post_edit = texts
        self._runs = () if post_edit is None else preview_runs(mt, post_edit)
        self._show()
        self.setAccessibleDescription(accessible_diff(self._runs))

    def _show(self) -> None:
        kept = ChangeKind.KEPT
        self.set_parts(
            [(run.text, None if run.change is kept else change_format(run, theme.current())) for run in self._runs]
        )
        _, post_edit = self._texts
        self.setToolTip("" if post_edit is None else plain_tooltip(post_edit.text))


def preview_runs(mt: DisplayText | None, post_edit: DisplayText) -> tuple[DiffRun, ...]:
    """Return the changes with context or, if there are none, the whole post-edit.

    Without an MT, or if a text is too long to compare, the beginning of the post-edit is returned.
    """
    if mt is None or max(len(post_edit.text), len(mt.text)) > MAX_COMPARED_CHARS:
        return (DiffRun(ChangeKind.KEPT, post_edit.text[:MAX_COMPARED_CHARS]),)
    words = {text.text: list(text.places) for text in (mt, post_edit)}
    changes = compare_targets([(mt.text, post_edit.text)], words.__getitem__)[0]
    runs: list[DiffRun] = [DiffRun(run.kind, run.text, (), run.move) for run in changes]
    if len(runs) > 1:
        runs = space_changes(shorten_diff(runs))
        runs[0] = runs[0]._replace(text=runs[0].text.lstrip())
    return tuple(runs)


def _compared_texts(corpus: Corpus, segment: int) -> tuple[DisplayText | None, DisplayText | None]:
    """Return MT and post-edit, each None if missing; if there are both, both are raw texts or both are tokens."""
    mt, post_edit = (
        None if corpus.text(role) is None else display_text(corpus, role, segment)
        for role in (TextRole.MT, TextRole.POST_EDIT)
    )
    if mt is None or post_edit is None:
        return mt, post_edit
    is_raw = [RAW_ROLES[role] in corpus.texts for role in (TextRole.MT, TextRole.POST_EDIT)]
    if all(is_raw) and not (mt.unaligned or post_edit.unaligned):
        return mt, post_edit
    # spaces between tokens do not count as changes
    return DisplayText.of_tokens(mt.words), DisplayText.of_tokens(post_edit.words)
