"""Owner's commands for menus and the command palette."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.actions import Action

AREA = "rate"
SET_UP, IMPORT, EXPORT, UNBLIND = "rate.set-up", "rate.import", "rate.export", "rate.unblind"
COPY_FOR_RATERS = "rate.copy-for-raters"
ACTIONS = (
    Action(SET_UP, tr("Set up a campaign…"), area=AREA, group=tr("Campaigns"), menu=tr("&Set up a campaign…")),
    Action(
        COPY_FOR_RATERS,
        tr("Save a copy for raters…"),
        area=AREA,
        group=tr("Campaigns"),
        menu=tr("Save a copy for &raters…"),
    ),
    Action(IMPORT, tr("Import ratings…"), area=AREA, group=tr("Campaigns"), icon="files", menu=tr("&Import ratings…")),
    Action(
        EXPORT, tr("Export ratings or results…"), area=AREA, group=tr("Campaigns"), icon="export", menu=tr("&Export…")
    ),
    Action(UNBLIND, tr("Unblind the campaign…"), area=AREA, group=tr("Campaigns"), menu=tr("&Unblind…")),
)
"""Added to the window's actions with the area; `CampaignController.connect_actions` connects the handlers."""
