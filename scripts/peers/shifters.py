#!/usr/bin/env python3
"""Measures pitch shifters side by side, on exact voices, synthetic singers and recordings.

    judge/bin/python scripts/peers/shifters.py .build/release/choir-eval recordings/*.flac
    judge/bin/python scripts/peers/shifters.py choir-eval --sets exact --subjects psola,world

judge is an environment with praat-parselmouth, pyworld, pystoi, soundfile and numpy. Ours are
rendered by `choir harmonize IN OUT --intervals N --engine E`; the peers are Praat's overlap-add,
WORLD, and rubberband, soundstretch and sox where they are installed. All ten shifts each; a line of
progress on standard error, tables in Markdown on standard output; --cells FILE keeps each figure.

*Exact voices* (exact_voice.py): harmonics through resonances, against the same at the target pitch.
    c, p95     pitch from the reference's, by Praat, cents; median over cells of each cell's
    moving     the same of a vibrato, a glide and legato steps, aligned by the outline of bursts
    gross      share of frames more than 100 cents off, mean over cells
    vib        extent of a vibrato of 50 cents at 5.5 Hz, ratio to the reference's
    lat        lag of the 6 ms power envelope of bursts at 196 Hz, ms; median and most over shifts
    form       scale that fits the levels of harmonics to the exact envelope best, % from 1, in
               steps of a quarter; median and 90th percentile over cells
    lsd        rms distance of the levels of harmonics, 80 Hz to 5 kHz, level removed, dB
    am         standard deviation over mean of the rms of one period, %
    estoi      of ten spoken-like syllables, against the reference, by pystoi

*Range*: the five vowels in turn at eleven pitches of 80 to 800 Hz, 1.5 s each, ten shifts: the share of gross
frames at each pitch, and over all, and the pitch error.

*Lateness*: the same bursts at eight other notes, over notes and shifts. It is pulses that line up under
6 ms: a copy in time whose pulses lie elsewhere in the period reads up to half a period of its own pitch
early or late, which one note can't tell from being late.
    outline    lag of the 40 ms power envelope, in which pulses don't show, ms

*Singers*: the synthetic singer, jitter, breath and flutter included, against the same singer at the
target pitch, `choir synth NAME --semitones N`. form and lsd by WORLD's envelopes at Praat's pitch.

*Recordings* have no reference: frames count where Praat and WORLD's Harvest agree on the input
within 50 cents; pitch is compared with the input's times the ratio, at the delay that fits best.
Praat looks from 0.7 times the lowest such pitch to twice the highest, times the ratio: of a man an
octave lower it would otherwise hear the formants, whoever shifted him.
    lost       share of these frames in which Praat hears no voice in the output, %
    estoi      against the input, which nothing at another pitch can equal

Programs that work on files line their output up with the input; what they would be late live, their
lat does not say.
"""

import argparse
import csv
import functools
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile

import numpy as np
import parselmouth
import pyworld
import soundfile
from parselmouth.praat import call
from pystoi import stoi

import exact_voice

SHIFTS = (-12, -7, -5, -4, -3, 3, 4, 5, 7, 12)
SINGERS = ("vowels-tenor", "vowels-alto", "swell-tenor", "patter-countertenor")
RANGE_HZ = (80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800)
MOVING = ("vibrato", "glide", "steps")
LOWEST_HZ, HIGHEST_HZ = 60, 1100
LONGEST_S = 5


# Subjects


def ours(engine, *options):
    def render(program, source, target, shift):
        subprocess.run(
            [pathlib.Path(program).with_name("choir"), "harmonize", "--force", source, target, "--intervals", str(shift), "--engine", engine,
             *options], check=True, capture_output=True)
    return render


@functools.lru_cache(maxsize=1)
def taken_apart(bytes_of_file):
    sound, rate = soundfile.read(io.BytesIO(bytes_of_file))
    f0, times = pyworld.harvest(sound, rate)
    f0 = pyworld.stonemask(sound, f0, times, rate)
    return f0, pyworld.cheaptrick(sound, f0, times, rate), pyworld.d4c(sound, f0, times, rate), rate


def world(_, source, target, shift):
    f0, envelope, noise, rate = taken_apart(pathlib.Path(source).read_bytes())
    result = pyworld.synthesize(f0 * 2 ** (shift / 12), envelope, noise, rate)
    soundfile.write(target, result, rate, subtype="FLOAT")


def praat(_, source, target, shift):
    sound = parselmouth.Sound(source)
    manipulation = call(sound, "To Manipulation", 0.005, 75, HIGHEST_HZ)
    tier = call(manipulation, "Extract pitch tier")
    call(tier, "Multiply frequencies", 0, sound.duration, 2 ** (shift / 12))
    call([manipulation, tier], "Replace pitch tier")
    result = call(manipulation, "Get resynthesis (overlap-add)")
    soundfile.write(target, result.values[0], int(result.sampling_frequency), subtype="FLOAT")


def command(*words):
    def render(_, source, target, shift):
        fields = {"source": source, "target": target, "shift": shift, "cents": 100 * shift}
        subprocess.run([word.format(**fields) for word in words], check=True, capture_output=True)
    return render


def subjects():
    found = {
        "delayline": ours("delayline"), "psola": ours("psola"),
        "psola without look-ahead": ours("psola", "--set", "lookAheadPeriods=0"),
        "vocoder": ours("vocoder"), "offline": ours("offline"), "world": world, "praat": praat}
    shape = ("rubberband", "-3", "--formant", "-p", "{shift}", "{source}", "{target}")
    others = {
        "rubberband R3": shape,
        "rubberband R3 short": (shape[0], "--window-short", *shape[1:]),
        "rubberband R2": (shape[0], "-2", *shape[2:]),
        "soundstretch": ("soundstretch", "{source}", "{target}", "-pitch={shift}"),
        "sox": ("sox", "{source}", "{target}", "pitch", "{cents}")}
    return found | {
        name: command(*words) for name, words in others.items() if shutil.which(words[0])}


# Measures


def pitch(sound, rate, shift):
    ratio = 2 ** (shift / 12)
    return parselmouth.Sound(sound, rate).to_pitch_ac(
        time_step=0.01, pitch_floor=LOWEST_HZ * min(ratio, 1),
        pitch_ceiling=HIGHEST_HZ * max(ratio, 1), very_accurate=True)


def pitch_at(track, times):
    """NaN where there is none."""
    hz = track.selected_array["frequency"]
    return np.interp(times, track.xs(), np.where(hz > 0, hz, np.nan), np.nan, np.nan)


def lag(reference, sound, rate, width=0.006):
    """How late `sound` is, in seconds, from 10 ms too early to 200 ms too late."""
    window, step = np.hanning(int(width * rate)), 12
    first, second = (np.convolve(x * x, window, "same")[::step] for x in (reference, sound))
    count = max(len(first), len(second))
    first, second = (np.pad(x - x.mean(), (0, 2 * count - len(x))) for x in (first, second))
    likeness = np.fft.irfft(np.fft.rfft(second) * np.conj(np.fft.rfft(first)))
    lags = np.arange(-int(0.01 * rate / step), int(0.2 * rate / step))
    best = lags[np.argmax(likeness[lags])]
    below, here, above = likeness[best - 1], likeness[best], likeness[best + 1]
    return (best + 0.5 * (below - above) / (below - 2 * here + above)) * step / rate


def aligned(sound, count, late, rate):
    """`count` samples from where it begins, with silence where it has none."""
    start = round(late * rate)
    sound = sound[start:] if start > 0 else np.pad(sound, (-start, 0))
    return np.pad(sound, (0, max(count - len(sound), 0)))[:count]


class Reference:
    """What should have come out, and what the judges say of it."""

    def __init__(self, sound, rate, shift):
        self.sound, self.rate, self.shift = sound, rate, shift

    @functools.cached_property
    def track(self):
        return pitch(self.sound, self.rate, self.shift)

    @functools.cached_property
    def envelopes(self):
        return envelopes(self.sound, self.rate, self.track)

    @functools.cached_property
    def vibrato(self):
        return vibrato_extent(self.track)

    def cents_away(self, track):
        """By frame, in cents, where both have a pitch."""
        times = np.arange(0.03, len(self.sound) / self.rate - 0.03, 0.01)
        cents = 1200 * np.log2(pitch_at(track, times) / pitch_at(self.track, times))
        return cents[np.isfinite(cents)]


def of_pitch(cents):
    away = np.abs(cents)
    return {"c": np.median(away), "p95": np.percentile(away, 95), "gross": 100 * np.mean(away > 100)}


def harmonic_levels(sound, f0, rate):
    """Of the second in the middle, in dB, from 80 Hz to 5 kHz, and their frequencies."""
    start = (len(sound) - rate) // 2
    power = np.abs(np.fft.rfft(sound[start:start + rate] * np.hanning(rate))) ** 2
    hz = f0 * np.arange(1, int(5000 / f0) + 1)
    hz = hz[hz >= 80]
    # Bins are 1 Hz apart; a line is three wide and may lie a cent or two beside its place.
    levels = [power[k - 3:k + 4].sum() for k in np.round(hz).astype(int)]
    return 10 * np.log10(np.array(levels) + 1e-20), hz


def trembling(sound, f0, rate):
    """Of one period's rms over the second in the middle, standard deviation over mean, in percent."""
    start = (len(sound) - rate) // 2
    energy = np.concatenate(([0], np.cumsum(sound[start:start + rate] ** 2)))
    times, places = np.arange(len(energy)), np.arange(0, 0.95 * rate, 24)
    rms = np.sqrt(np.interp(places + rate / f0, times, energy) - np.interp(places, times, energy))
    return 100 * rms.std() / rms.mean()


SCALES = np.arange(-0.3, 0.3, 0.0025)  # natural logarithms


def of_steady(sound, reference, hz, vowel):
    f0 = hz * 2 ** (reference.shift / 12)
    levels, places = harmonic_levels(sound, f0, reference.rate)
    wanted, _ = harmonic_levels(reference.sound, f0, reference.rate)

    def misfit(scale):
        return (levels - exact_voice.level_db(places * np.exp(-scale), vowel)).var()

    return {
        "form": 100 * abs(np.exp(min(SCALES, key=misfit)) - 1),
        "lsd": (levels - wanted).std(), "am": trembling(sound, f0, reference.rate)}


def vibrato_extent(track):
    """In cents, by the best sine of 5.5 Hz."""
    times = np.arange(0.2, 1.8, 0.005)
    cents = 1200 * np.log2(pitch_at(track, times))
    heard = np.isfinite(cents)
    turns = 2 * np.pi * 5.5 * times[heard]
    shape = np.stack((np.sin(turns), np.cos(turns), np.ones(heard.sum())), 1)
    sine, cosine, _ = np.linalg.lstsq(shape, cents[heard], rcond=None)[0]
    return np.hypot(sine, cosine)


def of_exact(clip, sound, reference):
    track = pitch(sound, reference.rate, reference.shift)
    figures = of_pitch(reference.cents_away(track))
    if clip == "spoken":
        likeness = stoi(reference.sound, sound, reference.rate, extended=True)
        return {"spoken gross": figures["gross"], "estoi": likeness}
    if clip in MOVING:
        figures = {"gross": figures["gross"]} | {
            f"moving {key}": figures[key] for key in ("c", "p95")}
    if clip == "vibrato":
        figures["vib"] = vibrato_extent(track) / reference.vibrato
    for hz, vowel in exact_voice.STEADY:
        if clip == f"steady-{hz}":
            figures |= of_steady(sound, reference, hz, vowel)
    return figures


def envelopes(sound, rate, track):
    """Levels in dB from 80 Hz to 5 kHz, a row each 10 ms, whether voiced, and the frequencies."""
    times = np.arange(0, len(sound) / rate, 0.01)
    f0 = np.nan_to_num(pitch_at(track, times))
    levels = 10 * np.log10(pyworld.cheaptrick(sound, f0, times, rate) + 1e-14)
    hz = np.linspace(0, rate / 2, levels.shape[1])
    kept = (hz > 80) & (hz < 5000)
    return levels[:, kept], f0 > 0, hz[kept]


def formant_scale(levels, reference, hz):
    """In percent from 1, to the next quarter."""
    grid = np.log(np.geomspace(150, 4500, 600))
    wanted = np.interp(grid, np.log(hz), reference)

    def misfit(shift):
        distance = np.interp(grid + shift, np.log(hz), levels) - wanted
        return distance.var()

    return 100 * (np.exp(min(SCALES, key=misfit)) - 1)


def of_singer(sound, reference):
    rate = reference.rate
    late = lag(reference.sound, sound, rate)
    sound = aligned(sound, len(reference.sound), late, rate)
    track = pitch(sound, rate, reference.shift)
    levels, voiced, hz = envelopes(sound, rate, track)
    wanted, wanted_voiced, _ = reference.envelopes
    both = voiced & wanted_voiced
    distance = levels[both] - wanted[both]
    distance -= distance.mean(axis=1, keepdims=True)
    scale = formant_scale(np.median(levels[both], 0), np.median(wanted[both], 0), hz)
    return of_pitch(reference.cents_away(track)) | {
        "form": abs(scale), "lsd": np.median(np.sqrt((distance ** 2).mean(axis=1))),
        "estoi": stoi(reference.sound, sound, rate, extended=True)}


@functools.cache
def sure_pitch(path):
    """Times and pitch of the frames of a recording about which two trackers agree."""
    sound, rate = soundfile.read(path)
    f0, times = pyworld.harvest(sound, rate, LOWEST_HZ, HIGHEST_HZ)
    wanted = pitch_at(pitch(sound, rate, 0), times)
    with np.errstate(all="ignore"):
        sure = np.abs(1200 * np.log2(wanted / f0)) < 50
    lowest, highest = np.percentile(wanted[sure], (1, 99))
    return times[sure], wanted[sure], (0.7 * lowest, 2 * highest)


def against_input(sound, path, rate, shift):
    times, wanted, (lowest, highest) = sure_pitch(path)
    ratio = 2 ** (shift / 12)
    # Windows of three periods, not six as for singing: speech changes quickly.
    track = parselmouth.Sound(sound, rate).to_pitch_ac(
        time_step=0.01, pitch_floor=lowest * min(ratio, 1), pitch_ceiling=highest * max(ratio, 1))

    def errors(late):
        return np.abs(1200 * np.log2(pitch_at(track, times + late) / wanted) - 100 * shift)

    delays = np.arange(0, 0.1, 0.002)
    late = min(delays, key=lambda late: np.nanmedian(errors(late)))
    cents = errors(late)
    source, _ = soundfile.read(path)
    sound = aligned(sound, len(source), late, rate)
    return of_pitch(cents[np.isfinite(cents)]) | {
        "lost": 100 * np.mean(~np.isfinite(cents)),
        "estoi": stoi(source, sound, rate, extended=True)}


# Sets of clips


class Bench:
    """Renders every subject on a clip at every shift, and keeps what was measured."""

    def __init__(self, program, folder, names, kept):
        self.program, self.folder, self.kept, self.cells = program, folder, kept, []
        known = subjects()
        unknown = [name for name in names if name not in known]
        if unknown:
            sys.exit(f"no subject {', '.join(unknown)}; there are: {', '.join(known)}")
        self.subjects = {name: known[name] for name in names or known}

    def write(self, sound, rate):
        path = str(self.folder / "in.wav")
        soundfile.write(path, sound, rate, subtype="PCM_24")
        return path

    def run(self, group, clip, source, measure):
        """`measure(sound, rate, shift, name)` gives the figures of a cell."""
        for shift in SHIFTS:
            for name, render in self.subjects.items():
                target = str(self.folder / "out.wav")
                render(self.program, source, target, shift)
                figures = measure(*soundfile.read(target), shift, name)
                cell = {"set": group, "subject": name, "clip": clip, "shift": shift}
                self.cells += [cell | {"figure": k, "value": float(v)} for k, v in figures.items()]
        print(f"{group}: {clip}", file=sys.stderr, flush=True)
        if self.kept:
            with open(self.kept, "w", newline="") as file:
                writer = csv.DictWriter(file, self.cells[0])
                writer.writeheader()
                writer.writerows(self.cells)

    def values(self, group, name, figure):
        return [
            cell["value"] for cell in self.cells
            if (cell["set"], cell["subject"], cell["figure"]) == (group, name, figure)]

    def report(self, title, group, columns):
        if not any(cell["set"] == group for cell in self.cells):
            return
        print(f"\n{title}\n\n| subject | " + " | ".join(head for head, _, _ in columns) + " |")
        print("| --- " * (len(columns) + 1) + "|")
        for name in self.subjects:
            row = (summary(self.values(group, name, figure)) for _, figure, summary in columns)
            print(f"| {name} | " + " | ".join(f"{value:.3g}" for value in row) + " |")


def p10(values):
    return np.percentile(values, 10)


def p90(values):
    return np.percentile(values, 90)


def exact(bench):
    late = {}
    clips = exact_voice.clips()
    # Bursts first: they say by how much to align the others.
    for clip in ("bursts", *(name for name in clips if not name.startswith("bursts"))):
        references = {
            shift: Reference(clips[clip](2 ** (shift / 12)), exact_voice.RATE_HZ, shift)
            for shift in (0, *SHIFTS)}

        def measure(sound, rate, shift, name):
            reference = references[shift]
            if clip == "bursts":
                late[name, shift] = lag(reference.sound, sound, rate)
                return {"lat": 1000 * late[name, shift]}
            count = len(reference.sound)
            return of_exact(clip, aligned(sound, count, late[name, shift], rate), reference)

        bench.run("exact", clip, bench.write(references[0].sound, exact_voice.RATE_HZ), measure)


def pitch_range(bench):
    for number, hz in enumerate(RANGE_HZ):
        sung = exact_voice.steady(hz, "aeiou"[number % 5])
        references = {
            shift: Reference(
                exact_voice.brought_to(0.05, sung(2 ** (shift / 12))), exact_voice.RATE_HZ, shift)
            for shift in (0, *SHIFTS)}

        def measure(sound, rate, shift, name):
            reference = references[shift]
            sound = aligned(sound, len(reference.sound), lag(reference.sound, sound, rate, 0.04), rate)
            figures = of_pitch(reference.cents_away(pitch(sound, rate, shift)))
            return figures | {f"gross {hz}": figures["gross"]}

        bench.run("range", f"range-{hz}", bench.write(references[0].sound, exact_voice.RATE_HZ), measure)


def lateness(bench):
    clips = exact_voice.clips()
    for hz in exact_voice.BURSTS_HZ:
        sung = {shift: clips[f"bursts-{hz}"](2 ** (shift / 12)) for shift in (0, *SHIFTS)}

        def measure(sound, rate, shift, name):
            return {
                "lat": 1000 * lag(sung[shift], sound, rate),
                "outline": 1000 * lag(sung[shift], sound, rate, 0.04)}

        bench.run("lateness", f"bursts-{hz}", bench.write(sung[0], exact_voice.RATE_HZ), measure)


def singers(bench):
    for clip in SINGERS:
        references = {}
        for shift in (0, *SHIFTS):
            subprocess.run(
                [pathlib.Path(bench.program).with_name("choir"), "synth", "--force", clip, "--output", bench.folder,
                 *(["--semitones", str(shift)] if shift else [])],
                check=True, capture_output=True)
            name = f"{clip}{shift:+d}.wav" if shift else f"{clip}.wav"
            sound, rate = soundfile.read(bench.folder / name)
            references[shift] = Reference(sound[:LONGEST_S * rate], rate, shift)

        def measure(sound, rate, shift, name):
            return of_singer(sound, references[shift])

        bench.run("singers", clip, bench.write(references[0].sound, rate), measure)


def recordings(bench, paths):
    for path in paths:
        sound, rate = soundfile.read(path, always_2d=True)
        source = bench.write(np.ascontiguousarray(sound[:LONGEST_S * rate, 0]), rate)
        sure_pitch.cache_clear()

        def measure(sound, rate, shift, name):
            return against_input(sound, source, rate, shift)

        bench.run("recordings", pathlib.Path(path).stem, source, measure)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="choir-eval")
    parser.add_argument("recordings", nargs="*")
    parser.add_argument("--sets", default="exact,range,lateness,singers,recordings", help="which clips")
    parser.add_argument("--subjects", default="", help="which shifters; all unless given")
    parser.add_argument("--cells", help="CSV file for every figure")
    arguments = parser.parse_intermixed_args()
    sets = arguments.sets.split(",")
    with tempfile.TemporaryDirectory() as folder:
        names = [name.strip() for name in arguments.subjects.split(",") if name.strip()]
        bench = Bench(arguments.program, pathlib.Path(folder), names, arguments.cells)
        if "exact" in sets:
            exact(bench)
        if "range" in sets:
            pitch_range(bench)
        if "lateness" in sets:
            lateness(bench)
        if "singers" in sets:
            singers(bench)
        if "recordings" in sets:
            recordings(bench, arguments.recordings)
    middle, mean = np.median, np.mean
    bench.report("Exact voices", "exact", (
        ("lat, ms", "lat", middle), ("most", "lat", max), ("c", "c", middle), ("p95", "p95", middle),
        ("moving c", "moving c", middle), ("p95", "moving p95", middle), ("gross, %", "gross", mean),
        ("spoken, %", "spoken gross", mean), ("vib", "vib", middle), ("form, %", "form", middle),
        ("p90", "form", p90), ("lsd, dB", "lsd", middle), ("am, %", "am", middle),
        ("estoi", "estoi", middle)))
    bench.report("Range", "range", (
        ("c", "c", middle), ("p95", "p95", middle), ("gross, %", "gross", mean), ("most", "gross", max),
        *((f"{hz} Hz", f"gross {hz}", mean) for hz in RANGE_HZ)))
    bench.report("Lateness near 196 Hz", "lateness", (
        ("lat, ms", "lat", middle), ("mean", "lat", mean), ("p10", "lat", p10), ("p90", "lat", p90),
        ("outline, ms", "outline", middle), ("p10", "outline", p10), ("p90", "outline", p90)))
    bench.report("Synthetic singers", "singers", (
        ("c", "c", middle), ("p95", "p95", middle), ("gross, %", "gross", mean),
        ("form, %", "form", middle), ("p90", "form", p90), ("lsd, dB", "lsd", middle),
        ("estoi", "estoi", middle)))
    bench.report("Recordings", "recordings", (
        ("c", "c", middle), ("gross, %", "gross", mean), ("lost, %", "lost", mean),
        ("estoi", "estoi", middle)))


if __name__ == "__main__":
    main()
