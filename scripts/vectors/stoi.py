"""Writes what pystoi 0.4.1 makes of a deterministic voice, spoiled in several ways.

    python3 -m venv judge && judge/bin/pip install pystoi==0.4.1
    judge/bin/python scripts/vectors/stoi.py

The result is Tests/Golden/stoi.json. pystoi adds noise of 1e-16 to the bands of
ESTOI, which decides where a band is flat (digital silence): its value is the mean of 30 runs,
given with their standard deviation.
"""

import json
import pathlib

import numpy as np
import pystoi
import pystoi.utils

from voice import spoil, voice

TARGET = pathlib.Path(__file__).parents[2] / "Tests/Golden/stoi.json"
CONDITIONS = [
    "white 10", "white 0", "pink 10", "pink -5", "lowpass 1000", "reverb 0.8", "clip 0.05",
    "ring 70", "gate 60", "gate 700",
]
RATES = {8000: CONDITIONS[:1], 10000: CONDITIONS, 16000: CONDITIONS, 22050: CONDITIONS[2:3],
         44100: CONDITIONS[::3], 48000: CONDITIONS, 96000: CONDITIONS[1:2]}


def row(rate, condition, seed):
    clean = voice(rate, seed=seed)
    spoilt = spoil(condition, clean, rate)
    x, y = clean.astype(float), spoilt.astype(float)
    extended = [pystoi.stoi(x, y, rate, extended=True) for _ in range(30)]
    return {
        "rateHz": rate, "condition": condition, "seed": seed, "stoi": pystoi.stoi(x, y, rate),
        "estoi": float(np.mean(extended)), "estoiSd": float(np.std(extended)),
    }


def resampled(rate):
    """Every 400th sample at 10 kHz, to check the resampler by itself."""
    samples = pystoi.utils.resample_oct(voice(rate, seconds=0.5).astype(float), 10000, rate)
    return {"rateHz": rate, "count": len(samples), "every400th": samples[::400].tolist()}


def main():
    np.random.seed(1)
    rows = [
        row(rate, condition, seed)
        for seed, (rate, conditions) in enumerate(RATES.items(), 1)
        for condition in conditions
    ]
    vectors = {
        "madeBy": "scripts/vectors/stoi.py with pystoi 0.4.1",
        "rows": rows,
        "resampled": [resampled(rate) for rate in (8000, 16000, 22050, 44100, 48000, 192000)],
    }
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(vectors, indent=1) + "\n")


if __name__ == "__main__":
    main()
