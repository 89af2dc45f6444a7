"""Project owner's commands for menus and the command palette."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import Action

AREA = "rate"
SET_UP, IMPORT, EXPORT, UNBLIND = "rate.set-up", "rate.import", "rate.export", "rate.unblind"
COPY_FOR_RATERS = "rate.copy-for-raters"


def _action(id: str, text: str, menu: str, needs: str, icon: str = "") -> Action:
    return Action(id, text, area=AREA, group=tr("Campaigns"), icon=icon, menu=menu, needs=needs)


_PROJECT = tr("Open a project of your own first.")
ACTIONS = (
    _action(SET_UP, tr("Set up a campaign…"), tr("&Set up a campaign…"), _PROJECT),
    _action(
        COPY_FOR_RATERS, tr("Save a copy for raters…"), tr("Save a copy for &raters…"), tr("Set up a campaign first.")
    ),
    _action(
        IMPORT,
        tr("Import ratings…"),
        tr("&Import ratings…"),
        tr("First open a project of your own that is not read-only."),
        "files",
    ),
    _action(
        EXPORT,
        tr("Export ratings or results…"),
        tr("&Export…"),
        tr("In a project of your own, set up a campaign or import ratings first."),
        "export",
    ),
    _action(
        UNBLIND,
        tr("Unblind the campaign (show system names)…"),
        tr("&Unblind (show system names)…"),
        tr("First select a blind campaign in a project that is not read-only."),
    ),
)
"""Project owner's actions, added with the Rate area; `CampaignController.connect_actions` connects them."""
