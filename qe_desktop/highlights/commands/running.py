"""Runs a QE system of one's own over a corpus: gives it texts, waits for it, and reads what it wrote."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from qe_desktop.corpus import Corpus, Layer, QeError
from qe_desktop.highlights.commands.command import QeCommand
from qe_desktop.highlights.commands.exchange import give
from qe_desktop.highlights.commands.process import Ended, Follow, faults_of, run
from qe_desktop.highlights.commands.results import read_result
from qe_desktop.wording import tr


def run_command(command: QeCommand, corpus: Corpus, follow: Follow = lambda share, text: None) -> tuple[Layer, ...]:
    """The layers of the system that a command is, over a corpus.

    It runs in a fresh folder, which is gone afterwards. `follow` is told how far it is; what it raises ends the command
    and all that it started. QeError that says how it failed, with its last words, or what does not fit in its result.
    """
    with tempfile.TemporaryDirectory(prefix="qe-desktop-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        given = give(command, corpus, folder)
        work = folder / "work"
        work.mkdir()
        try:
            ended = run(
                command.arguments(given.files), work, given.out, corpus.size, command.minutes * 60, follow
            )  # fmt: skip
        except QeError as error:
            raise _of(command, error) from None
        _refuse_failed(command, ended, given.out)

        def watch() -> None:
            follow(1.0, tr("reading what it wrote"))

        try:
            return read_result(corpus, given, command.name, watch)
        except QeError as error:
            raise _of(command, error) from None


def _of(command: QeCommand, error: QeError) -> QeError:
    """The error with the name of whose it is: several systems may be running."""
    message = tr("{name}: {message}", name=command.name, message=error.message)
    return QeError(
        message,
        hint=error.hint,
        command_hint=error.command_hint,
        place=error.place,
        faults=error.faults,
        more=error.more,
    )


def _refuse_failed(command: QeCommand, ended: Ended, out: Path) -> None:
    if ended.code:
        code = str(ended.code) if ended.code > 0 else tr("signal {number}", number=-ended.code)
        message = tr("{name} failed (exit code {code})", name=command.name, code=code)
        raise _failed(message, tr("Run it in a terminal to see more."), ended)
    if os.path.lexists(out) and not out.is_file():
        message = tr("{name} made something else than an ordinary file of its result", name=command.name)
        hint = tr("It must write to the file that stands in the place of {out}, and make no pipe of it.", out="{out}")
        raise _failed(message, hint, ended)
    if not out.is_file():
        message = tr("{name} ended and wrote no result", name=command.name)
        raise _failed(message, tr("It must write to the file that stands in the place of {out}.", out="{out}"), ended)
    if not out.stat().st_size:
        message = tr("{name} ended and wrote an empty result", name=command.name)
        raise _failed(message, tr("A line for each segment was expected."), ended)


def _failed(message: str, hint: str, ended: Ended) -> QeError:
    said = ended.said
    if said:
        message = tr("{message}: {words}", message=message, words=said[-1])
    return QeError(message, hint=hint, faults=faults_of(said) if len(said) > 1 else ())
