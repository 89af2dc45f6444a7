"""Tokenizers on the “Against human scores” page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ui.scores.meta_evaluation.conftest import read_corpus

CHINESE = str.maketrans("abcdefgh", "狗猫鸟鱼山水天地", " ")


def test_study_uses_the_tokenizer_of_the_scores(environment: Any, driver: Any, task: Path) -> None:
    for file in (task / "ref.A", task / "ref.B", *(task / "systems").iterdir()):
        file.write_text(file.read_text().translate(CHINESE), encoding="utf-8")
    environment.open(read_corpus(task))
    for name, tokenizer in (("", "zh"), ("none", "none"), ("", "zh")):
        environment.workspace.set_tokenizer(name)
        environment.wait()
        assert driver.service.result.data.signature["tok"] == tokenizer
        (bleu,) = (agreement for agreement in driver.study.agreements if agreement.metric.name == "BLEU")
        assert f"tok:{tokenizer}|" in bleu.metric.signature
        scores = dict(
            zip(
                [key.name for key in environment.scores.layers], environment.scores.values["BLEU"].tolist(), strict=True
            )
        )
        assert [scores[name] for name in driver.study.systems] == pytest.approx(bleu.scores.tolist())
    assert any("BLEU: nrefs:2|case:mixed|eff:no|tok:zh" in note for note in driver.service.report().notes())
