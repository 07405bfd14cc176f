#!/usr/bin/env python3
"""Measures how soon and how truly a choir on notes goes by its lead.

    judge/bin/python scripts/peers/control.py

judge is that of scripts/peers/pitch.py. Made voices, eight harmonics on an exactly known pitch, go
through `choir harmonize IN OUT --notes C4 --truth LOG --block 16`, and the log is held against
what is known:

    step       the lead steps up by a semitone at eight instants; how long after that the shift is
               within 5 cents of where it ends, for good: median and range
    vibrato    the lead sways by 50 cents, 5 times a second; shift plus the lead of the very sound
               that leaves, against the note: median and 95th percentile of the error
"""

import argparse
import json
import pathlib
import subprocess
import tempfile

import numpy as np
import soundfile

RATE = 48_000
ENGINES = (
    ("delayline", ["windowMs=23.2", "crossfadeMs=11.6"]),
    ("delayline", ["windowMs=40", "crossfadeMs=20"]),
    ("delayline", ["windowMs=2", "crossfadeMs=0.5"]),
    ("vocoder", []),
)
NOTE = 60


def voice(pitch):
    phase = np.cumsum(440 * 2 ** ((pitch - 69) / 12)) / RATE
    return sum(0.1 * np.sin(2 * np.pi * phase * n) for n in range(1, 9)).astype(np.float32)


def logged(program, pitch, engine, settings):
    with tempfile.TemporaryDirectory() as folder:
        source, log = (pathlib.Path(folder) / name for name in ("in.wav", "log.json"))
        soundfile.write(source, voice(pitch), RATE, subtype="FLOAT")
        chosen = [word for setting in settings for word in ("--set", setting)]
        subprocess.run(
            [pathlib.Path(program).with_name("choir"), "harmonize", "--force", source, pathlib.Path(folder) / "out.wav", "--notes", "C4",
             "--engine", engine, *chosen, "--block", "16", "--truth", log],
            check=True, capture_output=True)
        return json.loads(log.read_text())


def series(log):
    starts = np.array([block["startSample"] for block in log["blocks"]])
    voices = [block["voices"][0] for block in log["blocks"]]
    return (starts, np.array([voice["intervalSemitones"] for voice in voices]),
            np.array([voice["delaySamples"] for voice in voices]))


def step_ms(program, base, engine, settings):
    found = []
    for place in range(8):
        at = RATE // 2 + 37 * place
        pitch = np.where(np.arange(RATE) < at, base, base + 1.0)
        log = logged(program, pitch, engine, settings)
        starts, shifts, _ = series(log)
        off = (abs(shifts - shifts[-100:].mean()) > 0.05) & (starts > at - RATE // 20)
        found.append((starts[np.flatnonzero(off)[-1] + 1] - at) / RATE * 1000)
    return found, log


def vibrato_cents(program, engine, settings):
    def pitch(time):
        return 57 + 0.5 * np.sin(2 * np.pi * 5 * time)

    log = logged(program, pitch(np.arange(2 * RATE) / RATE), engine, settings)
    starts, shifts, delays = series(log)
    late = starts > RATE
    sung = pitch((starts[late] - delays[late]) / RATE)
    return 100 * abs(shifts[late] + sung - NOTE)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=".build/release/choir-eval")
    program = parser.parse_args().program
    print("engine | delay ms | control ms | step at 110 Hz | 220 Hz | 440 Hz | vibrato, cents")
    for engine, settings in ENGINES:
        cells = []
        for base in (45, 57, 69):
            found, log = step_ms(program, base, engine, settings)
            cells.append(f"{np.median(found):.0f} ({min(found):.0f}–{max(found):.0f})")
        errors = vibrato_cents(program, engine, settings)
        cells.append(f"{np.median(errors):.1f} / {np.percentile(errors, 95):.1f}")
        name = " ".join([engine, *settings])
        print(" | ".join([
            name, f"{log['latencySamples'] / RATE * 1000:.1f}",
            f"{log['controlLatencySamples'] / RATE * 1000:.1f}", *cells]))


if __name__ == "__main__":
    main()
