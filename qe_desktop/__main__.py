"""The entry point: commands go to the command line, everything else opens the window."""

from __future__ import annotations

import os
import sys

from qe_desktop.arguments import END_OF_OPTIONS, with_files_apart, without_end

COMMANDS = frozenset({"score", "compare", "findings", "study", "ratings", "project", "convert", "tag", "info"})
INTERRUPTED = 130


def run(argv: list[str] | None = None) -> int:
    """Do what the arguments ask for; returns the exit code. Neither Ctrl+C nor a closed pipe brings a traceback."""
    argv = with_files_apart(sys.argv[1:] if argv is None else argv)
    speak_as_asked()
    try:
        is_command = bool(argv) and (argv[0] in COMMANDS or (argv[0].startswith("-") and not _opens_window(argv[0])))
        code = _command(argv) if is_command else _window(argv)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # whoever read the output has gone; without this, Python complains once more while it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def speak_as_asked() -> None:
    """Speak the language that is asked for, before the first text is made; without one, English."""
    path = os.environ.get("QE_DESKTOP_LANGUAGE")
    if path:
        from qe_desktop.languages import NotALanguageError, read_language
        from qe_desktop.wording import speak, tr

        try:
            speak(read_language(path))
        except NotALanguageError as error:
            print(tr("qe-desktop: {problem}. All is said in English.", problem=error), file=sys.stderr)


def _command(argv: list[str]) -> int:
    from qe_desktop.cli.main import main

    return main(argv)


def _is_system(argument: str) -> bool:
    """Whether an argument names a QE system for the window to run."""
    return argument == "--qe" or argument.startswith("--qe=")


def _opens_window(argument: str) -> bool:
    """Whether a first argument with a dash is one that the window takes: `--qe` or `--`."""
    return _is_system(argument) or argument == END_OF_OPTIONS


def _window(argv: list[str]) -> int:
    systems: list[str] = []
    if any(map(_is_system, argv)):
        from qe_desktop.corpus import QeError
        from qe_desktop.highlights.commands.command import said_commands, taken_out
        from qe_desktop.wording import tr

        try:
            systems, argv = taken_out(argv)
            said_commands(systems)
        except QeError as error:
            print(tr("qe-desktop: error: {message}", message=error.line(command_line=True)), file=sys.stderr)
            return 2
    argv = without_end(argv)
    from qe_desktop.ui import preflight
    from qe_desktop.ui.shell.asked_to_end import end_at_once

    end_at_once()
    refusal = preflight.refusal()
    if refusal is None:
        try:
            from qe_desktop.ui.app import main
        except ImportError as error:
            refusal = preflight.of_import_error(error)
            if refusal is None:
                raise
        else:
            return main(argv, systems)
    named = [] if argv[:1] == ["demo"] else argv
    unknown = next((name for name in named if "://" not in name and not os.path.exists(name)), None)
    if unknown is not None:
        # the display is not the first thing that is missing
        from qe_desktop.outgoing import terminal
        from qe_desktop.wording import tr

        refusal = tr(
            "qe-desktop: error: {name}: there is no such command, file or folder. See qe-desktop --help.",
            name=terminal(unknown, 500),
        )
    print(refusal, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(run())
