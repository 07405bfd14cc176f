#!/usr/bin/env python3
"""Measures how late the pitch contour of a pitch shifter is, on voices that are known exactly.

    judge/bin/python scripts/peers/contour.py .build/debug/choir-eval
    judge/bin/python scripts/peers/contour.py choir-eval --subjects psola,world --rates 50 --notes 196

judge is the environment of shifters.py. A voice (exact_voice.py) falls and rises without a rest, as in speech:
at the middle of each slope by so many semitones a second. Praat reads the output in windows as short as the
voice allows, and the voice as it should have come out at the target pitch likewise; what it does to the one it
does to the other.

    contour    lag at which the two contours fit best, ms
    stated     what `choir-eval` says of the engine at this note and shift, ms; 0 for programs of whole files
    outline    lag of the 40 ms power envelope of six short vowels of that note, ms
    at stated, at best  median error of the contour at the lag stated and at the best one, cents
    steep      the same at the best lag, of the frames where the slope is over half of the most
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import parselmouth
import soundfile

import exact_voice
import shifters

NOTES_HZ = (98, 147, 196, 294, 440)
RATES = (20, 50, 100)
SHIFTS = (-12, -5, 4, 7)
EXTENT = 5  # semitones from the lowest to the highest


def sway(hz, rate):
    """Frequency of a voice that sways by EXTENT about a note, 1.6 s long and resting at either end."""
    time = exact_voice.seconds(1.6)
    # A sine of half the extent is steepest by half the extent times its angular frequency.
    inside = np.clip(time - 0.2, 0, 1.2)
    turns = rate / (np.pi * EXTENT) * inside
    return hz * 2 ** (EXTENT / 2 * np.sin(2 * np.pi * turns) * np.hanning(len(time)) ** 0.25 / 12)


def voice(hz, rate, vowel, ratio):
    sound = exact_voice.sing(ratio * sway(hz, rate), exact_voice.VOWELS_HZ[vowel])
    return exact_voice.brought_to(0.05, exact_voice.ramps(sound, 0.02))


def contour(sound, hz):
    # Praat's windows are three periods of the floor.
    track = parselmouth.Sound(sound, exact_voice.RATE_HZ).to_pitch_ac(
        time_step=0.001, pitch_floor=hz * 2 ** (-(EXTENT / 2 + 1.5) / 12),
        pitch_ceiling=hz * 2 ** ((EXTENT / 2 + 6) / 12), octave_cost=0.001)
    return track.xs(), track.selected_array["frequency"]


def misfits(wanted, heard, lags):
    """Median and mean of the difference in cents at each lag, from the contour's own beginning and end."""
    times = np.arange(0.15, 1.4, 0.001)
    truth = at(times, wanted)
    slope = np.abs(np.gradient(np.log2(truth)))
    steep = slope > 0.5 * np.nanmax(slope)
    result = []
    for late in lags:
        cents = np.abs(1200 * np.log2(at(times + late, heard) / truth))
        result.append((np.nanmedian(cents), np.nanmedian(cents[steep]), np.nanmean(np.minimum(cents, 100))))
    return np.array(result)


def at(times, track):
    places, hz = track
    return np.interp(times, places, np.where(hz > 0, hz, np.nan), np.nan, np.nan)


def stated_ms(program, name, hz, shift):
    """The engine's own law; the delay of programs of whole files is 0."""
    if not name.startswith("psola"):
        return 0.0
    period, up = 1000 / hz, max(1, 2 ** (shift / 12))
    ahead = 0 if "without" in name else 1
    return max((0.8 * ahead / up ** 0.5 + ahead / 2 + 0.12) * period + 0.6, 0.5 * period)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="choir-eval")
    parser.add_argument("--subjects", default="psola,psola without look-ahead,world")
    parser.add_argument("--notes", default=",".join(map(str, NOTES_HZ)))
    parser.add_argument("--rates", default=",".join(map(str, RATES)))
    parser.add_argument("--shifts", default=",".join(map(str, SHIFTS)))
    parser.add_argument("--vowels", default="a,u")
    parser.add_argument("--cells", action="store_true", help="a line each")
    arguments = parser.parse_args()
    known, cells = shifters.subjects(), []
    lags = np.arange(-0.01, 0.06, 0.00025)

    def numbers(text):
        return [float(word) for word in text.split(",")]

    with tempfile.TemporaryDirectory() as folder:
        source, target = (str(pathlib.Path(folder) / file) for file in ("in.wav", "out.wav"))
        for hz in numbers(arguments.notes):
            for rate in numbers(arguments.rates):
                for vowel in arguments.vowels.split(","):
                    sound = voice(hz, rate, vowel, 1)
                    soundfile.write(source, sound, exact_voice.RATE_HZ, subtype="PCM_24")
                    for shift in numbers(arguments.shifts):
                        ratio = 2 ** (shift / 12)
                        wanted = contour(voice(hz, rate, vowel, ratio), hz * ratio)
                        for name in arguments.subjects.split(","):
                            known[name](arguments.program, source, target, shift)
                            heard = contour(soundfile.read(target)[0], hz * ratio)
                            misfit = misfits(wanted, heard, lags)
                            best = np.argmin(misfit[:, 2])
                            stated = stated_ms(arguments.program, name, hz, shift)
                            there = np.argmin(np.abs(lags - stated / 1000))
                            cells.append({
                                "subject": name, "hz": hz, "rate": rate, "vowel": vowel, "shift": shift,
                                "late": 1000 * lags[best], "over": 1000 * lags[best] - stated,
                                "stated": stated, "at stated": misfit[there, 0],
                                "at best": misfit[best, 0], "steep": misfit[best, 1]})
                            if arguments.cells:
                                print(" ".join(
                                    x if isinstance(x, str) else f"{x:.1f}" for x in cells[-1].values()))
    report(cells)


def report(cells):
    keys = ("late", "stated", "over", "at stated", "at best", "steep")
    print("\n| subject | | " + " | ".join(keys) + " | over, least and most |")
    print("| --- " * (len(keys) + 3) + "|")
    for subject in dict.fromkeys(cell["subject"] for cell in cells):
        for place in ("hz", "rate", "vowel", "shift"):
            for value in dict.fromkeys(cell[place] for cell in cells):
                of = [c for c in cells if c["subject"] == subject and c[place] == value]
                middle = (np.median([cell[key] for cell in of]) for key in keys)
                over = [cell["over"] for cell in of]
                print(
                    f"| {subject} | {place} {value} | " + " | ".join(f"{x:.1f}" for x in middle)
                    + f" | {min(over):.1f} {max(over):.1f} |")


if __name__ == "__main__":
    main()
