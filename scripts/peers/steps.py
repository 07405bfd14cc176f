"""Measures what pitch trackers make of a sudden step, whose true delay is 0 and whose rise is 0.

    PATH=$PWD/.build/release:$PATH judge/bin/python scripts/peers/steps.py

The environment is that of vibrato.py. Tones of harmonics falling as 1 over their number step from
82 to 440 Hz up by 1, 4 and 12 semitones, at six instants each, phase going on. The definitions are
those of `StepResponse`, written anew: half of the way between the medians of the old pitch and of
the new. A tone is lost where a frame within 200 ms before or 400 ms after has no pitch, or where
the pitch doesn't arrive. For each tracker and size, over all tones that are not lost:

    delay     largest distance of half of the way from the step, in ms
    mean      the same of the mean delay (the area above the curve)
    rise      from 10 to 90 % in ms: median, largest
"""

import argparse

import numpy as np

from vibrato import RATE_HZ, TRACKERS

LOW_NOTES_HZ = [82.4, 110, 165, 220, 330, 440]
STEP_S = [0.5 + 0.0037 * n for n in range(6)]


def tone(hz, semitones, step_s):
    ratio = 2 ** (semitones / 12)
    times = np.arange(int(1.1 * RATE_HZ)) / RATE_HZ
    f0 = np.where(times < step_s, hz, hz * ratio)
    turns = np.concatenate([[0], np.cumsum(f0)[:-1]]) / RATE_HZ
    harmonics = int(5000 / (hz * ratio))
    return 0.2 * sum(np.sin(2 * np.pi * h * turns) / h for h in range(1, harmonics + 1))


def crossing(times, shares, level, last=False):
    rising = np.flatnonzero((shares[:-1] < level) & (shares[1:] >= level))
    if len(rising) == 0:
        return np.nan
    i = rising[-1 if last else 0]
    return times[i] + (level - shares[i]) / (shares[i + 1] - shares[i]) * (times[i + 1] - times[i])


def response(times, f0, hz, semitones, step_s):
    """Delay, mean delay and rise in ms; `None` if lost."""
    part = (times > step_s - 0.2) & (times < step_s + 0.4)
    times, f0 = times[part] - step_s, f0[part]
    if len(f0) < 20 or np.any(~(f0 > 0)):
        return None
    cents = 1200 * np.log2(f0 / hz)
    old, new = np.median(cents[times < -0.05]), np.median(cents[times > 0.3])
    if abs(old) > 20 or abs(new - 100 * semitones) > 20:
        return None
    shares = (cents - old) / (new - old)
    half = crossing(times, shares, 0.5)
    near = times <= half + 1e-9
    low = crossing(times[: near.sum() + 1], shares[: near.sum() + 1], 0.1, last=True)
    high = crossing(times[near.sum() - 1:], shares[near.sum() - 1:], 0.9)
    after = times > -0.05
    mean = times[after][0] - (times[1] - times[0]) / 2 + np.sum(1 - shares[after]) * (
        times[1] - times[0])
    found = 1000 * np.array([half, mean, high - low])
    return found if np.all(np.isfinite(found)) else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=TRACKERS, default=list(TRACKERS))
    options = parser.parse_args()
    print("| tracker | semitones | lost | delay | mean | rise |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in options.only:
        for semitones in (1, 4, 12):
            cases = [(hz, semitones, at) for hz in LOW_NOTES_HZ for at in STEP_S]
            found = [response(*TRACKERS[name](tone(*case)), *case) for case in cases]
            kept = np.array([one for one in found if one is not None])
            cells = "- | - | -" if len(kept) == 0 else "{:.1f} | {:.1f} | {:.1f}, {:.1f}".format(
                np.abs(kept[:, 0]).max(), np.abs(kept[:, 1]).max(), np.median(kept[:, 2]),
                kept[:, 2].max())
            print(f"| {name} | {semitones} | {len(found) - len(kept)} of {len(found)} | {cells} |",
                  flush=True)


if __name__ == "__main__":
    main()
