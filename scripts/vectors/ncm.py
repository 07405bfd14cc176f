"""Writes the normalised covariance metric of a deterministic voice, spoiled in several ways.

    python3 -m venv judge && judge/bin/pip install scipy==1.17.1
    judge/bin/python scripts/vectors/ncm.py

The result is Tests/Golden/ncm.json. No package has the measure: this is written from
the formulas of Ma, Hu and Loizou (JASA 125, 2009, equations 8 to 11) over SciPy's filters, Hilbert
transform and resampler, and shares nothing with the Swift. Bands, weights (ANSI S3.5-1997, table
B.1) and the envelope's rate of 32 Hz are those of the program published with the paper.
"""

import json
import pathlib

import numpy as np
from scipy import signal

from voice import spoil, voice

TARGET = pathlib.Path(__file__).parents[2] / "Tests/Golden/ncm.json"
BANDS, ENVELOPE_HZ = 20, 32
CENTRES = [150, 250, 350, 450, 570, 700, 840, 1000, 1170, 1370, 1600, 1850, 2150, 2500, 2900, 3400,
           4000, 4800, 5800, 7000, 8500]
IMPORTANCE = [.0192, .0312, .0926, .1031, .0735, .0611, .0495, .0440, .0440, .0490, .0486, .0493,
              .0490, .0547, .0555, .0493, .0359, .0387, .0256, .0219, .0043]


def edges(rate):
    """Equal steps on the cochlea from 300 Hz to 600 Hz under half the rate (Greenwood, 165 Hz)."""
    place = np.linspace(np.log10(300 / 165 + 1), np.log10((rate / 2 - 600) / 165 + 1), BANDS + 1)
    return 165 * (10**place - 1)


def envelope(x, low, high, rate):
    band = signal.sosfilt(signal.butter(4, [low, high], "bandpass", fs=rate, output="sos"), x)
    return signal.resample_poly(np.abs(signal.hilbert(band)), ENVELOPE_HZ, rate)


def ncm(x, y, rate):
    bounds = edges(rate)
    weights = np.interp((bounds[1:] + bounds[:-1]) / 2, CENTRES, IMPORTANCE)
    transmission = []
    for low, high in zip(bounds, bounds[1:]):
        r = np.corrcoef(envelope(x, low, high, rate), envelope(y, low, high, rate))[0, 1]
        eps = np.finfo(float).eps
        snr = 10 * np.log10((r**2 + eps) / (1 - r**2 + eps))
        transmission.append((np.clip(snr, -15, 15) + 15) / 30)
    return float(np.dot(weights, transmission) / np.sum(weights)), transmission


def main():
    rows = []
    for rate in (8000, 16000):
        for number, condition in enumerate(
                ["white 20", "white 10", "white 0", "pink 5", "pink -5", "lowpass 1000",
                 "reverb 0.8", "clip 0.05", "ring 70", "gate 60"], 1):
            clean = voice(rate, seed=number)
            spoilt = spoil(condition, clean, rate)
            value, bands = ncm(clean.astype(float), spoilt.astype(float), rate)
            rows.append({"rateHz": rate, "condition": condition, "seed": number, "ncm": value,
                         "transmission": bands})
    TARGET.write_text(json.dumps(
        {"madeBy": "scripts/vectors/ncm.py with SciPy 1.17.1", "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
