"""Header line of the Threshold view: in a narrow view, the text of a button is hidden before the warning wraps."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.parametrize("is_narrow", [True, False])
def test_warning_stays_on_one_line_and_leaves_the_height_to_the_chart(
    driver: Any, corpus_with_probabilities: Any, is_narrow: bool
) -> None:
    driver.open(corpus_with_probabilities)
    driver.show_thresholds()
    page = driver.thresholds
    page.setParent(None)
    driver.environment.qtbot.addWidget(page)
    page.show()
    line = page.fontMetrics().height()
    needed_width = sum(
        (
            page.fontMetrics().horizontalAdvance(page.error.text() + "Copy and export"),
            page.error.contentsMargins().left() + page.error.contentsMargins().right(),
            page.metrics.sizeHint().width(),
        )
    )
    page.resize(needed_width + (0 if is_narrow else 20 * line), 400)
    driver.environment.qtbot.waitUntil(lambda: page.error.isVisible() and page.error.height() < 3 * line)
    assert page.error.heightForWidth(page.error.width()) < 2 * line
    assert (page._copy.text() == "") is is_narrow
    assert page._copy.accessibleName() == "Copy and export"
    assert ("Copy and export" in page._copy.toolTip()) is is_narrow
