"""Preview of a folded post-edit: its changes in one line."""

from __future__ import annotations

from unittest.mock import patch

from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, DisplayText, TextColumn, TextRole, View
from qe_desktop.project.review.target_changes import ChangeKind
from qe_desktop.ui.icons import resource_folder
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.fold_bar import MAX_COMPARED_CHARS, PostEditPreview, preview_runs
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
    texts = (DisplayText.of_tokens(text.split(" ")) for text in (mt, post_edit))
    return [(run.change, run.text) for run in preview_runs(*texts)]


def test_preview_has_the_changes_with_their_context():
    before = "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"
    assert runs_of(f"{before} Haus .", f"{before} Hof .") == [
        (KEPT, "… acht neun zehn elf zwölf"), (REMOVED, " Haus"), (ADDED, " Hof"), (KEPT, " ."),
    ]  # fmt: skip


def test_words_in_the_place_of_others_are_separated_by_a_space():
    assert runs_of("schließt den Hafen", "Brand legt den Hafen") == [
        (REMOVED, "schließt"), (ADDED, " Brand legt"), (KEPT, " den Hafen"),
    ]  # fmt: skip
    assert runs_of("Der Hafen", "Hafen") == [(REMOVED, "Der"), (KEPT, " Hafen")]


def test_raw_texts_are_shown_if_mt_and_post_edit_have_them(qtbot):
    texts = {
        TextRole.MT: "東京 の 港 です 。", TextRole.POST_EDIT: "大阪 の 港 です 。",
        TextRole.RAW_MT: "東京の港です。", TextRole.RAW_POST_EDIT: "大阪の港です。",
    }  # fmt: skip
    preview = PostEditPreview()
    qtbot.addWidget(preview)

    def shown(*missing: TextRole) -> str:
        columns = {role: TextColumn.of([text]) for role, text in texts.items() if role not in missing}
        preview.show_segment(View(Corpus("one", 1, columns, {})), 0)
        return preview.text()

    assert shown() == "東京 大阪の港です。"
    tokens = "東京 大阪 の 港 です 。"
    # spaces between tokens are not changes
    assert shown(TextRole.RAW_MT) == shown(TextRole.RAW_POST_EDIT) == tokens
    texts[TextRole.RAW_MT] = "何か"
    assert shown() == tokens


def test_right_to_left_text_begins_at_the_right(qtbot):
    preview = PostEditPreview()
    qtbot.addWidget(preview)
    preview.resize(600, 30)
    preview.show_segment(view_of("זה נמל .", "זה נמל ."), 0)

    def ink() -> list[int]:
        image = preview.grab().toImage()
        ground = image.pixel(300, 1)
        return [x for x in range(600) if any(image.pixel(x, y) != ground for y in range(30))]

    assert max(ink()) < 300
    preview.set_right_to_left(True)
    assert min(ink()) > 300


def test_bar_aligns_the_preview_by_the_direction_of_the_text(qtbot, rich_workspace):
    area = InspectArea(rich_workspace, QWidget())
    qtbot.addWidget(area)
    with patch.object(PostEditPreview, "set_right_to_left") as direct:
        rich_workspace.settings.mt_direction = "rtl"
        direct.assert_called_with(True)
        rich_workspace.settings.mt_direction = "ltr"
        direct.assert_called_with(False)


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
        workspace.segments_requested.emit(
            *driver.wiring.scores.layers[:2], "BLEU", workspace.level, workspace.reference
        )
        yield lambda: area.comparison.isVisible() and not driver.shell.jobs.running_jobs()
        view = area.comparison.view
        yield lambda: view.visibleRegion().boundingRect().height() == view.height()
        # heights follow the text in the next iteration of the event loop
        yield lambda: driver.shell.jobs.is_idle() and not area.list_height._update_timer.isActive()
        rows = area.view.viewport().height() // area.view.verticalHeader().defaultSectionSize()
        # fewer than three rows only if this brings all texts into view
        assert rows >= 3 or (rows > 0 and not area.segment_pane._scroll.verticalScrollBar().maximum())
        heights = area.list_splitter.sizes()
        for segment in (0, 1, 2, 0):
            workspace.go_to(segment)
            yield lambda: not driver.shell.jobs.running_jobs()
        assert area.list_splitter.sizes() == heights

    assert run_script([str(resource_folder() / "samples/en-de")], script) == 0
