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

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.escaping import dumps_json, encode_utf8, escape_terminal
from qe_desktop.i18n.messages import to_english, tr

if TYPE_CHECKING:
    from qe_desktop.report.render.output_formats import Report

MAX_LINE_CHARS = 2_000
"""Maximum characters of one line; longer lines are shortened in the middle."""
MAX_TITLE_CHARS = 60
"""Maximum characters next to a progress bar."""


def add_output(parser: argparse.ArgumentParser) -> None:
    """The options that say how results are written."""
    # converting a file waits for no reports
    from qe_desktop.report.render.output_formats import OUTPUT_FORMATS

    parser.add_argument(
        "--json", action="store_true", help=tr("write one JSON object to standard output, and nothing else")
    )
    parser.add_argument("--format", choices=[form.name for form in OUTPUT_FORMATS], default="table", help="(table)")


def write_report(args: argparse.Namespace, report: Report) -> None:
    """Write a report to stdout in the form that was asked for."""
    from qe_desktop.report.render.output_formats import get_output_format

    form = get_output_format("json" if args.json else args.format)
    if form.name == "tsv":
        # the other forms hold the notes themselves
        for note in report.notes():
            print_error(tr("qe-desktop: note: {note}", note=note))
    # names and texts of files were made safe when it was made
    print(form.text(report), end="")


def save_pictures(folder: Path, pictures: Mapping[str, str]) -> None:
    """Write pictures into a folder, which is made where there is none."""
    # most commands write none
    from qe_desktop.formats.io.atomic_write import atomic_write

    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures.items():
        with atomic_write(folder / name) as file:
            file.write(encode_utf8(picture))


def print_error(line: str) -> None:
    """A remark on stderr, one line."""
    print(escape_terminal(line, MAX_LINE_CHARS), file=sys.stderr)


def print_line(line: str) -> None:
    """A line of a result on stdout."""
    print(escape_terminal(line, MAX_LINE_CHARS))


def print_json(result: dict[str, Any]) -> None:
    """A result on stdout as one JSON object, which is the same in every language."""
    print(dumps_json(to_english(result), indent=2))


def check_not_overwriting(output: Path, inputs: Iterable[str | None]) -> None:
    """QeError where a file that is read would be written."""
    for name in inputs:
        if name is not None and output.exists() and Path(name).exists() and output.samefile(name):
            message = tr("this file is an input, so it cannot be written")
            raise QeError(message, hint=tr("Use another name for the result."), place=SourceLocation(name))


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on stderr; none if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(escape_terminal(title, MAX_TITLE_CHARS)), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
