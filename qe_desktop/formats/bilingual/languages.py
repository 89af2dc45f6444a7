"""The two languages that a language pair names."""

from __future__ import annotations


def languages_of(pair: str) -> tuple[str, str]:
    """Source and target of a pair such as `en-de`, `en-US-de-DE` or `en-de-DE`; empty where it names none."""
    if not pair:
        return "", ""
    parts = pair.split("-")
    halves = [place for place in range(1, len(parts)) if parts[place].islower() and len(parts[place]) in (2, 3)]
    place = len(parts) // 2 if len(parts) == 4 else halves[0] if halves else 1
    return "-".join(parts[:place]), "-".join(parts[place:])
