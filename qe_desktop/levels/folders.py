"""Folders of shared tasks: one corpus for each language pair, and what of a level is in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from qe_desktop.corpus import Corpus, Place, QeError, View
from qe_desktop.formats import Lines, Numbers
from qe_desktop.formats.planning import Progress
from qe_desktop.formats.regular_files import Watch, nobody
from qe_desktop.formats.sentences import few
from qe_desktop.levels.corpora import corpora_in
from qe_desktop.levels.files import alike
from qe_desktop.levels.folder_scores import FolderScores, with_same_metrics
from qe_desktop.levels.group import Group
from qe_desktop.levels.level import Level
from qe_desktop.levels.people.rated import gives_scores
from qe_desktop.levels.registry import GROUPS
from qe_desktop.levels.scoring import Scoring
from qe_desktop.metrics.tokenization import Tokenization
from qe_desktop.wording import side_by_side, tr

NOTHING_SAID = FolderScores()


@dataclass(frozen=True, slots=True)
class Held:
    """What folders hold of one group of levels: what is scored for each language pair, and remarks for people.

    `groups` are all of which they hold something to score.
    """

    group: Group
    pairs: dict[str, Scoring]
    notes: tuple[str, ...]
    groups: tuple[Group, ...]


def held_in(
    paths: Sequence[Path],
    group: str = "",
    *,
    language_pair: str = "",
    lines: Lines | None = None,
    numbers: Numbers | None = None,
    gold: str = "",
    scores: FolderScores = NOTHING_SAID,
    tokenization: Tokenization | None = None,
    progress: Progress | None = None,
    watch: Watch = nobody,
) -> Held:
    """Read folders; of `group`, or of the first that there are systems of. QeError where there is nothing to score.

    `lines` and `numbers` answer what files leave open. `gold` is the name of what is scored against, where there are
    several golds. `scores` is said of metrics' scores and ratings, and `tokenization` is how texts are split. Pairs in
    which nothing can be scored are named in the notes. `progress` hears which file is read and the share of the work
    that is done; `watch` is called often, and what it raises ends the reading.
    """
    found, remarks = corpora_in(
        paths, language_pair=language_pair, lines=lines, numbers=numbers, progress=progress, watch=watch
    )
    found, more = scores.added({name: _to_be_scored(corpus) for name, corpus in found.items()})
    notes = [*remarks, *more]
    views = {name: View(corpus) for name, corpus in with_same_metrics(found).items()}
    there = {one.name: scored for one in GROUPS.values() if (scored := _scored(one, views, gold, tokenization))}
    chosen = group or next(iter(there), "")
    if chosen not in there:
        raise _no_gold(views, gold) if gold else _nothing(paths, group, list(found))
    pairs = there[chosen]
    notes += [note for name, scoring in pairs.items() if not gold for note in _of_golds(name, scoring)]
    about = GROUPS[chosen].remarks
    if about is not None:
        notes += [side_by_side(": ", (name, note)) for name, scoring in pairs.items() for note in about(scoring)]
    notes += [_left_out(name, gold) for name in views if name not in pairs]
    return Held(GROUPS[chosen], pairs, tuple(notes), tuple(GROUPS[name] for name in there))


def _to_be_scored(corpus: Corpus) -> Corpus:
    """A corpus of nothing but ratings has the segments that were rated."""
    if corpus.size or corpus.ratings is None or not gives_scores(corpus.ratings):
        return corpus
    # the numbers of segments are needed where there are ratings alone
    from qe_desktop.levels.people.inputs import numbered

    scores, size = numbered(corpus.ratings.scores)
    return replace(corpus, size=size, ratings=replace(corpus.ratings, scores=scores))


def _scored(group: Group, views: dict[str, View], gold: str, tokenization: Tokenization | None) -> dict[str, Scoring]:
    """What of a group can be scored, by pair."""
    levels = [level if tokenization is None else level.tokenized(tokenization) for level in group.levels]
    return {name: scoring for name, view in views.items() if (scoring := _scoring(levels, view, gold)) is not None}


def _scoring(levels: Sequence[Level], view: View, gold: str) -> Scoring | None:
    for level in levels:
        golds = {key.name: key for key in level.references(view) if key.name}
        chosen = golds.get(alike(gold, golds)) if gold else None
        if gold and chosen is None:
            continue
        scoring = Scoring.of(level, view, chosen)
        if scoring is not None and scoring.subjects:
            return scoring
    return None


def _of_golds(name: str, scoring: Scoring) -> list[str]:
    """What is to be said where nobody chose among several golds."""
    golds = [key.name for key in scoring.level.references(scoring.view)]
    # what has no name stands for all of them
    if len(golds) < 2 or not scoring.reference.name:
        return []
    taken, said = scoring.reference.name, few(golds)
    return [tr("{pair} is scored against {gold}, the first of its golds: {golds}", pair=name, gold=taken, golds=said)]


def _left_out(name: str, gold: str) -> str:
    if gold:
        return tr("{pair} has no gold called “{gold}” or no systems, and is left out", pair=name, gold=gold)
    return tr("{pair} has no gold or no systems, and is left out", pair=name)


def _no_gold(views: dict[str, View], wanted: str) -> QeError:
    levels = [level for group in GROUPS.values() for level in group.levels]
    golds = dict.fromkeys(key.name for view in views.values() for level in levels for key in level.references(view))
    hint = tr("The golds are {golds}.", golds=few([name for name in golds if name], joined=True))
    return QeError(tr("no gold is called “{name}”", name=wanted), hint=hint)


def _nothing(paths: Sequence[Path], group: str, names: Sequence[str]) -> QeError:
    message = tr("there is nothing to score: no gold with systems beside it in {names}", names=", ".join(names))
    if group:
        message = tr(
            "there are no {items} to score: no gold with systems beside it in {names}",
            items=GROUPS[group].levels[0].items, names=", ".join(names),
        )  # fmt: skip
    hint = tr("Give a folder with gold and the systems' files, for several pairs a folder each.")
    return QeError(message, hint=hint, place=Place(str(paths[0])))
