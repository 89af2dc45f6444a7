"""Panel with the texts of a segment, a header bar and a fold bar."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from qe_desktop.ui.inspect.fold_bar import FoldBar
from qe_desktop.ui.inspect.postedit.review_feature import ReviewFeature
from qe_desktop.ui.inspect.reader.segment_pane import SegmentPane
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.inspect.segment_header_bar import SegmentHeaderBar
from qe_desktop.ui.inspect.tag_threshold_toolbar import TagThresholdToolbar
from qe_desktop.ui.inspect.translations.comparison_panel import TranslationComparisonPanel
from qe_desktop.ui.widgets.layouts import Stretched, vbox


class SegmentTextPanel(QWidget):
    """Panel with the texts of the current segment, a header bar above them and a fold bar below them."""

    def __init__(
        self,
        reader: SegmentTagEditor,
        comparison: TranslationComparisonPanel,
        review: ReviewFeature,
        tags: TagThresholdToolbar,
    ) -> None:
        super().__init__()
        panel = review.controller.panel
        self.pane = SegmentPane(reader, comparison, panel)
        self.fold_bar = FoldBar(reader, comparison)
        self.header = SegmentHeaderBar(reader, tags, panel)
        self.pane.space_distributed.connect(lambda: self.fold_bar.set_suppressed(reader.is_compact))
        # the hint is below the texts, so that they do not move when it disappears
        vbox(self.header, Stretched(self.pane, 1), tags.no_tags_hint, self.fold_bar, on=self, gap=0)
