"""The one list of rating formats: to add one, write its module and add a line here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from qe_desktop.corpus import Place, QeError, Ratings
from qe_desktop.formats.opening import OpenedFile, open_file, shown_name
from qe_desktop.formats.ratings import appraise_csv, appraise_xml, jsonl, long, system_lines, wide, wmt_da, wmt_rankings
from qe_desktop.formats.ratings.column_uses import UnsureTable
from qe_desktop.formats.ratings.rating_format import ASKED, RatingFormat
from qe_desktop.formats.ratings.scale_ranges import Ranges
from qe_desktop.wording import tr

RATING_FORMATS: tuple[RatingFormat, ...] = (
    wmt_rankings.FORMAT,
    appraise_xml.FORMAT,
    appraise_csv.FORMAT,
    wmt_da.FORMAT,
    system_lines.FORMAT,
    jsonl.FORMAT,
    long.FORMAT,
    wide.FORMAT,
)
BY_NAME = {format.name: format for format in RATING_FORMATS}
WRITTEN = tuple(format.name for format in RATING_FORMATS if format.write is not None)
"""The forms that ratings can be written in."""
_KNOWN = tr(
    "Known are WMT rankings, Appraise exports, WMT21 direct assessment, tables with one column a rater or one rating a "
    "row with a header, and JSON Lines."
)


def recognise_ratings(opened: OpenedFile) -> tuple[RatingFormat, float]:
    """The format that a file's content fits best, and how well, 0..1; at 0 it fits none."""
    head, name = opened.head(), opened.path.name
    fits = ((format, format.confidence(head, name)) for format in RATING_FORMATS)
    return max(fits, key=lambda pair: pair[1])


def read_ratings(
    path: Path | str,
    language_pair: str = "",
    *,
    form: str = "",
    raters: Sequence[str] = (),
    unsure: bool = False,
    ranges: Ranges = (),
) -> Ratings:
    """The ratings in a file, gzip or not, in the format with this name or else in the one recognised by its content.

    `language_pair` chooses among several in one file, `raters` name the columns of a table that are raters'. QeError
    with file and line for what cannot be read; UnsureTable for a table that may hold ratings but does not say so,
    unless a person has said that it does: by its form, its raters, or for all (`unsure`). `ranges` are those of scales
    that a person has told; they hold, whatever the file says.
    """
    found = _read(path, language_pair, form, raters, unsure)
    if not ranges:
        return found
    said = {scale for scale, _, _ in ranges}
    return replace(found, ranges=(*ranges, *(one for one in found.ranges if one[0] not in said)))


def _read(path: Path | str, language_pair: str, form: str, raters: Sequence[str], unsure: bool) -> Ratings:
    opened = open_file(path)
    if raters:
        return wide.read_wide(opened, language_pair, raters)
    if form:
        if form not in BY_NAME:
            hint = tr("Known are {forms}.", forms=", ".join(BY_NAME))
            message = tr("there is no form of ratings called {form}", form=form)
            raise QeError(message, hint=hint, place=opened.place())
        return BY_NAME[form].read(opened, language_pair)
    best, confidence = recognise_ratings(opened)
    if not confidence:
        raise QeError(tr("this is no file of ratings that is known"), hint=_KNOWN, place=opened.place())
    if confidence <= ASKED and best.uses is not None and not unsure:
        raise UnsureTable(opened, best.name, best.uses(opened.head()))
    return best.read(opened, language_pair)


def write_ratings(ratings: Ratings, path: Path | str, form: str) -> tuple[str, ...]:
    """Write ratings in a form of `WRITTEN`: "wmt" (pairs), "wide" (scales), "long" (both) or "jsonl" (all).

    Each rating stands with its rater and its time. Returns notes on what the form cannot hold; QeError where it can
    hold nothing of these ratings, or names would be read as something else.
    """
    write = BY_NAME[form].write if form in BY_NAME else None
    if write is None:
        hint = tr("Choose {others} or {last}.", others=", ".join(WRITTEN[:-1]), last=WRITTEN[-1])
        message = tr("ratings are not written as {form}", form=form)
        raise QeError(message, hint=hint, place=Place(shown_name(Path(path))))
    return write(ratings, Path(path))
