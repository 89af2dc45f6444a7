"""Bar below a segment: one button folds or unfolds the post-edit, the other the references and translations.

While the post-edit is folded, the bar shows the changes from the MT in one line, each with a little context.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, DisplayText, TextRole, View, display_text
from qe_desktop.corpus.text_spans import RAW_ROLES
from qe_desktop.i18n.messages import tr
from qe_desktop.project.review.target_changes import ChangeKind, compare_targets
from qe_desktop.ui import theme
from qe_desktop.ui.action_registry import with_shortcut
from qe_desktop.ui.inspect.postedit.diff_view import accessible_diff, change_format, shorten_diff, space_changes
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun
from qe_desktop.ui.inspect.reader.segment_layout import PanelsBelow
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.inspect.reader.word_layout import text_direction
from qe_desktop.ui.inspect.translations.comparison_panel import TranslationComparisonPanel
from qe_desktop.ui.widgets.buttons import LinkButton
from qe_desktop.ui.widgets.labels import FormattedLabel, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, wrap_layout

SEGMENT_TEXT = "segment-text"
"""Object name of labels that show text of a segment instead of interface text."""
POST_EDIT, TRANSLATIONS = "post-edit", "translations"
"""Names of the folds (texts that the user can hide) in the settings."""
MARGIN, GAP = 10, 8
"""Margin and spacing in pixels; link buttons add their own padding, which aligns their text with the labels above."""
MAX_COMPARED_CHARS = 3_000
"""Maximum length in characters of compared texts; if one is longer, the beginning of the post-edit is shown."""


class PostEditPreview(FormattedLabel):
    """Label with the changes of a post-edit, elided at the end: removed words struck out, added words underlined."""

    def __init__(self) -> None:
        super().__init__("muted")
        self._runs: tuple[DiffRun, ...] = ()
        self._texts: tuple[DisplayText | None, DisplayText | None] = (None, None)
        """MT and post-edit that the label shows; None if missing."""
        theme.themes.theme_changed.connect(self._show)

    @property
    def runs(self) -> tuple[DiffRun, ...]:
        """Changed and unchanged runs of text that the label shows."""
        return self._runs

    def show_segment(self, view: View | None, segment: int) -> None:
        """Show the changes of a segment's post-edit; show nothing if there is no view or no post-edit."""
        texts = (None, None) if view is None else _compared_texts(view.corpus, segment)
        if texts == self._texts:
            return
        self._texts = mt, post_edit = texts
        self._runs = () if post_edit is None else preview_runs(mt, post_edit)
        self._show()
        self.setAccessibleDescription(accessible_diff(self._runs))

    def _show(self) -> None:
        unchanged = ChangeKind.KEPT
        self.set_parts(
            [(run.text, None if run.change is unchanged else change_format(run, theme.current())) for run in self._runs]
        )
        _, post_edit = self._texts
        self.setToolTip("" if post_edit is None else plain_tooltip(post_edit.text))


def preview_runs(mt: DisplayText | None, post_edit: DisplayText) -> tuple[DiffRun, ...]:
    """Return the changes of a post-edit with context or, if there are no changes, the whole post-edit.

    If there is no MT, or if a text is too long to compare, the beginning of the post-edit is returned.
    """
    if mt is None or max(len(post_edit.text), len(mt.text)) > MAX_COMPARED_CHARS:
        return (DiffRun(ChangeKind.KEPT, post_edit.text[:MAX_COMPARED_CHARS]),)
    words = {text.text: list(text.token_spans) for text in (mt, post_edit)}
    changes = compare_targets([(mt.text, post_edit.text)], words.__getitem__)[0]
    runs: list[DiffRun] = [DiffRun(run.kind, run.text, (), run.move) for run in changes]
    if len(runs) > 1:
        runs = space_changes(shorten_diff(runs))
        runs[0] = runs[0]._replace(text=runs[0].text.lstrip())
    return tuple(runs)


def _compared_texts(corpus: Corpus, segment: int) -> tuple[DisplayText | None, DisplayText | None]:
    """Return MT and post-edit, None if missing; if both exist, both are raw or both are tokenized."""
    mt, post_edit = (
        None if corpus.text(role) is None else display_text(corpus, role, segment)
        for role in (TextRole.MT, TextRole.POST_EDIT)
    )
    if mt is None or post_edit is None:
        return mt, post_edit
    is_raw = [RAW_ROLES[role] in corpus.texts for role in (TextRole.MT, TextRole.POST_EDIT)]
    if all(is_raw) and not (mt.is_unaligned or post_edit.is_unaligned):
        return mt, post_edit
    # spaces between tokens do not count as changes
    return DisplayText.of_tokens(mt.words), DisplayText.of_tokens(post_edit.words)


class FoldBar(QWidget):
    """Bar with a button for each fold, that is, for the post-edit and for the references and translations.

    While the post-edit is folded, its changes are shown next to its button. The bar sets which texts the reader shows,
    and whether the panel of compared translations is visible.
    """

    list_requested = Signal()
    """Emitted when `enter_translations` has folded the translations, so that the segment list can take the focus."""
    refreshed = Signal()
    """Emitted after each `refresh`, for example when the current segment changed or a fold was opened or closed."""

    def __init__(self, reader: SegmentTagEditor, comparison: TranslationComparisonPanel) -> None:
        super().__init__()
        self._reader, self._comparison, self._workspace = reader, comparison, reader.workspace
        self.post_edit, self.translations = LinkButton(), LinkButton()
        self._preview = PostEditPreview()
        self._preview.setObjectName(SEGMENT_TEXT)
        # the changes begin where the texts above begin
        self._label_column = wrap_layout(hbox(self.post_edit, StretchSpace()))
        hbox(
            self._label_column, Stretched(self._preview, 1), self.translations, on=self, gap=GAP,
            margins=(MARGIN, 4, MARGIN, 4),
        )  # fmt: skip
        self._is_suppressed = self._has_folds = False
        self.post_edit.clicked.connect(lambda: self.toggle(POST_EDIT))
        self.translations.clicked.connect(lambda: self.toggle(TRANSLATIONS))
        reader.laid_out.connect(self._align)
        for signal in (self._workspace.opened, self._workspace.segment_changed, comparison.service.changed):
            signal.connect(self.refresh)
        self.refresh()

    def _align(self) -> None:
        page = self._reader.page
        self._label_column.setMinimumWidth(0 if page is None else round(page.metrics.left) - MARGIN - GAP)
        corpus, segment, settings = self._workspace.corpus, self._workspace.segment, self._workspace.settings
        direction = "" if corpus is None else text_direction(corpus, segment, TextRole.POST_EDIT, settings)
        self._preview.set_right_to_left(direction == "rtl")

    def is_open(self, name: str) -> bool:
        """Return whether the fold `name` is open."""
        return name in self._workspace.settings.open_folds

    def toggle(self, name: str) -> None:
        """Open or close the fold `name`, and store its state in the settings."""
        settings = self._workspace.settings
        other_folds = [fold for fold in settings.open_folds if fold != name]
        settings.open_folds = other_folds if self.is_open(name) else [*other_folds, name]
        self.refresh()

    def enter_translations(self) -> None:
        """Open and focus the references and translations; if they are open, close them and emit `list_requested`.

        If translations are the main content, they are only focused. If there are none, nothing happens.
        """
        if not self._comparison.service.names:
            return
        if self._comparison.service.are_main_content:
            self._comparison.focus_view()
            return
        self.toggle(TRANSLATIONS)
        if self.is_open(TRANSLATIONS):
            self._comparison.focus_view()
        else:
            self.list_requested.emit()

    @property
    def preferred_height(self) -> int:
        """Height in pixels that the bar needs when it is not suppressed; 0 if the segment has no folds."""
        return self.sizeHint().height() if self._has_folds else 0

    def set_suppressed(self, suppressed: bool) -> None:
        """Hide the bar if `suppressed`, to make room for the target that is being edited; otherwise, show it again."""
        if suppressed is not self._is_suppressed:
            self._is_suppressed = suppressed
            self.refresh()

    def refresh(self) -> None:
        """Show the folds of the current segment; a bar without a parent widget stays hidden."""
        service, view, segment = self._comparison.service, self._workspace.view, self._workspace.segment
        self._comparison.fold(not self.is_open(TRANSLATIONS))
        self._reader.set_panels_below(
            PanelsBelow(tuple(service.names), service.are_main_content, self.is_open(POST_EDIT))
        )
        column = None if view is None else view.corpus.text(TextRole.POST_EDIT)
        has_post_edit = column is not None and not service.are_main_content
        self.post_edit.setVisible(has_post_edit)
        self.post_edit.setText(tr("post-edit {sign}", sign=_sign(self.is_open(POST_EDIT))))
        previewed = None if self.is_open(POST_EDIT) or service.are_main_content else view
        self._preview.show_segment(previewed, segment)
        texts = 0 if service.are_main_content else len(service.names)
        self.translations.setVisible(texts > 0)
        sign = _sign(self.is_open(TRANSLATIONS))
        self.translations.setText(tr("references and translations ({n:,}) {sign}", "", texts, sign=sign))
        tooltip = tr("Show or hide references and translations")
        self.translations.setToolTip(with_shortcut(tooltip, "inspect.translations"))
        self._has_folds = has_post_edit or texts > 0
        if self.parentWidget() is not None:
            # without a parent it would be a separate window
            self.setVisible(self._has_folds and not self._is_suppressed)
        self.refreshed.emit()

    @property
    def previewed_runs(self) -> Sequence[DiffRun]:
        """Runs of the post-edit that the bar shows; empty while the bar is suppressed."""
        return () if self._is_suppressed else self._preview.runs


def _sign(is_open: bool) -> str:
    return "▾" if is_open else "▸"
