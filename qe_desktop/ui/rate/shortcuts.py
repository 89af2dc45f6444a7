"""Commands and shortcuts of the rater."""

from __future__ import annotations

from qe_desktop.answers.ranking import LETTERS
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.actions import Action

AREA = "rate"
CARD_SCOPE = "rate-card"
"""Scope of the answer keys. They work where the area's keys do, but are not in its menu."""


def _action(name: str, text: str, *keys: str, tip: str = "", checkable: bool = False) -> Action:
    return Action(f"{AREA}.{name}", text, keys, AREA, tr("Rate"), tip=tip, checkable=checkable)


def _key(name: str, text: str, *keys: str) -> Action:
    return Action(f"{AREA}.{name}", text, keys, CARD_SCOPE, tr("Rate: card"))


def _digit(digit: int) -> Action:
    if digit == 0:
        return _key("digit-0", tr("0: no difference, or no rank"), "0", "=")
    text = tr("Enter {digit}: score, rank, or digit of a number", digit=digit)
    return _key(f"digit-{digit}", text, str(digit))


ACTIONS = (
    _action("next", tr("Next item or next step"), "Right", "Return", "Enter"),
    _action("back", tr("Previous item"), "Left", "Backspace"),
    _action("next-open", tr("Next unrated item"), "U"),
    _action("go-to", tr("Go to item…"), "G"),
    _action("first", tr("First item"), "Home"),
    _action("last", tr("Last item"), "End"),
    _action("reveal", tr("Show the source or reference"), "R"),
    _action("skip", tr("Skip the item…"), "S"),
    _action("comment", tr("Comment on the item"), "Shift+C", tip=tr("C also works unless a translation is called C")),
    _action("differences", tr("Show differences between translations"), "Shift+D", "W"),
    _action("instructions", tr("Show or hide instructions"), "I"),
    _action("profile", tr("Edit your rater profile")),
    _action("campaigns", tr("Select another campaign or rater")),
    _action("advance", tr("Advance automatically after a rating"), checkable=True),
    *(_digit(digit) for digit in range(10)),
    *(_key(f"card-{letter.lower()}", tr("Select translation {letter}", letter=letter), letter) for letter in LETTERS),
    _key("up", tr("Up: previous question, better rank, one point more"), "Up"),
    _key("down", tr("Down: next question, lower rank, one point less"), "Down"),
    _key("page-up", tr("Page up: scroll, or ten points more"), "PgUp", "Shift+Up"),
    _key("page-down", tr("Page down: scroll, or ten points less"), "PgDown", "Shift+Down"),
    _key("scroll-on", tr("Scroll the text down"), "Space"),
    _key("scroll-back", tr("Scroll the text up"), "Shift+Space"),
    _key("copy", tr("Copy the selected text"), "Ctrl+C"),
)
