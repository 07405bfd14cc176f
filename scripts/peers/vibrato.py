"""Measures how far pitch trackers follow a swinging pitch, with a tone whose pitch is known.

    python3 -m venv judge
    judge/bin/pip install praat-parselmouth==0.4.7 pyworld==0.3.5 librosa==0.11.0 \\
        soundfile==0.14.0 numpy==2.4.6
    swift build -c release
    PATH=$PWD/.build/release:$PATH judge/bin/python scripts/peers/vibrato.py

The tone is that of `ModulationProbe`: harmonics falling as 1 over their number, whose pitch swings
at odd multiples of 0.5 Hz from 1.5 to 19.5 Hz, every fourth left out, by 40 cents at most, again
every 2 s. The analysis is written anew here, so that `ModulationResponse` has a second source. For
each tracker and centre:

    5.5 Hz   swing that the tracker shows over swing that is there, at the rate of a vibrato
    10 Hz    the same of a fast one
    delay    of the swing, in ms, as the slope of the phase up to 10 Hz
    random   what differs from period to period, up to 20 Hz, in cents
    own      what repeats but isn't there: at even multiples and at odd ones left out, in cents

A tracker that loses the pitch for a frame in a period loses the period; fewer than two give -.
"""

import argparse
import subprocess
import tempfile

import librosa
import numpy as np
import parselmouth
import pyworld
import soundfile

RATE_HZ, HOP_S, PERIOD_S, PERIODS, DEPTH_CENTS = 48_000, 0.005, 2.0, 6, 40.0
LOW_HZ, HIGH_HZ = 60, 1200
ODD = np.arange(3, 41, 2)
LINES = ODD[np.arange(len(ODD)) % 4 != 3]
LEFT_OUT = ODD[np.arange(len(ODD)) % 4 == 3]
PHASES = -np.pi * np.arange(len(LINES)) ** 2 / len(LINES)


def swing(times):
    """The distance from the centre in cents."""
    def raw(t):
        return sum(np.cos(2 * np.pi * k * t / PERIOD_S + p) for k, p in zip(LINES, PHASES))
    return raw(times) * DEPTH_CENTS / np.abs(raw(np.arange(4000) / 4000 * PERIOD_S)).max()


def tone(centre_hz):
    count = int((PERIODS * PERIOD_S + 0.5) * RATE_HZ)
    f0 = centre_hz * 2 ** (swing((np.arange(count) + 0.5) / RATE_HZ) / 1200)
    turns = np.concatenate([[0], np.cumsum(f0)[:-1]]) / RATE_HZ
    harmonics = int(5000 / (centre_hz * 2 ** (DEPTH_CENTS / 1200)))
    return 0.2 * sum(np.sin(2 * np.pi * h * turns) / h for h in range(1, harmonics + 1))


def praat(method):
    def track(sound):
        sound = parselmouth.Sound(sound, RATE_HZ)
        call = sound.to_pitch_ac if method == "ac" else sound.to_pitch_cc
        pitch = call(time_step=HOP_S, pitch_floor=LOW_HZ, pitch_ceiling=HIGH_HZ)
        return pitch.xs(), pitch.selected_array["frequency"]
    return track


def dio(sound):
    f0, times = pyworld.dio(
        sound, RATE_HZ, f0_floor=LOW_HZ, f0_ceil=HIGH_HZ, frame_period=1000 * HOP_S)
    return times, pyworld.stonemask(sound, f0, times, RATE_HZ)


def harvest(sound):
    f0, times = pyworld.harvest(
        sound, RATE_HZ, f0_floor=LOW_HZ, f0_ceil=HIGH_HZ, frame_period=1000 * HOP_S)
    return times, f0


def pyin(sound):
    f0, voiced, _ = librosa.pyin(
        sound, fmin=LOW_HZ, fmax=HIGH_HZ, sr=RATE_HZ, frame_length=4096,
        hop_length=int(HOP_S * RATE_HZ), fill_na=None)
    return np.arange(len(f0)) * HOP_S, np.where(voiced, f0, 0)


def choir_eval(sound):
    with tempfile.TemporaryDirectory() as folder:
        soundfile.write(f"{folder}/tone.wav", sound, RATE_HZ, subtype="FLOAT")
        subprocess.run(
            ["choir-eval", "analyze", "--force", f"{folder}/tone.wav", "--hop-ms", str(1000 * HOP_S),
             "--write", "f0", "--output", f"{folder}/f0.csv"], check=True, capture_output=True)
        rows = np.genfromtxt(f"{folder}/f0.csv", delimiter=",", skip_header=1)
    return rows[:, 0], rows[:, 1]


def response(times, f0, centre_hz):
    """The line of the table; `None` without two whole periods.

    Trackers whose frames start late (Praat's) are read at their own times: the phase of each line
    is turned back by them.
    """
    frames = round(PERIOD_S / HOP_S)
    spectra = []
    for period in range(1, PERIODS):
        start = np.searchsorted(times, period * PERIOD_S - 1e-9)
        part = slice(start, start + frames)
        if len(f0[part]) < frames or np.any(~(f0[part] > 0)):
            continue
        cents = 1200 * np.log2(f0[part] / centre_hz)
        bins = np.arange(1, LINES[-1] + 2)
        turn = np.exp(-2j * np.pi * np.outer(bins, times[part]) / PERIOD_S)
        spectra.append(2 / frames * turn @ cents)
    if len(spectra) < 2:
        return None
    spectra = np.array(spectra)
    mean, count = spectra.mean(0), len(spectra)
    variance = (np.abs(spectra - mean) ** 2).sum(0) / (count * (count - 1))
    grid = np.arange(4000) / 4000 * PERIOD_S
    into = np.array([2 / 4000 * np.exp(-2j * np.pi * k * grid / PERIOD_S) @ swing(grid)
                     for k in LINES])
    transfer = mean[LINES - 1] / into
    slow = LINES / PERIOD_S <= 10
    hz = LINES[slow] / PERIOD_S
    delay_ms = -1000 * (np.angle(transfer[slow]) @ hz) / (hz @ hz) / (2 * np.pi)
    own = np.concatenate([np.arange(2, LINES[-1] + 2, 2), LEFT_OUT]) - 1
    return (
        np.interp(5.5, LINES / PERIOD_S, np.abs(transfer)),
        np.interp(10, LINES / PERIOD_S, np.abs(transfer)), delay_ms,
        np.sqrt((variance * count / 2).sum()),
        np.sqrt(max(0, ((np.abs(mean) ** 2 - variance)[own] / 2).sum())))


TRACKERS = {
    "choir-eval": choir_eval, "praat-ac": praat("ac"), "praat-cc": praat("cc"), "world-dio": dio,
    "world-harvest": harvest, "pyin": pyin}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--centres-hz", type=float, nargs="+", default=[82.4, 110, 220, 440, 880])
    parser.add_argument("--only", nargs="+", choices=TRACKERS, default=list(TRACKERS))
    options = parser.parse_args()
    sounds = {centre: tone(centre) for centre in options.centres_hz}
    print("| tracker | centre Hz | 5.5 Hz | 10 Hz | delay | random | own |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name in options.only:
        for centre, sound in sounds.items():
            found = response(*TRACKERS[name](sound), centre)
            cells = "- | - | - | - | -" if found is None else (
                "{:.3f} | {:.3f} | {:+.2f} | {:.3f} | {:.3f}".format(*found))
            print(f"| {name} | {centre:g} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
