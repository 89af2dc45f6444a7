"""Commands that turn QA checks on and off."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.runner import CHECKS
from qe_desktop.ui.action_registry import Action, ActionRegistry
from qe_desktop.ui.settings import Settings

CHECK_ALL, CHECK_NONE = "edit.check-all", "edit.check-none"
LIST_COMMAND = "inspect.next-found"
"""Id of the command that lists the results."""


def check_command_id(name: str) -> str:
    """Return the id of the command that turns a check on or off."""
    return f"edit.check-{name}"


class CheckActions(QObject):
    """Checkable actions, one per QA check, and actions to turn all checks on or off; synchronized with Preferences.

    The menu also contains the command that lists the results, which must have been added to the registry before.

    If results of the checks are open, the checks run again whenever one is turned on or off.
    """

    def __init__(self, settings: Settings, commands: ActionRegistry, menu: QMenu) -> None:
        super().__init__(commands)
        self._settings, self._commands = settings, commands
        menu.addAction(commands[LIST_COMMAND])
        menu.addSeparator()
        group = tr("Edit")
        for check in CHECKS:
            text = tr("QA check: {title}", title=check.title)
            action = Action(
                check_command_id(check.name), text, group=group, tip=check.description, menu=check.title, checkable=True
            )
            menu.addAction(commands.add(action, partial(self._toggle, check.name)))
        menu.addSeparator()
        all_checks = [check.name for check in CHECKS]
        for id, text, short, off, needs in (
            (CHECK_ALL, tr("Turn on all QA checks"), tr("&All"), [], tr("All QA checks are on.")),
            (CHECK_NONE, tr("Turn off all QA checks"), tr("&None"), all_checks, tr("All QA checks are off.")),
        ):
            action = Action(id, text, group=group, menu=short, needs=needs)
            menu.addAction(commands.add(action, partial(self._set_disabled_checks, off)))
        settings.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        off = self._settings.disabled_checks
        for check in CHECKS:
            self._commands[check_command_id(check.name)].setChecked(check.name not in off)
        self._commands[CHECK_ALL].setEnabled(bool(off))
        self._commands[CHECK_NONE].setEnabled(any(check.name not in off for check in CHECKS))

    def _toggle(self, name: str) -> None:
        off = self._settings.disabled_checks
        self._set_disabled_checks({*off} ^ {name})

    def _set_disabled_checks(self, off: Iterable[str]) -> None:
        # keep the order of Preferences, so that equal selections are stored as equal settings
        names = set(off)
        self._settings.disabled_checks = [check.name for check in CHECKS if check.name in names]
