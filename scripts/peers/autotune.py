#!/usr/bin/env python3
"""The auto-tuner, judged by Praat on real voices, by periods, phases and its log on synthetic ones.

    python scripts/peers/autotune.py PROGRAM RECORDING... [-- OPTION...]

PROGRAM is the built choir-eval; OPTIONs go to `choir autotune`. Needs numpy, soundfile and
praat-parselmouth. Frames of a recording are steady where its own pitch stays within 30 cents for
30 ms on either side; a frame is in tune within 10 cents of a tone of the key.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import parselmouth
import soundfile

RATE = 48_000
MAJOR = [0, 2, 4, 5, 7, 9, 11]
KEYS = {"C chromatic": range(12), "C major": MAJOR}


def tuned(program, sound, rate, key, options, folder):
    """What comes out, and the truth log."""
    source, result, truth = (os.path.join(folder, n) for n in ("i.wav", "o.wav", "t.json"))
    soundfile.write(source, sound, rate, subtype="FLOAT")
    subprocess.run(
        [pathlib.Path(program).with_name("choir"), "autotune", "--force", source, result, "--key", key, "--truth", truth, *options],
        check=True, stdout=subprocess.DEVNULL)
    with open(truth) as file:
        return soundfile.read(result)[0], json.load(file)


def praat(sound, rate, times):
    """Pitch in semitones re A4 = 440 Hz at 69; NaN without voice."""
    pitch = parselmouth.Sound(sound, rate).to_pitch_ac(
        time_step=0.005, pitch_floor=75, pitch_ceiling=1100, very_accurate=True)
    hz = np.array([pitch.get_value_at_time(t) for t in times])
    return 69 + 12 * np.log2(hz / 440)


def off(semitones, tones):
    """Cents to the nearest tone."""
    allowed = np.array([o * 12 + t for o in range(11) for t in tones])
    return 100 * np.min(np.abs(semitones[:, None] - allowed[None, :]), axis=1)


def real(program, paths, options):
    print("recording, key, steady frames, within 10 cents %: before, after, median cents after")
    totals = {key: [] for key in KEYS}
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            sound, rate = soundfile.read(path, always_2d=True)
            sound = sound.mean(axis=1)
            times = np.arange(0.1, len(sound) / rate - 0.1, 0.005)
            before = praat(sound, rate, times)
            spread = np.array([
                np.ptp(before[max(0, i - 6):i + 7]) if i >= 6 else np.nan
                for i in range(len(times))])
            for key, tones in KEYS.items():
                output, log = tuned(program, sound, rate, key, options, folder)
                after = praat(output, rate, times + log["latencySamples"] / rate)
                steady = (spread < 0.3) & np.isfinite(after)
                if steady.sum() < 100:
                    continue
                was, errors = off(before[steady], tones), off(after[steady], tones)
                totals[key].append((steady.sum(), np.mean(errors <= 10)))
                print(
                    f"{os.path.basename(path)}, {key}, {steady.sum()}, "
                    f"{100 * np.mean(was <= 10):.1f}, {100 * np.mean(errors <= 10):.1f}, "
                    f"{np.median(errors):.2f}", flush=True)
    for key, rows in totals.items():
        if rows:
            count, share = np.array(rows).T
            print(
                f"all, {key}: {100 * np.sum(count * share) / np.sum(count):.1f} % of frames, "
                f"mean of recordings {100 * np.mean(share):.1f} %, least {100 * share.min():.1f} %")


def voice(hz):
    """Harmonics of a vowel-like fall, at a pitch for each sample."""
    turns = np.cumsum(hz) / RATE
    return sum(0.2 / k * np.sin(2 * np.pi * k * turns) for k in range(1, 13))


def period_cents(sound, hz, times):
    """Pitch in cents above `hz`, from the lag at which one period is most like the next."""
    result = []
    for time in times:
        period = RATE / hz(time)
        span, start = int(round(period)), int(round(time * RATE - period))
        lags = np.arange(int(period * 0.9), int(period * 1.1) + 2)
        one = sound[start:start + span]
        match = np.array([
            np.dot(one, other) / np.sqrt(np.dot(one, one) * np.dot(other, other) + 1e-12)
            for other in (sound[start + lag:start + lag + span] for lag in lags)])
        best = int(np.clip(np.argmax(match), 1, len(lags) - 2))
        a, b, c = match[best - 1:best + 2]
        lag = lags[best] + 0.5 * (a - c) / (a - 2 * b + c)
        result.append(1200 * np.log2(RATE / lag / hz(time)))
    return np.array(result)


def steps(program, options):
    """Legato steps in C major, each note 30 cents off: when is the note within 10 cents for good?

    The decision: by the log against what was sung. The sound: for 20 ms, by periods; the same of
    the target itself says what the judge's window adds.
    """
    print(
        "step, latency ms, decision settled after ms, periods, "
        "sound settled after ms (tuner; target), periods between, error cents")
    with tempfile.TemporaryDirectory() as folder:
        for low, high in [(45, 48), (52, 55), (57, 60), (64, 62), (69, 72), (74, 67)]:
            times = np.arange(RATE) / RATE
            note = np.where(times < 0.5, low, high)
            wrong = np.where(times < 0.5, 0.3, -0.3)
            sung = voice(440 * 2 ** ((note + wrong - 69) / 12))
            ideal = voice(440 * 2 ** ((note - 69) / 12))
            output, log = tuned(program, sung, RATE, "C major", options, folder)
            late = log["latencySamples"]
            hz = 440 * 2 ** ((high - 69) / 12)
            grid = np.arange(0.47, 0.7, 0.0005)
            moments = log["moments"]
            shift = np.interp(
                times, [m["sample"] / RATE for m in moments],
                [m["correctionCents"] for m in moments])
            decided = np.abs(100 * wrong + shift) > 10
            decided = (np.nonzero(decided[:int(0.7 * RATE)])[0][-1] + 1) / RATE - 0.5
            settled = []
            for sound in (output[late:], ideal[:RATE - late]):
                cents = period_cents(sound, lambda t: hz, grid)
                good = np.convolve(np.abs(cents) <= 10, np.ones(40), "valid") == 40
                first = np.argmax(good) if good.any() else len(grid) - 1
                settled.append((grid[first] - 0.5) * 1000)
            calm = np.arange(0.65, 0.9, 0.005)
            error = np.median(np.abs(period_cents(output[late:], lambda t: hz, calm)))
            extra = settled[0] - settled[1]
            print(
                f"{low}-{high}, {late / RATE * 1000:.1f}, {decided * 1000:.1f}, "
                f"{decided * hz:.2f}, {settled[0]:.1f}; {settled[1]:.1f}, "
                f"{extra / 1000 * hz:.2f}, {error:.3f}", flush=True)


def legato(program, options):
    """Melodies in C major, each note up to 40 cents off: when is a note within 20 cents for good?

    From where what is sung comes nearest to its own note, after the stated latency, by periods.
    """
    random, length, time = np.random.default_rng(11), 0.5, np.arange(RATE // 2) / RATE
    found = {}
    scale = np.array([12 * octave + tone for octave in range(11) for tone in MAJOR])
    with tempfile.TemporaryDirectory() as folder:
        for lowest in (40, 43, 50, 57, 64, 69):
            settled = []
            for glide_s in (0.001, 0.02, 0.05, 0.08, 0.12):
                degree, pitches, changes = 3, [], []
                for number in range(10):
                    degree = random.choice([d for d in range(8) if 0 < abs(d - degree) < 4])
                    note = scale[scale >= lowest][degree]
                    goal = note + random.uniform(-0.4, 0.4)
                    last = pitches[-1][-1] if pitches else goal
                    way = 0.5 - 0.5 * np.cos(np.pi * np.minimum(time / glide_s, 1))
                    pitches.append(last + (goal - last) * way)
                    nearest = scale[np.abs(pitches[-1][:, None] - scale).argmin(axis=1)]
                    changes.append((note, number * length + np.sum(nearest != note) / RATE))
                sung = voice(440 * 2 ** ((np.concatenate(pitches) - 69) / 12))
                output, log = tuned(program, sung, RATE, "C major", options, folder)
                for note, change in changes[1:]:
                    hz = 440 * 2 ** ((note - 69) / 12)
                    grid = np.arange(change, change + 0.3, 0.001)
                    off = np.abs(period_cents(output[log["latencySamples"]:], lambda t: hz, grid)) > 20
                    settled.append(0 if not off.any() else np.nonzero(off)[0][-1] + 1)
            found[lowest] = np.array(settled)
    found["all"] = np.concatenate(list(found.values()))
    print("lowest note, notes, settled after ms: median, 90 %, worst; never right")
    for lowest, settled in found.items():
        print(
            f"{lowest}, {len(settled)}, {np.median(settled):.0f}, {np.percentile(settled, 90):.0f}, "
            f"{settled.max()}; {np.sum(settled == 300)}", flush=True)


def glide(program, options):
    """Notes taken on a slow glide from C4 to G4 that trembles by 20 cents: C major has four steps there."""
    times = np.arange(7 * RATE) / RATE
    sung = voice(440 * 2 ** ((60 + times + 0.2 * np.sin(2 * np.pi * 5.5 * times) - 69) / 12))
    with tempfile.TemporaryDirectory() as folder:
        for cents in (30, 0):
            log = tuned(
                program, sung, RATE, "C major", [*options, "--hysteresis-cents", str(cents)], folder)[1]
            keys = np.array([m["key"] for m in log["moments"] if m.get("key") is not None])
            print(f"hysteresis {cents} cents, {np.sum(np.diff(keys) != 0)} changes of note of 4", flush=True)


def untouched(program, options):
    """What an amount of 0 % changes: a vowel, noise and silence against themselves as late as stated."""
    noise = np.random.default_rng(1).normal(0, 0.1, RATE)
    times = np.arange(RATE) / RATE
    sound = np.concatenate([voice(220 * 2 ** (times / 12)), noise, np.zeros(RATE)]).astype(np.float32)
    with tempfile.TemporaryDirectory() as folder:
        output, log = tuned(program, sound, RATE, "C major", [*options, "--amount-percent", "0"], folder)
    late = log["latencySamples"]
    most = np.max(np.abs(output[late:] - sound[:len(output) - late]))
    print(f"amount 0 %: largest difference {most:g}", flush=True)


def lateness(program, options):
    """How much later than the sound its measured pitch is, by the phase of a vibrato in the log."""
    print("f0, vibrato of the log in cents (40 sung), late by ms")
    times = np.arange(2 * RATE) / RATE
    with tempfile.TemporaryDirectory() as folder:
        for base in (110, 220, 440):
            sung = voice(base * 2 ** (0.4 / 12 * np.sin(2 * np.pi * 5.5 * times)))
            log = tuned(program, sung, RATE, "C chromatic", options, folder)[1]
            moments = [m for m in log["moments"] if m["leadHz"] > 0 and m["sample"] > RATE // 2]
            at = 2 * np.pi * 5.5 * np.array([m["sample"] for m in moments]) / RATE
            cents = 1200 * np.log2(np.array([m["leadHz"] for m in moments]) / base)
            waves = np.stack([np.sin(at), np.cos(at)], 1)
            sine, cosine = np.linalg.lstsq(waves, cents, rcond=None)[0]
            late = -np.arctan2(cosine, sine) / (2 * np.pi * 5.5) * 1000
            print(f"{base}, {np.hypot(sine, cosine):.1f}, {late:.2f}", flush=True)


def main():
    arguments = sys.argv[1:]
    options = []
    if "--" in arguments:
        place = arguments.index("--")
        arguments, options = arguments[:place], arguments[place + 1:]
    program, paths = arguments[0], arguments[1:]
    steps(program, options)
    legato(program, options)
    glide(program, options)
    untouched(program, options)
    lateness(program, options)
    if paths:
        real(program, paths, options)


if __name__ == "__main__":
    main()
