"""Measures voice quality beside Praat, on recordings.

    python3 -m venv judge
    judge/bin/pip install praat-parselmouth==0.4.7 soundfile==0.14.0 numpy==2.4.6
    judge/bin/python scripts/peers/voice.py recordings/*.flac

Our figures come from `CHOIR_DEV=1 swift run choir-dev tables voice`; Praat's from its own commands with the same settings. Praat finds its own pitch for jitter
and shimmer, and we ours. Each row has the medians over files, and the median and largest distance of
the two; a file counts where both have an answer. The first ten seconds of each are heard.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

import numpy as np
import parselmouth
import soundfile
from parselmouth.praat import call

MEASURES = {
    "hnrDb": "HNR (dB)", "cppsDb": "CPPS (dB)", "jitterLocal": "jitter, local (%)",
    "shimmerLocalDb": "shimmer, local (dB)"}
SECONDS = 10


def praat(samples, rate):
    sound = parselmouth.Sound(samples, rate)
    harmonicity = call(sound, "To Harmonicity (cc)", 0.01, 75, 0.1, 1.0)
    cepstrogram = call(sound, "To PowerCepstrogram", 60, 0.002, 5000, 50)
    marks = call(sound, "To PointProcess (periodic, cc)", 75, 1000)
    periods = (0, 0, 0.0001, 0.02, 1.3)
    return {
        "hnrDb": call(harmonicity, "Get mean", 0, 0),
        "cppsDb": call(
            cepstrogram, "Get CPPS", True, 0.02, 0.0005, 60, 330, 0.05, "parabolic", 0.001, 0.05,
            "Exponential decay", "Robust"),
        "jitterLocal": 100 * call(marks, "Get jitter (local)", *periods),
        "shimmerLocalDb": call([sound, marks], "Get shimmer (local_dB)", *periods, 1.6)}


def ours(files):
    """Of each file, raw little-endian floats at 48 kHz."""
    answer = subprocess.run(
        ["swift", "run", "choir-dev", "tables", "voice", *map(str, files)], env=os.environ | {"CHOIR_DEV": "1"}, check=True, stdout=subprocess.PIPE)
    return json.loads(answer.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recordings", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        raws, theirs = [], []
        for path in arguments.recordings:
            samples, rate = soundfile.read(path, always_2d=True)
            sound = parselmouth.Sound(samples.mean(axis=1)[: SECONDS * rate], rate)
            if rate != 48_000:
                sound = sound.resample(48_000, 50)
            values = sound.values[0].astype("<f4")
            raw = pathlib.Path(folder) / f"{len(raws)}.raw"
            values.tofile(raw)
            raws.append(raw)
            theirs.append(praat(values.astype(float), 48_000))
        found = ours(raws)
    print("| measure | files | Praat, median | ours, median | distance, median | largest |")
    print("| --- " * 6 + "|")
    for key, name in MEASURES.items():
        pairs = [
            (p[key], o[key]) for p, o in zip(theirs, found)
            if o.get(key) is not None and np.isfinite(p[key])]
        distances = [abs(p - o) for p, o in pairs]
        print(
            f"| {name} | {len(pairs)} | {statistics.median(p for p, _ in pairs):.2f} "
            f"| {statistics.median(o for _, o in pairs):.2f} "
            f"| {statistics.median(distances):.3f} | {max(distances):.2f} |")


if __name__ == "__main__":
    main()
