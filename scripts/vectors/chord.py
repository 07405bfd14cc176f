"""Writes mir_eval's comparisons of chord labels and scores of random chord sequences.

    python3 -m venv judge && judge/bin/pip install mir_eval==0.8.2
    judge/bin/python scripts/vectors/chord.py

The result is Tests/AnalyzerTests/Golden/chord.json.
"""

import json
import pathlib
import warnings

import mir_eval
import numpy as np

TARGET = pathlib.Path(__file__).parents[2] / "Tests/AnalyzerTests/Golden/chord.json"
RULES = [
    "root", "thirds", "thirds_inv", "triads", "triads_inv", "tetrads", "tetrads_inv", "majmin",
    "majmin_inv", "sevenths", "sevenths_inv", "mirex"]
ROOTS = ["C", "C#", "Db", "E", "Fb", "F#", "G", "Ab", "Bbb", "B", "B#"]
QUALITIES = [quality for quality in mir_eval.chord.QUALITIES if quality]
DEGREES = ["b9", "9", "#11", "4", "b7", "*3", "*5", "6", "2", "b3", "13", "*1", "b1"]
BASSES = ["3", "5", "b3", "b7", "7", "9", "2", "#4", "b13", "b1"]


def label(random, few=False):
    """A random label: now and then none, unknown, with degrees or over another bass."""
    kind = random.random()
    if kind < 0.08:
        return "N"
    if kind < 0.12:
        return "X"
    roots = ROOTS[:3] if few else ROOTS
    text = str(random.choice(roots))
    qualities = ["maj", "min", "7", "maj7", "min7", "9", "min9", "minmaj7"] if few else QUALITIES
    degrees = ",".join(random.choice(DEGREES, random.integers(1, 4), replace=False))
    if kind < 0.75:
        text += ":" + str(random.choice(qualities))
        if kind < 0.25:
            text += f"({degrees})"
    elif kind < 0.85:
        text += f":({degrees})"
    if random.random() < 0.25:
        text += "/" + str(random.choice(BASSES))
    return text


def sequence(random, gaps):
    """Spans of random length, sometimes with gaps between them."""
    times, labels, now = [], [], round(float(random.choice([0, 0.5, 1.25])), 2)
    before = label(random, few=True)
    for _ in range(random.integers(3, 25)):
        length = round(float(random.uniform(0.1, 2)), 2)
        before = before if random.random() < 0.3 else label(random, few=True)
        times.append([now, round(now + length, 2)])
        labels.append(before)
        now = round(now + length + (0.3 if gaps and random.random() < 0.2 else 0), 2)
    return np.array(times), labels


def sequence_case(seed):
    random = np.random.default_rng(seed)
    times, labels = sequence(random, gaps=seed % 3 == 1)
    if seed % 2:
        # The reference with mistakes and late changes.
        heard = np.round(np.maximum.accumulate(
            np.maximum(times.flatten() + random.normal(0, 0.04, times.size), 0)), 2).reshape(-1, 2)
        keep = heard[:, 1] > heard[:, 0]
        heard, named = heard[keep], [
            name if random.random() < 0.7 else label(random, few=True)
            for name, kept in zip(labels, keep) if kept]
    else:
        heard, named = sequence(random, gaps=seed % 4 == 2)
    scores = mir_eval.chord.evaluate(times, labels, heard, list(named))
    return {
        "referenceSeconds": times.tolist(), "reference": labels,
        "estimateSeconds": heard.tolist(), "estimate": named,
        "scores": {name: float(value) for name, value in scores.items()},
    }


def main():
    warnings.simplefilter("ignore")
    random = np.random.default_rng(8)
    pairs = []
    for number in range(400):
        few = number % 2 == 0
        pairs.append([label(random, few), label(random, few)])
        if number % 5 == 0:
            pairs[-1][1] = pairs[-1][0]
    reference, estimate = [list(side) for side in zip(*pairs)]
    compared = {rule: getattr(mir_eval.chord, rule)(reference, estimate) for rule in RULES}
    refused = [
        "", "H:maj", "C:", "C:major", "Cmaj", "C(9)", "C:maj(", "C:maj()", "C:maj(0)", "C:maj(14)",
        "C#b", "C/", "C:maj/0", "C:min(b#3)", "N/3", "c", "C:maj(9,)", "C:maj/3/5", "C:maj 7",
        "C:maj(9)x", "Xb"]
    for text in refused:
        try:
            mir_eval.chord.encode(text)
            raise AssertionError(f"mir_eval takes {text}")
        except mir_eval.chord.InvalidChordException:
            pass
    vectors = {
        "madeBy": f"scripts/vectors/chord.py with mir_eval {mir_eval.__version__}",
        # For each pair: 1 the same, 0 not, -1 not comparable.
        "pairs": pairs,
        "compared": {rule: [int(value) for value in values] for rule, values in compared.items()},
        "refused": refused,
        "sequences": [sequence_case(seed) for seed in range(24)],
    }
    TARGET.write_text(json.dumps(vectors) + "\n")


if __name__ == "__main__":
    main()
