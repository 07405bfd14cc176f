"""Measures formants while the mouth moves, on voices whose formants are known at every instant.

    judge/bin/python scripts/peers/moving.py make FOLDER
    choir-eval analyze FOLDER/report/*.wav --write formants --output OURS/
    judge/bin/python scripts/peers/moving.py score FOLDER/report [--ours OURS]

FOLDER/tune and FOLDER/report each hold 32 voices of 90 to 350 Hz, half with vibrato, all a little
breathy, that sing five vowels of 160 ms with changes of 40 to 200 ms along half cosines: ID.wav, and
ID.npz with the formants every 5 ms. The tract is Klatt's resonators, whose poles move sample by
sample; the source Klatt's cubic (tune) or Rosenberg's trigonometric pulse (report, 1971, type C).

Printed are errors in %, median / mean, of F1, F2 and F3: while they move, and at least 40 ms away.
Without --ours those of Praat's Burg method, at the ceiling that suits the length of the tract.

scripts/peers/envelope.py says how to have what it wants, and numba beside.
"""

import argparse
import csv
import pathlib

import numba
import numpy as np
import scipy.signal
import soundfile

RATE = 48_000
VOWELS = np.array([
    (300, 2250, 2950), (430, 2000, 2600), (580, 1780, 2480), (740, 1200, 2500), (480, 880, 2450),
    (330, 850, 2300), (480, 1350, 1750), (650, 1650, 2450)])
HOLD_S, STEP_S, EDGE_S = 0.16, 0.005, 0.1


@numba.njit
def tract(samples, hz, widths):
    for k in range(hz.shape[1]):
        last, before = 0.0, 0.0
        for n in range(len(samples)):
            radius = np.exp(-np.pi * widths[n, k] / RATE)
            turn = 2 * radius * np.cos(2 * np.pi * hz[n, k] / RATE)
            value = (1 - turn + radius**2) * samples[n] + turn * last - radius**2 * before
            last, before = value, last
            samples[n] = value
    return samples


def pulses(f0, rng, cubic):
    """The derivative of the glottal flow, sampled four times as densely and tilted."""
    places = np.arange(4 * len(f0)) / 4
    phase = np.cumsum(np.interp(places, np.arange(len(f0)), f0)) / (4 * RATE) % 1
    if cubic:
        t = phase / rng.uniform(0.5, 0.8)
        flow = np.where(t < 1, 2 * t - 3 * t**2, 0)
    else:
        rise, fall = rng.uniform(0.35, 0.5), rng.uniform(0.12, 0.22)
        falling = np.where(
            phase < rise + fall,
            -np.pi / (2 * fall) * np.sin(np.pi / 2 * (phase - rise) / fall), 0)
        flow = np.where(phase < rise, np.pi / (2 * rise) * np.sin(np.pi * phase / rise), falling)
    pole = np.exp(-2 * np.pi * rng.uniform(2000, 5000) / (4 * RATE))
    return scipy.signal.resample_poly(scipy.signal.lfilter([1 - pole], [1, -pole], flow), 1, 4)


def make(folder, seed, cubic):
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    for pitch in (90, 110, 135, 165, 200, 240, 290, 350):
        for change_ms in (40, 70, 120, 200):
            scale = (1 if pitch < 150 else 1.16) * rng.uniform(0.95, 1.05)
            vowels = [rng.integers(8)]
            while len(vowels) < 5:
                other = rng.integers(8)
                if abs(np.log(VOWELS[other][1] / VOWELS[vowels[-1]][1])) > 0.2:
                    vowels.append(other)
            logs = np.log(VOWELS[vowels] * scale) + rng.normal(0, 0.03, (5, 3))
            change = change_ms / 1000
            t = np.arange(int((2 * EDGE_S + 5 * HOLD_S + 4 * change) * RATE)) / RATE
            track, moves = np.tile(logs[0], (len(t), 1)), np.zeros(len(t), bool)
            for k in range(4):
                share = np.clip((t - EDGE_S - HOLD_S - k * (HOLD_S + change)) / change, 0, 1)
                moves |= (share > 0) & (share < 1)
                track += (0.5 - 0.5 * np.cos(np.pi * share))[:, None] * (logs[k + 1] - logs[k])
            above = 500 * scale * np.arange(7, 40, 2)
            hz = np.hstack([np.exp(track), np.tile(above[above < 20_000], (len(t), 1))])
            widths = np.minimum(55 * (1 + hz**2 / 5e6), 500) * np.exp(
                rng.normal(0, 0.15, hz.shape[1]))
            cents = (rng.integers(2) * rng.uniform(20, 60) + 5) * np.sin(2 * np.pi * 5.5 * t)
            f0 = pitch * 2 ** ((cents + rng.uniform(-150, 150) * t / t[-1]) / 1200)
            source = pulses(f0, rng, cubic)
            breath = np.diff(rng.normal(0, 1, len(t)), prepend=0)
            breath *= source.std() / breath.std() * 10 ** (-rng.uniform(28, 42) / 20)
            voice = tract(source + breath, hz, widths)
            voice *= np.clip(np.minimum(t, t[-1] - t) / 0.05, 0, 1) / np.abs(voice).max() / 2
            name = folder / f"{pitch:03d}-{change_ms:03d}"
            soundfile.write(f"{name}.wav", voice.astype(np.float32), RATE, subtype="FLOAT")
            every = slice(None, None, int(STEP_S * RATE))
            np.savez(
                f"{name}.npz", times=t[every], hz=hz[every, :3], moves=moves[every], scale=scale)


def praat(path, truth):
    import parselmouth

    ceiling = round(10 * truth["scale"]) * 500
    formants = parselmouth.Sound(str(path)).to_formant_burg(
        time_step=STEP_S, max_number_of_formants=5, maximum_formant=ceiling)
    return [[formants.get_value_at_time(n, t) for n in (1, 2, 3)] for t in truth["times"]]


def ours(path, truth):
    with open(path, newline="") as file:
        rows = list(csv.DictReader(file))
    times = [float(row["time_s"]) for row in rows]
    hz = np.array([[float(row[f"f{n}_hz"] or "nan") for n in (1, 2, 3)] for row in rows])
    return np.array([np.interp(truth["times"], times, column) for column in hz.T]).T


def score(folder, own):
    moving, held = [], []
    for path in sorted(folder.glob("*.npz")):
        truth = np.load(path)
        wav = path.with_suffix(".wav")
        found = ours(own / f"{path.stem}.formants.csv", truth) if own else praat(wav, truth)
        # A missing formant counts as 100 %.
        errors = np.nan_to_num(100 * np.abs(np.array(found) / truth["hz"] - 1), nan=100).clip(0, 100)
        near = np.convolve(truth["moves"], np.ones(17), "same") > 0
        inside = (truth["times"] > EDGE_S) & (truth["times"] < truth["times"][-1] - EDGE_S)
        moving.append(errors[truth["moves"] & inside])
        held.append(errors[inside & ~near])
    for name, parts in (("moving", moving), ("held", held)):
        errors = np.vstack(parts)
        print(name, *(f"{np.median(e):.1f}/{e.mean():.1f}" for e in errors.T))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("action", choices=["make", "score"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--ours", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.action == "score":
        score(arguments.folder, arguments.ours)
    else:
        make(arguments.folder / "tune", 1, cubic=True)
        make(arguments.folder / "report", 2, cubic=False)


if __name__ == "__main__":
    main()
