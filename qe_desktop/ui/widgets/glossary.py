"""What the words of this program mean, in plain words: said on hover where they stand, and listed under F1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from qe_desktop.i18n.messages import tr


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A term: its id for programs, what it is called, and what it means; `group` is its heading."""

    id: str
    name: str
    text: str
    group: str


_TAGS, _REVIEW, _SCORES = tr("Tags"), tr("Texts and review"), tr("Scores")
METRICS = tr("Metrics")
"""The heading of the metrics, which explain themselves."""

_TERM_LIST = (
    GlossaryTerm(
        "bad",
        "BAD",
        tr(
            "The word is wrong here, or does not belong here: somebody who reads it should look at it. It is "
            "marked in orange, with a line below it."
        ),
        _TAGS,
    ),
    GlossaryTerm("ok", "OK", tr("Nothing is wrong with the word. It is not marked."), _TAGS),
    GlossaryTerm(
        "tag",
        tr("tag"),
        tr("OK or BAD, said of one word, of one gap between words, or of one word of the source."),
        _TAGS,
    ),
    GlossaryTerm(
        "gap",
        tr("gap"),
        tr("The place between two words. A gap is BAD where words are missing; a small triangle points to it."),
        _TAGS,
    ),
    GlossaryTerm(
        "gold",
        tr("gold"),
        tr(
            "The tags or scores that are taken as right, mostly made by people or from a post-edit. "
            "Systems are measured against them. Without gold nothing can be right or wrong, and all marks are what "
            "systems suspect."
        ),
        _TAGS,
    ),
    GlossaryTerm(
        "hit",
        tr("hit"),
        tr("System and gold both say BAD: the system found a fault. It is drawn as a solid bar."),
        _TAGS,
    ),
    GlossaryTerm(
        "false-alarm",
        tr("false alarm"),
        tr("Only the system says BAD, the gold says OK. It is drawn as a dashed bar."),
        _TAGS,
    ),
    GlossaryTerm(
        "miss",
        tr("miss"),
        tr("Only the gold says BAD: the system overlooked a fault. It is drawn as an open dotted frame."),
        _TAGS,
    ),
    GlossaryTerm(
        "disputed",
        "≠",
        tr(
            "How many places of a segment gold and systems do not all give the same tag. Many of them "
            "make a segment worth reading."
        ),
        _TAGS,
    ),
    GlossaryTerm(
        "probability",
        "P(BAD)",
        tr(
            "How likely a system thinks it that a word is BAD, from 0 to 1: the darker the shade "
            "behind the word, the likelier."
        ),
        _TAGS,
    ),
    GlossaryTerm(
        "threshold",
        tr("threshold"),
        tr(
            "The P(BAD) above which a word counts as BAD. A lower threshold marks more "
            "words, and more of them for nothing. The slider above the text moves it."
        ),
        _TAGS,
    ),
    GlossaryTerm(
        "agreement",
        tr("agreement of systems"),
        tr(
            "Where several systems tagged a text and there is no gold, a word is marked if enough of them call it "
            "BAD: any of them, most of them, or all. Words that all call BAD are filled and underlined; those that "
            "only some do have a dashed line."
        ),
        _TAGS,
    ),
    GlossaryTerm(
        "edited", tr("edited tag"), tr("A tag that a person changed here. It has a small blue corner."), _TAGS
    ),
    GlossaryTerm(
        "layer",
        tr("layer"),
        tr(
            "All tags or scores that one system or one person gave. What a system said is never "
            "changed; edits go to the gold or to a layer of your own."
        ),
        _TAGS,
    ),
    GlossaryTerm(
        "segment", tr("segment"), tr("One piece of source text with its translation, mostly a sentence."), _REVIEW
    ),
    GlossaryTerm("mt", tr("MT"), tr("The machine translation that is judged, as it was loaded."), _REVIEW),
    GlossaryTerm("post-edit", tr("post-edit"), tr("The MT as a person corrected it."), _REVIEW),
    GlossaryTerm(
        "reference",
        tr("reference"),
        tr("A translation by a person that the MT is compared with; it need not be the only right one."),
        _REVIEW,
    ),
    GlossaryTerm(
        "replaced",
        tr("replaced"),
        tr(
            "A word of the post-edit that stands in the place of another word of the MT. It has a dashed line below it."
        ),
        _REVIEW,
    ),
    GlossaryTerm(
        "new",
        tr("new"),
        tr("A word of the post-edit that nothing in the MT stands for. It has a double line below it."),
        _REVIEW,
    ),
    GlossaryTerm(
        "removed",
        tr("removed"),
        tr("A word of the MT that the post-edit does without. It has a line through it."),
        _REVIEW,
    ),
    GlossaryTerm(
        "taken-out",
        tr("taken out"),
        tr("Words of the MT that the corrected target does without. They have a line through them."),
        _REVIEW,
    ),
    GlossaryTerm(
        "put-in",
        tr("put in"),
        tr("Words of the corrected target that the MT does not have. They have a line below them."),
        _REVIEW,
    ),
    GlossaryTerm(
        "code",
        tr("code"),
        tr(
            "What a file has in its text that is no text, such as bold type or a link. It is a chip with its number "
            "in the source, and points to the text that it holds. It belongs to no word."
        ),
        _REVIEW,
    ),
    GlossaryTerm(
        "checked",
        tr("found by checks"),
        tr(
            "Where the plain checks find something in the target as it is now. It has a wave below it; why is said "
            "under the target, and on hover."
        ),
        _REVIEW,
    ),
    GlossaryTerm("found", tr("found"), tr("What was typed into the field for finding. It has a thin frame."), _REVIEW),
    GlossaryTerm(
        "hter",
        "HTER",
        tr(
            "How much of a translation a person changed: the words inserted, removed, replaced and moved, "
            "divided by the words of the post-edit. Capitals count as small letters, though a word whose case was "
            "changed is an edited word. 0 is untouched, and 1 is as much as writing it anew."
        ),
        _SCORES,
    ),
    GlossaryTerm(
        "score",
        tr("score of a segment"),
        tr(
            "One number that a system gives a whole segment. Whether more is better "
            "depends on the score: of HTER less is better, of a rating by people more."
        ),
        _SCORES,
    ),
    GlossaryTerm(
        "error",
        tr("error of a score"),
        tr("The score of a system less the gold score: above 0 the system's is too high."),
        _SCORES,
    ),
    GlossaryTerm(
        "precision",
        tr("precision and recall"),
        tr(
            "Precision: how many of the words that a system calls BAD are BAD. "
            "Recall: how many of the BAD words it finds. Who marks everything has full recall and little precision."
        ),
        _SCORES,
    ),
    GlossaryTerm(
        "significant",
        tr("significant"),
        tr(
            "Of a difference between two systems: were there none, one as large would be rare (p ≤ alpha). "
            "What is not significant need not be equal; small corpora rarely show a significant difference."
        ),
        _SCORES,
    ),
    GlossaryTerm(
        "interval",
        tr("interval"),
        tr(
            "A range around a score, from resampled segments. Of 95 % intervals over many corpora of the same kind, "
            "about 95 % hold the score of all such segments."
        ),
        _SCORES,
    ),
    GlossaryTerm(
        "tokenizer",
        tr("tokenizer"),
        tr(
            "What splits texts into words for BLEU and other metrics of words, as sacreBLEU calls it. Scores by "
            "different tokenizers cannot be compared."
        ),
        _SCORES,
    ),
)
TERMS: Mapping[str, GlossaryTerm] = MappingProxyType({term.id: term for term in _TERM_LIST})
"""All terms but the metrics, by id, in the order in which they are listed."""


def term_meaning(id: str) -> str:
    """What a term means; KeyError without such a term."""
    return TERMS[id].text


def metric_terms() -> list[GlossaryTerm]:
    """The metrics of all levels, each once, with what they reward, their range, their traps and their source."""
    # a window is on screen before metrics are needed
    from qe_desktop.levels import all_levels

    found = {metric.name: metric for level in all_levels() for metric in level.metrics.values()}
    return [GlossaryTerm(name, name, metric.help(signed=False), METRICS) for name, metric in found.items()]


def matching_terms(terms: Iterable[GlossaryTerm], text: str) -> list[GlossaryTerm]:
    """The terms that hold every word of a text, those first in whose name they stand."""
    words = text.casefold().split()
    found = [term for term in terms if all(word in f"{term.name} {term.text}".casefold() for word in words)]
    return sorted(found, key=lambda term: not all(word in term.name.casefold() for word in words))
