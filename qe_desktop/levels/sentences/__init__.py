"""Sentences: one number a segment against gold numbers."""

from __future__ import annotations

import argparse

from qe_desktop.levels.group import Group, Read
from qe_desktop.levels.sentences.level import SENTENCES, SentenceLevel
from qe_desktop.wording import tr


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    # files are read by the command line alone, and the window need not wait for that
    from qe_desktop.levels.sentences.inputs import add_inputs

    add_inputs(parser)


def _read(args: argparse.Namespace) -> Read:
    from qe_desktop.levels.sentences.inputs import read

    return read(args)


GROUP = Group("sentences", tr("scores of segments"), (SENTENCES,), _add_inputs, _read)

__all__ = ["GROUP", "SENTENCES", "SentenceLevel"]
