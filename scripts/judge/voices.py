"""Describes sung clips as a voice scientist would: for comparing rendered with real singers.

For each sound file: level in octave bands relative to the whole (long-term spectrum), harmonic-
to-noise ratio, jitter, shimmer, and rate and extent of the vibrato. Prints a Markdown table.

    python3 -m venv judge && judge/bin/pip install praat-parselmouth numpy scipy soundfile
    judge/bin/python scripts/judge/voices.py FILE...
"""

import pathlib
import sys

import numpy as np
import parselmouth
import scipy.signal
import soundfile
from parselmouth.praat import call

EDGES_HZ = [0, 500, 1000, 2000, 4000, 8000, 16000]


def band_levels(samples, rate):
    """Energy between the edges relative to all of it, in dB."""
    frequencies, power = scipy.signal.welch(samples, rate, nperseg=4096)
    total = power.sum()
    levels = []
    for low, high in zip(EDGES_HZ, EDGES_HZ[1:]):
        inside = (frequencies >= low) & (frequencies < high)
        reached = high <= rate / 2 + 1
        levels.append(10 * np.log10(power[inside].sum() / total) if reached else None)
    return levels


def vibrato(pitch):
    """Rate (Hz) and extent (cents, either side) in the longest voiced runs; None if straight."""
    f0 = pitch.selected_array["frequency"]
    step = pitch.time_step
    found = []
    voiced = np.concatenate([[0], (f0 > 0).astype(int), [0]])
    starts, ends = np.where(np.diff(voiced) == 1)[0], np.where(np.diff(voiced) == -1)[0]
    for start, end in zip(starts, ends):
        if (end - start) * step < 0.6:
            continue
        cents = 1200 * np.log2(f0[start:end])
        slow, order = scipy.signal.butter(2, 3 * 2 * step, "high")
        wave = scipy.signal.filtfilt(slow, order, cents)
        size = 1 << 12
        spectrum = np.abs(np.fft.rfft(wave * np.hanning(len(wave)), size)) ** 2
        frequencies = np.fft.rfftfreq(size, step)
        band = (frequencies > 4) & (frequencies < 8.5)
        share = spectrum[band].sum() / spectrum[frequencies > 3].sum()
        if share > 0.5:
            rate = frequencies[band][np.argmax(spectrum[band])]
            found.append((end - start, rate, np.sqrt(2) * np.std(wave)))
    if not found:
        return None
    weights, rates, extents = (np.array(column) for column in zip(*found))
    return np.average(rates, weights=weights), np.average(extents, weights=weights)


def describe(path):
    samples, rate = soundfile.read(path, always_2d=True)
    samples = samples.mean(axis=1)
    sound = parselmouth.Sound(samples, rate)
    rough = sound.to_pitch_ac(time_step=0.01, pitch_floor=60, pitch_ceiling=1200)
    heard = rough.selected_array["frequency"]
    heard = heard[heard > 0]
    low, high = np.percentile(heard, 5) * 0.7, np.percentile(heard, 95) * 1.5
    pitch = sound.to_pitch_ac(time_step=0.01, pitch_floor=low, pitch_ceiling=high)
    harmonicity = sound.to_harmonicity_cc(time_step=0.01, minimum_pitch=low)
    hnr = np.median([v for v in harmonicity.values[0] if v > -100])
    points = call([sound, pitch], "To PointProcess (cc)")
    limits = (0, 0, 0.5 / high, 2 / low, 1.3)
    jitter = 100 * call(points, "Get jitter (local)", *limits)
    shimmer = 100 * call([sound, points], "Get shimmer (local)", *limits, 1.6)
    return np.median(heard), band_levels(samples, rate), hnr, jitter, shimmer, vibrato(pitch)


def main(paths):
    bands = ["0-0.5", "0.5-1", "1-2", "2-4", "4-8", "8-16"]
    head = ["clip", "f0 Hz", *bands, "HNR dB", "jitter %", "shimmer %", "vibrato Hz", "± cents"]
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    for path in paths:
        f0, levels, hnr, jitter, shimmer, wave = describe(path)
        cells = [pathlib.Path(path).stem, f"{f0:.0f}"]
        cells += ["" if level is None else f"{level:.0f}" for level in levels]
        cells += [f"{hnr:.0f}", f"{jitter:.2f}", f"{shimmer:.1f}"]
        cells += [f"{wave[0]:.1f}", f"{wave[1]:.0f}"] if wave else ["", ""]
        print("| " + " | ".join(cells) + " |")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
