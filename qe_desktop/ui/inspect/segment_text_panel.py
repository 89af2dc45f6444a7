"""Panel with the texts of a segment: header, texts, folds, and the legend that opens over the list."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QWidget

from qe_desktop.ui.inspect.fold_bar import FoldBar
from qe_desktop.ui.inspect.postedit.review_feature import ReviewFeature
from qe_desktop.ui.inspect.reader.segment_pane import SegmentPane
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.inspect.segment_header_bar import SegmentHeaderBar
from qe_desktop.ui.inspect.tag_threshold_toolbar import TagThresholdToolbar
from qe_desktop.ui.inspect.translations.comparison_panel import TranslationComparisonPanel
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox


class SegmentTextPanel(QWidget):
    """Texts of the current segment with what is above and below them."""

    def __init__(
        self,
        reader: SegmentTagEditor,
        comparison: TranslationComparisonPanel,
        review: ReviewFeature,
        tags: TagThresholdToolbar,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        panel = review.controller.panel
        self.place = SegmentPane(reader, comparison, panel)
        self.folds = FoldBar(reader, comparison)
        self.header = SegmentHeaderBar(reader, tags, panel)
        self.place.shared.connect(lambda: self.folds.set_aside(reader.is_compact))
        vbox(
            self.header, tags.untagged, review.replacing.bar, Stretched(self.place, 1), self.folds, on=self, gap=0
        )  # fmt: skip


class LegendPopup(QFrame):
    """Frame over the segment list, above the segment header, that contains the legends."""

    def __init__(self, legends: QWidget, header: SegmentHeaderBar, parent: QWidget) -> None:
        super().__init__(parent)
        self._header, self._area = header, parent
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        hbox(Stretched(legends, 1), on=self, margins=4)
        self.hide()
        header.legend_wanted.connect(self._show)
        header.installEventFilter(self)

    def _show(self, shown: bool) -> None:
        if shown:
            self.place()
            self.raise_()
        self.setVisible(shown)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the header."""
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize) and not self.isHidden():
            self.place()
        return False

    def place(self) -> None:
        """Place the frame so that it ends at the top of the header."""
        top_left = self._header.mapTo(self._area, self._header.rect().topLeft())
        width = self._header.width()
        height = max(self.sizeHint().height(), self.heightForWidth(width))
        self.setGeometry(top_left.x(), max(0, top_left.y() - height), width, height)

    def close_by_key(self, key: int) -> bool:
        """Hide the frame on Escape; return whether it was visible."""
        if key != Qt.Key.Key_Escape or self.isHidden():
            return False
        self._header.legend.setChecked(False)
        return True
