"""Measures the pitch of each voice of a known mix, side by side.

    python3 -m venv judge
    judge/bin/pip install praat-parselmouth==0.4.7 soundfile==0.14.0 numpy==2.4.6
    taskset -c 0 judge/bin/python scripts/peers/mix.py --csv mix.csv

Mixes of two to four voices without unisons, octaves and twelfths, each voice up to 20 cents off
its note and with a vibrato of its own, or none. Two kinds:

    additive   harmonics added up sine by sine: the pitch is known exactly
    sung       the synthetic singer, who trembles from period to period (0.1 % jitter and more)
               even on a straight tone, and whose resonances turn the phase of what glides past

Methods, each told the notes of the chord but not what is sung of them:

    choir-eval    joint harmonic fit of the mix
    harmonic-sum  each voice by itself: the pitch within 120 cents of its note at which the spectrum
                  of the mix, 128 ms under a Hann window, has the most energy on harmonics to 4 kHz
    praat-stems   Praat's autocorrelation on each voice's own sound, without the others

For each: median and 95th percentile of the absolute error in cents over frames of 10 ms in which
all voices sound, 70 ms around; the share of them without an answer; and processor time in
milliseconds a frame and voice. `within` is the share of answers of choir-eval no further off than
the deviation stated with them: 68 % if errors are those of white noise alone.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import parselmouth
import soundfile

RATE = 48_000
HOP_S = 0.01
SECONDS = 1.5
CHORDS = (
    (0, 4), (0, 7), (0, 9), (0, 4, 7), (0, 3, 7), (0, 5, 9), (0, 4, 7, 11), (0, 3, 7, 10),
    (0, 7, 16, 22), (0, 4, 9, 14))
ROOTS = (45, 52, 57)
STRAIGHT = ("vowels-bass", "vowels-baritone", "vowels-tenor", "vowels-alto")
SWAYING = ("swell-bass", "swell-tenor", "vibrato-rates-mezzo", "swell-soprano")
SUNG_CHORDS = ((0, 4), (0, 7), (0, 3, 7), (0, 4, 9), (0, 4, 7, 10), (0, 7, 16, 22))
SUNG_ROOTS = (43, 50)


def hz(note):
    return 440 * 2 ** ((note - 69) / 12)


def cents(value, over):
    return 1200 * np.log2(value / over)


class Mix:
    """Voices apart and together, the notes they were told, and what they sing every 10 ms."""

    def __init__(self, stems, notes, truth, noise_db=None, seed=0):
        self.stems, self.notes, self.truth = stems, notes, truth
        self.sound = np.sum(stems, axis=0)
        if noise_db is not None:
            level = np.sqrt(np.mean(self.sound**2)) * 10 ** (noise_db / 20)
            noise = level * np.random.default_rng(seed).standard_normal(len(self.sound))
            self.sound = self.sound + noise
        scale = 0.9 / np.max(np.abs(self.sound))
        self.sound, self.stems = self.sound * scale, [stem * scale for stem in stems]
        sounding = np.all(np.array(truth) > 0, axis=0)
        around = np.convolve(sounding, np.ones(15), "same") > 14.5
        self.frames = np.flatnonzero(around)[1:-1]


def additive(chord, root, sways, noise_db, seed):
    random = np.random.default_rng(seed)
    times = np.arange(int(SECONDS * RATE)) / RATE
    stems, truth = [], []
    for step in chord:
        off = random.uniform(-20, 20)
        extent = random.uniform(30, 80) if sways else 0
        rate, start = random.uniform(4.8, 6.5), random.uniform(0, 2 * np.pi)

        def f0(t):
            return hz(root + step) * 2 ** ((off + extent * np.sin(2 * np.pi * rate * t + start)) / 1200)

        # Mid-points keep the phase exact to second order.
        turns = np.concatenate([[0], np.cumsum(f0(times + 0.5 / RATE) / RATE)[:-1]])
        formants = random.uniform((400, 1000, 2300), (800, 1900, 2900))
        pitch, turn = f0(times), np.exp(2j * np.pi * turns)
        stem, wave = np.zeros(len(times)), np.ones(len(times), complex)
        for number in range(1, int(10_000 / np.max(pitch)) + 1):
            wave = wave * turn
            away = (number * pitch[::32, None] - formants) / 100  # as slow as the pitch
            strength = 0.05 + np.sum(np.array((1, 0.5, 0.3)) / np.sqrt(1 + away**2), axis=1)
            strength = np.interp(times, times[::32], strength) / np.sqrt(number)
            stem += strength * (wave * np.exp(2j * np.pi * random.uniform())).imag
        stems.append(stem)
        truth.append(f0(np.arange(int(SECONDS / HOP_S)) * HOP_S))
    return Mix(stems, [root + step for step in chord], truth, noise_db, seed)


class Singer:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.own = {}

    def voice(self, name, transpose=0):
        said = subprocess.run(
            [pathlib.Path(self.program).with_name("choir"), "synth", "--force", name, "--output", self.folder, "--semitones", f"{transpose:g}"],
            check=True, capture_output=True, text=True).stdout
        stem = said.split(".wav:")[0].strip()
        sound, _ = soundfile.read(f"{stem}.wav")
        rows = np.loadtxt(f"{stem}.f0.csv", delimiter=",", skiprows=1)
        return sound, rows[::2, 1]  # the singer writes every 5 ms

    def mix(self, names, chord, root):
        stems, truth, notes = [], [], []
        for name, step in zip(names, chord):
            if name not in self.own:
                f0 = self.voice(name)[1]
                self.own[name] = round(69 + 12 * np.log2(np.median(f0[f0 > 0]) / 440))
            sound, f0 = self.voice(name, root + step - self.own[name])
            stems.append(sound)
            truth.append(f0)
            notes.append(root + step)
        length, frames = min(map(len, stems)), min(map(len, truth))
        return Mix([stem[:length] for stem in stems], notes, [f0[:frames] for f0 in truth])


class ChoirEval:
    def __init__(self, program):
        self.program = program

    def __call__(self, mix):
        with tempfile.TemporaryDirectory() as folder:
            sound, chord, found = (f"{folder}/{name}" for name in ("mix.wav", "chord.csv", "f0.csv"))
            soundfile.write(sound, mix.sound, RATE, subtype="FLOAT")
            with open(chord, "w", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["time_s"] + [f"f0_{i + 1}_hz" for i in range(len(mix.notes))])
                writer.writerow([0] + [hz(note) for note in mix.notes])
            said = subprocess.run(
                [self.program, "analyze", "--force", sound, "--hop-ms", str(1000 * HOP_S), "--json",
                 "--voices-f0", chord, "--write", "voices", "--output", found],
                check=True, capture_output=True, text=True).stdout
            took_ms = json.loads(said)[0]["voicesMsPerFrameAndVoice"]
            f0 = np.zeros((len(mix.notes), max(map(len, mix.truth)) + 1))
            deviation = np.ones_like(f0)
            with open(found, newline="") as file:
                for row in csv.DictReader(file):
                    at = int(row["voice"]) - 1, round(float(row["time_s"]) / HOP_S)
                    if at[1] < f0.shape[1] and float(row["f0_hz"]) > 0:
                        f0[at], deviation[at] = float(row["f0_hz"]), float(row["uncertainty_cents"])
        return f0, took_ms, deviation


def harmonic_sum(mix):
    began = time.process_time()
    half, count = int(0.064 * RATE), 1 << 15
    window = np.hanning(2 * half + 1)
    offsets = np.arange(-120, 121, 2)
    f0 = np.zeros((len(mix.notes), len(mix.truth[0])))
    for frame in mix.frames:
        middle = round(frame * HOP_S * RATE)
        piece = mix.sound[middle - half : middle + half + 1]
        if len(piece) < len(window):
            continue
        power = np.abs(np.fft.rfft(piece * window, count)) ** 2
        for voice, note in enumerate(mix.notes):
            tried = hz(note) * 2 ** (offsets / 1200)
            numbers = np.arange(1, int(4000 / hz(note)) + 1)
            bins = tried[:, None] * numbers * count / RATE
            low = bins.astype(int)
            share = bins - low
            sums = np.sum(power[low] * (1 - share) + power[low + 1] * share, axis=1)
            best = np.clip(np.argmax(sums), 1, len(sums) - 2)
            a, b, c = sums[best - 1 : best + 2]
            bend = a - 2 * b + c
            vertex = 0.5 * (a - c) / bend if bend < 0 else 0
            f0[voice, frame] = hz(note) * 2 ** ((offsets[best] + 2 * np.clip(vertex, -1, 1)) / 1200)
    took = time.process_time() - began
    return f0, 1000 * took / max(len(mix.frames), 1) / len(mix.notes), None


def praat_stems(mix):
    began = time.process_time()
    f0 = np.zeros((len(mix.notes), len(mix.truth[0])))
    for voice, (stem, note) in enumerate(zip(mix.stems, mix.notes)):
        pitch = parselmouth.Sound(stem, RATE).to_pitch_ac(
            time_step=HOP_S / 5, pitch_floor=max(40, hz(note) / 1.5), pitch_ceiling=hz(note) * 1.5)
        times, found = pitch.xs(), pitch.selected_array["frequency"]
        grid = np.arange(f0.shape[1]) * HOP_S
        voiced = np.interp(grid, times, (found > 0).astype(float)) > 1 - 1e-9
        log = np.interp(grid, times, np.log2(np.where(found > 0, found, 1)))
        f0[voice] = np.where(voiced, 2**log, 0)
    took = time.process_time() - began
    # Five times as many frames were asked for, so that interpolating costs no accuracy.
    return f0, 1000 * took / f0.shape[1] / len(mix.notes) / 5, None


def measured(method, mixes):
    errors, deviations, times, asked = [], [], [], 0
    for mix in mixes:
        f0, took_ms, deviation = method(mix)
        times.append(took_ms)
        for voice, truth in enumerate(mix.truth):
            frames = mix.frames[mix.frames < f0.shape[1]]
            asked += len(mix.frames)
            heard = frames[f0[voice, frames] > 0]
            errors.append(np.abs(cents(f0[voice, heard], truth[heard])))
            if deviation is not None:
                deviations.append(deviation[voice, heard])
    errors = np.concatenate(errors)
    result = {
        "median_cents": np.median(errors), "p95_cents": np.percentile(errors, 95),
        "missing": 1 - len(errors) / asked, "ms": np.median(times)}
    if deviations:
        result["within"] = np.mean(errors < np.concatenate(deviations))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--choir-eval", default=".build/release/choir-eval")
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--kinds", nargs="*", help="such as 'sung vibrato'")
    arguments = parser.parse_args()
    methods = {
        "choir-eval": ChoirEval(arguments.choir_eval), "harmonic-sum": harmonic_sum,
        "praat-stems": praat_stems}
    with tempfile.TemporaryDirectory() as folder:
        singer = Singer(arguments.choir_eval, folder)
        kinds = {}
        for name, sways in (("straight", False), ("vibrato", True)):
            for suffix, noise_db in (("", None), (", noise -30 dB", -30)):
                kinds[f"additive {name}{suffix}"] = lambda sways=sways, noise_db=noise_db: [
                    additive(chord, root, sways, noise_db, 100 * i + root)
                    for i, chord in enumerate(CHORDS) for root in ROOTS]
            names = SWAYING if sways else STRAIGHT
            kinds[f"sung {name}"] = lambda names=names: [
                singer.mix(names, chord, root) for chord in SUNG_CHORDS for root in SUNG_ROOTS]
        rows = []
        print("| mix | method | median cents | p95 | no answer | within | ms |")
        print("| --- " * 7 + "|")
        for kind in arguments.kinds or kinds:
            mixes = kinds[kind]()
            for name, method in methods.items():
                result = measured(method, mixes)
                within = f"{result['within']:.2f}" if "within" in result else ""
                print(
                    f"| {kind} | {name} | {result['median_cents']:.3f} | {result['p95_cents']:.3f} "
                    f"| {result['missing']:.3f} | {within} | {result['ms']:.2f} |", flush=True)
                rows += [[kind, name, key, f"{value:.6f}"] for key, value in result.items()]
    if arguments.csv:
        with open(arguments.csv, "w", newline="") as file:
            csv.writer(file).writerows([["mix", "method", "measure", "value"]] + rows)


if __name__ == "__main__":
    main()
