"""Of which metrics less is better, as a person said once: it holds for every file of theirs from then on."""

from __future__ import annotations

from collections.abc import Mapping

from qe_desktop.formats import Plan, Role
from qe_desktop.formats.questions import Better


def with_known(plan: Plan, lower: Mapping[str, bool]) -> Plan:
    """A plan in which what was said before of metrics is said of their files."""
    for file in plan.of(Role.METRIC):
        if file.name in lower and file.may_be(Better) and file.answers.better is None:
            plan = plan.answered(Better.LESS if lower[file.name] else Better.MORE, file.path)
    return plan


def known_of(plan: Plan) -> dict[str, bool]:
    """Of which metrics a plan says whether less is better; those of which nobody said anything are missing."""
    said = {file.name: file.answers.better for file in plan.of(Role.METRIC)}
    return {name: better is Better.LESS for name, better in said.items() if better is not None}
