"""Commands that are available in every area; each area adds its own commands."""

from __future__ import annotations

from dataclasses import replace

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import Action
from qe_desktop.ui.shell.start_page import SAMPLES

COMPARE_PAIRS = tr("Compare language pairs in a folder…")
"""Name of the command that compares systems over the language pairs of a folder."""
COMPARE_PAIRS_TIP = tr("Show one metric for all language pairs. The folder must contain one folder per language pair.")
_GROUPS = {"file": tr("File"), "edit": tr("Edit"), "view": tr("View"), "help": tr("Help")}
"""Maps the part of a command's id before the dot to the command's heading in the shortcut list."""
_ACTIONS = (
    Action("file.open-folder", tr("Open folder…"), ("Ctrl+O",), icon="folder", menu=tr("Open &folder…")),
    Action("file.open-files", tr("Open files…"), ("Ctrl+Shift+O",), icon="files", menu=tr("&Open files…")),
    Action("file.open-project", tr("Open project…"), ("Ctrl+Alt+O",), icon="project", menu=tr("Open pro&ject…")),
    Action(
        "file.findings",
        COMPARE_PAIRS,
        ("Ctrl+Shift+F",),
        icon="scores",
        menu=tr("Compare la&nguage pairs in a folder…"),
        tip=COMPARE_PAIRS_TIP,
    ),
    Action("file.connect", tr("Connect to server…"), icon="server", menu=tr("Connect to ser&ver…")),
    *(
        Action(f"file.sample-{key}", tr("Open sample: {name}", name=name), icon="sample", tip=about, menu=name)
        for key, name, about in SAMPLES
    ),
    Action("file.save", tr("Save tags…"), ("Ctrl+S",), icon="save", menu=tr("&Save tags…")),
    Action("file.export", tr("Export tags…"), ("Ctrl+E",), icon="export", menu=tr("&Export tags…")),
    Action(
        "file.save-copy",
        tr("Save a copy of the bilingual file…"),
        menu=tr("Save a cop&y of the bilingual file…"),
        tip=tr("Write your edits to another file; the file that was opened stays unchanged"),
    ),
    Action(
        "file.export-as",
        tr("Export as…"),
        menu=tr("E&xport as…"),
        tip=tr("Write the texts with your edits as XLIFF, TMX, PO, a table, a workbook or plain text"),
    ),
    Action("file.project", tr("Save as project…"), ("Ctrl+Shift+S",), icon="project", menu=tr("Save &as project…")),
    Action("file.project-server", tr("Save as project on a server…"), menu=tr("Save as project on a server…")),
    Action("file.recognised", tr("Show import details of the open files"), menu=tr("Show &import details")),
    Action("file.close", tr("Close the open files"), ("Ctrl+W",), menu=tr("&Close")),
    Action("file.quit", tr("Quit"), ("Ctrl+Q",), menu=tr("&Quit")),
    Action("edit.undo", tr("Undo"), ("Ctrl+Z",), icon="undo"),
    Action("edit.redo", tr("Redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), icon="redo"),
    Action("edit.find", tr("Find"), ("Ctrl+F", "/"), icon="search", menu=tr("&Find…")),
    Action("edit.replace", tr("Find and replace in targets"), ("Ctrl+H",), menu=tr("&Replace…")),
    Action("edit.own-layer", tr("New annotation layer, copied from existing tags"), menu=tr("New &annotation layer")),
    Action("edit.close-layer", tr("Close layer…"), menu=tr("&Close layer…")),
    Action(
        "edit.post-edit-gold",
        tr("Derive gold tags and HTER from the post-edit"),
        menu=tr("&Gold from the post-edit"),
        tip=tr("Tags from the MT/post-edit alignment, as at WMT18. Select again to remove the gold."),
    ),
    Action(
        "edit.qe-run",
        tr("Run a local QE system…"),
        menu=tr("Run a &QE system…"),
        tip=tr("Run a command (Preferences ▸ QE systems) and add its output as a system"),
    ),
    Action(
        "edit.qe-checks",
        tr("Run QA checks: numbers, brackets, codes, spaces…"),
        menu=tr("&Run checks"),
        tip=tr("Add a system called “checks”, with a reason for each mark. Select again to replace it."),
    ),
    Action(
        "edit.qe-checks-remove",
        tr("Remove the results of QA checks"),
        menu=tr("Re&move results"),
        tip=tr("Remove the system “checks” and its marks"),
    ),
    Action(
        "edit.match-systems",
        tr("Match system names of scores and ratings with those of translations…"),
        menu=tr("&Match system names…"),
        tip=tr("For scores or ratings whose system names differ from those of the translations"),
    ),
    Action("edit.preferences", tr("Preferences…"), ("Ctrl+,",), menu=tr("&Preferences…")),
    Action("view.start", tr("Go to start page"), ("Alt+Home",), menu=tr("&Start page")),
    Action(
        "view.evaluation",
        tr("Evaluation view: gold, tags of all layers, hits and misses"),
        ("Shift+F4",),
        menu=tr("&Evaluation"),
        checkable=True,
        tip=tr("For bilingual files: show gold, tags of all layers, hits, misses and scores"),
    ),
    Action("view.theme-system", tr("Theme: system"), menu=tr("&System"), checkable=True),
    Action("view.theme-light", tr("Theme: light"), menu=tr("Light"), checkable=True),
    Action("view.theme-dark", tr("Theme: dark"), menu=tr("Dark"), checkable=True),
    Action("view.theme-contrast", tr("Theme: high contrast"), menu=tr("High contrast"), checkable=True),
    Action("view.text-larger", tr("Larger text"), ("Ctrl++", "Ctrl+="), menu=tr("&Larger")),
    Action("view.text-smaller", tr("Smaller text"), ("Ctrl+-",), menu=tr("&Smaller")),
    Action("view.text-usual", tr("Reset text size"), ("Ctrl+0",), menu=tr("&Reset")),
    Action("view.still", tr("Reduce motion"), menu=tr("Reduce &motion"), checkable=True),
    Action("view.full-screen", tr("Full screen"), ("F11",), menu=tr("&Full screen"), checkable=True),
    Action("help.commands", tr("Command palette"), ("Ctrl+K",), icon="commands", menu=tr("&Command palette…")),
    Action("help.shortcuts", tr("Keyboard shortcuts"), ("F1", "?"), icon="keyboard", menu=tr("&Keyboard shortcuts")),
    Action("help.glossary", tr("Glossary"), ("Shift+F1",), icon="info", menu=tr("&Glossary")),
    Action("help.about", tr("About QE Desktop"), icon="info", menu=tr("&About QE Desktop")),
)

_FILES = tr("Open files first.")
_NO_PROJECT = tr("Open files first. This command is not available for projects.")
_NEEDS = {
    **dict.fromkeys(("file.project", "file.save", "file.export", "file.export-as", "file.close"), _FILES),
    **dict.fromkeys(("edit.own-layer", "edit.close-layer"), _FILES),
    **dict.fromkeys(("file.project-server", "file.recognised"), _NO_PROJECT),
    "view.evaluation": tr("Open a bilingual file first. Other files are always shown in the evaluation view."),
    "file.save-copy": tr("Open a bilingual file first."),
    "file.findings": tr("Close the project first."),
    "edit.undo": tr("There is nothing to undo."),
    "edit.redo": tr("There is nothing to redo."),
    "edit.find": tr("First open files with texts, then go to the Inspect area."),
    "edit.replace": tr("First open files with targets, then go to the Inspect area."),
    "edit.post-edit-gold": tr(
        "First open MT with its post-edit. Gold from files is not replaced, and read-only projects cannot be changed."
    ),
    "edit.qe-run": tr("Open files with MT first. This command is not available in read-only projects."),
    "edit.qe-checks": tr("Open files with source and MT first. This command is not available in read-only projects."),
    "edit.qe-checks-remove": tr("There are no results to remove."),
    "edit.match-systems": tr(
        "First open translations together with their scores or ratings. This command is not available in read-only "
        "projects."
    ),
}
"""Maps the id of a command to a sentence that states what the user must do to enable the command."""


ACTIONS = tuple(
    replace(action, group=_GROUPS[action.id.partition(".")[0]], needs=_NEEDS.get(action.id, "")) for action in _ACTIONS
)
"""Definitions of the commands; the shell and the controllers of open corpora connect handlers to them."""
