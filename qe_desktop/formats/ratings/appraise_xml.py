"""Appraise exports of rankings: HITs contain ranking tasks, and the results of a task rank its translations.

<HIT source-language="deu" target-language="eng"><ranking-task id="SEGMENT">
<ranking-result duration="00:01:02.722000" user="NAME"><translation system="A,B" rank="2" /></ranking-result>

Systems joined by commas have identical outputs. A result without translations was skipped by the rater.
"""

from __future__ import annotations

import re
from array import array
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import CAMPAIGN_JOINER, QeError, Ratings, encode_names
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.language_pairs import select_pair
from qe_desktop.formats.ratings.ranking_screens import RankingScreens, check_screen_size
from qe_desktop.formats.ratings.rating_format import RatingFormat
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.i18n.messages import tr

XML_BLOCK_BYTES = 1 << 20
_DURATION = re.compile(r"(?:(\d{1,6}) days?, )?(\d{1,6}):(\d\d):(\d\d(?:\.\d{1,12})?)", re.ASCII)
_HINT = tr("Use an Appraise export with rankings.")


class _ResultReader:
    """Parser that collects ranking results as columns, without building an element tree."""

    def __init__(self, opened: TextFile) -> None:
        self.opened = opened
        self.pairs: list[str] = []
        self.segments: list[str] = []
        self.raters: list[str] = []
        self.seconds = array("d")
        self.sizes = array("l")
        self.units: list[str] = []
        self.ranks = array("h")
        self._pair = self._segment = ""
        self._is_in_result = False
        self.parser = expat.ParserCreate("UTF-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._doctype

    def run(self) -> None:
        data = self.opened.data
        try:
            for offset in range(self.opened.start, len(data), XML_BLOCK_BYTES):
                self.parser.Parse(bytes(data[offset : offset + XML_BLOCK_BYTES]), False)
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            message = tr("not well-formed XML: {reason}", reason=expat.ErrorString(error.code))
            raise QeError(message, hint=_HINT, place=self.opened.location(error.lineno)) from None

    def _doctype(self, *_: object) -> None:
        message = tr("the file has a document type declaration (DOCTYPE), which is not allowed for security reasons")
        raise self._error(message, tr("Remove the declaration."))

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "translation" and self._is_in_result:
            self._translation(attributes)
        elif name == "ranking-result":
            self._is_in_result = True
            self.pairs.append(self._pair)
            self.segments.append(self._segment)
            self.raters.append(attributes.get("user", "") or "unknown")
            self.seconds.append(_seconds(attributes.get("duration", "")))
            self.sizes.append(0)
        elif name == "ranking-task":
            self._segment = attributes.get("id", "")
            if not self._segment:
                message = tr("the task has no id, so its segment is unknown")
                raise self._error(message, tr("Add an id to each ranking-task."))
        elif name == "HIT":
            languages = (attributes.get("source-language", ""), attributes.get("target-language", ""))
            self._pair = "-".join(languages) if any(languages) else ""

    def _end(self, name: str) -> None:
        if name == "ranking-result":
            self._is_in_result = False

    def _translation(self, attributes: dict[str, str]) -> None:
        names = [name.strip() for name in attributes.get("system", "").split(",") if name.strip()]
        ranked = attributes.get("rank", "")
        if not names:
            raise self._error(tr("the translation has no system"), tr("Specify the system of each translation."))
        if not re.fullmatch(r"-?\d{1,3}", ranked, re.ASCII) or int(ranked) < -1:
            message = tr("{text} is not a rank", text=quote_token(ranked))
            raise self._error(message, tr("Ranks must be whole numbers from 1 (best), or -1 for no rank."))
        self.units.append(CAMPAIGN_JOINER.join(names))
        self.ranks.append(int(ranked))
        self.sizes[-1] += 1
        check_screen_size(self.opened, self.sizes[-1], self.parser.CurrentLineNumber)

    def _error(self, message: str, hint: str) -> QeError:
        return QeError(message, hint=hint, place=self.opened.location(self.parser.CurrentLineNumber))


def _seconds(duration: str) -> float:
    match = _DURATION.fullmatch(duration)
    if not match:
        return float("nan")
    return int(match[1] or 0) * 86400 + int(match[2]) * 3600 + int(match[3]) * 60 + float(match[4])


def _read(opened: TextFile, language_pair: str) -> Ratings:
    reader = _ResultReader(opened)
    reader.run()
    if not reader.sizes:
        raise QeError(tr("the file contains no ranking results"), hint=_HINT, place=opened.location())
    pairs, pair = encode_names(reader.pairs)
    keep = np.flatnonzero(np.isin(pair, select_pair(opened, pairs, language_pair)))
    raters, rater = encode_names(reader.raters)
    segments, segment = encode_names(reader.segments)
    units, ranks = _pad_results(reader)
    names, unit_codes = encode_names(["", *units.ravel()])
    marks = ("",), np.zeros(len(keep), np.int32)
    table = RankingScreens(
        raters, segments, names, tuple(str(row + 1) for row in range(len(keep))), rater[keep], segment[keep],
        np.arange(len(keep), dtype=np.int32), unit_codes[1:].reshape(units.shape)[keep], ranks[keep],
        np.zeros(len(keep), np.uint8), np.full(len(keep), np.nan), np.asarray(reader.seconds)[keep], *marks, *marks,
    )  # fmt: skip
    skipped = table.skipped_screens()
    notes = (tr("{n:,} {n:skipped item|skipped items}", "", len(skipped)),) if skipped else ()
    return Ratings(pairs=table.pairs(), comments=skipped, origin=opened.name, notes=notes)


def _pad_results(reader: _ResultReader) -> tuple[NDArray[np.object_], NDArray[np.int16]]:
    """Return units and ranks, shape (results, maximum number of units in a result), padded with "" and 0."""
    sizes = np.asarray(reader.sizes)
    inside = np.arange(max(int(sizes.max()), 1)) < sizes[:, None]
    units, ranks = np.full(inside.shape, "", object), np.zeros(inside.shape, np.int16)
    units[inside], ranks[inside] = reader.units, reader.ranks
    return units, ranks


def _confidence(head: bytes, name: str) -> float:
    start = head.lstrip()[:1]
    if start != b"<":
        return 0.0
    return 0.99 if b"<ranking-" in head or b"<HIT " in head else 0.6


FORMAT = RatingFormat("appraise-xml", tr("Appraise rankings XML"), _confidence, _read)
