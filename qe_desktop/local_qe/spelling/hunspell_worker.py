"""Script of the spelling process: one JSON request per line on stdin, one JSON reply per line on stdout.

It is run as a file, not imported, and imports only the standard library and `hunspell`, so that it starts quickly. The
process ends when its input ends, and therefore also when the program that started it is killed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def open_dictionary(path: Path) -> Any:
    """Open a dictionary, given the path of its .dic file; the .aff file is next to it."""
    from hunspell import Hunspell

    # paths are encoded as UTF-8 on every system; on Windows, Hunspell then opens them by their long names
    return Hunspell(path.stem, hunspell_data_dir=str(path.parent), system_encoding="UTF-8")


def is_known(dictionary: Any, forms: list[str]) -> bool:
    """Return whether the dictionary has one of the forms.

    A form that the encoding of the dictionary cannot represent counts as missing.
    """
    for form in forms:
        try:
            if dictionary.spell(form):
                return True
        except UnicodeEncodeError:
            continue
    return False


def suggestions(dictionary: Any, word: str) -> list[str]:
    """Return the suggestions for a word, best first; empty if the dictionary's encoding cannot represent the word."""
    try:
        return [text for text in dictionary.suggest(word) if text]
    except UnicodeEncodeError:
        return []


def answer(dictionary: Any, request: dict[str, Any]) -> dict[str, Any]:
    """Return the reply to a request.

    The request contains either `check`, with a list of forms for each word, or `suggest`, with a word.
    """
    if "check" in request:
        return {"known": [is_known(dictionary, forms) for forms in request["check"]]}
    return {"suggestions": suggestions(dictionary, request["suggest"])}


def _reply(content: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(content) + "\n")
    sys.stdout.flush()


def main(path: Path) -> None:
    """Open the dictionary at `path`, and answer requests until the input ends.

    The first line of output states whether the dictionary was opened.
    """
    try:
        dictionary = open_dictionary(path)
    except Exception as error:
        # a library may raise any exception; the program reports it
        _reply({"error": f"{type(error).__name__}: {error}"})
        return
    _reply({"ready": True})
    for line in sys.stdin:
        _reply(answer(dictionary, json.loads(line)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
