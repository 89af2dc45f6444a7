"""What a rater can do, with its keys."""

from __future__ import annotations

from qe_desktop.answers.ranking import LETTERS
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.actions import Action

AREA = "rate"
CARD_SCOPE = "rate-card"
"""The scope of keys that answer questions: they hold where those of the area hold, and would crowd its menu."""


def _action(name: str, text: str, *keys: str, tip: str = "", checkable: bool = False) -> Action:
    return Action(f"{AREA}.{name}", text, keys, AREA, tr("Rate"), tip=tip, checkable=checkable)


def _key(name: str, text: str, *keys: str) -> Action:
    return Action(f"{AREA}.{name}", text, keys, CARD_SCOPE, tr("Rate: the card"))


def _digit(digit: int) -> Action:
    if digit == 0:
        return _key("digit-0", tr("0: no difference, or no rank"), "0", "=")
    text = tr("Give {digit}: on a scale, as a rank, or as a digit of a number", digit=digit)
    return _key(f"digit-{digit}", text, str(digit))


ACTIONS = (
    _action("next", tr("Next item, or show what comes next"), "Right", "Return", "Enter"),
    _action("back", tr("Previous item"), "Left", "Backspace"),
    _action("next-open", tr("Next item that is not rated"), "U"),
    _action("go-to", tr("Go to item…"), "G"),
    _action("first", tr("First item"), "Home"),
    _action("last", tr("Last item"), "End"),
    _action("reveal", tr("Show the source or reference"), "R"),
    _action("skip", tr("Skip the item, and say why…"), "S"),
    _action(
        "comment", tr("Comment on the item"), "Shift+C", tip=tr("C does it, too, where no translation is called C")
    ),
    _action("differences", tr("Show where translations differ"), "Shift+D", "W"),
    _action("instructions", tr("Show or leave the instructions"), "I"),
    _action("profile", tr("Change what you said about yourself")),
    _action("campaigns", tr("Choose another campaign or rater")),
    _action("advance", tr("Go on by itself after a rating"), checkable=True),
    *(_digit(digit) for digit in range(10)),
    *(_key(f"card-{letter.lower()}", tr("Pick translation {letter}", letter=letter), letter) for letter in LETTERS),
    _key("up", tr("Up: the question before, a better rank, one more"), "Up"),
    _key("down", tr("Down: the next question, a lower rank, one less"), "Down"),
    _key("page-up", tr("Page up: scroll, or ten more"), "PgUp", "Shift+Up"),
    _key("page-down", tr("Page down: scroll, or ten less"), "PgDown", "Shift+Down"),
    _key("scroll-on", tr("Scroll the text on"), "Space"),
    _key("scroll-back", tr("Scroll the text back"), "Shift+Space"),
    _key("copy", tr("Copy the text that is selected"), "Ctrl+C"),
)
