"""Measures how cleanly other resamplers read a sound at another speed, on the tones of the table.

    python3 -m venv judge && judge/bin/pip install numpy==2.4.6 scipy==1.17.1 soxr==1.1.0
    judge/bin/python scripts/peers/reading.py

The project's own figures for the same tones are printed by
`CHOIR_DEV=1 swift run choir-dev tables playback`. A row is a speed: the worst residual beside the
tone that fits best, and the loudest alias, in decibels against the tone.
"""

import numpy as np
import scipy.signal
import soxr

RATE = 48_000
SPEEDS = [0.25, 0.5, 0.9, 1.059463094, 1.26, 1.5, 1.9, 2, 3, 4, 7.3, 16]
SHARES = [0.02, 0.1, 0.3, 0.5, 0.7, 0.8]
BEYOND = [1.1, 1.2, 1.5, 1.9]


def with_soxr(quality):
    # Speed is a conversion to a lower rate, played at the old one.
    return lambda sound, speed: soxr.resample(
        sound, RATE * 1000, RATE * 1000 / speed, quality=quality)


def with_scipy(sound, speed):
    """The polyphase filter as it is without further choices, at the ratio within a ten-thousandth."""
    up = 10_000 if speed != int(speed * 4) / 4 else 4
    return scipy.signal.resample_poly(sound, up, round(up * speed))


READERS = {"soxr HQ": with_soxr("HQ"), "soxr VHQ": with_soxr("VHQ"), "scipy": with_scipy}


def tone(hz):
    return 0.5 * np.sin(2 * np.pi * hz * (np.arange(2 * RATE) + 0.5) / RATE)


def residual_db(sound, hz):
    turns = 2 * np.pi * hz * np.arange(len(sound)) / RATE
    basis = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    fit = basis @ np.linalg.lstsq(basis, sound, rcond=None)[0]
    return 10 * np.log10(np.sum((sound - fit) ** 2) / np.sum(fit ** 2))


def middle(sound):
    return sound[len(sound) // 4:min(len(sound) * 3 // 4, len(sound) // 4 + 5000)]


def main():
    print("speed", *(f"{name}: residual, alias" for name in READERS), sep=" | ")
    for speed in SPEEDS:
        cells = []
        for name, read in READERS.items():
            actual = speed
            if name == "scipy" and speed != int(speed * 4) / 4:
                actual = round(10_000 * speed) / 10_000
            worst = max(
                residual_db(middle(read(tone(hz), speed)), hz * actual)
                for hz in (share * RATE / 2 / max(1, speed) for share in SHARES))
            beyond = [
                share * RATE / 2 / speed for share in BEYOND
                if share / speed < 0.99 and speed > 1]
            alias = max(
                (10 * np.log10(np.mean(middle(read(tone(hz), speed)) ** 2) / 0.125 + 1e-30)
                 for hz in beyond), default=float("nan"))
            cells.append(f"{worst:.0f}, " + (f"{alias:.0f}" if beyond else "none"))
        print(speed, *cells, sep=" | ")


if __name__ == "__main__":
    main()
