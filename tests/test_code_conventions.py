"""Conventions of the source code: layers, file lengths, and forbidden constructs."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted((ROOT / "qe_desktop").rglob("*.py"))


def test_import_contracts_are_kept():
    # in a separate process, because it reconfigures logging
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_files_are_short():
    """A file is one idea; 100 to 400 lines are the rule, with a median in the middle of this range."""
    others = [path for folder in ("tests", "tools") for path in (ROOT / folder).rglob("*.py")]
    all_lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in (*SOURCES, *others)
    }
    assert {name: length for name, length in all_lengths.items() if length > 400} == {}
    lengths = {name: length for name, length in all_lengths.items() if name.startswith("qe_desktop/")}
    assert sorted(lengths.values())[len(lengths) // 2] <= 250


def test_no_module_is_named_util_helper_or_misc():
    assert [path.name for path in SOURCES if re.search(r"util|helper|misc", path.stem)] == []


PAINTS = re.compile(
    r"def (paintEvent|paint|draw)\(|^class \w+\(.*(Model|Delegate|Button)\)|^class \w+\((RowPlot|XYPlot|PlotBase)\b",
    re.MULTILINE,
)


def test_painters_models_and_delegates_do_not_import_the_session():
    """A paint event may arrive while a change is delivered, so these modules use only values; PAINTS finds others."""
    graph = grimp.build_graph("qe_desktop")
    forbidden = {"qe_desktop.ui.workspace", "qe_desktop.project", *graph.find_descendants("qe_desktop.project")}
    paths = [path for path in SOURCES if "ui" in path.relative_to(ROOT).parts and PAINTS.search(path.read_text())]
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]
    assert len(modules) > 30
    reached = {name: sorted(graph.find_upstream_modules(name) & forbidden)[:3] for name in modules}
    assert {name: imported for name, imported in reached.items() if imported} == {}


def test_command_line_prints_only_through_the_output_module():
    """`cli/output.py` escapes names and contents of files for the terminal."""
    printing = [
        path.name
        for path in SOURCES
        if "cli" in path.relative_to(ROOT).parts and path.name != "output.py"
        if re.search(r"\bprint\(|\bstd(out|err)\.write", path.read_text())
    ]
    assert printing == []


def test_files_are_written_only_by_atomic_write():
    """`formats/atomic_write.py` follows links and replaces no device; the store writes SQLite files and a spool."""
    writes = r"\.write_(text|bytes)\(|\bos\.(replace|rename)\(|\bopen\([^)]*[\"'][rwxa]?[wxa+]b?[\"']"
    allowed = {"formats/atomic_write.py", "ui/shell/crash_handler.py"}
    writing = {
        path.relative_to(ROOT / "qe_desktop").as_posix() for path in SOURCES if re.search(writes, path.read_text())
    }
    assert writing - allowed == set()


def test_tests_set_no_timeouts_of_their_own():
    """A loaded machine exceeds shorter timeouts, see `tests/timeouts.py`."""
    own = re.compile(
        r"\.flush\([1-9]|\b(waitUntil|waitSignals?|waitExposed)\(.*timeout=\d|\btimeout=[1-9]\d|perf_counter\("
    )
    tests = [path for path in (ROOT / "tests").rglob("*.py") if not {"benchmarks", "torture"} & set(path.parts)]
    assert len(tests) > 100
    names = {path.name for path in tests if path != Path(__file__) and own.search(path.read_text())}
    assert names == set()


def test_average_char_width_is_not_used():
    """`averageCharWidth` comes from a table of the font, and may be more or less than the width of text."""
    assert [path.name for path in SOURCES if "averageCharWidth" in path.read_text()] == []


def test_imports_have_no_cycles():
    graph = grimp.build_graph("qe_desktop")
    needs = {module: sorted(graph.find_modules_directly_imported_by(module)) for module in graph.modules}
    order = TopologicalSorter(needs)
    try:
        order.prepare()
    except CycleError as error:
        pytest.fail(f"these need each other: {' → '.join(error.args[1])}")


LAZY_PACKAGES = ("qe_desktop.formats", "qe_desktop.formats.bilingual", "qe_desktop.project.store")


@pytest.mark.parametrize("package", LAZY_PACKAGES)
def test_every_public_name_can_be_imported(package):
    module = importlib.import_module(package)
    assert module.__all__
    missing = []
    for name in module.__all__:
        try:
            getattr(module, name)
        except (AttributeError, ImportError) as error:
            missing.append(f"{name}: {error}")
    assert missing == []
