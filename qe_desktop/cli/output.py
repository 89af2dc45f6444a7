"""How all leaves the command line: results in their forms on stdout, progress and remarks on stderr.

Nothing else here prints: what names and files hold must not steer a terminal.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qe_desktop.corpus import Place, QeError
from qe_desktop.outgoing import json_text, terminal, utf8
from qe_desktop.wording import in_english, tr

if TYPE_CHECKING:
    from qe_desktop.report.forms import Report

LONGEST_LINE = 2_000
"""Characters of one line at the most; longer ones lose their middle."""
LONGEST_TITLE = 60
"""Characters beside a progress bar at the most."""


def add_output(parser: argparse.ArgumentParser) -> None:
    """The options that say how results are written."""
    # converting a file waits for no reports
    from qe_desktop.report.forms import FORMS

    parser.add_argument("--json", action="store_true", help=tr("one JSON object on stdout and nothing else"))
    parser.add_argument("--format", choices=[form.name for form in FORMS], default="table", help="(table)")


def emit(args: argparse.Namespace, report: Report) -> None:
    """Write a report to stdout in the form that was asked for."""
    from qe_desktop.report.forms import form_named

    form = form_named("json" if args.json else args.format)
    if form.name == "tsv":
        # the other forms hold the notes themselves
        for note in report.notes():
            say(tr("qe-desktop: note: {note}", note=note))
    # names and texts of files were made safe when it was made
    print(form.text(report), end="")


def save_pictures(folder: Path, pictures: Mapping[str, str]) -> None:
    """Write pictures into a folder, which is made where there is none."""
    # most commands write none
    from qe_desktop.formats.writing import written

    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures.items():
        with written(folder / name) as file:
            file.write(utf8(picture))


def say(line: str) -> None:
    """A remark on stderr, one line."""
    print(terminal(line, LONGEST_LINE), file=sys.stderr)


def tell(line: str) -> None:
    """A line of a result on stdout."""
    print(terminal(line, LONGEST_LINE))


def tell_json(result: dict[str, Any]) -> None:
    """A result on stdout as one JSON object, which is the same in every language."""
    print(json_text(in_english(result), indent=2))


def refuse_overwriting(output: Path, inputs: Iterable[str | None]) -> None:
    """QeError where a file that is read would be written."""
    for name in inputs:
        if name is not None and output.exists() and Path(name).exists() and output.samefile(name):
            message = tr("this file is read, so it cannot be written")
            raise QeError(message, hint=tr("Give the result another name."), place=Place(name))


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on stderr; none where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(terminal(title, LONGEST_TITLE)), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
