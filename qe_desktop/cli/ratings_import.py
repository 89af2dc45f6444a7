"""`qe-desktop ratings import` and `undo-import`: add rating files to a project, and withdraw imports."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.output import print_line
from qe_desktop.cli.project import open_project
from qe_desktop.cli.rating_inputs import RATING_FILES_HELP, add_rating_file_options, display_name
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.project.store import Project


def add_import(subcommands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand `import` and its options."""
    parser = subcommands.add_parser(
        "import", help=tr("add ratings to a project, and list conflicts"), epilog=RATING_FILES_HELP
    )
    parser.add_argument("project", metavar="PROJECT", help=tr("a .qedesk file or a postgresql:// URL"))
    parser.add_argument("files", nargs="+", metavar="FILE", help=tr("rating files"))
    add_rating_file_options(parser)
    parser.add_argument("--dry-run", action="store_true", help=tr("show what would be added, and change nothing"))
    parser.set_defaults(run=run_import)


def add_undo_import(subcommands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the subcommand `undo-import` and its options."""
    parser = subcommands.add_parser(
        "undo-import", help=tr("withdraw an import, or list the imports of a project"),
        epilog=tr(
            "Withdrawn ratings stay in the project but no longer count. The log records who withdrew them. Import "
            "the file again to restore them."
        ),
    )  # fmt: skip
    parser.add_argument("project", metavar="PROJECT", help=tr("a .qedesk file or a postgresql:// URL"))
    parser.add_argument(
        "imports",
        nargs="*",
        metavar="IMPORT",
        help=tr("ID or file name of an import; if none is specified, all imports are listed"),
    )
    parser.set_defaults(run=run_withdraw)


def run_import(args: argparse.Namespace) -> int:
    """Add rating files to a project; print how many ratings were added, and the conflicts.

    With `--dry-run`, the files are added to a temporary copy of the project. Conflicts are not errors.
    """
    from qe_desktop.formats.atomic_write import unfinished_folder

    with open_project(args.project) as project:
        if not args.dry_run:
            _import(project, args)
            return 0
        # the import is done in a copy of the project, which is then deleted
        with unfinished_folder() as folder, project.save_as(folder / "copy.qedesk") as copy:
            _import(copy, args)
    return 0


def _import(project: Project, args: argparse.Namespace) -> None:
    for name in args.files:
        for report in project.import_ratings(
            name, language_pair=args.language_pair, form=args.table, raters=args.raters, ranges=tuple(args.range)
        ):
            would_be_added, added = tr("{n:,} would be added", "", report.added), tr("{n:,} added", "", report.added)
            parts = [would_be_added if args.dry_run else added, tr("{n:,} already in the project", "", report.known)]
            if report.invalid_count:
                parts.append(tr("{n:,} left out", "", report.invalid_count))
            conflicts = tr("{n:,} {n:conflict|conflicts}", "", len(report.conflicts))
            print_line(f"{report.file} -> {display_name(args.project)}: {', '.join(parts)}; {conflicts}")
            for note in report.notes:
                print_line(tr("note: {note}", note=note))
            for conflict in report.conflicts:
                print_line(tr("conflict: {conflict}", conflict=conflict))


def run_withdraw(args: argparse.Namespace) -> int:
    """Withdraw the imports in `args.imports`, or list all imports if it is empty.

    Raises QeError and withdraws nothing unless each ID or file name identifies exactly one active import.
    """
    with open_project(args.project) as project:
        imports = project.imports()
        if not args.imports:
            for row in imports:
                state = tr("withdrawn") if row.is_withdrawn else tr("active", "a state of an import")
                when = datetime.fromtimestamp(row.at, UTC).isoformat(sep=" ", timespec="seconds")
                added = tr("{n:,} {n:rating or event|ratings and events} from {file}", "", row.added, file=row.file)
                print_line(f"{row.uid}  {added}, {when}, {row.who}: {state}")
            return 0
        selected: dict[str, None] = {}
        for import_name in args.imports:
            matches = [
                row
                for row in imports
                if import_name in (row.uid, row.file, Path(row.file).name) and not row.is_withdrawn
            ]
            matches = matches or [row for row in imports if import_name == row.uid]
            if len(matches) != 1:
                ambiguous_message = tr("there are several imports of {name}", name=import_name)
                missing_message = tr("there is no active import of {name}", name=import_name)
                project_name = display_name(args.project)
                hint = tr(
                    "List the imports with `ratings undo-import {project}`, and specify an ID.", project=project_name
                )
                raise QeError(
                    ambiguous_message if matches else missing_message, hint=hint, place=SourceLocation(project.place)
                )
            if matches[0].is_withdrawn:
                message = tr("the import of {file} has already been withdrawn", file=matches[0].file)
                raise QeError(message, hint=tr("Import the file again to restore it."))
            selected[matches[0].uid] = None
        for uid in selected:
            row = project.withdraw_import(uid)
            text = tr(
                "import from {file} withdrawn: "
                "{n:,} {n:rating or event no longer counts|ratings and events no longer count}",
                "",
                row.added,
                file=row.file,
            )
            print_line(f"{display_name(args.project)}: {text}")
    return 0
