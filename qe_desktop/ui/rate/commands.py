"""Commands of the Rate area and their shortcuts. To add a command for raters, add a line to `RATER_COMMANDS`."""

from __future__ import annotations

from collections.abc import Callable
from operator import methodcaller
from typing import TYPE_CHECKING

from qe_desktop.answers.ranking import LETTERS
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import Action

if TYPE_CHECKING:
    from qe_desktop.ui.rate.item_page import ItemPage


AREA = "rate"
CARD_SCOPE = "rate-card"
"""Scope of the answer keys. These work wherever the other keys of the Rate area work, but are not in the Rate menu."""

_NEEDS = tr("Start rating a campaign first.")

ItemHandler = Callable[["ItemPage"], object]


RaterCommand = tuple[Action, ItemHandler | None]
"""Command and its handler, which takes the item page; the handler is None if the command is handled elsewhere."""


def _command(
    name: str, handler: ItemHandler | None, text: str, *keys: str, tip: str = "", checkable: bool = False
) -> RaterCommand:
    action = Action(f"{AREA}.{name}", text, keys, AREA, tr("Rate"), tip=tip, checkable=checkable, needs=_NEEDS)
    return (action, handler)


def _key(name: str, handler: ItemHandler, text: str, *keys: str) -> RaterCommand:
    return (Action(f"{AREA}.{name}", text, keys, CARD_SCOPE, tr("Rate: answer keys"), needs=_NEEDS), handler)


def _digit(digit: int) -> RaterCommand:
    handler = methodcaller("digit", digit)
    if digit == 0:
        return _key("digit-0", handler, tr("0: tie, no rank, or digit of a number"), "0", "=")
    text = tr("{digit}: answer, rank, or digit of a number", digit=digit)
    return _key(f"digit-{digit}", handler, text, str(digit))


def _letter(index: int) -> RaterCommand:
    letter = LETTERS[index]
    text = tr("Select translation {letter}", letter=letter)
    return _key(f"card-{letter.lower()}", methodcaller("letter", index), text, letter)


_COMMENT_TIP = tr("The C key also works, unless there is a translation C")
RATER_COMMANDS = (
    _command("next", methodcaller("next"), tr("Next item or next step"), "Right", "Return", "Enter"),
    _command("back", methodcaller("back"), tr("Previous item"), "Left", "Backspace"),
    _command("next-open", methodcaller("next_open"), tr("Next unrated item"), "U"),
    _command("go-to", methodcaller("ask_item"), tr("Go to item…"), "G"),
    _command("first", methodcaller("first"), tr("First item"), "Home"),
    _command("last", methodcaller("last"), tr("Last item"), "End"),
    _command("reveal", methodcaller("reveal"), tr("Show the source or reference"), "R"),
    _command("skip", methodcaller("ask_skip"), tr("Skip the item…"), "S"),
    _command("comment", methodcaller("open_comment"), tr("Comment on the item"), "Shift+C", tip=_COMMENT_TIP),
    _command(
        "differences",
        lambda items: items.card.toggle_differences(),
        tr("Show differences between translations"),
        "Shift+D",
        "W",
    ),
    _command("instructions", None, tr("Show or hide instructions"), "I"),
    _command(
        "delivery",
        None,
        tr("Show where to send your ratings"),
        tip=tr("Show the instructions, beginning with the file to send and its recipient"),
    ),
    _command("profile", None, tr("Edit your rater profile")),
    _command("campaigns", None, tr("Select another campaign or rater")),
    _command("advance", None, tr("Advance automatically after a rating"), checkable=True),
    *map(_digit, range(10)),
    *map(_letter, range(len(LETTERS))),
    _key("up", lambda items: items.card.step(-1), tr("Up: previous question, better rank, one point more"), "Up"),
    _key("down", lambda items: items.card.step(1), tr("Down: next question, worse rank, one point less"), "Down"),
    _key(
        "page-up", lambda items: items.card.page_step(-1), tr("Page up: scroll, or ten points more"), "PgUp", "Shift+Up"
    ),
    _key(
        "page-down",
        lambda items: items.card.page_step(1),
        tr("Page down: scroll, or ten points less"),
        "PgDown",
        "Shift+Down",
    ),
    _key("scroll-on", lambda items: items.card.scroll_by(0.9), tr("Scroll the text down"), "Space"),
    _key("scroll-back", lambda items: items.card.scroll_by(-0.9), tr("Scroll the text up"), "Shift+Space"),
    _key("copy", methodcaller("copy"), tr("Copy the selected text"), "Ctrl+C"),
)
RATE_SAMPLE = Action(
    "file.rate-sample", tr("Rate the sample"), icon="rate", tip=tr("Try rating translations, in a practice project")
)
"""Command that is available in every area, even while no file is open."""
ACTIONS = tuple(action for action, _ in RATER_COMMANDS)


SET_UP, IMPORT, EXPORT, UNBLIND = "rate.set-up", "rate.import", "rate.export", "rate.unblind"
COPY_FOR_RATERS = "rate.copy-for-raters"


def _action(id: str, text: str, menu: str, needs: str, icon: str = "") -> Action:
    return Action(id, text, area=AREA, group=tr("Campaigns"), icon=icon, menu=menu, needs=needs)


_PROJECT = tr("Open a project of your own first.")
OWNER_ACTIONS = (
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
