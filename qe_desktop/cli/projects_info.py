"""What `qe-desktop info` says of a project: what it holds, and how much of it was reviewed."""

from __future__ import annotations

from typing import Any

from qe_desktop.report import Table
from qe_desktop.wording import tr


def summary_of(place: str) -> dict[str, Any]:
    """The command line's contract, the same as that of `project info`. QeError for what is no project."""
    from qe_desktop.cli.project import open_project

    with open_project(place) as project:
        return project.summary()


def table_of(found: dict[str, Any]) -> Table:
    """The same for people."""
    rows: list[tuple[Any, Any]] = [(tr("recognised as"), tr("project"))]
    if found["read-only"]:
        rows.append((tr("read-only"), found["read-only"]))
    if found["role"] == "owner":
        rows += _contents(found)
    rows.append((tr("campaigns"), len(found["campaigns"])))
    return Table(found["title"], (tr("what"), tr("how many")), tuple(rows))


def _contents(found: dict[str, Any]) -> list[tuple[Any, Any]]:
    """What only the owner of a project is told."""
    corpus, review = found["corpus"], found["review"]
    return [
        (tr("segments"), 0 if corpus is None else corpus["segments"]),
        *((tr("translators’ file"), file) for file in found["files"]),
        *((tr("layer"), layer) for layer in found["layers"]),
        (tr("edits of tags"), found["edits"]),
        (tr("translations edited"), review["edited"]),
        (tr("segments confirmed"), review["confirmed"]),
        (tr("segments rejected"), review["rejected"]),
        (tr("segments with notes of people"), review["noted"]),
        (tr("minutes of work recorded"), round(review["seconds"] / 60, 1)),
    ]
