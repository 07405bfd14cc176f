#!/usr/bin/env python3
"""Holds pitch marks against Praat's on recordings, or against the known pitch of sung clips.

    python3 -m venv judge
    judge/bin/pip install praat-parselmouth==0.4.7 soundfile==0.14.0 numpy==2.4.6
    judge/bin/python scripts/peers/epochs.py recordings/*.flac
    judge/bin/python scripts/peers/epochs.py truth/report/clean/*.wav --truth truth/report/truth

The marks are those of `choir-eval analyze FILE --live-look-ahead-ms 20 --write epochs --output OUT` (time_s,voiced), or
lie in a folder already, as NAME.csv: --marks FOLDER. Praat's are of "To PointProcess (periodic,
cc)" between 60 and 1200 Hz; its pitch (cc) is the local period, or with --truth that of NAME.csv
(time_s,f0_hz). Only stretches where that has a voice are judged.

    match     share of spacings within 10 % of the local period
    slips     spacings within 15 % of twice or half the period, a minute of voice
    missing   share of Praat's periods (of the true ones) without a mark of ours in them
    extra     share of them with more than one
    wobble    median difference between neighbouring spacings over the period, percent

The last columns are Praat's own, against the same local period. `all` is over all periods of all
files.
"""

import argparse
import csv
import pathlib
import subprocess
import tempfile

import numpy as np
import parselmouth
import soundfile
from parselmouth.praat import call

LOW_HZ, HIGH_HZ = 60, 1200


class Tally:
    """What adds up over files."""

    def __init__(self):
        self.spacings = self.matches = self.slips = 0
        self.periods = self.missing = self.extra = 0
        self.seconds = 0.0
        self.wobbles = []

    def add(self, marks, local):
        """Judges marks by `local`, which gives the period at any times, or NaN."""
        gaps, middles = np.diff(marks), (marks[1:] + marks[:-1]) / 2
        ratio = gaps / local(middles)
        # A longer gap is the edge of voice, not a wrong period.
        ratio = ratio[np.isfinite(ratio) & (ratio < 2.5)]
        self.spacings += len(ratio)
        self.matches += np.sum(np.abs(ratio - 1) < 0.1)
        self.slips += np.sum((np.abs(ratio - 2) < 0.3) | (np.abs(ratio - 0.5) < 0.075))
        steady = np.abs(ratio - 1) < 0.1
        self.wobbles.append(np.abs(np.diff(ratio))[steady[1:] & steady[:-1]])

    def count(self, marks, edges):
        """Counts marks between neighbouring edges, each a period apart."""
        inside = np.histogram(marks, edges)[0] if len(edges) > 1 else np.array([])
        self.periods += len(inside)
        self.missing += np.sum(inside == 0)
        self.extra += np.sum(inside > 1)

    def merge(self, other):
        for name in ("spacings", "matches", "slips", "periods", "missing", "extra", "seconds"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.wobbles += other.wobbles

    def row(self):
        wobble = np.concatenate(self.wobbles) if self.wobbles else np.array([])
        return [
            f"{self.matches / max(self.spacings, 1):.4f}",
            f"{60 * self.slips / max(self.seconds, 1e-9):.1f}",
            f"{self.missing / max(self.periods, 1):.4f}",
            f"{self.extra / max(self.periods, 1):.4f}",
            f"{100 * np.median(wobble):.2f}" if len(wobble) else "-"]


def runs(points, local):
    """Stretches of points that each lie about a period after the one before."""
    ratio = np.diff(points) / local((points[1:] + points[:-1]) / 2)
    broken = np.flatnonzero(~(np.abs(ratio - 1) < 0.2)) + 1
    return [run for run in np.split(points, broken) if len(run) > 2]


def true_period(path):
    """The period and the phase as functions of time, from frames of pitch."""
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    times, f0 = table[:, 0], table[:, 1]

    def period(at):
        after = np.clip(np.searchsorted(times, at), 1, len(times) - 1)
        low, high = f0[after - 1], f0[after]
        share = (at - times[after - 1]) / (times[after] - times[after - 1])
        whole = (low > 0) & (high > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(whole, 1 / (low + share * (high - low)), np.nan)
    return period, times, f0


def judged(path, marks, truth):
    sound, rate = soundfile.read(path)
    sound = parselmouth.Sound(sound.mean(axis=1) if sound.ndim > 1 else sound, rate)
    pitch = sound.to_pitch_cc(pitch_floor=LOW_HZ, pitch_ceiling=HIGH_HZ)
    process = call([sound, pitch], "To PointProcess (cc)")
    praat = np.array([
        call(process, "Get time from index", i + 1)
        for i in range(call(process, "Get number of points"))])
    ours, theirs = Tally(), Tally()
    if truth:
        local, times, f0 = true_period(truth / f"{path.stem}.csv")
        voiced = np.count_nonzero(f0) * (times[1] - times[0])
    else:
        frames, values = pitch.xs(), pitch.selected_array["frequency"]
        step = frames[1] - frames[0]

        def local(at):
            index = np.rint((at - frames[0]) / step).astype(int)
            inside = (index >= 0) & (index < len(values))
            value = values[np.clip(index, 0, len(values) - 1)]
            return np.where(inside & (value > 0), 1 / np.maximum(value, 1), np.nan)
        voiced = np.count_nonzero(values) * step
    for tally, points in ((ours, marks), (theirs, praat)):
        tally.seconds = voiced
        if len(points) > 2:
            tally.add(points, local)
    for run in runs(praat, local) if len(praat) > 2 else []:
        # Marks may sit anywhere in the period: count them between points moved to their phase.
        phase = np.median([
            (mark - run[at]) / (run[at + 1] - run[at])
            for mark, at in zip(marks, np.searchsorted(run, marks, side="right") - 1)
            if 0 <= at < len(run) - 1] or [0.5])
        edges = run[:-1] + (phase - 0.5) * np.diff(run)
        ours.count(marks, edges)
    return ours, theirs


def marks_of(path, arguments):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "marks.csv"
        if arguments.marks:
            file = arguments.marks / f"{path.stem}.csv"
        else:
            subprocess.run(
                [arguments.choir_eval, "analyze", "--force", path, "--live-look-ahead-ms", "20", "--write",
                 "epochs", "--output", file], check=True, capture_output=True)
        with open(file, newline="") as rows:
            return np.array([
                float(row["time_s"]) for row in csv.DictReader(rows) if row["voiced"] == "1"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    parser.add_argument("--marks", type=pathlib.Path, help="folder of marks already made")
    parser.add_argument("--truth", type=pathlib.Path, help="folder of known pitch")
    parser.add_argument("--choir-eval", default=".build/release/choir-eval")
    arguments = parser.parse_args()
    names = ["match", "slips/min", "missing", "extra", "wobble %"]
    print("| file | " + " | ".join(names) + " | Praat match | slips/min | wobble % |")
    print("| --- " * 9 + "|")
    ours, praat = Tally(), Tally()
    for path in arguments.files:
        one, other = judged(path, marks_of(path, arguments), arguments.truth)
        row = other.row()
        print(f"| {path.stem} | " + " | ".join(one.row() + row[:2] + row[4:]) + " |", flush=True)
        ours.merge(one)
        praat.merge(other)
    row = praat.row()
    print("| all | " + " | ".join(ours.row() + row[:2] + row[4:]) + " |")


if __name__ == "__main__":
    main()
