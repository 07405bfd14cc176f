"""Measures formants and spectral envelopes side by side on vowels whose envelope is known.

    python3 -m venv judge
    judge/bin/pip install praat-parselmouth==0.4.7 pyworld==0.3.5 numpy==2.4.6 scipy==1.17.1 \\
        soundfile==0.14.0
    PATH=$PWD/judge/bin:$PATH scripts/peers/vowel-set vowels
    judge/bin/python scripts/peers/envelope.py vowels/report --ours FOLDER

FOLDER holds ours: for each ID.wav an ID.formants.csv (`time_s,f1_hz,b1_hz,...,f4_hz,b4_hz`) and an
ID.envelope.csv (`time_s,hz,db`); other methods of ours in more folders, each by another --ours.

The peers are given the true pitch, and Praat the ceiling that suits the length of the tract, 5000,
5500 or 6500 Hz. Everything is read over the same 0.5 s in the middle of each vowel: formants as medians,
envelopes as means of decibels over frames.

    F1 F2 F3   median absolute error in %, then the 90th percentile
    envelope   root mean square distance to the truth in dB from the pitch to 8 kHz, the mean
               difference taken out; median over vowels
"""

import argparse
import collections
import csv
import json
import pathlib

import numpy as np
import parselmouth
import pyworld
import scipy.linalg
import soundfile

BANDS = {"low": "100-200", "middle": "200-400", "high": "400-800", "child": "children"}
FROM_S, TO_S = 0.2, 0.7
GRID_HZ = np.arange(20, 8001, 20)


def praat_formants(sound, rate, truth):
    highest = truth["formants_hz"][4]
    ceiling = 5000 if highest < 4600 else 5500 if highest < 5700 else 6500
    formants = parselmouth.Sound(sound, rate).to_formant_burg(
        time_step=0.01, max_number_of_formants=5, maximum_formant=ceiling)
    times = np.arange(FROM_S, TO_S, 0.01)
    return [
        np.nanmedian([formants.get_value_at_time(n, t) for t in times]) for n in (1, 2, 3)]


def cheaptrick(sound, rate, truth):
    times = np.arange(0, len(sound) / rate, 0.005)
    f0 = np.full(len(times), truth["f0_hz"])
    power = pyworld.cheaptrick(sound, f0, times, rate, f0_floor=71)
    middle = (times >= FROM_S) & (times <= TO_S)
    level = 10 * np.log10(power[middle]).mean(axis=0)
    return np.interp(GRID_HZ, np.linspace(0, rate / 2, len(level)), level), power[middle]


def roots(power, rate, ceiling=5500, order=10):
    """Formants of linear prediction on a power spectrum up to the ceiling."""
    hz = np.linspace(0, rate / 2, len(power))
    grid = np.linspace(0, ceiling, 513)
    level = np.interp(grid, hz, power) * (1 + (grid / 50) ** 2)
    lags = np.fft.irfft(level)[: order + 1]
    coefficients = scipy.linalg.solve_toeplitz(
        lags[:-1] + 1e-9 * lags[0] * np.eye(order)[0], -lags[1:])
    poles = np.roots([1, *coefficients])
    poles = poles[poles.imag > 1e-6]
    found = np.angle(poles) * ceiling / np.pi
    width = -np.log(np.abs(poles)) * 2 * ceiling / np.pi
    found = np.sort(found[(found > 150) & (width < 1000)])
    return np.pad(found, (0, 3), constant_values=np.nan)[:3]


def lpc(sound, rate, truth):
    emphasised = parselmouth.Sound(sound, rate)
    analysis = parselmouth.praat.call(emphasised, "To LPC (burg)", 50, 0.025, 0.01, 50)
    levels = []
    for time in np.arange(FROM_S, TO_S, 0.02):
        spectrum = parselmouth.praat.call(
            analysis, "To Spectrum (slice)", float(time), 20.0, 0.0, 50.0)
        power = spectrum.values[0] ** 2 + spectrum.values[1] ** 2
        levels.append(np.interp(
            GRID_HZ, np.linspace(0, rate / 2, len(power)), 10 * np.log10(power + 1e-30)))
    return np.mean(levels, axis=0)


class Ours:
    def __init__(self, folder):
        self.folder = folder

    def formants(self, stem):
        path = self.folder / f"{stem}.formants.csv"
        if not path.exists():
            return None
        with open(path, newline="") as file:
            rows = [row for row in csv.DictReader(file)
                    if FROM_S <= float(row["time_s"]) <= TO_S]
        return [
            np.median([float(row[f"f{n}_hz"]) for row in rows if row[f"f{n}_hz"]] or [np.nan])
            for n in (1, 2, 3)]

    def envelope(self, stem):
        path = self.folder / f"{stem}.envelope.csv"
        if not path.exists():
            return None
        curves = collections.defaultdict(list)
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                if FROM_S <= float(row["time_s"]) <= TO_S:
                    curves[row["time_s"]].append((float(row["hz"]), float(row["db"])))
        levels = [np.interp(GRID_HZ, *np.array(points).T) for points in curves.values()]
        return np.mean(levels, axis=0) if levels else None


def distance(level, truth_db, f0):
    inside = GRID_HZ >= f0
    difference = (level - truth_db)[inside]
    return np.sqrt(np.mean((difference - difference.mean()) ** 2))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ours", type=pathlib.Path, action="append", default=[])
    parser.add_argument("--no-peers", action="store_true")
    arguments = parser.parse_args()
    errors = collections.defaultdict(list)
    distances = collections.defaultdict(list)
    for path in sorted(arguments.folder.glob("*.wav")):
        band = path.stem.split("-")[0]
        truth = json.loads(path.with_suffix(".json").read_text())
        truth_hz, truth_db = np.loadtxt(
            path.with_suffix(".csv"), delimiter=",", skiprows=1).T
        truth_db = np.interp(GRID_HZ, truth_hz, truth_db)

        def formants(name, found):
            if found is not None:
                errors[name, band].append(
                    100 * np.abs(np.array(found) / truth["formants_hz"][:3] - 1))

        def envelope(name, level):
            if level is not None:
                distances[name, band].append(distance(level, truth_db, truth["f0_hz"]))

        if not arguments.no_peers:
            sound, rate = soundfile.read(path)
            formants("Praat Burg", praat_formants(sound, rate, truth))
            level, power = cheaptrick(sound, rate, truth)
            envelope("CheapTrick", level)
            formants("LPC on CheapTrick", np.nanmedian(
                [roots(frame, rate) for frame in power[::4]], axis=0))
            envelope("LPC 48 kHz/50 (Praat)", lpc(sound, rate, truth))
        for folder in arguments.ours:
            ours = Ours(folder)
            formants(folder.name, ours.formants(path.stem))
            envelope(folder.name, ours.envelope(path.stem))
    bands = [band for band in BANDS if any(key[1] == band for key in errors)]
    head = " | ".join(BANDS[band] for band in bands) + " |\n|" + " --- |" * (len(bands) + 1)
    print("| F1 / F2 / F3, median % (p90) |", head)
    for name in dict.fromkeys(key[0] for key in errors):
        cells = []
        for band in bands:
            table = np.array(errors[name, band])
            cells.append(" / ".join(
                f"{np.nanmedian(c):.1f} ({np.nanpercentile(c, 90):.0f})" for c in table.T))
        print(f"| {name} |", " | ".join(cells), "|")
    print("\n| envelope, dB |", head)
    for name in dict.fromkeys(key[0] for key in distances):
        cells = [f"{np.median(distances[name, band]):.2f}" for band in bands]
        print(f"| {name} |", " | ".join(cells), "|")


if __name__ == "__main__":
    main()
