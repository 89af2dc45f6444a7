"""How much of a text stands in the others as well, by n-grams: what BLEU and NIST count (Papineni et al. 2002)."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.levels.translations.markings.marks import Against, Form, Mark, Marking, Marks, Sign, in_order
from qe_desktop.levels.translations.markings.places import places
from qe_desktop.metrics.ngram_matches import MatchingNgram, matching_ngrams
from qe_desktop.metrics.texts import translated
from qe_desktop.wording import listed, tr

LONGEST = 4
_FORMS = (Form.STEP_1, Form.STEP_2, Form.STEP_3, Form.STEP_4)
STEPS = tuple(Sign(form, tr("{n}-gram", "", n)) for n, form in enumerate(_FORMS, 1))
REPEATED = Sign(Form.FRAME, tr("once too often"))


def marks(against: Against) -> Marks:
    """Each token that stands in a matching n-gram, with the longest of up to 4 that covers it, the first of equals.

    Tokens are those of BLEU. N-grams that count as matches go before others; a token that is only in those which the
    text says more often than any of the others is marked as repeated.
    """
    if not against.others:
        return ()
    cut = against.cut
    found = matching_ngrams(translated([against.text], [[other] for other in against.others]), 0, cut, LONGEST)
    longest: dict[int, MatchingNgram] = {}
    for match in found.matches:
        for place in range(match.first, match.end):
            held = longest.get(place)
            if held is None or (match.counted, match.length) > (held.counted, held.length):
                longest[place] = match
    spans = places(against.text, found.tokens)
    marked = []
    for place, match in longest.items():
        start, end = spans[place]
        words = against.text[spans[match.first][0] : spans[match.end - 1][1]]
        sign = STEPS[match.length - 1] if match.counted else REPEATED
        marked.append(Mark(start, end, sign, words, match.references, match.length, place + 1))
    return in_order(marked)


def say(mark: Mark, names: Sequence[str]) -> str:
    """A matching n-gram in words."""
    having = listed([names[number] for number in mark.texts])
    if mark.sign is REPEATED:
        return tr("“{words}” is in {names} as well, but less often", words=mark.other, names=having)
    if mark.number == 1:
        return tr("alone in {names} as well", names=having)
    return tr("in a matching {n}-gram, “{words}” of {names}", "", mark.number, words=mark.other, names=having)


NGRAMS = Marking(
    "n-grams",
    tr("matching n-grams"),
    tr("How long the longest n-gram of up to four words is that a word stands in and the other texts have as well"),
    (*STEPS, REPEATED),
    marks,
    say,
    ("BLEU", "NIST", "sentBLEU", "spBLEU"),
)
