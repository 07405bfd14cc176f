"""Writes Praat's measures of voice quality for sounds that a test can make again.

    python3 -m venv judge && judge/bin/pip install praat-parselmouth==0.4.7 numpy==2.4.6
    judge/bin/python scripts/vectors/quality.py

The result is Tests/Golden/quality.json. The sounds are those of
Tests/AnalyzerTests/Support/QualityVoice.swift; keep the two in step.
"""

import json
import math
import pathlib

import numpy as np
import parselmouth
from parselmouth.praat import call

from voice import Random

TARGET = pathlib.Path(__file__).parents[2] / "Tests/Golden/quality.json"
RATE = 44_100


def noisy_tone(f0_hz, hnr_db, seconds=1.0, seed=5):
    """Harmonics up to 8 kHz that fall by 6 dB an octave, and white noise `hnr_db` below them."""
    times = np.arange(int(seconds * RATE)) / RATE
    tone = sum(np.sin(2 * math.pi * f0_hz * h * times + h * h) / h
               for h in range(1, int(8000 / f0_hz) + 1))
    random = Random(seed)
    noise = np.array([2 * random.uniform() - 1 for _ in times])
    gain = math.sqrt(np.sum(tone**2) / np.sum(noise**2)) * 10 ** (-hnr_db / 20)
    return np.float32(0.1 * (tone + gain * noise))


def perturbed(count, f0_hz, jitter, shimmer, seed=9):
    """Times and sizes of pulses that change by chance, evenly distributed."""
    random = Random(seed)
    time, marks, sizes = 0.05, [], []
    for _ in range(count):
        marks.append(time)
        sizes.append(1 + shimmer * (2 * random.uniform() - 1))
        time += (1 + jitter * (2 * random.uniform() - 1)) / f0_hz
    return marks, sizes


def pulses(marks, sizes):
    """A short damped wave at 900 Hz from each mark on."""
    sound = np.zeros(int((marks[-1] + 0.05) * RATE))
    for mark, size in zip(marks, sizes):
        first = int(mark * RATE) + 1
        past = np.arange(first, min(len(sound), first + int(0.008 * RATE))) / RATE - mark
        sound[first:first + len(past)] += size * (past / 3e-4) ** 2 * np.exp(-past / 3e-4) \
            * np.cos(2 * math.pi * 900 * past)
    return np.float32(0.3 * sound)


def harmonicity(sound, kind):
    made = call(sound, f"To Harmonicity ({kind})", 0.01, 75, 0.1, 4.5 if kind == "ac" else 1.0)
    return call(made, "Get mean", 0, 0)


def cepstral(sound, smooth):
    cepstrogram = call(sound, "To PowerCepstrogram", 60, 0.002, 5000, 50)
    return call(
        cepstrogram, "Get CPPS", smooth, 0.02 if smooth else 0, 0.0005 if smooth else 0, 60, 330,
        0.05, "parabolic", 0.001, 0.05, "Exponential decay", "Robust")


def perturbation(sound):
    marks = call(sound, "To PointProcess (periodic, cc)", 75, 600)
    periods = (0, 0, 0.0001, 0.02, 1.3)
    result = {
        name: call(marks, f"Get jitter ({name})", *periods)
        for name in ("local", "rap", "ppq5", "ddp")}
    for name in ("local", "local_dB", "apq3", "apq5", "apq11", "dda"):
        result["shimmer " + name] = call(
            [sound, marks], f"Get shimmer ({name})", *periods, 1.6)
    return result


def main():
    vectors = {"madeBy": f"scripts/vectors/quality.py with Praat {parselmouth.PRAAT_VERSION}"}
    vectors["tones"] = []
    for f0_hz in (110, 233):
        for hnr_db in (0, 5, 10, 20, 30):
            sound = parselmouth.Sound(noisy_tone(f0_hz, hnr_db).astype(float), RATE)
            vectors["tones"].append({
                "f0Hz": f0_hz, "hnrDb": hnr_db,
                "praatAc": harmonicity(sound, "ac"), "praatCc": harmonicity(sound, "cc"),
                "praatCPP": cepstral(sound, False), "praatCPPS": cepstral(sound, True)})
    vectors["pulses"] = []
    for f0_hz in (110, 233):
        for jitter, shimmer in ((0, 0), (0.01, 0), (0, 0.1), (0.005, 0.05), (0.03, 0.2)):
            marks, sizes = perturbed(80, f0_hz, jitter, shimmer)
            sound = parselmouth.Sound(pulses(marks, sizes).astype(float), RATE)
            vectors["pulses"].append({
                "f0Hz": f0_hz, "jitter": jitter, "shimmer": shimmer, "praat": perturbation(sound)})
    TARGET.write_text(json.dumps(vectors, indent=1) + "\n")


if __name__ == "__main__":
    main()
