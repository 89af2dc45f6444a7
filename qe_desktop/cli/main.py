"""Entry point of the command line. Invalid input causes one line on stderr and exit code 2, never a traceback."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from importlib import import_module

import qe_desktop
from qe_desktop.cli.command_options import LazyArgumentParser
from qe_desktop.cli.output import print_error, report_hard_links
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import tr

COMMANDS = ("score", "compare", "findings", "study", "ratings", "project", "convert", "tag", "info")
"""Names of the commands; for each command, the module of the same name defines `add_parser`."""
FORMER_NAMES = {
    ("score", "people"): "human",
    ("compare", "people"): "human",
    ("study", "humans"): "meta-evaluation",
    ("ratings", "take-back"): "undo-import",
}
"""Current name of each renamed subcommand, by command and former name; the help does not list former names."""
DESCRIPTION = tr("A desktop workbench for judging machine translation. Without a command, the window opens.")
EPILOG = tr(
    "qe-desktop [PATH…] opens the window with a folder, files, a project (*.qedesk) or the address of a project on a "
    "server (postgresql://USER@HOST/DATABASE). qe-desktop demo [SAMPLE] opens it with a bundled sample: en-de "
    "(default), en-he (right to left), en-ja, or job, a bilingual file to review. The positive class of tags is "
    "always BAD."
)


def build_parser(command: str = "") -> argparse.ArgumentParser:
    """Return a parser for `command`, or for all commands if `command` is not the name of a command.

    Only the modules of these commands are imported.
    """
    parser = LazyArgumentParser(prog="qe-desktop", description=DESCRIPTION, epilog=EPILOG)
    parser.add_argument("--version", action="version", version=f"qe-desktop {qe_desktop.__version__}")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND")
    for name in (command,) if command in COMMANDS else COMMANDS:
        import_module(f"qe_desktop.cli.{name}").add_parser(subparsers)
    return parser


def replace_former_names(argv: Sequence[str]) -> list[str]:
    """Return the arguments, with the former name of a subcommand replaced by its current name."""
    command = tuple(argv[:2])
    return [*argv[:1], FORMER_NAMES[command], *argv[2:]] if command in FORMER_NAMES else list(argv)


def main(argv: Sequence[str]) -> int:
    """Run one command; return the exit code: 0 if completed, 1 if partly completed, 2 for an error, 130 if interrupted.

    Raises SystemExit after `--help` and `--version`, and BrokenPipeError if the reader of the output has closed the
    pipe.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # characters that the terminal cannot encode are escaped instead of raising an exception
            stream.reconfigure(errors="backslashreplace")
    try:
        parser = build_parser(*argv[:1])
        args = parser.parse_args(replace_former_names(argv))
        if args.command is None:
            parser.error(tr("a command is required"))
        with report_hard_links():
            return int(args.run(args))
    except QeError as error:
        print_error(_error_line(error))
        return 2
    except KeyboardInterrupt:
        print_error(tr("qe-desktop: stopped"))
        return 130
    except BrokenPipeError:
        raise  # the reader of the output has closed it, which is not an error
    except OSError as error:
        location = SourceLocation(str(error.filename)) if error.filename else None
        print_error(_error_line(QeError(error.strerror or str(error), place=location)))
        return 2


def _error_line(error: QeError) -> str:
    return tr("qe-desktop: error: {message}", message=error.line(command_line=True))
