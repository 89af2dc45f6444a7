"""`qe-desktop project`: create, inspect and verify projects, and grant raters access to a project on a server."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from qe_desktop.cli.command_options import add_lines, add_numbers
from qe_desktop.cli.output import add_json, fraction_progress, print_error, print_json, print_line
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.corpus import Corpus
    from qe_desktop.formats import CorpusPlan
    from qe_desktop.project.store import Project
    from qe_desktop.project.store.tables.campaign_tables import CampaignVerdict

NEW_PASSWORD_VARIABLE = "QE_DESKTOP_NEW_PASSWORD"
"""Environment variable with the password for new roles; if it is set, the command does not ask for one."""
_LOCATION_HELP = tr("PROJECT is the path of a .qedesk file, or a URL of the form postgresql://USER@HOST/DATABASE.")
_SECURE_HELP = tr(
    "Creates the project if it does not exist, and a role for each rater who has none; the role has the rater's "
    "name. Raters can read the texts they rate and add their own ratings; the server denies everything else. The "
    "command asks for the password of a new role, or reads it from {variable}, and does not store it.",
    variable=NEW_PASSWORD_VARIABLE,
)
_VERIFY_HELP = tr(
    "When a campaign is created, a hash of its whole design is published to the raters before the first rating. "
    "This command computes the hash again, repeats the random assignment from the campaign's secret and seed, and "
    "reports any differences."
)
Result = TypeVar("Result")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `project` and its subcommands."""
    parser = subparsers.add_parser(
        "project", help=tr("create, inspect or verify a project, or add raters"), epilog=_LOCATION_HELP
    )
    subcommands = parser.add_subparsers(dest="thing", required=True, metavar="create|info|secure|verify")
    create = subcommands.add_parser("create", help=tr("create a project from files"), epilog=_LOCATION_HELP)
    create.add_argument("place", metavar="PROJECT", help=tr("the path or URL of the new project"))
    create.add_argument(
        "files", nargs="*", metavar="FILE", help=tr("files or a folder; omit to create a project without a corpus")
    )
    create.add_argument("--title", default="", help=tr("the title of the project"))
    create.add_argument("--language-pair", metavar="LP", default="", help=tr("the language pair, such as en-de"))
    create.add_argument(
        "--corpus", metavar="NAME", default="",
        help=tr(
            "the corpus to import, if there are several: its folder, its language pair or its file prefix, such as dev"
        ),
    )  # fmt: skip
    add_lines(create)
    add_numbers(create)
    create.add_argument("--replace", action="store_true", help=tr("overwrite an existing file"))
    create.set_defaults(run=run_create)
    info = subcommands.add_parser("info", help=tr("show the contents of a project"), epilog=_LOCATION_HELP)
    info.add_argument("place", metavar="PROJECT", help=tr("the project"))
    info.add_argument("--check", action="store_true", help=tr("read the whole project and check it for damage"))
    add_json(info)
    info.set_defaults(run=run_info)
    verify = subcommands.add_parser(
        "verify",
        help=tr("check that campaigns match their published designs"),
        description=_VERIFY_HELP,
        epilog=_LOCATION_HELP,
    )
    verify.add_argument("place", metavar="PROJECT", help=tr("the project; if it is on a server, connect as its owner"))
    add_json(verify)
    verify.set_defaults(run=run_verify)
    secure = subcommands.add_parser("secure", help=tr("add raters to a project on a server"), epilog=_SECURE_HELP)
    secure.add_argument(
        "url", metavar="URL", help=tr("postgresql://USER@HOST/DATABASE, where USER owns or creates the project")
    )
    secure.add_argument(
        "--rater", action="append", default=[], metavar="NAME", help=tr("the name of a rater; may be repeated")
    )
    secure.add_argument(
        "--owner", default="", metavar="NAME", help=tr("the role that owns a new project (default: USER)")
    )
    secure.set_defaults(run=run_grant)


def run_create(args: argparse.Namespace) -> int:
    """Create a project from `args.files` (without files, it has no corpus); print a one-line summary on stderr."""
    from qe_desktop.project.store import Project

    corpus = _read_corpus(args) if args.files else None

    def make(password: str | None) -> Project:
        return Project.create(
            args.place, corpus, person=login_name(), title=args.title, password=password, replace=args.replace
        )

    with retry_with_password(make) as project:
        warn_insecure(project)
        if corpus is None:
            print_error(tr("{project} was created without a corpus", project=project.place))
        else:
            contents = tr(
                "{segments:,} {segments:segment|segments}, {layers:,} {layers:layer|layers}",
                segments=corpus.size,
                layers=len(corpus.layers),
            )
            print_error(f"{', '.join(args.files)} -> {project.place}: {contents}")
    return 0


def _read_corpus(args: argparse.Namespace) -> Corpus:
    """Read the corpus in `args.files`; print the notes on its layers on stderr, one line per file."""
    from qe_desktop.formats import LineUnit, ProbabilityOf, build_corpus, plan_imports

    plans = plan_imports([Path(file) for file in args.files], language_pair=args.language_pair)
    plan = _select_plan(plans, args.corpus, SourceLocation(args.files[0]))
    plan = plan.with_answer(LineUnit[args.lines.upper()]) if args.lines else plan
    plan = plan.with_answer(ProbabilityOf[args.numbers]) if args.numbers else plan
    with fraction_progress(tr("Reading")) as report_fraction:
        on_progress = None if report_fraction is None else lambda _, fraction: report_fraction(fraction)
        corpus = build_corpus(plan, progress=on_progress)
    notes: dict[str, dict[str, None]] = {}
    for layer in corpus.layers.values():
        notes.setdefault(layer.origin, {}).update(dict.fromkeys(layer.notes))
    for origin, file_notes in notes.items():
        if file_notes:
            print_error(f"{origin}: {'; '.join(file_notes)}")
    return corpus


def _select_plan(plans: Sequence[CorpusPlan], name: str, location: SourceLocation) -> CorpusPlan:
    """Return the plan whose `part` or `name` is `name`, or the only plan if `name` is empty.

    Raises QeError unless exactly one plan matches.
    """
    selected = [plan for plan in plans if name in ("", plan.part, plan.name)]
    if len(selected) == 1:
        return selected[0]
    if not selected:
        message = tr("there is no corpus {name}, only {names}", name=name, names=list_names(_corpus_labels(plans)))
        raise QeError(message, hint=tr("Use one of these."), place=location)
    names = _corpus_labels(selected)
    hint = tr("Use --corpus, for example --corpus {name}, or specify only the files of one corpus.", name=names[0])
    if len(set(names)) < len(names):
        hint = tr("Specify one folder, or use --language-pair.")
    raise QeError(
        tr("there are {n} corpora: {names}", "", len(selected), names=list_names(names)), hint=hint, place=location
    )


def _corpus_labels(plans: Sequence[CorpusPlan]) -> list[str]:
    """Return a label per plan: `part` if all corpora are in one folder and each plan has a part, else `name`."""
    parts = [plan.part for plan in plans]
    return (
        parts
        if all(parts) and len({corpus_plan.folder for corpus_plan in plans}) == 1
        else [plan.name for plan in plans]
    )


def run_info(args: argparse.Namespace) -> int:
    """Print a summary of a project as text or JSON. Raises QeError if `--check` finds damage."""
    with open_project(args.place) as project:
        summary = project.summary()
        if args.check:
            project.check()
    if args.json:
        print_json(summary)
    else:
        for line in _summary_lines(summary):
            print_line(line)
    return 0


def _summary_lines(summary: dict[str, Any]) -> list[str]:
    title, location, schema, is_owner = (
        summary["title"],
        summary["place"],
        summary["schema"],
        summary["role"] == "owner",
    )
    if is_owner:
        heading = tr(
            "{title} ({place}), format version {schema}; you are the owner", title=title, place=location, schema=schema
        )
    else:
        heading = tr(
            "{title} ({place}), format version {schema}; you are a rater",
            title=title,
            place=location,
            schema=schema,
        )
    lines = [heading, summary["read-only"]] if summary["read-only"] else [heading]
    if is_owner:
        lines += _owner_lines(summary)
    for campaign in summary["campaigns"]:
        lines.append(tr("campaign {name} ({protocol})", name=campaign["name"], protocol=campaign["protocol"]))
        for rater, (completed, total) in campaign["raters"].items():
            line = tr(
                "{rater}: {done:,} of {total:,} {total:item|items} rated or skipped",
                rater=rater, done=completed, total=total,
            )  # fmt: skip
            lines.append(f"  {line}")
    return lines


def _owner_lines(summary: dict[str, Any]) -> list[str]:
    """Format the lines of the summary that only the owner of a project sees."""
    corpus, edits, files = summary["corpus"], summary["edits"], summary["rating-sets"]
    texts = tr("no corpus")
    if corpus is not None:
        texts = tr("{n:,} {n:segment|segments}; {texts}", "", corpus["segments"], texts=", ".join(corpus["texts"]))
    return [
        texts,
        *(tr("layer {layer}", layer=layer) for layer in summary["layers"]),
        tr(
            "{edits:,} tag {edits:edit|edits}, {files:,} imported {files:rating file|rating files}",
            edits=edits,
            files=files,
        ),
        *_review_lines(summary["files"], summary["review"]),
    ]


def _review_lines(files: Sequence[str], review: dict[str, Any]) -> list[str]:
    """Format a line per bilingual file, followed by lines about the review and the recorded work, if any."""
    lines = [tr("bilingual file {file}", file=file) for file in files]
    if review["rows"]:
        lines.append(
            tr(
                "review: {edited:,} {edited:translation|translations} edited, {confirmed:,} "
                "{confirmed:segment|segments} confirmed, {rejected:,} rejected, "
                "notes on {noted:,} {noted:segment|segments}",
                edited=review["edited"],
                confirmed=review["confirmed"],
                rejected=review["rejected"],
                noted=review["noted"],
            )
        )
    if review["visits"]:
        lines.append(
            tr(
                "recorded: {visits:,} {visits:visit|visits} to {visited:,} "
                "{visited:segment|segments}, {minutes:,.1f} minutes of work",
                visits=review["visits"],
                visited=review["visited"],
                minutes=review["seconds"] / 60,
            )
        )
    return lines


def run_verify(args: argparse.Namespace) -> int:
    """Compare the design of each campaign with the published design, and print the results.

    Raises QeError if a design differs.
    """
    with open_project(args.place) as project:
        checks, location = project.verify(), project.place
    failed_checks = [check for check in checks if check.agrees is False]
    if args.json:
        records = [asdict(check) | {"agrees": check.agrees} for check in checks]
        campaigns = [{name.replace("_", "-"): value for name, value in record.items()} for record in records]
        print_json({"agrees": not failed_checks, "campaigns": campaigns})
    else:
        for line in [line for check in checks for line in _verdict_lines(check)] or [tr("there are no campaigns")]:
            print_line(line)
    if failed_checks:
        other_count, name = len(failed_checks) - 1, failed_checks[0].name
        message = tr("“{name}”: the design differs from the one that was published", name=name)
        if other_count:
            message = tr(
                "“{name}” and {n} more: the designs differ from those that were published", "", other_count, name=name
            )
        raise QeError(message, hint=tr("Compare the project with an earlier copy."), place=SourceLocation(location))
    return 0


def _verdict_lines(check: CampaignVerdict) -> list[str]:
    if check.agrees is None:
        line = tr("campaign {name}: nothing to compare", name=check.name)
    elif check.agrees:
        line = tr("campaign {name}: the design is unchanged", name=check.name)
    else:
        line = tr("campaign {name}: the design DIFFERS", name=check.name)
    details = []
    if check.published:
        details.append(tr("published {hash}", hash=check.published))
    if check.computed != check.published:
        details.append(tr("computed  {hash}", hash=check.computed))
    if check.drawn_again:
        details.append(tr("the assignment computed from the campaign's secret and seed is identical to the stored one"))
    return [line, *(f"  {text}" for text in (*details, *check.differences, *check.notes))]


def run_grant(args: argparse.Namespace) -> int:
    """Grant raters access to a project on a server; create the project if needed. Print one line per change."""
    from qe_desktop.project.store import Project

    def prepare(password: str | None) -> list[str]:
        return Project.prepare_server(
            args.url, raters=args.rater, owner=args.owner, password=password, new_password=_new_password
        )

    for line in retry_with_password(prepare):
        print_line(line)
    return 0


def _new_password(role: str) -> str:
    """Return the password for a new role, from the environment or entered twice at the prompt.

    Raises QeError if `NEW_PASSWORD_VARIABLE` is not set and there is no terminal, if the password entered is empty, or
    if the two entries do not match.
    """
    from getpass import getpass

    password = os.environ.get(NEW_PASSWORD_VARIABLE)
    if password:
        return password
    if not sys.stdin.isatty():
        hint = tr("Set {variable}, or run this command in a terminal.", variable=NEW_PASSWORD_VARIABLE)
        raise QeError(tr("the new role {role} needs a password", role=role), hint=hint)
    first = getpass(_prompt(tr("Password for the new role {role}:", role=role)))
    if not first or getpass(_prompt(tr("Repeat the password:"))) != first:
        raise QeError(
            tr("the password is empty, or the two entries do not match"),
            hint=tr("No rater was added. Run the command again."),
        )
    return first


def _prompt(question: str) -> str:
    """Return a question with a space appended, so that the answer is not typed directly after it."""
    return f"{question} "


def open_project(location: str) -> Project:
    """Open the project at `location`; ask for a password if needed, and print warnings on stderr.

    Raises QeError if the project cannot be opened.
    """
    from qe_desktop.project.store import Project

    project = retry_with_password(lambda password: Project.open(location, person=login_name(), password=password))
    for error in project.recovery_errors:
        print_error(error.line())
    warn_insecure(project)
    return project


def warn_insecure(project: Project) -> None:
    """Print a warning on stderr if the connection to the server of a project is not secure."""
    if project.warning:
        print_error(tr("qe-desktop: warning: {warning}", warning=project.warning))


def retry_with_password(action: Callable[[str | None], Result]) -> Result:
    """Return `action(None)` or, if it raises PasswordError, `action(password)` with a password entered at the prompt.

    `action(None)` uses the password in the URL, PGPASSWORD or the pgpass file. If there is no terminal, the
    PasswordError is not handled.
    """
    from getpass import getpass

    from qe_desktop.project.store.errors import PasswordError

    try:
        return action(None)
    except PasswordError:
        if not sys.stdin.isatty():
            raise
        return action(getpass(_prompt(tr("Password:"))))


def login_name() -> str:
    """Return the login name of the user, which is recorded as the author of changes; “unknown” if there is none."""
    from getpass import getuser

    try:
        return getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
