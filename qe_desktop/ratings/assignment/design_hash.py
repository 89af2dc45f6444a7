"""Hash of a design: published before rating starts, it proves afterwards that the design did not change.

SHA-256 of a canonical serialization of the design and the secret of its random numbers: without the secret the design
cannot be recovered by trial, and its owner cannot present another design with the same hash.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from typing import Any

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import CampaignDesign

HASH_HEADER = "qe-desktop design 1"
"""First line of the serialization. The format below must never change: a change would need a new header."""
_CAMPAIGN = ("uid", "name", "protocol", "source_language", "target_language", "context", "by_document",
             "source_original", "instructions", "raters", "simulated", "created", "created_by")  # fmt: skip
_SETUP = ("systems", "segments", "raters", "overlap", "repeats", "controls", "training", "per_screen", "seed")
_ROWS = {
    "passages": ("segment", "source", "reference", "document"),
    "outputs": ("uid", "segment", "text"),
    "screens": ("uid", "rater", "position", "segment", "outputs", "training"),
    "output_keys": ("output", "systems", "role"),
    "screen_keys": ("screen", "role", "repeats"),
}


def design_hash(design: CampaignDesign) -> str:
    """Return the hash of a design, 64 hexadecimal digits."""
    return hashlib.sha256(_canonical_json(design)).hexdigest()


def _canonical_json(design: CampaignDesign) -> bytes:
    content: dict[str, Any] = {
        "form": HASH_HEADER,
        "secret": design.secret.hex(),
        "basis": design.campaign.basis.value,
        "campaign": [_plain(getattr(design.campaign, name)) for name in _CAMPAIGN],
        "setup": [_plain(getattr(design.setup, name)) for name in _SETUP],
        "trained_from": list(design.trained_from),
    }
    for part in _ROWS:
        content[part] = _rows(design, part)
    return json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _rows(design: CampaignDesign, part: str) -> list[list[Any]]:
    return [[_plain(getattr(row, name)) for name in _ROWS[part]] for row in getattr(design, part)]


def _plain(value: Any) -> Any:
    """Return a JSON-compatible value; NUL and surrogates are escaped, as in strings read back from a database."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        return value.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, bool) or value is None:
        return value
    # 1 and 1.0 are equal after a JSON round trip
    return float(value) if isinstance(value, float) else int(value)


def differences(kept: CampaignDesign, drawn: CampaignDesign) -> list[str]:
    """Describe differences between a stored design and the same design when computed again; empty if there are none."""
    messages = []
    for part, name in (
        ("passages", tr("texts")), ("outputs", tr("outputs")), ("output_keys", tr("outputs’ systems and roles")),
        ("screens", tr("screens")), ("screen_keys", tr("screens’ roles")),
    ):  # fmt: skip
        ours, theirs = _rows(kept, part), _rows(drawn, part)
        if len(ours) != len(theirs):
            messages.append(
                tr("{part}: {kept:,} stored, {drawn:,} recomputed", part=name, kept=len(ours), drawn=len(theirs))
            )
            continue
        places = [place for place, pair in enumerate(zip(ours, theirs, strict=True)) if pair[0] != pair[1]]
        if places:
            messages.append(
                tr(
                    "{part}: {n:,} of {all:,} differ, first at number {first:,}",
                    "",
                    len(places),
                    part=name,
                    all=len(ours),
                    first=places[0] + 1,
                )
            )
    if replace(kept.campaign, design_hash="") != replace(drawn.campaign, design_hash=""):
        messages.append(tr("public data of the campaign differ"))
    return messages
