#!/usr/bin/env python3
"""Measures pitch shifters side by side, on synthetic singers and on recordings.

    judge/bin/python scripts/peers/shifters.py .build/release/choir-eval [recordings/*.flac]

judge is an environment with praat-parselmouth, pyworld, pystoi, soundfile and numpy. Ours are
rendered by `choir-eval harmonize IN OUT --intervals N --engine E`; the peers are Praat's overlap-add,
WORLD, and rubberband, soundstretch and sox where they are installed. The reference of a synthetic
clip is the same singer at the target pitch, `choir-eval synth NAME --transpose N`.

    c, p95     pitch from the reference's, after alignment, by Praat, cents
    gross      share of frames more than 100 cents off
    lat        lag of the 6 ms power envelope behind the reference, ms
    form       scale that fits the mean envelope to the reference's best, % from 1
    lsd        distance of WORLD's envelopes, 80 Hz to 5 kHz, level removed, dB, median over frames
    estoi      against the reference, by pystoi

On recordings there is no reference: frames count where Praat and WORLD's Harvest agree on the input
within 50 cents, pitch is compared with the input's times the ratio, at the delay that fits best.
"""

import argparse
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np
import parselmouth
import pyworld
import soundfile
from parselmouth.praat import call
from pystoi import stoi

SHIFTS = (-12, -7, -5, -4, -3, 3, 4, 5, 7, 12)
CLIPS = ("vowels-tenor", "vowels-alto", "swell-tenor", "patter-countertenor", "melody-ode-to-joy")
ENGINES = ("delayline", "psola")
LOWEST_HZ, HIGHEST_HZ = 60, 1100
LONGEST_S = 10


def ours(engine):
    def render(program, source, target, shift):
        subprocess.run(
            [program, "harmonize", source, target, "--intervals", str(shift), "--engine", engine],
            check=True, capture_output=True)
    return render


def world(_, source, target, shift):
    sound, rate = soundfile.read(source)
    f0, times = pyworld.harvest(sound, rate)
    f0 = pyworld.stonemask(sound, f0, times, rate)
    envelope = pyworld.cheaptrick(sound, f0, times, rate)
    noise = pyworld.d4c(sound, f0, times, rate)
    soundfile.write(target, pyworld.synthesize(f0 * 2 ** (shift / 12), envelope, noise, rate), rate)


def praat(_, source, target, shift):
    sound = parselmouth.Sound(source)
    manipulation = call(sound, "To Manipulation", 0.005, 75, HIGHEST_HZ)
    tier = call(manipulation, "Extract pitch tier")
    call(tier, "Multiply frequencies", 0, sound.duration, 2 ** (shift / 12))
    call([manipulation, tier], "Replace pitch tier")
    result = call(manipulation, "Get resynthesis (overlap-add)")
    soundfile.write(target, result.values[0], int(result.sampling_frequency))


def command(*words):
    def render(_, source, target, shift):
        fields = {"source": source, "target": target, "shift": shift, "cents": 100 * shift}
        subprocess.run([word.format(**fields) for word in words], check=True, capture_output=True)
    return render


def subjects():
    found = {engine: ours(engine) for engine in ENGINES} | {"world": world, "praat": praat}
    others = {
        "rubberband": ("rubberband", "-3", "--formant", "-p", "{shift}", "{source}", "{target}"),
        "soundstretch": ("soundstretch", "{source}", "{target}", "-pitch={shift}"),
        "sox": ("sox", "{source}", "{target}", "pitch", "{cents}")}
    for name, words in others.items():
        if shutil.which(words[0]):
            found[name] = command(*words)
    return found


def pitch(sound, rate, shift):
    ratio = 2 ** (shift / 12)
    return parselmouth.Sound(sound, rate).to_pitch_ac(
        time_step=0.005, pitch_floor=LOWEST_HZ * min(ratio, 1),
        pitch_ceiling=HIGHEST_HZ * max(ratio, 1), very_accurate=True)


def pitch_at(track, times):
    return np.array([track.get_value_at_time(float(time)) for time in times])


def lag(reference, sound, rate):
    """How late `sound` is, in seconds, from 10 ms too early to 200 ms too late."""
    window, step = np.hanning(int(0.006 * rate)), 12
    first, second = (np.convolve(x * x, window, "same")[::step] for x in (reference, sound))
    count = max(len(first), len(second))
    first, second = (np.pad(x - x.mean(), (0, 2 * count - len(x))) for x in (first, second))
    likeness = np.fft.irfft(np.fft.rfft(second) * np.conj(np.fft.rfft(first)))
    lags = np.arange(-int(0.01 * rate / step), int(0.2 * rate / step))
    best = lags[np.argmax(likeness[lags])]
    below, here, above = likeness[best - 1], likeness[best], likeness[best + 1]
    return (best + 0.5 * (below - above) / (below - 2 * here + above)) * step / rate


def envelopes(sound, rate):
    """Levels in dB from 80 Hz to 5 kHz, a row each 10 ms, whether voiced, and the frequencies."""
    f0, times = pyworld.harvest(sound, rate, LOWEST_HZ / 2, 2 * HIGHEST_HZ, 10)
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

    return 100 * (np.exp(min(np.arange(-0.3, 0.3, 0.0025), key=misfit)) - 1)


def against_reference(sound, reference, rate, shift):
    late = lag(reference, sound, rate)
    sound = sound[max(round(late * rate), 0):]
    count = min(len(sound), len(reference))
    sound, reference = sound[:count], reference[:count]
    times = np.arange(0.03, count / rate - 0.03, 0.005)
    cents = 1200 * np.log2(
        pitch_at(pitch(sound, rate, shift), times)
        / pitch_at(pitch(reference, rate, shift), times))
    cents = np.abs(cents[np.isfinite(cents)])
    levels, voiced, hz = envelopes(sound, rate)
    wanted, wanted_voiced, _ = envelopes(reference, rate)
    both = voiced & wanted_voiced
    distance = levels[both] - wanted[both]
    distance -= distance.mean(axis=1, keepdims=True)
    scale = formant_scale(np.median(levels[both], 0), np.median(wanted[both], 0), hz)
    return {
        "c": np.median(cents), "p95": np.percentile(cents, 95), "gross": 100 * np.mean(cents > 100),
        "lat": 1000 * late, "form": abs(scale),
        "lsd": np.median(np.sqrt((distance ** 2).mean(axis=1))),
        "estoi": stoi(reference, sound, rate, extended=True)}


def against_input(sound, source, rate, shift):
    f0, times = pyworld.harvest(source, rate, LOWEST_HZ, HIGHEST_HZ)
    wanted = pitch_at(pitch(source, rate, 0), times)
    with np.errstate(all="ignore"):
        sure = np.abs(1200 * np.log2(wanted / f0)) < 50
    track = pitch(sound, rate, shift)

    def errors(late):
        cents = 1200 * np.log2(pitch_at(track, times[sure] + late) / wanted[sure]) - 100 * shift
        return np.abs(cents[np.isfinite(cents)])

    cents = min((errors(late) for late in np.arange(0, 0.1, 0.001)), key=np.median)
    return {"c": np.median(cents), "gross": 100 * np.mean(cents > 100)}


def report(title, rows):
    print(f"\n{title}\n| subject | " + " | ".join(next(iter(rows.values()))[0]) + " |")
    for name, cells in rows.items():
        middle = {key: np.median([cell[key] for cell in cells]) for key in cells[0]}
        middle["gross"] = np.mean([cell["gross"] for cell in cells])
        print(f"| {name} | " + " | ".join(f"{value:.3g}" for value in middle.values()) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", help="choir-eval")
    parser.add_argument("recordings", nargs="*")
    arguments = parser.parse_args()
    synthetic = {name: [] for name in subjects()}
    real = {name: [] for name in subjects()}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        target = str(folder / "out.wav")
        for clip in CLIPS:
            for shift in (0, *SHIFTS):
                subprocess.run(
                    [arguments.program, "synth", clip, "--output", folder / str(shift),
                     *(["--transpose", str(shift)] if shift else [])],
                    check=True, capture_output=True)
            source = str(folder / "0" / f"{clip}.wav")
            for shift in SHIFTS:
                reference, rate = soundfile.read(folder / str(shift) / f"{clip}{shift:+d}.wav")
                for name, render in subjects().items():
                    render(arguments.program, source, target, shift)
                    sound, _ = soundfile.read(target)
                    synthetic[name].append(against_reference(sound, reference, rate, shift))
        for path in arguments.recordings:
            sound, rate = soundfile.read(path, always_2d=True)
            sound = np.ascontiguousarray(sound[: LONGEST_S * rate, 0])
            source = str(folder / "in.wav")
            soundfile.write(source, sound, rate)
            for shift in SHIFTS:
                for name, render in subjects().items():
                    render(arguments.program, source, target, shift)
                    shifted, _ = soundfile.read(target)
                    real[name].append(against_input(shifted, sound, rate, shift))
    report("synthetic: medians over clips and shifts, mean of gross", synthetic)
    if arguments.recordings:
        report("recordings", real)


if __name__ == "__main__":
    main()
