#!/usr/bin/env python3
"""Measures what the streaming pitch tracker loses to the offline one, by look-ahead.

    judge/bin/python scripts/peers/streaming.py truth/report

judge and truth are those of scripts/peers/pitch.py and scripts/peers/truth-set. Each clip goes
through `choir-eval analyze FILE --live-look-ahead-ms N`, in blocks of 256 frames, and once
through the offline tracker. Frames of 10 ms, judged at the instants the estimates speak of:

    RPA        share of voiced frames within 50 cents; 0 where called unvoiced
    gross      share of voiced frames more than 50 cents off
    recall     share of voiced frames called voiced

as means over clips with at least 10 such frames, apart for true pitch above and below 150 Hz, and
over all conditions alike. `false` is the share of unvoiced frames called voiced.
"""

import argparse
import pathlib
import subprocess
import tempfile

import numpy as np

CONDITIONS = ("clean", "40dB", "20dB", "10dB", "0dB", "reverb")
LOOK_AHEAD_MS = (0, 5, 10, 15, 20, 30)
EDGE_HZ = 150
FEWEST = 10


def tracked(program, path, look_ahead_ms):
    with tempfile.TemporaryDirectory() as folder:
        table = pathlib.Path(folder) / "f0.csv"
        live = [] if look_ahead_ms is None else ["--live-look-ahead-ms", str(look_ahead_ms)]
        subprocess.run(
            [program, "analyze", "--force", path, "--hop-ms", "10", *live, "--write", "f0", "--output", table],
            check=True, capture_output=True)
        return np.loadtxt(table, delimiter=",", skiprows=1, ndmin=2)[:, 1]


def judged(found, truth):
    """RPA, gross and recall above and below the edge, and false alarms; NaN of too few frames."""
    found = np.pad(found, (0, max(0, len(truth) - len(found))))[: len(truth)]
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.abs(1200 * np.log2(found / truth))
    row = []
    for part in (truth > EDGE_HZ, (truth > 0) & (truth <= EDGE_HZ)):
        said = part & (found > 0)
        count = part.sum()
        values = (said & (off < 50)).sum(), (said & (off >= 50)).sum(), said.sum()
        row += [value / count if count >= FEWEST else np.nan for value in values]
    unvoiced = truth == 0
    row.append(np.mean(found[unvoiced] > 0) if unvoiced.sum() >= FEWEST else np.nan)
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--choir-eval", default=".build/release/choir-eval")
    parser.add_argument("--conditions", nargs="*", default=CONDITIONS)
    parser.add_argument("--look-ahead-ms", nargs="*", type=int, default=LOOK_AHEAD_MS)
    arguments = parser.parse_args()
    print("| look-ahead | RPA above 150 Hz: " + " / ".join(arguments.conditions)
          + " | mean | gross | recall | RPA below | gross | recall | false |")
    print("| --- " * 9 + "|")
    for look_ahead_ms in (*arguments.look_ahead_ms, None):
        means = []
        for condition in arguments.conditions:
            rows = []
            for path in sorted((arguments.folder / condition).glob("*.wav")):
                truth = np.loadtxt(
                    arguments.folder / "truth" / f"{path.stem}.csv", delimiter=",", skiprows=1)
                found = tracked(arguments.choir_eval, path, look_ahead_ms)
                rows.append(judged(found, truth[:, 1]))
            means.append(np.nanmean(rows, axis=0))
        mean = np.mean(means, axis=0)
        name = "offline" if look_ahead_ms is None else f"{look_ahead_ms} ms"
        each = " / ".join(f"{row[0]:.3f}".lstrip("0") for row in means)
        print(f"| {name} | {each} | " + " | ".join(f"{value:.3f}" for value in mean) + " |",
              flush=True)


if __name__ == "__main__":
    main()
