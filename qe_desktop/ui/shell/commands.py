"""What can be done in every area; the areas bring their own."""

from __future__ import annotations

from dataclasses import replace

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.actions import Action
from qe_desktop.ui.shell.start_page import SAMPLES

_GROUPS = {"file": tr("File"), "edit": tr("Edit"), "view": tr("View"), "help": tr("Help")}
"""The headings of the commands in the shortcut sheet, by what stands before the point of their ids."""
_ACTIONS = (
    Action("file.open-folder", tr("Open folder…"), ("Ctrl+O",), icon="folder", menu=tr("Open &folder…")),
    Action("file.open-files", tr("Open files…"), ("Ctrl+Shift+O",), icon="files", menu=tr("&Open files…")),
    Action("file.open-project", tr("Open project…"), ("Ctrl+Alt+O",), icon="project", menu=tr("Open &project…")),
    Action(
        "file.findings",
        tr("Findings of a folder…"),
        ("Ctrl+Shift+F",),
        icon="scores",
        menu=tr("Fi&ndings of a folder…"),
    ),
    Action("file.connect", tr("Connect to a server…"), icon="server", menu=tr("Connect to a ser&ver…")),
    *(
        Action(f"file.sample-{key}", tr("Open the sample {name}", name=name), icon="sample", tip=about, menu=name)
        for key, name, about in SAMPLES
    ),
    Action("file.project", tr("Save as project…"), ("Ctrl+Shift+S",), icon="project", menu=tr("Save &as project…")),
    Action("file.project-server", tr("Save as a project on a server…"), menu=tr("Save as project on a server…")),
    Action("file.save", tr("Save tags…"), ("Ctrl+S",), icon="save", menu=tr("&Save tags…")),
    Action("file.export", tr("Export tags…"), ("Ctrl+E",), icon="export", menu=tr("&Export tags…")),
    Action(
        "file.save-copy",
        tr("Save a copy of the translator’s file…"),
        menu=tr("Save a cop&y as…"),
        tip=tr("What was reviewed is written into another file; the one that was opened stays as it is"),
    ),
    Action(
        "file.export-as",
        tr("Export as…"),
        menu=tr("Export &as…"),
        tip=tr("Write what was reviewed as XLIFF, TMX, PO, a table, a workbook or plain texts"),
    ),
    Action("file.recognised", tr("Show what was recognised in the open files"), menu=tr("What was &recognised…")),
    Action("file.close", tr("Close what is open"), ("Ctrl+W",), menu=tr("&Close")),
    Action("file.quit", tr("Quit"), ("Ctrl+Q",), menu=tr("&Quit")),
    Action("edit.undo", tr("Undo"), ("Ctrl+Z",), icon="undo"),
    Action("edit.redo", tr("Redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), icon="redo"),
    Action("edit.find", tr("Find"), ("Ctrl+F", "/"), icon="search", menu=tr("&Find…")),
    Action("edit.replace", tr("Find and replace in targets"), ("Ctrl+H",), menu=tr("&Replace…")),
    Action("edit.own-layer", tr("Start a layer of your own as a copy"), menu=tr("&Layer of your own")),
    Action("edit.close-layer", tr("Close a layer…"), menu=tr("&Close a layer…")),
    Action(
        "edit.post-edit-gold",
        tr("Make gold tags and HTER from the post-edit"),
        menu=tr("&Gold from the post-edit"),
        tip=tr("By the alignment of MT and post-edit, as WMT18 made them; the same command removes them"),
    ),
    Action(
        "edit.qe-run",
        tr("Run a QE system of your own…"),
        menu=tr("Run a &QE system…"),
        tip=tr("A command that Preferences name reads source and MT, and what it writes becomes a system"),
    ),
    Action(
        "edit.qe-checks",
        tr("Mark what plain checks find: numbers, brackets, codes, blanks…"),
        menu=tr("&Mark what they find"),
        tip=tr("A system of tags called checks, which says why a word is marked; the same command removes it"),
    ),
    Action(
        "edit.match-systems",
        tr("Match systems of scores and ratings with translations…"),
        menu=tr("&Match systems…"),
        tip=tr("Where a file of scores or ratings calls systems otherwise"),
    ),
    Action("edit.preferences", tr("Preferences…"), ("Ctrl+,",), menu=tr("&Preferences…")),
    Action("view.start", tr("Go to the start page"), ("Ctrl+Home",), menu=tr("&Start page")),
    Action("view.theme-system", tr("Theme: as the desktop"), menu=tr("As the desktop"), checkable=True),
    Action("view.theme-light", tr("Theme: light"), menu=tr("Light"), checkable=True),
    Action("view.theme-dark", tr("Theme: dark"), menu=tr("Dark"), checkable=True),
    Action("view.theme-contrast", tr("Theme: high contrast"), menu=tr("High contrast"), checkable=True),
    Action("view.text-larger", tr("Larger text"), ("Ctrl++", "Ctrl+="), menu=tr("&Larger")),
    Action("view.text-smaller", tr("Smaller text"), ("Ctrl+-",), menu=tr("&Smaller")),
    Action("view.text-usual", tr("Text in its usual size"), ("Ctrl+0",), menu=tr("&Usual size")),
    Action("view.still", tr("Reduce motion"), menu=tr("Reduce &motion"), checkable=True),
    Action("view.full-screen", tr("Full screen"), ("F11",), menu=tr("&Full screen"), checkable=True),
    Action("help.commands", tr("Every command by name"), ("Ctrl+K",), icon="commands", menu=tr("Every &command…")),
    Action("help.shortcuts", tr("Keyboard shortcuts"), ("F1", "?"), icon="keyboard", menu=tr("&Keyboard shortcuts")),
    Action("help.glossary", tr("Glossary: what the words mean"), ("Shift+F1",), icon="info", menu=tr("&Glossary")),
    Action("help.about", tr("About QE Desktop"), icon="info", menu=tr("&About QE Desktop")),
)

ACTIONS = tuple(replace(action, group=_GROUPS[action.id.partition(".")[0]]) for action in _ACTIONS)
"""None of them has a handler yet: the shell connects most, and whoever opens a corpus the rest."""
