"""Output of the command line: results on stdout in the requested format, progress and remarks on stderr.

All output of the command line is printed by this module, because it escapes names and file contents, which could
otherwise send escape codes to a terminal.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.escaping import dumps_json, encode_utf8, escape_terminal
from qe_desktop.i18n.messages import to_english, tr

if TYPE_CHECKING:
    from qe_desktop.report.render.output_formats import Report

MAX_LINE_CHARS = 2_000
"""Maximum number of characters of a line; longer lines are shortened in the middle."""
MAX_TITLE_CHARS = 60
"""Maximum number of characters of the title of a progress bar."""
PROGRESS_STEPS = 1000
"""Number of steps of a progress bar that shows a fraction."""


def add_output(parser: argparse.ArgumentParser) -> None:
    """Add the options for the output format."""
    # imported here: converting a file needs no reports
    from qe_desktop.report.render.output_formats import OUTPUT_FORMATS

    add_json(parser)
    format_names = [form.name for form in OUTPUT_FORMATS]
    parser.add_argument(
        "--format", choices=format_names, default="table", help=tr("the output format (default: table)")
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the option for JSON output."""
    parser.add_argument(
        "--json", action="store_true", help=tr("write one JSON object to standard output, and nothing else")
    )


def write_report(args: argparse.Namespace, report: Report) -> None:
    """Write a report to stdout in the requested format; for TSV, write its notes to stderr."""
    from qe_desktop.report.render.output_formats import get_output_format

    output_format = get_output_format("json" if args.json else args.format)
    if output_format.name == "tsv":
        # the other formats contain the notes
        for note in report.notes():
            print_error(tr("qe-desktop: note: {note}", note=note))
    # the report has already escaped names and texts of files
    print(output_format.text(report), end="")


def save_pictures(folder: Path, pictures: Mapping[str, str]) -> None:
    """Write pictures (SVG texts, keyed by file name) into a folder, which is created if it does not exist.

    Raises OSError if the folder cannot be created, and QeError as `atomic_write` does.
    """
    # imported here: most commands write no pictures
    from qe_desktop.formats.atomic_write import atomic_write

    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in pictures.items():
        with atomic_write(folder / name) as file:
            file.write(encode_utf8(picture))


def print_error(line: str) -> None:
    """Write a message to stderr as one line."""
    print(escape_terminal(line, MAX_LINE_CHARS), file=sys.stderr)


def print_line(line: str) -> None:
    """Write a line of a result to stdout."""
    print(escape_terminal(line, MAX_LINE_CHARS))


def print_json(result: dict[str, Any]) -> None:
    """Write a result to stdout as one JSON object, which is the same in every interface language."""
    print(dumps_json(to_english(result), indent=2))


@contextmanager
def report_hard_links() -> Iterator[None]:
    """When the context ends, report on stderr each file that was replaced in the context and had other hard links."""
    from qe_desktop.formats.files_in_use import collect_hard_links, hard_links_text

    with collect_hard_links() as links:
        try:
            yield
        finally:
            if links:
                for path, number in links.items():
                    print_error(hard_links_text(number, str(path)))


def check_not_overwriting(output: Path, inputs: Iterable[str | None]) -> None:
    """Raise QeError if the output file is also an input file."""
    for name in inputs:
        if name is not None and output.exists() and Path(name).exists() and output.samefile(name):
            message = tr("this file is an input, so it is not overwritten")
            raise QeError(message, hint=tr("Use another name for the result."), place=SourceLocation(name))


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """Yield a callback that updates a progress bar on stderr; None if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(escape_terminal(title, MAX_TITLE_CHARS)), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def fraction_progress(title: str) -> Iterator[OnProgress | None]:
    """Yield a callback that updates a progress bar with the completed fraction; None if stderr is not a terminal."""
    with progress(title) as show:
        yield None if show is None else lambda fraction: show(round(fraction * PROGRESS_STEPS), PROGRESS_STEPS)
