"""Writes the roughness of modulated tones as MoSQITo has it (Daniel and Weber 1997).

    python3 -m venv judge && judge/bin/pip install mosqito==1.2.1 matplotlib scipy
    judge/bin/python scripts/vectors/roughness.py

The result is Tests/Golden/roughness.json. MoSQITo labels the lines of its spectrum
from the first bin's frequency on, though the first line is that of 0 Hz. `asper` is what its model
gives with each line at its true frequency, `releasedAsper` what the package gives as it is.
"""

import json
import pathlib

import numpy as np
from mosqito import roughness_dw
from mosqito.sound_level_meter.comp_spectrum import comp_spectrum
from mosqito.sq_metrics.roughness.roughness_dw._gzi_weighting import _gzi_weighting
from mosqito.sq_metrics.roughness.roughness_dw._H_weighting import _H_weighting
from mosqito.sq_metrics.roughness.roughness_dw._roughness_dw_main_calc import (
    _roughness_dw_main_calc,
)

TARGET = pathlib.Path(__file__).parents[2] / "Tests/Golden/roughness.json"
RATE = 48000
# Carrier Hz, modulation Hz, depth, level dB.
TONES = [
    (1000, 70, 1, 60), (1000, 70, 0.5, 60), (1000, 70, 0.25, 60), (1000, 20, 1, 60),
    (1000, 40, 1, 60), (1000, 100, 1, 60), (1000, 140, 1, 60), (250, 40, 1, 60), (250, 70, 1, 60),
    (500, 50, 1, 60), (2000, 70, 1, 60), (4000, 70, 1, 60), (1000, 70, 1, 40), (1000, 70, 1, 80),
]


def tone(carrier, modulation, depth, level):
    t = np.arange(int(0.4 * RATE)) / RATE
    x = (1 + depth * np.sin(2 * np.pi * modulation * t)) * np.sin(2 * np.pi * carrier * t)
    return x / np.sqrt(np.mean(x**2)) * 2e-5 * 10 ** (level / 20)


def roughness(x):
    """Of one frame of 0.2 s."""
    spectrum, hz = comp_spectrum(x, RATE, window="blackman", db=False)
    importance = _gzi_weighting(np.arange(1, 48) / 2)
    shifted = np.append(spectrum[1:], 0)
    return _roughness_dw_main_calc(shifted, hz, RATE, importance, _H_weighting(len(x), RATE))[0]


def main():
    rows = []
    for carrier, modulation, depth, level in TONES:
        x = tone(carrier, modulation, depth, level)
        released = roughness_dw(x, RATE, overlap=0.5)[0]
        rows.append({"carrierHz": carrier, "modulationHz": modulation, "depth": depth,
                     "levelDb": level, "asper": float(roughness(x[: RATE // 5])),
                     "releasedAsper": float(np.mean(released))})
    TARGET.write_text(json.dumps(
        {"madeBy": "scripts/vectors/roughness.py with MoSQITo 1.2.1", "rows": rows}, indent=1)
        + "\n")


if __name__ == "__main__":
    main()
