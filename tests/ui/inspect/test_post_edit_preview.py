"""Preview of a folded post-edit: its changes in one line."""

from __future__ import annotations

from qe_desktop.corpus import Corpus, TextColumn, TextRole, View
from qe_desktop.project.review.target_changes import ChangeKind
from qe_desktop.ui.icons import resource_folder
from qe_desktop.ui.inspect.post_edit_preview import MAX_COMPARED_CHARS, PostEditPreview, preview_runs
from qe_desktop.ui.theme import themes
from tests.ui.program_driver import run_script

KEPT, REMOVED, ADDED = ChangeKind.KEPT, ChangeKind.REMOVED, ChangeKind.ADDED


def view_of(mt: str, post_edit: str) -> View:
    texts = {
        TextRole.SOURCE: TextColumn.of(["x"]), TextRole.MT: TextColumn.of([mt]),
        TextRole.POST_EDIT: TextColumn.of([post_edit]),
    }  # fmt: skip
    return View(Corpus("one", 1, texts, {}))


def runs_of(mt: str, post_edit: str) -> list[tuple[ChangeKind, str]]:
    return [(run.change, run.text) for run in preview_runs(mt, post_edit)]


def test_preview_has_the_changes_with_their_context():
    before = "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"
    assert runs_of(f"{before} Haus .", f"{before} Hof .") == [
        (KEPT, "… acht neun zehn elf zwölf"), (REMOVED, " Haus"), (ADDED, " Hof"), (KEPT, " ."),
    ]  # fmt: skip


def test_unchanged_post_edit_is_shown_from_its_beginning():
    text = "Wort " * 100 + "."
    assert runs_of(text, text) == [(KEPT, text)]


def test_long_texts_are_not_compared():
    text = "Wort " * MAX_COMPARED_CHARS
    assert runs_of(text, "Anderes " * 3) == [(KEPT, "Anderes " * 3)]
    assert runs_of("kurz", text) == [(KEPT, text[:MAX_COMPARED_CHARS])]


def test_changes_are_painted_and_described(qtbot):
    preview = PostEditPreview()
    qtbot.addWidget(preview)
    preview.resize(400, 30)
    preview.show_segment(view_of("ein Haus .", "ein Haus ."), 0)
    unchanged = preview.grab().toImage()
    assert preview.accessibleDescription() == ""
    preview.show_segment(view_of("ein Haus .", "ein Hof ."), 0)
    assert preview.grab().toImage() != unchanged
    assert preview.accessibleDescription() == "removed “Haus”; added “Hof”"
    themes.theme_changed.emit()
    assert "ein Hof ." in preview.toolTip()
    assert "Haus" not in preview.toolTip()
    preview.show_segment(view_of("gut", "gut\u202eboese"), 0)
    assert "\u202e" not in preview.text()
    preview.show_segment(None, 0)
    assert not preview.text()
    assert not preview.toolTip()


def test_list_leaves_room_for_compared_translations(qtbot):
    def script(driver):
        yield driver.is_open
        driver.shell.resize(1280, 800)
        workspace, area = driver.workspace, driver.shell.area("inspect")
        workspace.set_level(next(level for level in workspace.levels() if level.name == "translations"))
        yield lambda: driver.shell.areas.current == "inspect"
        yield lambda: len(driver.wiring.scores.layers) > 1
        workspace.segments_wanted.emit(*driver.wiring.scores.layers[:2], "BLEU", workspace.level, workspace.reference)
        yield lambda: area.comparison.isVisible() and not driver.shell.jobs.running()
        view = area.comparison.view
        yield lambda: view.visibleRegion().boundingRect().height() == view.height()
        rows = area.view.viewport().height() // area.view.verticalHeader().defaultSectionSize()
        assert rows >= 3
        # heights follow the text in the next iteration of the event loop
        yield lambda: driver.shell.jobs.idle() and not area.list_room._later.isActive()
        heights = area.rows.sizes()
        for segment in (0, 1, 2, 0):
            workspace.go_to(segment)
            yield lambda: not driver.shell.jobs.running()
        assert area.rows.sizes() == heights

    assert run_script([str(resource_folder() / "samples/en-de")], script) == 0
