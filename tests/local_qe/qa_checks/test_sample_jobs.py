"""Checks on the jobs that are brought along: their codes are right, and what an edit does to them is found."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import View
from qe_desktop.corpus.review import Review
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.plain_lines import parse_line_codes
from qe_desktop.formats.bilingual.registry import read_document
from qe_desktop.local_qe.qa_checks.live_checks import TargetChecks
from qe_desktop.local_qe.qa_checks.runner import CHECK_BY_NAME, CHECKS, run_checks
from tests.samples.reading import SAMPLES

CODES = CHECK_BY_NAME["codes"]


@pytest.fixture(scope="module", params=["manuals.xlf", "manuals.sdlxliff"])
def corpus(request):
    return corpus_from_documents([read_document(SAMPLES / "jobs" / "en-de" / request.param)], "job")


def test_their_codes_are_right_and_edits_of_codes_are_found(corpus):
    assert not any(layer.tags.values.any() for layer in run_checks(corpus, [CODES]))
    view = View(corpus)
    checks = TargetChecks(view, CHECKS)
    coded = [segment for segment in range(corpus.size) if parse_line_codes(corpus.source_line(segment))]
    assert len(coded) >= 3
    for segment in coded:
        line = corpus.mt_line(segment)
        known = {code.number for code in parse_line_codes(corpus.source_line(segment))}
        codes = [code.shown for code in parse_line_codes(line) if code.number in known]
        assert not [one for one in checks.findings(segment, line) if one.check == CODES.name]
        lacking = checks.findings(segment, line.replace(codes[0], "", 1))
        assert f"the code {codes[0]} of the source is missing" in [str(one.reason) for one in lacking]
        twice = checks.findings(segment, line + codes[-1])
        assert f"the code {codes[-1]} is not in the source, or occurs there less often" in [
            str(one.reason) for one in twice
        ]


def test_a_segment_whose_code_was_taken_out_is_among_those_found_until_it_is_back(corpus):
    segment = next(one for one in range(corpus.size) if parse_line_codes(corpus.source_line(one)))
    line = corpus.mt_line(segment)
    broken = View(corpus, review=Review(targets={segment: line.replace(parse_line_codes(line)[0].shown, "", 1)}))
    checks = TargetChecks(broken, [CODES])
    assert np.flatnonzero(checks.segments()).tolist() == [segment]
    checks.follow(View(corpus, review=Review(targets={segment: f"{line} "})), [segment])
    assert not checks.segments().any()
