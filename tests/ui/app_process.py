"""Program with a bilingual file in its own process, controlled by lines of JSON.

Run `python -m tests.ui.app_process FILE`; each line on stdin is answered by one line on stdout. {"edit": [SEGMENT,
LINE]} edits a target. {"save": BUTTON} saves and answers a question with the button of that text; with null, no
question is allowed. {"as": PATH} is the answer to "Save as…". The reply to a save contains whether the file was
written, the questions asked, and the notices shown.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

from PySide6.QtWidgets import QMessageBox

from qe_desktop.ui import app as program
from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.ui.program.bilingual_saving import edit_target, notice_titles, start_recorded_save
from tests.ui.program_driver import ProgramDriver, run_script

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


def print_reply(answer: dict[str, Any]) -> None:
    """Print one line of JSON."""
    print(json.dumps(answer), flush=True)


class ScriptedUser:
    """Run the commands from stdin one after the other."""

    def __init__(self) -> None:
        self._orders: SimpleQueue[dict[str, Any] | None] = SimpleQueue()
        self._next: dict[str, Any] | None = {}
        self._button: str | None = None
        self._requested: list[str] = []
        self._path = ""
        QMessageBox.exec = QMessageBox.open = lambda box: self._answer(box)
        FileDialog.open_save_dialog = lambda *_, chosen, cancelled: chosen(self._path, "")
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in sys.stdin:
            self._orders.put(json.loads(line))
        self._orders.put(None)

    def _answer(self, box: QMessageBox) -> int:
        self._requested.append(box.text())
        next(button for button in box.buttons() if button.text() == (self._button or "Cancel")).click()
        return 0

    def _order_arrived(self) -> bool:
        try:
            self._next = self._orders.get_nowait()
        except Empty:
            return False
        return True

    def script(self, driver: ProgramDriver) -> Iterator[Any]:
        yield driver.is_open
        print_reply({"open": True})
        while True:
            yield self._order_arrived
            order = self._next
            if order is None:
                return
            if "edit" in order:
                edit_target(driver, *order["edit"])
                print_reply({"edited": True})
            elif "save" in order:
                self._button, self._path = order["save"], order.get("as", "")
                self._requested.clear()
                ended, is_over = start_recorded_save(driver)
                yield is_over
                modified = driver.shell.isWindowModified()
                print_reply(
                    {
                        "saved": ended[0],
                        "asked": self._requested,
                        "notices": notice_titles(driver)[:1],
                        "modified": modified,
                    }
                )


if __name__ == "__main__":
    # the timer in `run_script` needs an application
    APPLICATION = program.create_application()
    sys.exit(run_script([sys.argv[1]], ScriptedUser().script))
