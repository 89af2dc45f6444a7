"""Options for ratings: input files and projects for `human`; layout, scale ranges and rater columns of files."""

from __future__ import annotations

import argparse

from qe_desktop.cli.inputs.file_options import add_language_pair
from qe_desktop.cli.output import print_error
from qe_desktop.cli.project import open_project
from qe_desktop.cli.project_access import add_campaign, blind_note, nothing_to_unblind_error, ratings_of_project
from qe_desktop.corpus import QeError, Ratings, SourceLocation
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import ReadInputs
from qe_desktop.levels.human.human_inputs import RatingFiles, read_rating_files

RATING_FILES_HELP = tr(
    "The format of a file is detected from its content; the file may be compressed with gzip. Formats: WMT ranking "
    "CSV (pairwise, or five systems per row), Appraise XML of rankings, Appraise CSV of scores (DA, DA+SQM, ESA), "
    "WMT21 direct assessment (ratings, segment means), human segment scores (system⇥score lines in a file such as "
    "mqm.seg.score), tables with a header that have one column per rater or one rating per row, and JSON Lines. "
    "A project is a .qedesk file or a postgresql:// URL."
)


def add_rating_file_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the language pair, layout, scale ranges and rater columns of rating files."""
    parser.add_argument(
        "--language-pair", metavar="LP", default="", help=tr("the language pair to use if a file has several")
    )
    parser.add_argument(
        "--table", choices=("wide", "long"), default="",
        help=tr(
            "the layout of a table of ratings, if it cannot be detected: one column per rater (wide), or one rating "
            "per row (long)"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--range", metavar="SCALE=LOW..HIGH", action="append", default=[], type=parse_scale_range,
        help=tr("the range of a scale, which overrides the range in the files; may be repeated"),
    )  # fmt: skip
    parser.add_argument(
        "--raters",
        metavar="NAMES",
        type=_parse_names,
        default=(),
        help=tr("the rater columns of a table, separated by commas; other columns are not read as raters"),
    )


def parse_scale_range(text: str) -> tuple[str, float, float]:
    """Parse a scale and its range, such as adequacy=1..7. Raises ArgumentTypeError if the text has another form."""
    from qe_desktop.formats.ratings.cell_parsing import parse_range

    name, _, ends = text.partition("=")
    limits = parse_range(ends)
    if not name.strip() or limits is None:
        raise argparse.ArgumentTypeError(tr("{text} is not a scale with its range, such as adequacy=1..7", text=text))
    return (name.strip(), *limits)


def _parse_names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the options for the ratings to score."""
    parser.add_argument(
        "--human", required=True, nargs="+", action="extend", metavar="FILE",
        help=tr("ratings in any format that `ratings report` reads, or a project; several are combined"),
    )  # fmt: skip
    add_campaign(parser)
    add_language_pair(parser)


def rating_files(args: argparse.Namespace, *, by_letters: bool = True) -> RatingFiles:
    """Return the rating files that the options specify, including ratings read from projects.

    Systems of a blind campaign are named by letters. Raises QeError if a project cannot be read, if a project has
    several campaigns and none is specified, if a campaign is blind and `by_letters` is false, or if `--unblind` is
    specified without a project.
    """
    from qe_desktop.project.store.location import is_project
    from qe_desktop.ratings.blinding import blind_ratings

    projects: dict[str, Ratings] = {}
    for name in filter(is_project, args.human):
        with open_project(name) as project:
            ratings = ratings_of_project(project, args.campaign, args.unblind)
        if ratings.key.names and not by_letters:
            message = tr(
                "systems are named by letters in “{ratings}”, so they cannot be matched with metric scores",
                ratings=ratings.key.title,
            )
            hint = tr("Unblind it with --unblind REASON. The user, the time and the reason are logged.")
            raise QeError(message, hint=hint, place=SourceLocation(ratings.ratings.origin))
        if ratings.key.names:
            print_error(blind_note(ratings.key))
        projects[name] = blind_ratings(ratings.ratings, ratings.key.names, ratings.key.campaign)
    if args.unblind and not projects:
        raise nothing_to_unblind_error()
    return RatingFiles(tuple(args.human), args.language_pair, projects, args.documents)


def read_inputs(args: argparse.Namespace) -> ReadInputs:
    """Read the inputs that the options specify. Raises QeError as `rating_files` does, and if a file cannot be read."""
    return read_rating_files(rating_files(args))
