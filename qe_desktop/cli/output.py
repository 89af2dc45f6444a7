"""How results leave the command line: JSON, tables, TSV or LaTeX on stdout, progress on stderr."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from qe_desktop.report import Table, join_text


def add_output(parser: argparse.ArgumentParser) -> None:
    """The options that say how results are written."""
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout and nothing else")
    parser.add_argument("--format", choices=("table", "tsv", "latex", "json"), default="table", help="(table)")


def emit(args: argparse.Namespace, result: dict[str, Any], tables: Sequence[Table]) -> None:
    """Write a result to stdout in the form that was asked for."""
    form = "json" if args.json else args.format
    if form == "json":
        print(json.dumps(result, ensure_ascii=False, indent=2, allow_nan=False))
    elif form == "tsv":
        print("\n".join(table.tsv() for table in tables), end="")
    elif form == "latex":
        print("\n".join(table.latex() for table in tables), end="")
    else:
        print(join_text(tables), end="")


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on stderr; none where stderr is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
