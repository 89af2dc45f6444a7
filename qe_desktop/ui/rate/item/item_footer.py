"""Footer of the item page: item strip, progress, comment field and buttons."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.rater_session import ScreenStatus
from qe_desktop.report.format_values import format_duration
from qe_desktop.ui.rate.comment_field import CommentField
from qe_desktop.ui.rate.item.shortcut_button import ShortcutButton
from qe_desktop.ui.rate.item_strip import ItemStrip
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.shell.appearance import scaled_pixels
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import FlowLayout, Stretched, hbox
from qe_desktop.ui.widgets.themed_widget import ArrangedMixin

HEIGHT_PX, GAP_PX = 40, 16
MAX_STRIP_FRACTION = 0.4
"""Maximum fraction of the row's width for the item strip; the rest is for the comment and the buttons."""


class ItemFooter(ArrangedMixin, QWidget):
    """Row with an item strip, the progress, a comment field (which keeps its space while it is hidden) and buttons."""

    def __init__(self, session: RatingSession, buttons: Iterable[ShortcutButton]) -> None:
        super().__init__()
        self._session = session
        self.strip = ItemStrip(session)
        self.progress = Label(token="muted")
        self.comment = CommentField(session)
        policy = self.comment.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        policy.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
        self.comment.setSizePolicy(policy)
        bar = self._bar = QWidget()
        row = self._buttons = FlowLayout(bar, gap=4)
        for button in buttons:
            row.addWidget(button)
        middle = Qt.AlignmentFlag.AlignVCenter
        hbox(self.strip, self.progress, Stretched(self.comment, 1), Stretched(bar, 0, middle), on=self, gap=GAP_PX)
        self._arrange()
        session.changed.connect(self.refresh)
        session.screen_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Update the text and tooltip of the progress."""
        rated, total = self._session.work.progress()
        account = self._session.stats
        skipped, seconds = account.counts[ScreenStatus.SKIPPED], account.median_seconds
        if skipped:
            text = tr("{n:,} of {total:,} done ({skipped:,} skipped)", "", rated, total=total, skipped=skipped)
        else:
            text = tr("{n:,} of {total:,} done", "", rated, total=total)
        self.progress.setText(text)
        pace = "" if seconds is None else tr("Median time per item: {time}.", time=format_duration(seconds))
        self.progress.setToolTip(plain_tooltip(pace) if pace else "")

    def _arrange(self) -> None:
        """Keep the buttons on one line if they fit when the item strip and comment field have their minimum widths."""
        self.setMinimumHeight(scaled_pixels(HEIGHT_PX))
        self.strip.setMaximumWidth(max(self.strip.minimumSizeHint().width(), round(MAX_STRIP_FRACTION * self.width())))
        other_sizes = (self.strip.minimumSizeHint(), self.progress.sizeHint(), self.comment.minimumSizeHint())
        available_width = self.width() - sum(size.width() + GAP_PX for size in other_sizes)
        self._bar.setMinimumWidth(max(0, min(available_width, self._buttons.sizeHint().width())))
