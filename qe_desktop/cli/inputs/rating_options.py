"""Options of commands that read rating files: the layout of tables, scale ranges and rater columns."""

from __future__ import annotations

import argparse

from qe_desktop.i18n.messages import tr

RATING_FILES_HELP = tr(
    "Files are detected by content, with gzip or without: WMT ranking CSV (pairwise, or five systems per row), "
    "Appraise XML of rankings, Appraise CSV of scores (DA, DA+SQM, ESA), WMT21 direct assessment (ratings, "
    "segment means), tables with a header that have one column per rater or one rating per row, JSON Lines. A "
    "project is a .qedesk file or a postgresql:// URL."
)


def add_rating_file_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for files whose layout or scale ranges cannot be detected."""
    parser.add_argument(
        "--table", choices=("wide", "long"), default="",
        help=tr(
            "the layout of a table of ratings that cannot be detected: one column per rater (wide), or one rating"
            " per row (long)"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--range", metavar="SCALE=LOW..HIGH", action="append", default=[], type=scale_range,
        help=tr("the range of a scale in the files, if they do not specify it; may be repeated"),
    )  # fmt: skip
    parser.add_argument(
        "--raters",
        metavar="NAMES",
        type=_names,
        default=(),
        help=tr("the columns of a table that are raters, separated by commas; no others are read"),
    )


def scale_range(text: str) -> tuple[str, float, float]:
    """Parse a scale and its range, as in adequacy=1..7."""
    from qe_desktop.formats.ratings.cell_parsing import parse_range

    name, _, ends = text.partition("=")
    limits = parse_range(ends)
    if not name.strip() or limits is None:
        raise argparse.ArgumentTypeError(tr("{text} is not a scale with its range, such as adequacy=1..7", text=text))
    return (name.strip(), *limits)


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
