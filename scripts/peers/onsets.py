#!/usr/bin/env python3
"""Measures how steadily late a shifter is: from onset to onset of a note, and from note to note.

    judge/bin/python scripts/peers/onsets.py choir-eval [--subjects psola,vocoder,world]

judge is the environment of shifters.py. Vowels of 0.2 s (exact_voice.py), cut at random places, each
against the same at the target pitch, four shifts; a lag is that of the power envelope in 6 ms, which the
pulses move, and in 40 ms, in which they don't show.

    scatter    24 onsets at 196 Hz: standard deviation of their lags, ms, median over shifts
    melody     notes of 82 to 784 Hz: 5th to 95th percentile of their lags over all shifts, ms
"""
import argparse
import pathlib
import tempfile

import numpy as np
import soundfile

import exact_voice
from exact_voice import RATE_HZ
from shifters import lag, subjects

SHIFTS, NOTE_S, WIDTHS_S = (-7, -5, 4, 7), 0.2, (0.006, 0.04)
MELODY_HZ = [82.4 * 2 ** (step / 12) for step in range(0, 40, 3)]


def sung(notes_hz, ratio, places):
    """The notes, each from a place in its vowel on, in slots of twice their length."""
    slot = int(2 * NOTE_S * RATE_HZ)
    sound = np.zeros((len(notes_hz) + 1) * slot)
    for number, (hz, place) in enumerate(zip(notes_hz, places)):
        f0 = np.full(int((NOTE_S + place) * RATE_HZ), ratio * hz)
        vowel = exact_voice.sing(f0, exact_voice.VOWELS_HZ["a"])[-int(NOTE_S * RATE_HZ):]
        start = int((number + 0.25) * slot + 37 * number)
        sound[start:start + len(vowel)] = exact_voice.ramps(exact_voice.brought_to(0.05, vowel), 0.01)
    return sound


def lags(program, render, notes_hz, shift, folder):
    """A row for each width, in ms."""
    places = np.random.default_rng(1).uniform(0, 0.05, len(notes_hz))
    source, target = str(folder / "in.wav"), str(folder / "out.wav")
    soundfile.write(source, sung(notes_hz, 1, places), RATE_HZ, subtype="FLOAT")
    render(program, source, target, shift)
    output, ideal = soundfile.read(target)[0], sung(notes_hz, 2 ** (shift / 12), places)
    slot = int(2 * NOTE_S * RATE_HZ)
    parts = [slice(number * slot, (number + 1) * slot) for number in range(len(notes_hz))]
    return np.array([
        [1000 * lag(ideal[part], output[part], RATE_HZ, width) for part in parts] for width in WIDTHS_S])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--subjects", default="psola,vocoder,delayline,world")
    options = parser.parse_args()
    print("subject, lags in, scatter at 196 Hz, melody p5 to p95")
    with tempfile.TemporaryDirectory() as folder:
        for name in options.subjects.split(","):
            def measured(notes_hz):
                return np.array([
                    lags(options.program, subjects()[name], notes_hz, shift, pathlib.Path(folder))
                    for shift in SHIFTS])

            scatter = np.median(measured([196] * 24).std(axis=2), axis=0)
            low, high = np.percentile(measured(MELODY_HZ), (5, 95), axis=(0, 2))
            for number, width in enumerate(WIDTHS_S):
                print(f"{name}, {1000 * width:.0f} ms, {scatter[number]:.2f}, "
                      f"{low[number]:.1f} to {high[number]:.1f}: {high[number] - low[number]:.1f}", flush=True)


if __name__ == "__main__":
    main()
