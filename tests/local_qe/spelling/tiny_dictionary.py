"""A tiny Hunspell dictionary, so that no test needs an installed one."""

from __future__ import annotations

from pathlib import Path

import pytest

from qe_desktop.local_qe.spelling import spell_checker

AFF = """SET UTF-8
TRY esianrtolcdugmphbyfvkwESIANRTOLCDUGMPHBYFVKWäöüÄÖÜß
COMPOUNDFLAG C
COMPOUNDMIN 3
BREAK 0
SFX S Y 1
SFX S 0 s .
"""
WORDS = (
    "der", "Der", "die", "Die", "und", "ist", "grüne", "Apfel", "Haus/SC", "haus/C", "Tür/C", "tür/C", "Adresse",
    "gesund", "Arbeits-", "homme", "Straße", "Ein", "gesperrter", "Sie", "jetzt", "Drücken", "vis-à-vis",
)  # fmt: skip


def write_dictionary(
    folder: Path, name: str = "de_DE", words: tuple[str, ...] = WORDS, encoding: str = "utf-8"
) -> Path:
    """Write a dictionary, and return the path of its .dic file."""
    folder.mkdir(parents=True, exist_ok=True)
    aff = AFF if encoding == "utf-8" else AFF.replace("UTF-8", "ISO8859-1")
    (folder / f"{name}.aff").write_text(aff, encoding)
    path = folder / f"{name}.dic"
    path.write_text(f"{len(words)}\n" + "".join(f"{word}\n" for word in words), encoding)
    return path


def use_only_own_dictionaries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Restrict the search for dictionaries to the user's data folder, so that those of this machine are ignored."""
    monkeypatch.setattr(spell_checker, "dictionary_folders", lambda data: [data / "dictionaries"])
