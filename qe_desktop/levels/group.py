"""Levels that share a command: how it is called, what it is given, and how that is read."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import Scoring

if TYPE_CHECKING:
    # where no folder is read, nothing plans
    from qe_desktop.corpus import Corpus
    from qe_desktop.formats import Plan


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """What a command read: what is scored against what, and remarks for people.

    `kept` says which segments of the files are scored, shape (segments of the files,), where not all are.
    """

    scoring: Scoring
    notes: tuple[str, ...] = ()
    kept: NDArray[np.bool_] | None = None


@dataclass(frozen=True, slots=True)
class InFolders:
    """What folders hold of levels that no other level reads.

    `planned` gives files their roles before they are read, and `assembled` adds to a corpus what its plan has besides;
    `scored` adds to what is scored, by language pair, and says what people should know of it. All raise a QeError for
    what does not fit.
    """

    planned: Callable[[Plan], Plan]
    assembled: Callable[[Plan, Corpus], Corpus]
    scored: Callable[[Mapping[str, Plan], Mapping[str, Scoring]], tuple[dict[str, Scoring], list[str]]]


@dataclass(frozen=True, slots=True)
class Group:
    """A thing to score, as `qe-desktop score NAME` has it, with its levels, the usual one first.

    `add_inputs` adds the options that say what is scored, `read` reads what they name and raises a QeError for what
    does not fit. `given` takes the level, the gold and the systems as values that a Python program has, and raises
    likewise; None where there is no way to give them. `in_folders` reads what else folders hold of it.
    """

    name: str
    about: str
    levels: tuple[Level, ...]
    add_inputs: Callable[[argparse.ArgumentParser], None]
    read: Callable[[argparse.Namespace], Read]
    given: Callable[[Level, Any, Mapping[str, Any]], Scoring] | None = None
    in_folders: InFolders | None = None
