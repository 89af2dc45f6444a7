"""What metrics gave translations, in a project: all scores of a metric as one array, beside it whose they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import MetricColumn
from qe_desktop.corpus.layers import Scores
from qe_desktop.project.store.cells import Damaged, checked, ensure, of_names
from qe_desktop.wording import in_english


def details_of(name: str, column: MetricColumn) -> dict[str, Any]:
    """What is kept beside a metric's scores."""
    return {
        "name": name, "systems": list(column.systems), "better": column.better, "origin": column.origin,
        "notes": in_english(column.notes),
    }  # fmt: skip


def flat(column: MetricColumn) -> NDArray[np.float64]:
    """All scores of a metric, a system's behind the other's, shape (systems * segments,)."""
    return np.concatenate([np.zeros(0), *column.systems.values()])


def metric_of(details: object) -> str:
    """The name of the metric. Damaged where there is none."""
    if not isinstance(details, dict):
        raise Damaged("a metric has no details")
    return of_names([details.get("name")], "a metric")[0]


def column_of(details: Mapping[str, Any], values: NDArray[Any], size: int) -> MetricColumn:
    """The scores of a metric over `size` segments. Damaged where they are not those of the systems that are named."""
    systems = of_names(details.get("systems"), "the systems of a metric")
    told = checked(_Told(details.get("better"), details.get("origin")))  # type: ignore[arg-type]
    ensure(told.better in (1, -1), "a metric does not say which of its scores are better")
    ensure(len(set(systems)) == len(systems), "a metric names a system twice")
    right = values.dtype == np.float64 and len(values) == len(systems) * size and not np.isinf(values).any()
    ensure(right, "the scores of a metric are not one a segment")
    columns: list[Scores] = list(values.reshape(len(systems), size))
    notes = of_names(details.get("notes"), "the remarks of a metric")
    return MetricColumn(dict(zip(systems, columns, strict=True)), -1 if told.better < 0 else 1, told.origin, notes)


@dataclass(frozen=True, slots=True)
class _Told:
    """What cells say of a metric."""

    better: int
    origin: str
