"""The campaign log is stored in English and displayed in any language."""

from __future__ import annotations

import pytest

from qe_desktop.project.events import (
    CAMPAIGN_SET_UP,
    CAMPAIGN_UNBLINDED,
    COPIED_FOR_RATERS,
    IMPORT_RESTORED,
    IMPORT_WITHDRAWN,
    RATINGS_IMPORTED,
    AuditRow,
)
from qe_desktop.report.rating_exports import RATINGS_EXPORTED
from qe_desktop.ui.campaigns import progress_page
from qe_desktop.ui.campaigns.progress_page import LOG_COLUMNS, concerns_campaign, entry_text
from qe_desktop.ui.widgets.tables.table_model import table_row


@pytest.mark.parametrize(
    "what", [RATINGS_IMPORTED, IMPORT_RESTORED, CAMPAIGN_SET_UP, IMPORT_WITHDRAWN, CAMPAIGN_UNBLINDED, RATINGS_EXPORTED]
)
def test_every_event_type_has_a_display_text(what: str) -> None:
    assert what in progress_page._EVENT_TEXTS
    # stored log entries keep the original wording
    shown = {IMPORT_WITHDRAWN: "import undone", IMPORT_RESTORED: "import restored"}.get(what, what)
    assert progress_page.event_text(AuditRow(0.0, "Olga", what, {})) == shown


def test_unknown_event_type_is_shown_as_stored() -> None:
    row = AuditRow(0.0, "Olga", "moon landed on", {"where": "command line", "craters": 1200, "done": [3, 1000]})
    assert [cell.text for cell in table_row(LOG_COLUMNS, row)][1:] == [
        "Olga", "moon landed on", "source: command line; craters: 1,200; 3 of 1,000 items done",
    ]  # fmt: skip
    assert (
        entry_text({"listed": ["a", "b"], "conflicts": 1}) == "listed conflicts: 2 entries\n    a\n    b\nconflicts: 1"
    )


def test_hashes_are_in_the_full_entry_only() -> None:
    details = {"protocol": "rank", "design": "0123456789abcdef" * 4, "sha256": "f" * 64, "window": "import 3d70"}
    row = AuditRow(0.0, "Olga", CAMPAIGN_SET_UP, details)
    assert table_row(LOG_COLUMNS, row)[-1].text == "protocol: rank"
    assert details["design"] in entry_text(details)
    assert "internal ID: import 3d70" in entry_text(details)


def test_copy_for_raters_concerns_only_campaigns_that_it_contains() -> None:
    copied = AuditRow(100.0, "Olga", COPIED_FOR_RATERS, {"file": "raters.qedesk"})
    assert concerns_campaign(copied, "c1", created=90.0)
    assert not concerns_campaign(copied, "c2", created=110.0)
    assert concerns_campaign(copied, ""), "all ratings"
    assert concerns_campaign(AuditRow(100.0, "Olga", RATINGS_IMPORTED, {}), "c2", created=110.0)


def test_details_are_separated_by_semicolons_because_lists_have_commas() -> None:
    details = {"protocol": "rank", "raters": ["Ana", "Ben"], "screens": 72}
    assert progress_page.details_text(details) == "protocol: rank; raters: Ana, Ben; items, including training: 72"


def test_the_full_entry_shows_details_as_the_table_does() -> None:
    details = {"form": "journal", "blind": True, "done": [3, 40], "where": "command line"}
    assert entry_text(details).splitlines() == [
        "format: journal", "systems as letters", "3 of 40 items done", "source: command line",
    ]  # fmt: skip
    assert entry_text({"blind": False}) == "systems by name"
    assert entry_text({"texts": "source", "segments": 3, "from": "a.qedesk"}).splitlines() == [
        "hidden texts: source", "segments: 3", "copied from: a.qedesk",
    ]  # fmt: skip
