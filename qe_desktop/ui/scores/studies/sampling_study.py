"""Repeated sampling in the window (Logacheva et al. 2016, table 2)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation
from typing import Any

from qe_desktop.corpus import QeError
from qe_desktop.levels import Scoring
from qe_desktop.levels.drawings import Panels
from qe_desktop.report.forms import Report
from qe_desktop.report.sampling import SamplingReport
from qe_desktop.significance import Options as Judging
from qe_desktop.studies.pictures.sampling import sampling_panels
from qe_desktop.studies.sampling.options import ERRORS, SIZES, Options
from qe_desktop.studies.sampling.running import threads
from qe_desktop.studies.sampling.study import study_sampling
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.studies.sampling_rows import sheets
from qe_desktop.ui.scores.studies.study import Study, Write, place_of
from qe_desktop.ui.scores.studies.values import Asked, Found, Target, Titled, Wish
from qe_desktop.wording import tr


class Sampling(Study):
    """How small a difference in errors a metric can see. It is begun by a person: it may take hours."""

    name = "sampling"
    title = tr("Repeated sampling")
    about = tr("How small a difference in errors a metric can see, by drawing data sets from the errors of systems")
    choices = ("metrics", "mode", "repetitions", "errors", "sizes")
    options = ("seed", "correction", "alpha")
    judging = ("correction", "alpha")

    def inputs(self, scoring: Scoring) -> Sequence[Any]:
        """The tags of the gold and of all systems."""
        return [scoring.view.tags(key).values for key in (scoring.reference, *scoring.subjects)]

    def automatic(self, scoring: Scoring, wish: Wish) -> bool:
        """Never."""
        return False

    def make(self, asked: Asked, progress: Progress) -> Report:
        """Draw data sets, beside the window and on as many processors as there are but one."""
        wish, judged = asked.wish, asked.options
        options = Options(
            errors_of(wish.errors) or ERRORS, sizes_of(wish.sizes) or SIZES, wish.repetitions,
            "full" if wish.mode == "full" else "fast", judged.seed, correction=judged.correction, alpha=judged.alpha,
        ).checked()  # fmt: skip

        def watch(done: int, total: int) -> None:
            text = tr("{done:,} of {n:,} {n:repetition|repetitions}", "", total, done=done)
            progress.report(done / max(1, total), text if options.mode == "full" else tr("drawing data sets"))

        progress.report(0.0, tr("rows of systems"))
        run = threads(max(1, (os.cpu_count() or 1) - 1))
        study = study_sampling(asked.scoring, asked.metrics, options, run=run, watch=watch)
        return SamplingReport(study, (), asked.scoring.level.signature(asked.scoring))

    def judged(self, found: Found, options: Judging) -> Report:
        """The same p, which other sizes make significant."""
        study = found.study
        now = replace(study.options, correction=options.correction, alpha=options.alpha)
        report = found.report
        assert isinstance(report, SamplingReport), "it is what was made"
        return replace(report, study=replace(study, options=now))

    def sheets(self, found: Found, decimals: int, late: bool) -> Sequence[Titled]:
        """The paper's table, every p, and the scores of data sets."""
        return sheets(found.study, decimals, late=late)

    def panels(self, found: Found, target: Target, number: Write) -> Panels:
        """Every difference by the metric that is looked at, and all metrics."""
        return sampling_panels(found.study, place_of(target.metric, [one.name for one in found.study.metrics]), number)


def errors_of(text: str) -> tuple[Decimal, ...]:
    """Shares in per cent as they were typed; QeError for what is no number."""
    return tuple(_number(one) for one in _parts(text))


def sizes_of(text: str) -> tuple[int, ...]:
    """Numbers of data sets as they were typed; QeError for what is no whole number."""
    found = [_number(one) for one in _parts(text)]
    if any(one != int(one) for one in found):
        raise QeError(tr("numbers of data sets are whole numbers"), hint=tr("Give sizes such as 100 500 1000."))
    return tuple(int(one) for one in found)


def _parts(text: str) -> list[str]:
    return text.replace(",", " ").replace(";", " ").replace("%", " ").split()


def _number(text: str) -> Decimal:
    try:
        found = Decimal(text)
    except InvalidOperation:
        found = Decimal("NaN")
    if not found.is_finite():
        raise QeError(tr("“{text}” is no number", text=text), hint=tr("Give numbers with spaces between them."))
    return found
