"""`--match NAME=SYSTEM`: systems that a file of scores or ratings calls otherwise, as a person matched them."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import AS_GIVEN, NamesMatched, Place, QeError
from qe_desktop.formats.sentences import few
from qe_desktop.wording import tr


def add_match(parser: argparse.ArgumentParser) -> None:
    """The option that matches names."""
    parser.add_argument(
        "--match", nargs="+", action="extend", metavar="NAME=SYSTEM", default=[],
        help=tr("a system that is called NAME in files of scores or ratings"),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Matches:
    """The systems by the names that files have for them, as the option has it."""

    systems: Mapping[str, str]

    @classmethod
    def of(cls, arguments: Sequence[str]) -> Matches:
        """What the arguments say. QeError for what matches no names, and for a name that is matched twice."""
        found: dict[str, str] = {}
        for argument in arguments:
            name, equals, system = argument.rpartition("=")
            if not (equals and name and system):
                raise QeError(tr("“{name}” matches no names", name=argument), hint=tr("Give NAME=SYSTEM."))
            if found.get(name, system) != system:
                message = tr("“{name}” is matched with two systems", name=name)
                raise QeError(message, hint=tr("Match each name once."))
            found[name] = system
        return cls(found)

    def among(self, given: Collection[str], place: Place) -> NamesMatched:
        """How the names of one file are matched; QeError where two of them would be one."""
        names = {name: system for name, system in self.systems.items() if name in given}
        called = [names.get(name, name) for name in given]
        if len(set(called)) < len(called):
            message = tr("two systems would have one name")
            raise QeError(message, hint=tr("Match each with a name of its own."), place=place)
        return NamesMatched(names) if names else AS_GIVEN

    def refuse_unknown(self, given: Collection[str], systems: Collection[str]) -> None:
        """QeError where a name is none of those that files have, or stands for none of the systems."""
        for name, system in self.systems.items():
            if name not in given:
                message = tr("no file of scores or ratings has a system “{name}”", name=name)
                raise QeError(message, hint=_near(name, given))
            if system not in systems:
                raise QeError(tr("no system is called “{name}”", name=system), hint=_near(system, systems))


def matching(given: Sequence[str], systems: Sequence[str]) -> str:
    """The option that would match these names as they seem to be meant; nothing where none seems so."""
    from qe_desktop.corpus.names_proposed import proposed

    found = proposed(given, systems)
    pairs = [f"{name}={one.system}" for name, one in found.items() if one.system != name]
    return " ".join(("--match", *map(_quoted, pairs))) if pairs else ""


def _quoted(text: str) -> str:
    from shlex import quote

    return quote(text)


def _near(name: str, names: Collection[str]) -> str:
    """What may be meant, and what there is."""
    from qe_desktop.corpus.names_proposed import nearest

    held, near = few(list(names), joined=True), nearest(name, list(names))
    if near:
        return tr("Perhaps “{near}” is meant. There are {names}.", near=near, names=held)
    return tr("There are {names}.", names=held)
