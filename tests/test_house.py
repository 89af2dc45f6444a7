"""The house itself: layers, file lengths, and what may stand in a file."""

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


def test_layers_hold():
    # in a process of its own, because it takes the logging of its process over
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_files_are_small_rooms():
    lengths = {path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines()) for path in SOURCES}
    assert {name: length for name, length in lengths.items() if length > 400} == {}
    assert sorted(lengths.values())[len(lengths) // 2] <= 200


def test_there_is_no_room_of_leftovers():
    assert [path.name for path in SOURCES if re.search(r"util|helper|misc", path.stem)] == []


PAINTS = re.compile(
    r"def (paintEvent|paint|draw)\(|^class \w+\(.*(Model|Delegate|Button)\)|^class \w+\((RowsPlot|Canvas)\[",
    re.MULTILINE,
)


def test_what_paints_or_answers_a_view_reaches_no_session():
    """A paint may come while a change is still being told, so what paints holds values: new modules are found too."""
    graph = grimp.build_graph("qe_desktop")
    forbidden = {"qe_desktop.ui.workspace", "qe_desktop.project", *graph.find_descendants("qe_desktop.project")}
    paths = [path for path in SOURCES if "ui" in path.relative_to(ROOT).parts and PAINTS.search(path.read_text())]
    modules = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in paths]
    assert len(modules) > 30
    reached = {name: sorted(graph.find_upstream_modules(name) & forbidden)[:3] for name in modules}
    assert {name: found for name, found in reached.items() if found} == {}


def test_text_leaves_the_command_line_in_one_place():
    """`cli/output.py` makes names and contents of files safe for a terminal; whoever prints past it does not."""
    found = [
        path.name
        for path in SOURCES
        if path.parent.name == "cli" and path.name != "output.py"
        if re.search(r"\bprint\(|\bstd(out|err)\.write", path.read_text())
    ]
    assert found == []


def test_files_are_written_in_one_place():
    """`formats/io/atomic_write.py` follows links and replaces no device; the store writes SQLite files and a spool."""
    writes = r"\.write_(text|bytes)\(|\bos\.(replace|rename)\(|\bopen\([^)]*[\"'][rwxa]?[wxa+]b?[\"']"
    own = {"formats/io/atomic_write.py", "ui/shell/crash_handler.py"}
    found = {
        path.relative_to(ROOT / "qe_desktop").as_posix() for path in SOURCES if re.search(writes, path.read_text())
    }
    assert found - own == set()


def test_tests_wait_as_long_as_all_tests_do():
    """An end of its own is one that a loaded machine comes to: see `tests/patience.py`."""
    own = re.compile(
        r"\.flush\([1-9]|\b(waitUntil|waitSignals?|waitExposed)\(.*timeout=\d|\btimeout=[1-9]\d|perf_counter\("
    )
    tests = [path for path in (ROOT / "tests").rglob("*.py") if not {"benchmarks", "torture"} & set(path.parts)]
    assert len(tests) > 100
    found = {path.name for path in tests if path != Path(__file__) and own.search(path.read_text())}
    assert found == set()


def test_widths_are_measured_in_digits():
    """`averageCharWidth` is what a font's table says: of one font it is more than text takes, of another less."""
    assert [path.name for path in SOURCES if "averageCharWidth" in path.read_text()] == []


def test_no_arrow_runs_back():
    """No module needs another that needs it, directly or by a way round."""
    graph = grimp.build_graph("qe_desktop")
    needs = {module: sorted(graph.find_modules_directly_imported_by(module)) for module in graph.modules}
    order = TopologicalSorter(needs)
    try:
        order.prepare()
    except CycleError as found:
        pytest.fail(f"these need each other: {' → '.join(found.args[1])}")


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
