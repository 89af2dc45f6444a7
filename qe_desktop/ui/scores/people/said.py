"""What the page of metrics and people says: each number in a sentence."""

from __future__ import annotations

import math

from qe_desktop.outgoing import within
from qe_desktop.significance import CALLED, Correction, Sureness, Verdict
from qe_desktop.studies.agreement import Agreement
from qe_desktop.studies.figures import Figure, caution, no_interval, test_text, undefined, untested
from qe_desktop.studies.humans import HumansStudy
from qe_desktop.ui.scores.figures import equals_p, interval_text, score_text, signed_text
from qe_desktop.ui.scores.people.values import Beside
from qe_desktop.wording import side_by_side, tr


def described(found: Beside) -> str:
    """What the study is of, in one line."""
    corpus, study = found.view.corpus, found.study
    parts = [within(corpus.language_pair or corpus.name)] if corpus.language_pair or corpus.name else []
    parts.append(tr("{n} {n:metric|metrics} beside people", "", len(study.agreements)))
    parts.append(tr("{n} {n:system|systems}", "", len(study.systems)))
    if study.segments:
        parts.append(tr("{n:,} {n:segment|segments}", "", study.segments))
    title = next((one.title for one in found.choices if one.uid == found.rated and len(found.choices) > 1), "")
    return side_by_side(" · ", [*parts, *([title] if title else [])])


def metric_sentence(one: Agreement) -> str:
    """What a metric is, and that its sign is turned where less is better."""
    said = f"{one.metric.name}. {one.metric.help()}"
    if one.metric.better > 0:
        return said
    return side_by_side(" ", (said, tr("Less is better, so the sign is turned.")))


def figure_sentence(study: HumansStudy, one: Agreement, figure: Figure, decimals: int) -> str:
    """What a figure of a metric says, with a caution where there is one, or why there is no figure."""
    sentence, few = _figure_sentence(study, one, figure, decimals), caution(study, figure)
    return side_by_side(" ", (sentence, few)) if few and not math.isnan(figure.value(one)) else sentence


def _figure_sentence(study: HumansStudy, one: Agreement, figure: Figure, decimals: int) -> str:
    value, name = figure.value(one), one.metric.name
    if math.isnan(value):
        reason = undefined(study, figure, one)
        return tr("{metric}: {figure} is undefined. {reason}", metric=name, figure=figure.title, reason=reason)
    number = score_text(value, decimals)
    ends = figure.interval(one)
    if ends is not None:
        low, high = (score_text(end, decimals) for end in ends)
        if figure.name == "acc_eq":
            return tr(
                "{metric} and people: {figure} {value}, between {low} and {high} (95 %); scores up to {epsilon} apart "
                "are tied. Enter shows the picture.",
                metric=name, figure=figure.title, value=number, low=low, high=high, epsilon=f"{one.tied.epsilon:.4g}",
            )  # fmt: skip
        return tr(
            "{metric} and people: {figure} {value}, between {low} and {high} (95 %). Enter shows the picture.",
            metric=name, figure=figure.title, value=number, low=low, high=high,
        )  # fmt: skip
    reason = no_interval(study, one)
    return tr(
        "{metric} and people: {figure} {value}. {reason}", metric=name, figure=figure.title, value=number,
        reason=reason,
    )  # fmt: skip


def system_sentence(system: str, who: str, score: str, rank: str, people: str) -> str:
    """Where a metric puts a system, and where people do."""
    return tr(
        "{system}: {score} by {who}, place {rank}; people put it in place {people}. Enter shows its segments.",
        system=system, who=who, score=score, rank=rank, people=people,
    )  # fmt: skip


def rated_sentence(system: str, score: str, rank: str) -> str:
    """What people gave a system."""
    return tr("{system}: people gave it {score}, place {rank}.", system=system, score=score, rank=rank)


def between_sentence(one: str, other: str, value: float, decimals: int) -> str:
    """How the scores of two metrics go together."""
    if math.isnan(value):
        return tr("{one} and {other}: one of them gave all systems the same score.", one=one, other=other)
    return tr(
        "{one} and {other}: Pearson’s r of their scores of systems is {value}.",
        one=one, other=other, value=score_text(value, decimals),
    )  # fmt: skip


def better_sentence(
    study: HumansStudy, figure: Figure, one: int, other: int, verdict: Verdict, correction: Correction, decimals: int
) -> str:
    """Whether one of two metrics agrees significantly better with people."""
    values = [figure.value(study.agreements[place]) for place in (one, other)]
    names = [study.agreements[place].metric.name for place in (one, other)]
    if verdict.sureness in (Sureness.UNTESTED, Sureness.ITSELF):
        return tr("{one} and {other}: not tested by {figure}.", one=names[0], other=names[1], figure=figure.title)
    judged, test = equals_p(verdict.judged), test_text(study, figure)
    apart = signed_text(values[0] - values[1], decimals)
    how = judged if correction == "none" else tr("{p} after {correction}", p=judged, correction=CALLED[correction])
    if verdict.better is None:
        return tr(
            "{one} and {other} do not differ significantly in {figure} ({apart} apart): p {p}, {test}.",
            one=names[0], other=names[1], apart=apart, figure=figure.title, p=how, test=test,
        )  # fmt: skip
    better, worse = (names[0], names[1]) if verdict.better == one else (names[1], names[0])
    return tr(
        "{better} agrees better with people than {worse} on these systems ({figure}, {apart} apart): p {p}, {test}.",
        better=better, worse=worse, figure=figure.title, apart=signed_text(abs(values[0] - values[1]), decimals), p=how,
        test=test,
    )  # fmt: skip


def no_test(study: HumansStudy, figure: Figure) -> str:
    """Why there is no matrix of which metric is better."""
    return untested(study, figure)


def ends_text(figure: Figure, one: Agreement, decimals: int) -> str:
    """What stands below a figure: its interval, and ε."""
    ends = figure.interval(one)
    below = "" if ends is None else interval_text(*ends, decimals)
    if figure.name == "acc_eq" and not math.isnan(one.tied.epsilon):
        return side_by_side(" ", (below, f"ε {one.tied.epsilon:.4g}"))
    return below
