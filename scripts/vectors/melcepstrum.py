"""Writes mel cepstra and their distortion, as librosa's filters and scipy's cosine transform say.

    python3 -m venv judge && judge/bin/pip install librosa==0.11.0 numpy==2.4.6 scipy==1.17.1
    judge/bin/python scripts/vectors/melcepstrum.py

The result is Tests/Golden/melcepstrum.json. The sounds are not stored: both sides make
them from the same formulas.
"""

import json
import pathlib

import librosa
import numpy as np
import scipy.fft
import scipy.signal

TARGET = pathlib.Path(__file__).parents[2] / "Tests/Golden/melcepstrum.json"
BANDS, ORDER, COUNT, HOP = 25, 13, 400, 80
RATE_HZ = 16_000


def sound(formant_hz, f0_hz):
    """Half a second of 30 harmonics under one resonance."""
    t = np.arange(RATE_HZ // 2) / RATE_HZ
    return sum(
        0.1 / h / np.sqrt(1 + ((h * f0_hz - formant_hz) / 300) ** 2)
        * np.sin(2 * np.pi * h * f0_hz * t) for h in range(1, 31) if h * f0_hz < 7000)


def cepstra(samples):
    """One row every 5 ms: 25 ms under a Hann taper, 25 mel bands from 0 to 8 kHz."""
    taper = scipy.signal.get_window("hann", COUNT, fftbins=False)
    filters = librosa.filters.mel(
        sr=RATE_HZ, n_fft=512, n_mels=BANDS, fmin=0, fmax=8000, htk=True, norm=None,
        dtype=np.float64)
    starts = range(0, len(samples) - COUNT + 1, HOP)
    rows = []
    for start in starts:
        power = np.abs(np.fft.rfft(samples[start:start + COUNT] * taper, 512)) ** 2
        bands = np.sqrt(filters @ power)
        # A band over 80 dB below the loudest counts as if it lay there.
        rows.append(scipy.fft.dct(np.log(np.maximum(bands, 1e-4 * bands.max())), norm="ortho"))
    # Orthonormal over 25 bands; scaled so that the log amplitude is c0 + the sum of c_n cosines.
    return np.array(rows) * np.sqrt(np.where(np.arange(BANDS) == 0, 1, 2) / BANDS)


def main():
    pairs = []
    for first, second, f0 in ((700, 700, 140), (700, 770, 140), (500, 1500, 220), (600, 900, 330)):
        a, b = cepstra(sound(first, f0)), cepstra(sound(second, f0))
        d = a[:, 1:ORDER + 1] - b[:, 1:ORDER + 1]
        distortion = np.mean(10 / np.log(10) * np.sqrt(2 * np.sum(d**2, axis=1)))
        pairs.append({
            "formantHz": [first, second], "f0Hz": f0, "tenthFrame": list(np.round(a[10, :14], 7)),
            "distortionDb": round(float(distortion), 6)})
    TARGET.write_text(json.dumps(pairs, indent=1) + "\n")


if __name__ == "__main__":
    main()
