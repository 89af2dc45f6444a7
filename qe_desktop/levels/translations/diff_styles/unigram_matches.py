"""Which words of a text are in another as well, wherever they stand: what unigram-P, -R, -F1 and -Fmean count."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.levels.translations.markings.marks import Against, Form, Mark, Marking, Marks, Sign, in_order
from qe_desktop.levels.translations.markings.places import places
from qe_desktop.metrics.matching import matched
from qe_desktop.metrics.texts import Vocabulary, translated
from qe_desktop.metrics.unigrams import WEIGHTS, matching
from qe_desktop.wording import tr

EXACT = Sign(Form.SOLID, tr("same word"))
STEM = Sign(Form.DOTTED, tr("same stem"))


def marks(against: Against) -> Marks:
    """The tokens that match one of the best of the others (by F1), each once; then, by their stems, those left over.

    Stems are those of the language's stemmer, where there is one.
    """
    if not against.others:
        return ()
    cut = against.cut
    beside = translated([against.text], [[other] for other in against.others])
    found = matching(beside, 0, cut, WEIGHTS["unigram-F1"])
    other = against.others[found.reference]
    ours, theirs = cut([against.text, other])
    here, there = places(against.text, ours), places(other, theirs)
    pairs = [(*pair, EXACT) for pair in found.pairs]
    pairs += [(*pair, STEM) for pair in _by_stem(ours, theirs, found.pairs, against.language)]
    return in_order([
        Mark(*here[one], sign, other[slice(*there[two])], (found.reference,), here=one + 1, there=two + 1)
        for one, two, sign in pairs
    ])  # fmt: skip


def _by_stem(
    ours: Sequence[str], theirs: Sequence[str], pairs: Sequence[tuple[int, int]], language: str
) -> list[tuple[int, int]]:
    """The pairs of tokens that are in no pair yet and have one stem."""
    from qe_desktop.metrics.stemming import CODES, stemmed

    if language not in CODES:
        return []
    left = [place for place in range(len(ours)) if place not in {one for one, _ in pairs}]
    right = [place for place in range(len(theirs)) if place not in {two for _, two in pairs}]
    vocabulary = Vocabulary()
    stems = [
        vocabulary.tokens([stemmed([tokens[place].lower() for place in free], language)]).codes
        for tokens, free in ((ours, left), (theirs, right))
    ]
    return [(left[one], right[two]) for one, two in matched(*stems)]


def say(mark: Mark, names: Sequence[str]) -> str:
    """A match in words."""
    name = names[mark.texts[0]]
    if mark.sign is STEM:
        return tr("of one stem with “{word}”, place {there} of {name}", word=mark.other, there=mark.there, name=name)
    return tr("matches place {there} of {name}", there=mark.there, name=name)


UNIGRAMS = Marking(
    "unigrams",
    tr("unigram matches"),
    tr("Words that the other text has as well, wherever it has them, and words of the same stem"),
    (EXACT, STEM),
    marks,
    say,
    ("unigram-",),
)
