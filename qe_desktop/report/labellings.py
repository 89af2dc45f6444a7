"""Metrics tried on labellings as JSON, and as a table laid out like table 1 of Logacheva et al. 2016."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from qe_desktop.levels import Scoring
from qe_desktop.report.comparisons import reach_note
from qe_desktop.report.labelling_columns import DISTINCTIONS, labelling_columns, mean
from qe_desktop.report.scores import documents_note, interval_json, number, signature, undefined_note, with_interval
from qe_desktop.report.tables import Cell, Table, after, ends_in_brackets
from qe_desktop.significance import halves
from qe_desktop.studies.labelling_study import ERRORS, LabellingStudy, Tried
from qe_desktop.wording import side_by_side, tr


@dataclass(frozen=True, slots=True, eq=False)
class LabellingsReport:
    """A study of labellings; `size` says for people on what, `remarks` are those of whoever read its files."""

    study: LabellingStudy
    remarks: tuple[str, ...] = ()
    size: str = ""
    signature: str = ""
    pair: str = ""
    """The language pair, where those of several stand one after the other."""

    @classmethod
    def made(cls, scoring: Scoring, study: LabellingStudy, remarks: tuple[str, ...] = ()) -> LabellingsReport:
        """The report of what was studied of these systems."""
        options = study.options.comparison
        drawn = {"interval-rounds": study.interval_rounds} if study.interval_rounds else {}
        parts = {
            **scoring.level.signature(scoring), "test": options.test, "rounds": options.rounds, "seed": options.seed,
            "unit": options.unit, "correction": options.correction, "alpha": options.alpha,
            "draws": study.options.draws, **drawn,
        }  # fmt: skip
        return cls(study, remarks, scoring.level.reported(scoring), signature("labellings", parts))

    @property
    def heading(self) -> str:
        """What a page of it is called."""
        return tr("Metrics and synthetic labellings")

    def of_pair(self, pair: str) -> LabellingsReport:
        """The same, whose tables name the pair."""
        return replace(self, pair=pair)

    # --- for programs

    def json(self) -> dict[str, Any]:
        """The command line's contract: `rated_lower` counts real systems; of several draws it is their mean, and so is
        the score. Null for what is undefined, and the notes say why.
        """
        study, options = self.study, self.study.options.comparison
        return {
            "seed": options.seed,
            "systems": list(study.systems),
            "rounds": options.rounds if study.comparison is None else study.comparison.rounds,
            "unit": options.unit,
            "correction": options.correction,
            "alpha": options.alpha,
            "draws": study.options.draws,
            "bad": study.bad,
            "labellings": {
                one.name: {
                    "bad": number(mean(one.called)),
                    "precision": number(mean(one.precision)),
                    "recall": number(mean(one.recall)),
                }
                for one in study.labellings
            },
            "metrics": {metric.name: self._metric(place) for place, metric in enumerate(study.metrics)},
            "signature": self.signature,
            "notes": self.notes(),
        }

    def _metric(self, place: int) -> dict[str, Any]:
        study = self.study
        order = [study.systems[system] for system in study.order[place]]
        return {
            **{name: number(d) for name, d in zip(DISTINCTIONS, study.distinctions[place].tolist(), strict=True)},
            "ranges": {
                name: interval_json(ends)
                for name, ends in zip(DISTINCTIONS, study.distinction_ranges[place], strict=True)
            },
            "labellings": {one.name: _tried_json(one, place) for one in study.labellings},
            "total": float(study.totals[place]) if study.options.draws > 1 else int(study.totals[place]),
            "order": order,
            "scores": {
                study.systems[system]: number(float(study.scores[place, system])) for system in study.order[place]
            },
        }

    def columns(self) -> list[Table]:
        """d of each metric; what each made of each labelling; and each metric's ranking of systems."""
        return labelling_columns(self.study)

    # --- for people

    def tables(self, decimals: int = 3) -> list[Table]:
        """The paper's table, the labellings with their scores, and the systems as each metric ranks them."""
        below = [note for note in (*self.notes(), self.signature) if note]
        first, *others = (self._table(), self._labellings(decimals), self._orders(decimals))
        of = after(self.pair, self.size)
        return [replace(first, title=after(of, first.title), notes=tuple(below)), *others]

    def pictures(self) -> list[str]:
        """None."""
        return []

    def _table(self) -> Table:
        study = self.study
        rows: list[tuple[Cell, ...]] = []
        for place, metric in enumerate(study.metrics):
            found = zip(study.distinctions[place].tolist(), study.distinction_ranges[place].tolist(), strict=True)
            ds = [ends_in_brackets(d, None if low == high else (low, high), 2) for d, (low, high) in found]
            counts = [_count(one, place) for one in study.labellings]
            total = float(study.totals[place])
            rows.append((metric.name, *ds, *counts, f"{total:.1f}" if study.options.draws > 1 else int(total)))
        header = (tr("metric"), *DISTINCTIONS, *(one.name for one in study.labellings), tr("total"))
        title = tr(
            "How metrics tell {n} {n:system|systems} apart, and how many of them they rate lower than labellings",
            "", len(study.systems),
        )  # fmt: skip
        return Table(title, header, tuple(rows))

    def _labellings(self, decimals: int) -> Table:
        study = self.study
        rows: list[tuple[Cell, ...]] = [
            (
                one.name,
                f"{100 * mean(one.called):.1f}",
                mean(one.precision),
                mean(one.recall),
                *(_score(one, place, decimals) for place in range(len(study.metrics))),
            )
            for one in study.labellings
        ]
        header = (
            tr("labelling"), tr("% BAD"), tr("precision"), tr("recall"), *(metric.name for metric in study.metrics)
        )  # fmt: skip
        return Table(tr("The labellings, and their scores"), header, tuple(rows), decimals)

    def _orders(self, decimals: int) -> Table:
        study = self.study
        rows: list[tuple[Cell, ...]] = [
            (
                rank + 1,
                *(
                    _with_score(study.systems[system], float(study.scores[place, system]), decimals)
                    for place, system in enumerate(study.order[:, rank].tolist())
                ),
            )
            for rank in range(len(study.systems))
        ]
        header = (tr("rank"), *(metric.name for metric in study.metrics))
        return Table(tr("Systems as each metric ranks them"), header, tuple(rows), decimals)

    def notes(self) -> list[str]:
        """Why something is undefined, what the figures rest on, and the remarks."""
        return [*self.remarks, *self._about_d(), *self._about_labellings()]

    def _about_d(self) -> list[str]:
        study = self.study
        if study.comparison is None:
            return [tr("d is the share of pairs of systems that a metric tells apart, and undefined for one system.")]
        if not 0 < study.bad < 1:
            return [tr("The gold holds one tag only, so d is undefined: there is nothing to tell systems apart by.")]
        found = []
        top, bottom = halves(len(study.systems), study.options.comparison.top)
        found.append(
            tr(
                "d_top is over the {top} best {top:system|systems}, d_bottom over the other {bottom}; "
                "each is corrected for its own pairs.",
                top=top, bottom=bottom,
            )
        )  # fmt: skip
        if min(top, bottom) < 2:
            found.append(tr("d of fewer than two systems is undefined."))
        if study.comparison.exact:
            found.append(tr("All {n:,} swaps were enumerated, so p is exact.", "", study.comparison.rounds))
        elif (np.ptp(study.distinction_ranges, axis=-1) > 0).any():
            found.append(
                tr(
                    "In brackets behind d: the least and the most that it may be, were every p off by {errors} of its "
                    "Monte-Carlo errors.",
                    errors=ERRORS,
                )
            )
        split = documents_note(study.comparison.documents, study.comparison.segments)
        return [*found, *(note for note in (split, reach_note(study.comparison)) if note)]

    def _about_labellings(self) -> list[str]:
        study = self.study
        found = []
        for place, metric in enumerate(study.metrics):
            undefined = [name for name, score in zip(study.systems, study.scores[place], strict=True) if score != score]
            undefined += [one.name for one in study.labellings if np.isnan(one.scores[place]).any()]
            found += [undefined_note(metric, undefined)] if undefined else []
        empty = [one.name for one in study.labellings if one.name == "optimistic" and not one.called.any()]
        if empty and study.bad > 0:
            found.append(tr("The gold has so few BAD tags that a tenth of them is none: optimistic is all-OK."))
        if study.options.draws > 1:
            found.append(
                tr(
                    "Drawn labellings: the mean of {n:,} {n:draw|draws}, and behind it the least and the most of them.",
                    "", study.options.draws,
                )
            )  # fmt: skip
        if study.options.intervals and study.labellings and not study.interval_rounds:
            found.append(tr("There is one segment or document to resample, so there are no intervals."))
        if study.interval_rounds:
            found.append(
                tr(
                    "In brackets behind scores and numbers of systems: 95 % intervals of {n:,} rounds of drawing "
                    "segments, the same for systems and the first draw of each labelling.",
                    "", study.interval_rounds,
                )
            )  # fmt: skip
        return found


def _tried_json(one: Tried, place: int) -> dict[str, Any]:
    scores, lower = one.scores[place], one.lower[place]
    if one.draws > 1:
        found: dict[str, Any] = {
            "score": number(mean(scores)),
            "rated_lower": float(lower.mean()),
            "score_range": interval_json(np.asarray([scores.min(), scores.max()])),
            "rated_lower_range": [int(lower.min()), int(lower.max())],
        }
    else:
        found = {"score": number(float(scores[0])), "rated_lower": int(lower[0])}
    if one.score_intervals is not None and one.lower_intervals is not None:
        found["score_interval"] = interval_json(one.score_intervals[place])
        found["rated_lower_interval"] = interval_json(one.lower_intervals[place])
    return found


def _count(one: Tried, place: int) -> str:
    """How many systems are rated lower, with what there is to say of it."""
    lower = one.lower[place]
    found = str(int(lower[0]))
    if one.draws > 1:
        found = tr("{mean:.1f} ({least}–{most})", mean=lower.mean(), least=int(lower.min()), most=int(lower.max()))
    if one.lower_intervals is None:
        return found
    low, high = one.lower_intervals[place].tolist()
    return side_by_side(" ", (found, f"[{low:g}, {high:g}]"))


def _score(one: Tried, place: int, decimals: int) -> str | float:
    score = mean(one.scores[place])
    return score if one.score_intervals is None else with_interval(score, one.score_intervals[place], decimals)


def _with_score(name: str, score: float, decimals: int) -> str:
    """A system and its score in one cell."""
    return side_by_side(" ", (name, "–" if math.isnan(score) else f"{score:.{decimals}f}"))
