"""Texts that the window may show name no command-line options."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError, SourceLocation
from tests.wording.source_texts import Source, sources

PROGRAM = Path(__file__).parents[2] / "qe_desktop"
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
COMMAND_LINE_MODULES = {
    "__main__.py": "messages on the terminal before the window exists",
    "local_qe/external/command.py": "how the value of --qe is read",
    "local_qe/external/comet_json.py": "an option of another program",
    "local_qe/external/command_runner.py": "an option of another program",
    "studies/sampling/executors.py": "machines that only the command line uses",
    "levels/sentences/sentence_inputs.py": "files that only the command line names",
    "levels/words/tag_inputs.py": "files that only the command line names",
    "studies/meta_eval/meta_eval_inputs.py": "files that only the command line names",
    "ui/preflight.py": "messages on the terminal if no window is possible",
}


def _is_for_the_command_line(source: Source, call: ast.Call) -> bool:
    """Return whether only the command line shows the text: a `command_hint`, or the help of options."""
    for above in source.all_above(call):
        if isinstance(above, ast.keyword) and above.arg in ("command_hint", "help", "epilog", "description"):
            return True
        if isinstance(above, ast.Assign | ast.For):
            names = {node.id.lower() for node in ast.walk(above) if isinstance(node, ast.Name)}
            return any("command_hint" in name for name in names)
    return False


def test_window_texts_name_no_command_line_options():
    result = []
    for source in sources(PROGRAM):
        name = source.path.relative_to(PROGRAM).as_posix()
        if name.startswith("cli/") or name in COMMAND_LINE_MODULES:
            continue
        for call in source.calls():
            text = call.args[0].value if isinstance(call.args[0], ast.Constant) else ""
            if OPTION.search(str(text)) and not _is_for_the_command_line(source, call):
                result.append(f"{name}:{call.lineno}: {text}")
    assert result == []


@pytest.mark.parametrize("name", COMMAND_LINE_MODULES)
def test_excluded_modules_name_options(name):
    assert any(OPTION.search(text) for text, _ in Source(PROGRAM / name).texts_with_comments())


def test_window_and_command_line_have_different_hints():
    error = QeError("which", hint="Choose one.", command_hint="Name one with --campaign.", place=SourceLocation("f"))
    assert error.line() == "f: which. Choose one."
    assert error.line(command_line=True) == "f: which. Name one with --campaign."
    assert QeError("which", hint="Choose one.").line(command_line=True) == "which. Choose one."
