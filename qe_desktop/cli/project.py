"""`qe-desktop project`: make projects, look at them, and let raters in to one on a server."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from qe_desktop.cli.output import print_error, print_json, print_line, progress
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.importing.question_options import add_lines
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.corpus import Corpus
    from qe_desktop.formats import CorpusPlan
    from qe_desktop.project.store import Project
    from qe_desktop.project.store.campaign_verification import CampaignVerdict

NEW_PASSWORD_VARIABLE = "QE_DESKTOP_NEW_PASSWORD"
"""The environment variable with the password of roles that are made, where nobody can be asked."""
_LOCATION_HELP = tr("PLACE is the path of a .qedesk file or postgresql://USER@HOST/DATABASE.")
_SECURE = tr(
    "Makes the project if there is none, and each rater's role if there is none: the name of a rater is that of the "
    "role. Raters read the texts that they rate and add ratings of their own; the server keeps all else from them. "
    "The password of a new role is asked for, or taken from {variable}; it is written nowhere.",
    variable=NEW_PASSWORD_VARIABLE,
)
_VERIFY = tr(
    "When a campaign is set up, the hash of its whole design is published where raters read it, before the first "
    "rating. This computes it again, and draws the design again from the campaign's secret and seed."
)
Result = TypeVar("Result")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `project` and what can be done with it."""
    parser = subparsers.add_parser(
        "project", help=tr("make a project, look at it, let raters in"), epilog=_LOCATION_HELP
    )
    things = parser.add_subparsers(dest="thing", required=True, metavar="create|info|secure|verify")
    create = things.add_parser("create", help=tr("a new project of files"), epilog=_LOCATION_HELP)
    create.add_argument("place", metavar="PLACE", help=tr("where the project will be"))
    create.add_argument("files", nargs="*", metavar="FILE", help=tr("files or a folder; none for ratings alone"))
    create.add_argument("--title", default="", help=tr("what the project is called"))
    create.add_argument("--language-pair", metavar="LP", default="", help=tr("such as en-de"))
    create.add_argument(
        "--corpus", metavar="NAME", default="",
        help=tr("which one, where a folder holds several: its folder, or what its files begin with, such as dev"),
    )  # fmt: skip
    add_lines(create)
    create.add_argument(
        "--numbers", choices=("BAD", "OK"), type=str.upper,
        help=tr("what numbers of tokens are probabilities of (BAD); must be said where all are 0 or 1"),
    )  # fmt: skip
    create.add_argument("--replace", action="store_true", help=tr("overwrite a file that is there"))
    create.set_defaults(run=run_create)
    info = things.add_parser("info", help=tr("what a project holds"), epilog=_LOCATION_HELP)
    info.add_argument("place", metavar="PLACE", help=tr("the project"))
    info.add_argument("--check", action="store_true", help=tr("read all of a file and see whether it is whole"))
    info.add_argument("--json", action="store_true", help=tr("one JSON object on stdout and nothing else"))
    info.set_defaults(run=run_info)
    verify = things.add_parser(
        "verify", help=tr("whether campaigns are those that were published"), description=_VERIFY, epilog=_LOCATION_HELP
    )
    verify.add_argument("place", metavar="PLACE", help=tr("the project; on a server, as its owner"))
    verify.add_argument("--json", action="store_true", help=tr("one JSON object on stdout and nothing else"))
    verify.set_defaults(run=run_verify)
    secure = things.add_parser("secure", help=tr("let raters in to a project on a server"), epilog=_SECURE)
    secure.add_argument("url", metavar="URL", help=tr("postgresql://USER@HOST/DATABASE, the user being the owner"))
    secure.add_argument("--rater", action="append", default=[], metavar="NAME", help=tr("a rater; may be repeated"))
    secure.add_argument("--owner", default="", metavar="NAME", help=tr("the role that a new project belongs to (USER)"))
    secure.set_defaults(run=run_grant)


def run_create(args: argparse.Namespace) -> int:
    """Make a project of the files, and say in one line on stderr what it holds."""
    from qe_desktop.project.store import Project

    corpus = _corpus(args) if args.files else None

    def make(password: str | None) -> Project:
        return Project.create(
            args.place, corpus, person=login_name(), title=args.title, password=password, replace=args.replace
        )

    with retry_with_password(make) as project:
        warn_insecure(project)
        if corpus is None:
            print_error(tr("nothing -> {project}: no corpus", project=project.place))
        else:
            what = tr(
                "{segments:,} {segments:segment|segments}, {layers:,} {layers:layer|layers}",
                segments=corpus.size,
                layers=len(corpus.layers),
            )
            print_error(f"{', '.join(args.files)} -> {project.place}: {what}")
    return 0


def _corpus(args: argparse.Namespace) -> Corpus:
    """The corpus of the files; what was taken how is said on stderr, a line a file."""
    from qe_desktop.formats import LineUnit, ProbabilityOf, build_corpus, plan_imports

    plans = plan_imports([Path(file) for file in args.files], language_pair=args.language_pair)
    chosen = _chosen(plans, args.corpus, SourceLocation(args.files[0]))
    chosen = chosen.answered(LineUnit[args.lines.upper()]) if args.lines else chosen
    chosen = chosen.answered(ProbabilityOf[args.numbers]) if args.numbers else chosen
    with progress(tr("Reading")) as watch:
        told = None if watch is None else lambda _, share: watch(round(1000 * share), 1000)
        corpus = build_corpus(chosen, progress=told)
    for origin, notes in {layer.origin: layer.notes for layer in corpus.layers.values() if layer.notes}.items():
        print_error(f"{origin}: {'; '.join(notes)}")
    return corpus


def _chosen(plans: Sequence[CorpusPlan], name: str, place: SourceLocation) -> CorpusPlan:
    """The one corpus that is meant. QeError where there are several, or none of this name."""
    meant = [one for one in plans if name in ("", one.part, one.name)]
    if len(meant) == 1:
        return meant[0]
    if not meant:
        message = tr(
            "no corpus here is called {name}, only {names}", name=name, names=list_names(_corpus_labels(plans))
        )
        raise QeError(message, hint=tr("Choose one of these."), place=place)
    names = _corpus_labels(meant)
    hint = tr("Choose one with --corpus, such as --corpus {name}, or name its files alone.", name=names[0])
    if len(set(names)) < len(names):
        hint = tr("Name one folder, or choose with --language-pair.")
    raise QeError(
        tr("there are {n} corpora here: {names}", "", len(meant), names=list_names(names)), hint=hint, place=place
    )


def _corpus_labels(plans: Sequence[CorpusPlan]) -> list[str]:
    """What corpora are called beside each other: by what tells those of one folder apart, where all are of one."""
    parts = [one.part for one in plans]
    return parts if all(parts) and len({one.folder for one in plans}) == 1 else [one.name for one in plans]


def run_info(args: argparse.Namespace) -> int:
    """What a project holds, as lines or JSON; 2 where `--check` finds damage."""
    with open_project(args.place) as project:
        found = project.summary()
        if args.check:
            project.check()
    if args.json:
        print_json(found)
    else:
        for line in _lines(found):
            print_line(line)
    return 0


def _lines(found: dict[str, Any]) -> list[str]:
    """The summary for people."""
    title, place, schema, is_owner = found["title"], found["place"], found["schema"], found["role"] == "owner"
    if is_owner:
        about = tr("{title} ({place}), schema {schema}, you are its owner", title=title, place=place, schema=schema)
    else:
        about = tr("{title} ({place}), schema {schema}, you are its rater", title=title, place=place, schema=schema)
    lines = [about, found["read-only"]] if found["read-only"] else [about]
    if is_owner:
        lines += _contents(found)
    for campaign in found["campaigns"]:
        lines.append(tr("campaign {name} ({protocol})", name=campaign["name"], protocol=campaign["protocol"]))
        for rater, (done, total) in campaign["raters"].items():
            said = tr("{rater}: {done:,} of {total:,}", rater=rater, done=done, total=total)
            lines.append(f"  {said}")
    return lines


def _contents(found: dict[str, Any]) -> list[str]:
    """What only the owner of a project is told."""
    corpus, edits, files = found["corpus"], found["edits"], found["rating-sets"]
    texts = tr("no corpus")
    if corpus is not None:
        texts = tr("{n:,} {n:segment|segments}; {texts}", "", corpus["segments"], texts=", ".join(corpus["texts"]))
    return [
        texts,
        *(tr("layer {layer}", layer=layer) for layer in found["layers"]),
        tr("{edits:,} {edits:edit|edits}, {files:,} imported {files:file|files} of ratings", edits=edits, files=files),
        *_reviewed(found["files"], found["review"]),
    ]


def _reviewed(files: Sequence[str], review: dict[str, Any]) -> list[str]:
    """The translators' files, what was reviewed and what was recorded, where there is any."""
    lines = [tr("translators’ file {file}", file=file) for file in files]
    if review["rows"]:
        lines.append(
            tr(
                "review: {edited:,} {edited:translation|translations} edited, {confirmed:,} "
                "{confirmed:segment|segments} confirmed, {rejected:,} rejected, "
                "{noted:,} noted",
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
    """Say of each campaign whether it is the one that was published; a QeError where one is not."""
    with open_project(args.place) as project:
        found, place = project.verify(), project.place
    wrong = [one for one in found if one.agrees is False]
    if args.json:
        held = [asdict(one) | {"agrees": one.agrees} for one in found]
        campaigns = [{name.replace("_", "-"): value for name, value in one.items()} for one in held]
        print_json({"agrees": not wrong, "campaigns": campaigns})
    else:
        for line in [line for one in found for line in _verdict(one)] or [tr("there are no campaigns")]:
            print_line(line)
    if wrong:
        more, name = len(wrong) - 1, wrong[0].name
        message = tr("“{name}”: the design is not the one that was published", name=name)
        if more:
            message = tr("“{name}” and {n} more: the design is not the one that was published", "", more, name=name)
        raise QeError(message, hint=tr("Compare the project with an earlier copy of it."), place=SourceLocation(place))
    return 0


def _verdict(one: CampaignVerdict) -> list[str]:
    if one.agrees is None:
        said = tr("campaign {name}: nothing to compare", name=one.name)
    else:
        agrees, differs = tr("campaign {name}: agrees", name=one.name), tr("campaign {name}: DIFFERS", name=one.name)
        said = agrees if one.agrees else differs
    details = []
    if one.published:
        details.append(tr("published {hash}", hash=one.published))
    if one.computed != one.published:
        details.append(tr("computed  {hash}", hash=one.computed))
    if one.drawn_again:
        details.append(tr("drawn again from its secret and its seed, it is the same"))
    return [said, *(f"  {text}" for text in (*details, *one.differences, *one.notes))]


def run_grant(args: argparse.Namespace) -> int:
    """Let raters in, and say what was done, a line each."""
    from qe_desktop.project.store import Project

    def prepare(password: str | None) -> list[str]:
        return Project.prepare_server(
            args.url, raters=args.rater, owner=args.owner, password=password, new_password=_new_password
        )

    for line in retry_with_password(prepare):
        print_line(line)
    return 0


def _new_password(role: str) -> str:
    """A password for a role that is made: from the environment, or asked for twice."""
    from getpass import getpass

    given = os.environ.get(NEW_PASSWORD_VARIABLE)
    if given:
        return given
    if not sys.stdin.isatty():
        hint = tr("Set {variable}, or run this in a terminal.", variable=NEW_PASSWORD_VARIABLE)
        raise QeError(tr("the new role {role} needs a password", role=role), hint=hint)
    first = getpass(_prompt(tr("Password for the new role {role}:", role=role)))
    if not first or getpass(_prompt(tr("The same once more:"))) != first:
        raise QeError(tr("the two passwords are not the same"), hint=tr("Nothing was changed. Try again."))
    return first


def _prompt(question: str) -> str:
    """A prompt, with room before the answer."""
    return f"{question} "


def open_project(place: str) -> Project:
    """A project that a command names; see `with_password`."""
    from qe_desktop.project.store import Project

    project = retry_with_password(lambda password: Project.open(place, person=login_name(), password=password))
    for error in project.set_aside:
        print_error(error.line())
    warn_insecure(project)
    return project


def warn_insecure(project: Project) -> None:
    """Say on stderr what is not safe about a connection."""
    if project.warning:
        print_error(tr("qe-desktop: warning: {warning}", warning=project.warning))


def retry_with_password(work: Callable[[str | None], Result]) -> Result:
    """Do something with a server, with the password of the URL, PGPASSWORD or pgpass, or else asked at the prompt."""
    from getpass import getpass

    from qe_desktop.project.store.errors import PasswordError

    try:
        return work(None)
    except PasswordError:
        if not sys.stdin.isatty():
            raise
        return work(getpass(_prompt(tr("Password:"))))


def login_name() -> str:
    """Whose work this is: the login name."""
    from getpass import getuser

    try:
        return getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
