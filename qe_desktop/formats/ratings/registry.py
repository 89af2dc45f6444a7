"""Registry of rating formats. To add a format, write a module for it and add it to `RATING_FORMATS`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from qe_desktop.corpus import QeError, Ratings, SourceLocation
from qe_desktop.formats.ratings import appraise, jsonl, long_csv, wide_csv, wmt_ratings
from qe_desktop.formats.ratings.cell_parsing import Ranges
from qe_desktop.formats.ratings.rating_format import AMBIGUOUS_CONFIDENCE, AmbiguousTableError, RatingFormat
from qe_desktop.formats.text_files import TextFile, display_name, open_file
from qe_desktop.i18n.messages import tr

RATING_FORMATS: tuple[RatingFormat, ...] = (
    wmt_ratings.WMT_RANKINGS,
    appraise.APPRAISE_RANKINGS,
    appraise.APPRAISE_SCORES,
    wmt_ratings.WMT21_DA,
    wmt_ratings.HUMAN_SEG_SCORES,
    jsonl.FORMAT,
    long_csv.FORMAT,
    wide_csv.FORMAT,
)
RATING_FORMAT_BY_NAME = {format.name: format for format in RATING_FORMATS}
WRITABLE_FORMATS = tuple(format.name for format in RATING_FORMATS if format.write is not None)
"""Names of the rating formats that can be written."""
_KNOWN_FORMATS_HINT = tr(
    "Supported formats: WMT rankings, Appraise exports, WMT21 direct assessment, human segment scores and JSON Lines. "
    "Other tables need a header, and either one column per rater or one rating per row."
)


def detect_rating_format(opened: TextFile) -> tuple[RatingFormat, float]:
    """Return the format that best fits a file, and the confidence, 0..1 (0: no format fits)."""
    head, name = opened.head(), opened.path.name
    fits = ((format, format.confidence(head, name)) for format in RATING_FORMATS)
    return max(fits, key=lambda pair: pair[1])


def read_ratings(
    path: Path | str,
    language_pair: str = "",
    *,
    form: str = "",
    raters: Sequence[str] = (),
    accept_ambiguous: bool = False,
    ranges: Ranges = (),
) -> Ratings:
    """Read the ratings in a file, which may be gzip-compressed; if `form` is empty, its format is detected.

    `language_pair` selects a language pair if the file contains several, and `raters` names the rater columns of a
    table. `ranges` are scale ranges set by the user; they override those of the file. Raises QeError if the file cannot
    be read, if its format is not supported, if its content is invalid (with the line), if the file does not
    contain `language_pair`, or if it contains several language pairs and `language_pair` is empty. Raises
    AmbiguousTableError if it is unclear whether a table contains ratings, unless `form` or `raters` is specified or
    `accept_ambiguous` is true.
    """
    ratings = _read(path, language_pair, form, raters, accept_ambiguous)
    if not ranges:
        return ratings
    declared = {scale for scale, _, _ in ranges}
    return replace(ratings, ranges=(*ranges, *(entry for entry in ratings.ranges if entry[0] not in declared)))


def _read(path: Path | str, language_pair: str, form: str, raters: Sequence[str], accept_ambiguous: bool) -> Ratings:
    opened = open_file(path)
    if raters:
        return wide_csv.read_wide(opened, language_pair, raters)
    if form:
        if form not in RATING_FORMAT_BY_NAME:
            hint = tr("Supported formats: {forms}.", forms=", ".join(RATING_FORMAT_BY_NAME))
            message = tr("{form} is not a rating format", form=form)
            raise QeError(message, hint=hint, place=opened.location())
        return RATING_FORMAT_BY_NAME[form].read(opened, language_pair)
    best, confidence = detect_rating_format(opened)
    if not confidence:
        raise QeError(
            tr("the file is not in a supported rating format"), hint=_KNOWN_FORMATS_HINT, place=opened.location()
        )
    if confidence <= AMBIGUOUS_CONFIDENCE and best.column_uses is not None and not accept_ambiguous:
        raise AmbiguousTableError(opened, best.name, best.column_uses(opened.head()))
    return best.read(opened, language_pair)


def write_ratings(ratings: Ratings, path: Path | str, form: str) -> tuple[str, ...]:
    """Write ratings, with rater and time, in one of the `WRITABLE_FORMATS`.

    The format "wmt" stores pairwise judgements, and "wide" stores ratings on scales. "long" stores both, and "jsonl"
    also stores comments. Returns notes on omitted data. Raises QeError if the format is not writable, if
    all ratings would be omitted, if a name would change on reading, or if the file cannot be written.
    """
    write = RATING_FORMAT_BY_NAME[form].write if form in RATING_FORMAT_BY_NAME else None
    if write is None:
        hint = tr("Use {others} or {last}.", others=", ".join(WRITABLE_FORMATS[:-1]), last=WRITABLE_FORMATS[-1])
        message = tr("ratings cannot be written as {form}", form=form)
        raise QeError(message, hint=hint, place=SourceLocation(display_name(Path(path))))
    return write(ratings, Path(path))
