"""QA checks of the sample jobs: their codes are correct, and wrong edits of codes are found."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import View
from qe_desktop.corpus.translation_job import Review
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.plain_lines import parse_line_codes
from qe_desktop.formats.bilingual.registry import read_document
from qe_desktop.local_qe.qa_checks.live_checks import TargetChecks
from qe_desktop.local_qe.qa_checks.runner import CHECK_BY_NAME, CHECKS, run_checks
from tests.samples.sample_files import SAMPLES

CODES = CHECK_BY_NAME["codes"]


@pytest.fixture(scope="module", params=["manuals.xlf", "manuals.sdlxliff"])
def corpus(request):
    return corpus_from_documents([read_document(SAMPLES / "jobs" / "en-de" / request.param)], "job")


def test_codes_of_sample_jobs_are_correct_and_wrong_edits_are_found(corpus):
    assert not any(layer.tags.values.any() for layer in run_checks(corpus, [CODES]))
    view = View(corpus)
    checks = TargetChecks(view, CHECKS)
    coded = [segment for segment in range(corpus.size) if parse_line_codes(corpus.source_line(segment))]
    assert len(coded) >= 3
    for segment in coded:
        line = corpus.mt_line(segment)
        known = {code.number for code in parse_line_codes(corpus.source_line(segment))}
        codes = [code.display_text for code in parse_line_codes(line) if code.number in known]
        assert not [finding for finding in checks.issues(segment, line) if finding.check == CODES.name]
        missing = checks.issues(segment, line.replace(codes[0], "", 1))
        assert f"the code {codes[0]} is missing from the target" in [str(finding.reason) for finding in missing]
        repeated = checks.issues(segment, line + codes[-1])
        assert f"the code {codes[-1]} is not in the source, or occurs there less often" in [
            str(finding.reason) for finding in repeated
        ]


def test_a_segment_without_one_of_its_codes_is_found_until_it_is_restored(corpus):
    segment = next(number for number in range(corpus.size) if parse_line_codes(corpus.source_line(number)))
    line = corpus.mt_line(segment)
    broken = View(corpus, review=Review(targets={segment: line.replace(parse_line_codes(line)[0].display_text, "", 1)}))
    checks = TargetChecks(broken, [CODES])
    assert np.flatnonzero(checks.flagged_segments()).tolist() == [segment]
    checks.update_to_view(View(corpus, review=Review(targets={segment: f"{line} "})), [segment])
    assert not checks.flagged_segments().any()
