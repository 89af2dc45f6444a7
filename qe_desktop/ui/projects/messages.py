"""What a project's database said, as a message in the window."""

from __future__ import annotations

from dataclasses import replace

from qe_desktop.corpus import QeError
from qe_desktop.ui.shell.notices import Message
from qe_desktop.wording import tr


def said(error: QeError) -> Message:
    """The message of an error that is a sentence of its own, and not one that begins with a file's name."""
    message = Message.from_error(error)
    return replace(message, title=sentence(message.title))


def sentence(text: str) -> str:
    """A text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def at_opening(error: QeError) -> QeError:
    """An error of a server while nothing is open there yet, when there is nothing that could be kept and sent."""
    from qe_desktop.project.store.troubles import Trouble

    if not isinstance(error, Trouble):
        return error
    hint = tr("See whether the address is right and the server runs, then try again.")
    return QeError(error.message, hint=hint, place=error.place)
