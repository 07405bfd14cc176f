"""Writes mir_eval's scores of random melodies and notes, with their inputs.

    python3 -m venv judge && judge/bin/pip install mir_eval==0.8.2
    judge/bin/python scripts/vectors/melody.py

The result is Tests/AnalyzerTests/Golden/melody.json.
"""

import json
import pathlib
import warnings

import mir_eval
import numpy as np

TARGET = pathlib.Path(__file__).parents[2] / "Tests/AnalyzerTests/Golden/melody.json"
HOPS = [(0.01, 0.01), (0.01, 0.0058), (0.0029, 0.01), (0.01, 0.013)]


def melody(random, hop, start, seconds):
    """Notes and rests with vibrato: times (s) and pitch (Hz), 0 where there is none."""
    times = start + hop * np.arange(int(seconds / hop))
    hz = np.zeros(len(times))
    place = 0
    while place < len(times):
        length = random.integers(5, 60)
        if random.random() < 0.7:
            note = 110 * 2 ** (random.integers(0, 24) / 12)
            cents = 30 * np.sin(2 * np.pi * 5.5 * times[place:place + length])
            hz[place:place + length] = note * 2 ** (cents / 1200)
        place += length
    return times, hz


def heard(random, times, hz, hop, start, seconds):
    """An estimate of a melody on another grid, with the mistakes that trackers make."""
    new = start + hop * np.arange(int(seconds / hop))
    index = np.clip(np.searchsorted(times, new), 0, len(times) - 1)
    guess = hz[index] * 2 ** (random.normal(0, 25, len(new)) / 1200)
    kind = np.repeat(random.random(len(new) // 10 + 1), 10)[:len(new)]
    guess[kind < 0.10] *= 2
    guess[(kind > 0.10) & (kind < 0.18)] *= 0.5
    guess[(kind > 0.18) & (kind < 0.26)] = 0
    guess[(kind > 0.26) & (kind < 0.40)] *= -1
    silent = (guess == 0) & (kind > 0.8)
    guess[silent] = random.uniform(100, 500, silent.sum()) * random.choice([-1, 1], silent.sum())
    return new, guess


def melody_case(seed):
    random = np.random.default_rng(seed)
    reference_hop, estimate_hop = HOPS[seed % len(HOPS)]
    starts = [0, 0.005, 0.02][seed % 3], [0, 0.0, 0.031][seed % 3]
    seconds = 2 + random.random() * [0, 0.3][seed % 2]
    # The estimate may be shorter or longer than the reference.
    times, hz = melody(random, reference_hop, starts[0], 2.1)
    if seed == 10:
        hz[:] = 0
    if seed == 11:
        hz[hz == 0] = 220
    new, guess = heard(random, times, hz, estimate_hop, starts[1], seconds)
    times, hz, new, guess = (np.round(x, 6) for x in (times, hz, new, guess))
    scores = mir_eval.melody.evaluate(times, hz, new, guess)
    return {
        "referenceSeconds": times.tolist(), "referenceHz": hz.tolist(),
        "estimateSeconds": new.tolist(), "estimateHz": guess.tolist(),
        "scores": {name: float(value) for name, value in scores.items()},
    }


def notes_case(seed):
    random = np.random.default_rng(1000 + seed)
    count = int(random.integers(5, 40))
    onsets = np.cumsum(random.uniform(0.04, 0.25, count))
    lengths = random.uniform(0.05, 0.6, count)
    pitches = 220 * 2 ** (random.integers(0, 5, count) / 12)
    kept = random.random(count) > 0.15
    # Rounded to 10 ms, so that distances of exactly 50 ms occur.
    onsets, lengths = np.round(onsets, 2), np.round(lengths, 2)
    late = np.round(random.normal(0, 0.03, count), 2)
    longer = np.round(random.normal(0, 0.05, count), 2)
    estimate = np.stack([onsets + late, onsets + np.maximum(lengths + longer, 0.02) + late], 1)
    heard_hz = pitches * 2 ** (random.normal(0, 35, count) / 1200)
    # Doubled notes make the matching more than a nearest neighbour.
    doubled = random.random(count) < 0.2
    estimate = np.concatenate([estimate[kept], estimate[doubled] + 0.02])
    heard_hz = np.concatenate([heard_hz[kept], heard_hz[doubled]])
    shuffled = random.permutation(len(estimate))
    reference = np.stack([onsets, onsets + lengths], 1)
    estimate = np.round(np.maximum(estimate, 0)[shuffled], 4)
    heard_hz = np.round(heard_hz[shuffled], 6)
    pitches = np.round(pitches, 6)
    scores = mir_eval.transcription.evaluate(reference, pitches, estimate, heard_hz)
    return {
        "reference": np.column_stack([reference, pitches]).tolist(),
        "estimate": np.column_stack([estimate, heard_hz]).tolist(),
        "scores": {name: float(value) for name, value in scores.items()},
    }


def main():
    warnings.simplefilter("ignore")
    vectors = {
        "madeBy": f"scripts/vectors/melody.py with mir_eval {mir_eval.__version__}",
        "melodies": [melody_case(seed) for seed in range(12)],
        "notes": [notes_case(seed) for seed in range(12)],
    }
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(vectors) + "\n")


if __name__ == "__main__":
    main()
