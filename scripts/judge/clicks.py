"""Recall and false alarms of click detection on a folder of recordings.

    python3 -m venv judge && judge/bin/pip install soundfile numpy
    judge/bin/python scripts/judge/clicks.py FOLDER

Each sound (WAV, FLAC; the first 20 s, one channel) is scaled to -20 dBFS where it sounds, and
handed as raw samples to `CHOIR_DEV=1 swift run choir-dev tables clicks`, which adds clicks and prints the table.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import soundfile


def main(folder):
    with tempfile.TemporaryDirectory() as raw:
        for path in sorted(pathlib.Path(folder).iterdir()):
            if path.suffix.lower() not in (".wav", ".flac"):
                continue
            x, rate = soundfile.read(path, dtype="float32", always_2d=True)
            x = x[: 20 * rate, 0]
            loud = x[np.abs(x) > 1e-3]
            if len(loud) < rate:
                continue
            x *= 0.1 / np.sqrt(np.mean(loud.astype(float) ** 2))
            x.astype("<f4").tofile(pathlib.Path(raw) / f"{path.stem}.{rate}.f32")
        subprocess.run(["swift", "run", "choir-dev", "tables", "clicks", raw], env=os.environ | {"CHOIR_DEV": "1"}, check=True)


if __name__ == "__main__":
    main(sys.argv[1])
