"""What columns, scales and roles are called in files of ratings."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ItemRole
from qe_desktop.corpus.ratings import Codes
from qe_desktop.formats.ratings.scale_ranges import split_name
from qe_desktop.formats.tag_lines import shown
from qe_desktop.wording import tr

SYNONYMS: dict[str, tuple[str, ...]] = {
    "rater": (
        "rater", "judge", "annotator", "user", "worker", "evaluator", "assessor", "raterid", "judgeid", "annotatorid",
        "userid", "username", "workerid", "evaluatorid", "login",
    ),
    "system": ("system", "sys", "systemid", "sysid", "systemname", "mt", "mtsystem", "engine", "model"),
    "segment": (
        "segment", "seg", "segid", "segmentid", "segno", "sid", "item", "itemid", "line", "lineid", "sentence",
        "sentenceid", "sentid", "srcindex", "sourceid", "unit", "id",
    ),
    "document": ("document", "doc", "docid", "documentid"),
    "scale": ("scale", "annotype", "criterion", "dimension", "aspect", "measure", "field", "question"),
    "value": ("value", "score", "rating", "rawscore", "da", "directassessment"),
    "adequacy": ("adequacy", "ad", "adq", "adequacyscore", "accuracy"),
    "fluency": ("fluency", "fl", "flu", "fluencyscore"),
    "z": ("z", "zscore", "zscr", "standardised", "standardized", "stnd"),
    "systems": ("systems", "outputs", "order"),
    "ranks": ("ranks", "ranking"),
    "screen": ("screen", "screenid", "rankingid", "task", "taskid"),
    "role": ("role",),
    "type": ("type", "itemtype"),
    "started": ("started", "start", "at", "timestamp", "when", "starttime", "date"),
    "time": ("time",),
    "seconds": ("seconds", "duration", "timespent", "elapsed", "sec"),
    "flags": ("flags",),
    "range": ("range", "scalerange"),
    "campaign": ("campaign", "campaignid", "campaignuid"),
    "uid": ("ratingid", "ratinguid"),
    "pair": ("langpair", "languagepair", "lp"),
    "counts": ("numannot", "n", "count", "annotators", "binlabel", "meanscore", "mean"),
}  # fmt: skip
"""Each meaning that a column can have, and the headers that say so: lower case, letters and digits only."""

_MEANING = {name: meaning for meaning, names in SYNONYMS.items() for name in names}
_LETTERS = re.compile(r"[^a-z0-9]+")

SCALES = {
    "ad": "adequacy", "adq": "adequacy", "adequacy": "adequacy", "fl": "fluency", "flu": "fluency",
    "fluency": "fluency", "da": "score", "score": "score", "directassessment": "score", "z": "z", "zscore": "z",
}  # fmt: skip
"""What short names of scales stand for."""

ROLES = {
    "": ItemRole.SYSTEM, "system": ItemRole.SYSTEM, "tgt": ItemRole.SYSTEM, "sys": ItemRole.SYSTEM,
    "repeat": ItemRole.REPEAT, "chk": ItemRole.REPEAT, "rep": ItemRole.REPEAT,
    "bad": ItemRole.BAD, "bad_ref": ItemRole.BAD, "badref": ItemRole.BAD, "control": ItemRole.BAD,
    "reference": ItemRole.REFERENCE, "ref": ItemRole.REFERENCE,
    "training": ItemRole.TRAINING,
}  # fmt: skip
"""What files call the reason why an item was shown, in lower case."""


def meaning_of(header: str) -> str:
    """What a column's header says that it holds, whatever range stands behind it: a key of `SYNONYMS`, or nothing."""
    header = split_name(header)[0]
    return _MEANING.get(_LETTERS.sub("", header.lower()), "")


def meanings_of(header: Sequence[str]) -> dict[str, int]:
    """The first column of each meaning."""
    found: dict[str, int] = {}
    for place, name in enumerate(header):
        meaning = meaning_of(name)
        if meaning:
            found.setdefault(meaning, place)
    return found


def scale_of(name: str) -> str:
    """The name of a scale in full, without its range."""
    name = split_name(name)[0]
    return SCALES.get(_LETTERS.sub("", name.lower()), name)


def role_code(cell: str) -> float:
    """The role that a cell names, as a number. ValueError for another word."""
    role = ROLES.get(cell.strip().lower())
    if role is None:
        raise ValueError(tr("{text} is no role: system, repeat, bad, reference or training", text=shown(cell)))
    return float(role)


def role_names(roles: NDArray[np.uint8]) -> list[str]:
    """The roles as words."""
    words = [role.name.lower() for role in ItemRole]
    return [words[role] for role in roles]


def renamed(names: Sequence[str], codes: Codes, new: Sequence[str]) -> tuple[tuple[str, ...], Codes]:
    """A coded column whose names are replaced by the `new` ones, of which several may be the same."""
    places: dict[str, int] = {}
    into = np.fromiter((places.setdefault(name, len(places)) for name in new), np.int32, len(names))
    return tuple(places), into[codes] if len(names) else codes
