#!/usr/bin/env python3
"""Counts the wrong and the lost frames of pitch shifters on recordings of people, by two readers.

    judge/bin/python scripts/peers/people.py .build/debug/choir-eval recordings/*.flac
    judge/bin/python scripts/peers/people.py choir-eval recordings/*.flac --half 2 --readers praat
    judge/bin/python scripts/peers/people.py choir-eval recordings/*.flac --subjects offline,world --passes 0,1.58

judge is the environment of shifters.py, and librosa. A frame of 10 ms counts where Praat and pYIN agree
on the input's pitch within 50 cents. Each reader then reads the output, from 0.7 times the lowest such
pitch to twice the highest, times the ratio, at the delay that fits best.

    wrong      share of the frames read that lie more than 100 cents from the input's times the ratio, %
    lost       share of all frames that the reader hears no pitch in, %
    first, last  share of all frames wrong or lost in the first 40 or the last 30 ms of a voice, %
    octave     of all beginnings of a voice (100 ms without one before), the longest stretch at its begin
               that lies about an octave off, ms

Figures are over all frames of a group, which is the first word of a file's name, and of all shifts. `--half`
takes every other file, so that one half can be developed on and the other reported. Readings are kept in
`--cache` by the sound that was read, WORLD's output by the sound it was given.

Both readers look in the same range, pYIN every 10 ms, Praat every 5, and are interpolated to the frames. Praat's
window is three periods of the lowest pitch; pYIN's is as long as its lag at that pitch asks, twice 1.15 periods,
at 16 kHz, with candidates a fifth of a semitone apart. All else are the defaults of their libraries.

Where an engine looks falls otherwise on the sound if that begins a few samples later. `--starts N` renders each
file N times, each time STEP samples later, counts all, and gives the standard deviation between single starts:
a change that is smaller has shown nothing.

`--passes` is for programs of whole files, whose output lines up with the input: that is given instead for so many
periods at the beginning of each voice. A program whose delay is one period and that has to hear three before it
knows of a voice passes two.
"""

import argparse
import functools
import hashlib
import pathlib
import sys
import tempfile

import librosa
import numpy as np
import parselmouth
import soundfile

import shifters

SHIFTS = (-12, -5, 4, 7)
HOP_S = 0.01
LOWEST_HZ, HIGHEST_HZ = 60, 1100
SUBJECTS = ("psola", "psola without look-ahead", "world")
STEP = 53  # samples from one start to the next: no multiple of an engine's hop


# Readers


def praat(sound, rate, lowest, highest, silence=0.03):
    track = parselmouth.Sound(sound, rate).to_pitch_ac(
        time_step=HOP_S / 2, pitch_floor=lowest, pitch_ceiling=highest, silence_threshold=silence)
    return track.xs(), track.selected_array["frequency"]


def pyin(sound, rate, lowest, highest):
    slow_hz = 16_000
    hop = int(HOP_S * slow_hz)
    slow = librosa.resample(sound.astype(np.float32), orig_sr=rate, target_sr=slow_hz)
    # Half of a frame is compared with what comes up to the other half later: no more than it needs.
    length = 2 * int(1.15 * slow_hz / lowest)
    f0, voiced, _ = librosa.pyin(
        slow, fmin=lowest, fmax=highest, sr=slow_hz, hop_length=hop, frame_length=length, resolution=0.2)
    return np.arange(len(f0)) * hop / slow_hz, np.where(voiced, f0, 0)


# Praat calls soft sound silent. What a shift leaves softer is not lost for that, so outputs are read with a
# third of its threshold.
READERS = {"praat": praat, "pyin": pyin}
OF_OUTPUT = READERS | {"praat": functools.partial(praat, silence=0.01)}


class Cache:
    """Arrays by name in a folder; without one, nothing is kept."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder) if folder else None
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)

    def get(self, make, *key):
        if not self.folder:
            return make()
        digest = hashlib.sha256(b"|".join(
            part.tobytes() if isinstance(part, np.ndarray) else str(part).encode() for part in key))
        path = self.folder / f"{digest.hexdigest()[:32]}.npz"
        if not path.exists():
            values = make()
            np.savez(path.with_suffix(".part.npz"), *values)
            path.with_suffix(".part.npz").rename(path)
        with np.load(path) as stored:
            return [stored[name] for name in stored.files]

    def read(self, name, sound, rate, lowest, highest, readers=READERS):
        return self.get(
            lambda: readers[name](sound, rate, lowest, highest),
            name if readers[name] is READERS[name] else f"{name} of output", sound.astype(np.float32), rate, round(lowest, 3), round(highest, 3))


def at(times, track):
    """Pitch at instants, NaN where either neighbour has none."""
    places, hz = track
    return np.interp(times, places, np.where(hz > 0, hz, np.nan), np.nan, np.nan)


# Frames


class Recording:
    """A recording and the pitch that both readers hear in it."""

    def __init__(self, path, cache, longest):
        sound, rate = soundfile.read(path, always_2d=True)
        self.name = pathlib.Path(path).stem
        self.sound, self.rate = np.ascontiguousarray(sound[:int(longest * rate), 0]), rate
        self.times = np.arange(0, len(self.sound) / rate, HOP_S)
        self.range = LOWEST_HZ, HIGHEST_HZ
        self.agree(cache)
        # Again as the output will be read, for a reader's windows are as long as its lowest pitch asks.
        if self.sure.sum() > 5:
            lowest, highest = np.percentile(self.hz[self.sure], (1, 99))
            self.range = 0.7 * lowest, 2 * highest
            self.agree(cache)

    def agree(self, cache):
        first, second = (
            at(self.times, cache.read(name, self.sound, self.rate, *self.range)) for name in READERS)
        with np.errstate(all="ignore"):
            self.sure = np.abs(1200 * np.log2(first / second)) < 50
        self.hz = np.where(self.sure, first, np.nan)
        # Where one of them hears a voice, for where it begins and ends.
        self.voiced = np.isfinite(first) | np.isfinite(second)

    def places(self):
        """By frame, how far from the beginning of its voice and from its end, in seconds."""
        count = len(self.times)
        since, until = np.zeros(count), np.zeros(count)
        for i in range(count):
            since[i] = (since[i - 1] + HOP_S) if i and self.sure[i - 1] and self.sure[i] else 0
        for i in reversed(range(count - 1)):
            until[i] = (until[i + 1] + HOP_S) if self.sure[i + 1] and self.sure[i] else 0
        return since, until


def errors(recording, track, shift):
    """Of the sure frames in cents, NaN where the reader hears nothing, and the delay that fits best."""
    sure = recording.sure
    wanted = recording.hz[sure] * 2 ** (shift / 12)

    def away(late):
        return 1200 * np.log2(at(recording.times[sure] + late, track) / wanted)

    def misfit(late):
        cents = np.abs(away(late))
        return np.mean(np.minimum(np.nan_to_num(cents, nan=100), 100))

    late = min(np.arange(0, 0.06, 0.001), key=misfit)
    return away(late), late


def octave_ms(recording, cents):
    """The longest stretch about an octave off that a voice begins with; beginnings are not always sure."""
    everywhere = np.full(len(recording.times), np.nan)
    everywhere[recording.sure] = cents
    longest = 0
    since_voice = 1.0
    for i in range(len(recording.times)):
        begins = recording.voiced[i] and since_voice >= 0.1
        since_voice = 0 if recording.voiced[i] else since_voice + HOP_S
        if not begins:
            continue
        length, j = 0, i
        while j < len(everywhere) and (not recording.sure[j]) and j - i < 5:
            j += 1
        while j < len(everywhere) and 1000 < abs(everywhere[j]) < 1400:
            length, j = length + 1, j + 1
        longest = max(longest, length)
    return 1000 * HOP_S * longest


def figures(recording, track, shift):
    cents, late = errors(recording, track, shift)
    since, until = (x[recording.sure] for x in recording.places())
    lost = ~np.isfinite(cents)
    wrong = ~lost & (np.abs(cents) > 100)
    bad = lost | wrong
    return {
        "frames": len(cents), "read": (~lost).sum(), "wrong": wrong.sum(), "lost": lost.sum(),
        "first": (bad & (since < 0.04)).sum(), "last": (bad & (until < 0.03) & (since >= 0.04)).sum(),
        "octave": octave_ms(recording, cents), "late": 1000 * late,
        "bad": recording.times[recording.sure][bad], "cents": cents[bad]}


def render(name, subject, program, recording, shift, cache, silence=0):
    """The output for a recording that begins after `silence` samples, without these."""
    given = np.pad(recording.sound, (silence, 0))

    def make():
        with tempfile.TemporaryDirectory() as folder:
            source, target = (str(pathlib.Path(folder) / file) for file in ("in.wav", "out.wav"))
            # Room for what comes out late.
            sound = np.pad(given, (0, int(0.1 * recording.rate)))
            soundfile.write(source, sound, recording.rate, subtype="FLOAT")
            subject(program, source, target, shift)
            sound, _ = soundfile.read(target, always_2d=True)
        return [np.ascontiguousarray(sound[silence:, 0].astype(np.float32))]
    if name == "world":
        return cache.get(make, name, "padded", given, shift)[0]
    return make()[0]


def passing(recording, sound, periods):
    """`sound`, but the input for the first `periods` of each voice."""
    if not periods:
        return sound
    share = np.zeros(len(sound), np.float32)
    voiced = recording.voiced
    for i in np.flatnonzero(voiced & ~np.append(False, voiced[:-1])):
        near = recording.hz[i:i + 10]
        near = near[np.isfinite(near)]
        if not len(near):
            continue
        # A voice begins between two frames. The input gives way over a period.
        begin = recording.times[i] - HOP_S / 2
        first, full, end = (
            max(0, round(second * recording.rate)) for second in (
                begin - 0.03, begin + (periods - 0.5) / near[0], begin + (periods + 0.5) / near[0]))
        fall = 0.5 + 0.5 * np.cos(np.pi * (np.arange(max(end - full, 0)) + 0.5) / max(end - full, 1))
        shape = np.append(np.ones(max(full - first, 0)), fall)[:len(sound) - first]
        span = slice(first, first + len(shape))
        share[span] = np.maximum(share[span], shape)
    input = np.pad(recording.sound, (0, len(sound)))[:len(sound)]
    return ((1 - share) * sound + share * input).astype(np.float32)


def judged(recording, sound, shift, reader, cache):
    ratio = 2 ** (shift / 12)
    lowest, highest = (hz * bound for hz, bound in zip(recording.range, (min(1, ratio), max(1, ratio))))
    track = cache.read(reader, sound, recording.rate, lowest, highest, OF_OUTPUT)
    return figures(recording, track, shift) | {
        "reader": reader, "shift": shift, "clip": recording.name, "group": recording.name.split("-")[0]}


def list_bad(cell):
    for time, cents in zip(cell["bad"], cell["cents"]):
        print(f"{cell['clip']} {cell['subject']} {cell['shift']:+g} {cell['reader']} {time:.2f} {cents:.0f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="choir-eval")
    parser.add_argument("recordings", nargs="+")
    parser.add_argument("--subjects", default=",".join(SUBJECTS))
    parser.add_argument("--readers", default=",".join(READERS))
    parser.add_argument("--shifts", default=",".join(map(str, SHIFTS)))
    parser.add_argument("--half", type=int, choices=(1, 2), help="every other file, from this one on")
    parser.add_argument("--longest", type=float, default=10, help="seconds of each file")
    parser.add_argument("--starts", type=int, default=1, help="times that each file is rendered")
    parser.add_argument("--passes", default="0", help="periods of each voice that pass, one or several")
    parser.add_argument("--cache", help="folder for readings")
    parser.add_argument("--where", action="store_true", help="list the wrong and the lost frames")
    arguments = parser.parse_intermixed_args()
    cache = Cache(arguments.cache)
    paths = sorted(arguments.recordings)
    if arguments.half:
        paths = paths[arguments.half - 1::2]
    known = shifters.subjects()
    cells = []
    for path in paths:
        recording = Recording(path, cache, arguments.longest)
        if recording.sure.sum() <= 5:
            print(f"{recording.name}: no pitch that both readers hear", file=sys.stderr)
            continue
        for name in arguments.subjects.split(","):
            for shift in map(float, arguments.shifts.split(",")):
                for start in range(arguments.starts):
                    sound = render(
                        name, known[name], arguments.program, recording, shift, cache, start * STEP)
                    for periods in map(float, arguments.passes.split(",")):
                        label = f"{name}, {periods:g} periods pass" if periods else name
                        heard = passing(recording, sound, periods)
                        for reader in arguments.readers.split(","):
                            cell = judged(recording, heard, shift, reader, cache)
                            cells.append(cell | {"subject": label, "start": start})
                            if arguments.where:
                                list_bad(cells[-1])
        print(recording.name, file=sys.stderr, flush=True)
    report(cells)


def shares(cells, columns):
    """In percent of the frames, those wrong in percent of the frames read."""
    total = {key: sum(cell[key] for cell in cells) for key in (*columns, "frames", "read")}
    return [100 * total[key] / max(1, total["read" if key == "wrong" else "frames"]) for key in columns]


def report(cells):
    columns = ("wrong", "lost", "first", "last")
    starts = max(cell["start"] for cell in cells) + 1
    sways = ("wrong ±", "lost ±") if starts > 1 else ()
    heads = ("", "subject", "reader", "frames", *columns, *sways, "octave, ms")
    print("\n| " + " | ".join(heads) + " |\n" + "| --- " * len(heads) + "|")

    def row(label, chosen):
        for subject in dict.fromkeys(cell["subject"] for cell in cells):
            for reader in dict.fromkeys(cell["reader"] for cell in cells):
                of = [
                    cell for cell in cells if chosen(cell)
                    and (cell["subject"], cell["reader"]) == (subject, reader)]
                values = shares(of, columns)
                if sways:
                    values += list(np.std([
                        shares([cell for cell in of if cell["start"] == start], columns[:2])
                        for start in range(starts)], axis=0, ddof=1))
                print(
                    f"| {label} | {subject} | {reader} | {sum(cell['frames'] for cell in of)} | "
                    + " | ".join(f"{value:.2f}" for value in values)
                    + f" | {max(cell['octave'] for cell in of):.0f} |")

    for clip in dict.fromkeys(cell["clip"] for cell in cells):
        row(clip, lambda cell: cell["clip"] == clip)
    for group in dict.fromkeys(cell["group"] for cell in cells):
        row(f"**{group}**", lambda cell: cell["group"] == group)


if __name__ == "__main__":
    main()
