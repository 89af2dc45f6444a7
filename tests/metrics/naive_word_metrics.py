"""Direct implementations of the word metrics, segment by segment, to compare the vectorized ones with."""

from __future__ import annotations

import math

Tags = list[list[int]]


def spans(tags: list[int]) -> list[tuple[int, int, int]]:
    """Return (first, end, tag) of each maximal run."""
    result, first = [], 0
    for index in range(1, len(tags) + 1):
        if index == len(tags) or tags[index] != tags[first]:
            result.append((first, index, tags[first]))
            first = index
    return result


def counts(gold: list[int], system: list[int]) -> tuple[int, int, int, int]:
    tp = sum(g and s for g, s in zip(gold, system, strict=True))
    fp = sum(not g and s for g, s in zip(gold, system, strict=True))
    fn = sum(g and not s for g, s in zip(gold, system, strict=True))
    return tp, fp, fn, len(gold) - tp - fp - fn


def sequence_correlation(gold: list[int], system: list[int]) -> float:
    g, s = spans(gold), spans(system)
    total = 0.0
    for tag in (0, 1):
        words = sum(1 for gold_tag in gold if gold_tag == tag)
        rows = [span for span in g if span[2] == tag]
        columns = [span for span in s if span[2] == tag]
        cells = [[max(0, min(a[1], b[1]) - max(a[0], b[0])) for b in columns] for a in rows]
        matched = 0
        while True:
            best = max(
                ((cells[i][j], -i, -j) for i in range(len(rows)) for j in range(len(columns))), default=(0, 0, 0)
            )
            if best[0] == 0:
                break
            matched += best[0]
            for j in range(len(columns)):
                cells[-best[1]][j] = 0
            for i in range(len(rows)):
                cells[i][-best[2]] = 0
        total += matched / words if words else 0.0
    return min(len(g), len(s)) / max(len(g), len(s)) * total / 2


def phrase_f1(gold: Tags, system: Tags, tag: int) -> float:
    result, gold_spans, system_spans = 0.0, 0, 0
    for g, s in zip(gold, system, strict=True):
        for first, end, span_tag in spans(g):
            if span_tag == tag:
                gold_spans += 1
                result += sum(s[index] == tag for index in range(first, end)) / (end - first)
        system_spans += sum(span_tag == tag for _, _, span_tag in spans(s))
    if not gold_spans or not system_spans or not result:
        return 0.0
    precision, recall = result / system_spans, result / gold_spans
    return 2 * precision * recall / (precision + recall)


def phrase_rows(gold: list[int], system: list[int]) -> list[float]:
    """Return the matched shares of gold and of system spans, each with the number of spans, for OK and BAD."""
    result = []
    for tag in (0, 1):
        for first, second in ((gold, system), (system, gold)):
            mine = [span for span in spans(first) if span[2] == tag]
            result.append(sum(sum(second[p] == tag for p in range(a, b)) / (b - a) for a, b, _ in mine))
            result.append(float(len(mine)))
    return result


def scores(gold: Tags, system: Tags) -> dict[str, float]:
    """Return every metric that is implemented here; NaN if undefined."""
    tp, fp, fn, tn = (
        sum(column) for column in zip(*(counts(g, s) for g, s in zip(gold, system, strict=True)), strict=True)
    )
    bad = 2 * tp / (2 * tp + fp + fn) if tp else 0.0
    ok = 2 * tn / (2 * tn + fp + fn) if tn else 0.0
    below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    full = [(g, s) for g, s in zip(gold, system, strict=True) if g]
    phrases = [phrase_f1(gold, system, tag) for tag in (0, 1)]
    nan = math.nan
    return {
        "F1-BAD": bad,
        "F1-OK": ok,
        "F1-mult": bad * ok,
        "MCC": (tp * tn - fp * fn) / math.sqrt(below) if below else nan,
        "accuracy": (tp + tn) / (tp + tn + fp + fn) if tp + tn + fp + fn else nan,
        "precision-BAD": tp / (tp + fp) if tp + fp else nan,
        "recall-BAD": tp / (tp + fn) if tp + fn else nan,
        "phr-F1-OK": phrases[0],
        "phr-F1-BAD": phrases[1],
        "phr-F1-mult": phrases[0] * phrases[1],
        "SeqCor": sum(sequence_correlation(g, s) for g, s in full) / len(full) if full else nan,
    }
