"""Entry point of the command line and the window.

The command line runs if the first argument is a command, or begins with a dash and is neither `--qe` nor `--`.
Otherwise, the window opens.
"""

from __future__ import annotations

import os
import sys

from qe_desktop.arguments import DEMO, END_OF_OPTIONS, SAMPLE_NAMES, drop_end_of_options, escape_dash_files

COMMANDS = frozenset({"score", "compare", "findings", "study", "ratings", "project", "convert", "tag", "info"})
INTERRUPTED = 130


def run(argv: list[str] | None = None) -> int:
    """Run a command or open the window, depending on the arguments, and return the exit code.

    The exit code is 130 after Ctrl+C, and 0 if the reader of the output has closed the pipe.
    """
    argv = escape_dash_files(sys.argv[1:] if argv is None else argv)
    apply_language_setting()
    try:
        is_command = bool(argv) and (argv[0] in COMMANDS or (argv[0].startswith("-") and not _opens_window(argv[0])))
        code = _run_command(argv) if is_command else _open_window(argv)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # the reader of the output has closed it; without this, Python reports another error at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def apply_language_setting() -> None:
    """Set the interface language from the .ts file that the environment variable QE_DESKTOP_LANGUAGE names.

    Must be called before any interface text is created. The language is English if the variable is unset or the file is
    invalid. An invalid file is reported on stderr.
    """
    path = os.environ.get("QE_DESKTOP_LANGUAGE")
    if path:
        from qe_desktop.i18n.messages import set_language, tr
        from qe_desktop.i18n.ts_catalog import InvalidTranslationError, read_language

        try:
            set_language(read_language(path))
        except InvalidTranslationError as error:
            print(tr("qe-desktop: {problem}. The interface is in English.", problem=error), file=sys.stderr)


def _run_command(argv: list[str]) -> int:
    from qe_desktop.cli.main import main

    return main(argv)


def _is_system(argument: str) -> bool:
    """Return whether an argument is the option `--qe`, which specifies a QE system for the window to run."""
    return argument == "--qe" or argument.startswith("--qe=")


def _opens_window(argument: str) -> bool:
    """Return whether a first argument that begins with a dash opens the window, as `--qe` and `--` do."""
    return _is_system(argument) or argument == END_OF_OPTIONS


def _open_window(argv: list[str]) -> int:
    systems: list[str] = []
    if any(map(_is_system, argv)):
        from qe_desktop.corpus import QeError
        from qe_desktop.i18n.messages import tr
        from qe_desktop.local_qe.external.command import extract_qe_values, parse_commands

        try:
            systems, argv = extract_qe_values(argv)
            parse_commands(systems)
        except QeError as error:
            print(tr("qe-desktop: error: {message}", message=error.line(command_line=True)), file=sys.stderr)
            return 2
    argv = drop_end_of_options(argv)
    message, is_all_missing = _missing_argument_error(argv)
    if is_all_missing:
        print(message, file=sys.stderr)
        return 2
    from qe_desktop.ui import preflight
    from qe_desktop.ui.preflight import install_default_handlers

    install_default_handlers()
    error_message = preflight.find_display_error()
    if error_message is None:
        try:
            from qe_desktop.ui.app import main
        except ImportError as error:
            error_message = preflight.import_error_hint(error)
            if error_message is None:
                raise
        else:
            return main(argv, systems)
    # a missing file is reported before a missing display
    print(message or error_message, file=sys.stderr)
    return 2


def _missing_argument_error(argv: list[str]) -> tuple[str, bool]:
    """Return a message about the first missing file or sample ("" if none is missing), and whether all are missing."""
    if argv[:1] == [DEMO]:
        unknown = [name for name in argv[1:2] if name not in SAMPLE_NAMES]
        is_all_missing = bool(unknown)
    else:
        unknown = [name for name in argv if "://" not in name and not os.path.exists(name)]
        is_all_missing = bool(unknown) and len(unknown) == len(argv)
    if not unknown:
        return "", False
    from qe_desktop.escaping import escape_terminal
    from qe_desktop.i18n.messages import tr

    name = escape_terminal(unknown[0], 500)
    if argv[:1] == [DEMO]:
        samples = ", ".join(SAMPLE_NAMES)
        return tr("qe-desktop: error: {name}: no such sample (samples: {samples})", name=name, samples=samples), True
    return tr(
        "qe-desktop: error: {name}: no such command, file or folder (see qe-desktop --help)", name=name
    ), is_all_missing


if __name__ == "__main__":
    sys.exit(run())
