"""Writes what mir_eval makes of pitch series, notes and chords, with the series as texts of files.

    python3 -m venv judge && judge/bin/pip install mir_eval==0.8.2 numpy==2.4.6 scipy==1.17.1
    judge/bin/python scripts/vectors/score.py

The result is Tests/Golden/score.json. With a number of cases, --count 500 --output FILE, it makes more of them.
"""

import argparse
import json
import pathlib
import warnings

import mir_eval
import numpy as np

TARGET = pathlib.Path(__file__).parents[2] / "Tests/Golden/score.json"
QUALITIES = ["", ":min", ":maj", ":7", ":maj7", ":min7", ":dim", ":aug", ":sus4", ":hdim7", ":maj6", ":9", ":min9",
             ":13", ":minmaj7", ":5", ":1", ":maj(9)", ":min(*5,b6)", ":(1,5,b7)", ":7(#9)"]
BASSES = ["", "", "", "/3", "/5", "/b7", "/b3", "/2"]


def series(random, frames, hop, start):
    """A contour with gaps; guesses of some unvoiced frames are negative."""
    hz = 200 * 2 ** (np.cumsum(random.normal(0, 0.02, frames)))
    voiced = np.repeat(random.random(frames // 5 + 1) > 0.3, 5)[:frames]
    hz = np.where(voiced, hz, np.where(random.random(frames) > 0.5, 0, -hz))
    return np.round(start + hop * np.arange(frames), 6), np.round(hz, 3)


def estimate_of(random, times, hz):
    """The same with octave errors, small errors and other voicing, in other steps."""
    hop = random.choice([times[1] - times[0], 0.0058, 0.013])
    count = int((times[-1] - times[0] + random.uniform(-0.2, 0.1)) / hop)
    new = np.round(times[0] * random.integers(0, 2) + hop * np.arange(count), 6)
    near = hz[np.clip(np.searchsorted(times, new), 0, len(hz) - 1)]
    errors = 2 ** (random.normal(0, 30, count) / 1200) * 2.0 ** random.choice([0, 0, 0, 1, -1], count)
    return new, np.round(near * errors * random.choice([1, 1, 1, -1, 0], count), 3)


def melody(random):
    times, hz = series(random, 60, random.choice([0.01, 0.005]), random.choice([0.0, 0.02]))
    new, found = estimate_of(random, times, hz)
    return rows(times, hz), rows(new, found), mir_eval.melody.evaluate(times, hz, new, found)


def notes(random):
    count = random.integers(1, 25)
    onsets = np.sort(random.uniform(0, 6, count))
    truth = np.round(np.column_stack([onsets, onsets + random.uniform(0.1, 0.9, count),
                                      220 * 2 ** (random.integers(0, 12, count) / 12)]), 4)
    picked = truth[random.integers(0, count, random.integers(1, 30))]
    found = np.round(picked + random.normal(0, [0.03, 0.06, 4], picked.shape), 4)
    found[:, 0] = np.maximum(found[:, 0], 0)
    found[:, 1] = np.maximum(found[:, 1], found[:, 0] + 0.01)
    scores = mir_eval.transcription.evaluate(truth[:, :2], truth[:, 2], found[:, :2], found[:, 2])
    return rows(*truth.T), rows(*found.T), scores


def chords(random):
    def labels(count):
        roots = random.choice(["C", "D", "Eb", "F#", "G", "A", "Bb"], count)
        names = [r + random.choice(QUALITIES) + random.choice(BASSES) for r in roots]
        return [random.choice(["N", "X"]) if random.random() < 0.15 else str(name) for name in names]

    def sequence(names, start, end):
        inner = np.sort(random.choice(np.arange(1, 80), len(names) - 1, replace=False)) / 80
        bounds = np.round(start + (end - start) * np.concatenate([[0], inner, [1]]), 3)
        return np.column_stack([bounds[:-1], bounds[1:]])

    wanted = labels(random.integers(2, 12))
    truth = sequence(wanted, 0, 20)
    other = labels(len(wanted))
    named = [a if random.random() < 0.6 else b for a, b in zip(wanted, other)]
    found = sequence(named, random.choice([0, 0.7]), random.choice([20, 18.5, 21]))
    scores = mir_eval.chord.evaluate(truth, wanted, found, list(named))
    return rows(*truth.T, wanted), rows(*found.T, named), scores


def rows(*columns):
    return "".join("\t".join(str(value) for value in row) + "\n" for row in zip(*columns))


parser = argparse.ArgumentParser()
parser.add_argument("--count", type=int, default=8)
parser.add_argument("--output", type=pathlib.Path, default=TARGET)
options = parser.parse_args()
warnings.simplefilter("ignore")
random = np.random.default_rng(50)
cases = []
for make in [melody, notes, chords]:
    for _ in range(options.count):
        reference, estimate, scores = make(random)
        cases.append({"kind": make.__name__, "reference": reference, "estimate": estimate,
                      "scores": {name: float(value) for name, value in scores.items()}})
options.output.write_text(json.dumps({"mir_eval": "0.8.2", "cases": cases}, indent=1) + "\n")
