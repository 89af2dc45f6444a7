"""What a rater can do, with its keys."""

from __future__ import annotations

from qe_desktop.answers.orders import LETTERS
from qe_desktop.ui.actions import Action

AREA = "rate"
CARD = "rate-card"
"""The scope of keys that answer questions: they hold where those of the area hold, and would crowd its menu."""


def _action(name: str, text: str, *keys: str, tip: str = "", checkable: bool = False) -> Action:
    return Action(f"{AREA}.{name}", text, keys, AREA, "Rate", tip=tip, checkable=checkable)


def _key(name: str, text: str, *keys: str) -> Action:
    return Action(f"{AREA}.{name}", text, keys, CARD, "Rate: the card")


def _digit(digit: int) -> Action:
    if digit == 0:
        return _key("digit-0", "0: no difference, or no rank", "0", "=")
    return _key(f"digit-{digit}", f"Give {digit}: on a scale, as a rank, or as a digit of a number", str(digit))


ACTIONS = (
    _action("next", "Next item, or show what comes next", "Right", "Return", "Enter"),
    _action("back", "Previous item", "Left", "Backspace"),
    _action("next-open", "Next item that is not rated", "U"),
    _action("go-to", "Go to item…", "G"),
    _action("first", "First item", "Home"),
    _action("last", "Last item", "End"),
    _action("reveal", "Show the source or reference", "R"),
    _action("skip", "Skip the item, and say why…", "S"),
    _action("comment", "Comment on the item", "Shift+C", tip="C does it, too, where no translation is called C"),
    _action("differences", "Show where translations differ", "Shift+D", "W"),
    _action("instructions", "Show or leave the instructions", "I"),
    _action("profile", "Change what you said about yourself"),
    _action("campaigns", "Choose another campaign or rater"),
    _action("advance", "Go on by itself after a rating", checkable=True),
    *(_digit(digit) for digit in range(10)),
    *(_key(f"card-{letter.lower()}", f"Pick translation {letter}", letter) for letter in LETTERS),
    _key("up", "Up: the question before, a better rank, one more", "Up"),
    _key("down", "Down: the next question, a lower rank, one less", "Down"),
    _key("page-up", "Page up: scroll, or ten more", "PgUp", "Shift+Up"),
    _key("page-down", "Page down: scroll, or ten less", "PgDown", "Shift+Down"),
    _key("scroll-on", "Scroll the text on", "Space"),
    _key("scroll-back", "Scroll the text back", "Shift+Space"),
    _key("copy", "Copy the text that is selected", "Ctrl+C"),
)
