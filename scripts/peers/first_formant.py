#!/usr/bin/env python3
"""Measures known shifts of the first formant by pitch, with our envelopes and with Praat's Burg.

    judge/bin/python scripts/peers/first_formant.py choir-eval

judge is an environment with praat-parselmouth, soundfile and numpy. Vowels of five resonances in a row,
with a vibrato of 30 cents, of which the first alone moves. Two sets: pitches of 120 to 450 Hz with F1 of 300
to 800 Hz, moved by -10, 5 and 10 %; and F1 of 1.05 to 1.6 times pitches of 180 to 240 Hz, moved by 5 % either
way. An error is the median shift measured less the true one, in points of a percent.
"""
import csv
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import parselmouth
import soundfile

RATE_HZ = 48_000
SECONDS = 2.4
UPPER = ((1300, 90), (2500, 120), (3500, 150), (4500, 200))  # Hz, width
PITCHES = (120, 160, 190, 220, 250, 280, 320, 360, 400, 450)
RATIOS = (1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 1.4, 1.5, 1.6)
LEAST_RATIO = 1.4


def level(hz, first):
    gain = (hz / 100) / (1 + (hz / 100) ** 2)
    for formant, width in ((first, 70), *UPPER):
        pole = -np.pi * width + 2j * np.pi * formant
        gain = gain * np.abs(pole * np.conj(pole) / ((2j * np.pi * hz - pole) * (2j * np.pi * hz - np.conj(pole))))
    return gain


def vowel(hz, first):
    time = np.arange(int(SECONDS * RATE_HZ)) / RATE_HZ
    f0 = hz * 2 ** (30 * np.sin(2 * np.pi * 5.5 * time) / 1200)
    turns = 2 * np.pi * np.cumsum(f0) / RATE_HZ
    sound = sum(level(k * f0, first) * np.sin(k * turns + 0.007 * k * k) for k in range(1, int(8000 / hz) + 1))
    sound *= np.minimum(1, np.minimum(time, time[-1] - time) / 0.05)
    return 0.1 * sound / np.sqrt((sound ** 2).mean())


def ours(program, folder):
    subprocess.run(
        [program, "analyze", *sorted(map(str, folder.glob("*.wav"))), "--only", "formants", "--formants-by",
         "envelope", "--write", "formants", "--output", f"{folder}/csv/"], check=True, capture_output=True)

    def read(name):
        with open(next((folder / "csv").glob(f"{name}.*"))) as file:
            rows = [(float(row["time_s"]), row["f1_hz"]) for row in csv.DictReader(file)]
        return np.median([float(hz) for time, hz in rows if hz and 0.4 < time < SECONDS - 0.4])

    return read


def praat(folder):
    def read(name):
        track = parselmouth.Sound(str(folder / f"{name}.wav")).to_formant_burg(0.01, 5, 5500)
        return np.nanmedian([track.get_value_at_time(1, time) for time in np.arange(0.4, SECONDS - 0.4, 0.01)])

    return read


def errors(program, vowels, doses):
    """Rows of pitch, F1 (the lower of the two), and the absolute errors of both readers."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "csv").mkdir()
        for number, (hz, first) in enumerate(vowels):
            for dose in (0, *doses):
                sound = vowel(hz, first * (1 + dose / 100))
                soundfile.write(folder / f"{number}_{dose}.wav", sound, RATE_HZ, subtype="FLOAT")
        readers = ours(program, folder), praat(folder)
        return np.array([
            (hz, first * min(1, 1 + dose / 100), first / hz,
             *(abs(100 * (read(f"{number}_{dose}") / read(f"{number}_0") - 1) - dose) for read in readers))
            for number, (hz, first) in enumerate(vowels) for dose in doses])


def line(label, rows):
    figures = " | ".join(f"{np.median(rows[:, k]):.1f} ({rows[:, k].max():.1f})" for k in (3, 4))
    print(f"| {label} | {len(rows)} | {figures} |", flush=True)


def main():
    program = sys.argv[1]
    rows = errors(program, [(hz, first) for hz in PITCHES for first in (300, 400, 500, 650, 800)], (-10, 5, 10))
    print("| pitch, Hz | shifts | envelope | Praat |\n| --- | --- | --- | --- |")
    for hz in PITCHES:
        line(hz, rows[(rows[:, 0] == hz) & (rows[:, 1] >= LEAST_RATIO * hz)])
    rows = errors(program, [(hz, ratio * hz) for hz in (180, 210, 240) for ratio in RATIOS], (-5, 5))
    print("\n| F1 over pitch | shifts | envelope | Praat |\n| --- | --- | --- | --- |")
    for ratio in RATIOS:
        line(ratio, rows[np.isclose(rows[:, 2], ratio)])


if __name__ == "__main__":
    main()
