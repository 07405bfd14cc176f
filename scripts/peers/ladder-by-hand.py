"""Checks every row of docs/ladder.md by a second method: pitch with Praat, delay by correlation.

    python3 -m venv judge
    judge/bin/pip install praat-parselmouth==0.4.7 soundfile==0.14.0 numpy==2.4.6
    scripts/ladder
    judge/bin/python scripts/peers/ladder-by-hand.py

Every system of the two plans sings a few recordings again: shifters four semitones up, tuners on the
nearest semitone. choir-eval keeps what it heard and judges it. Here the same sounds are measured by

    melody, words   cents, median over frames of the distance of Praat's pitch from the target. The
                    target is Praat's pitch of the input, four semitones up or at the nearest
                    semitone. Ours is `pitch.bias`.
    impulses        ms, lag at which the answers to single impulses, added up, are loudest in a
                    window of 60 ms. Ours is `latency.impulse`.
    voices          ms, lag at which the loudness of voices correlates best, median over four clips.
                    Ours is `latency.onset` where it has a value, otherwise `latency.alignment`.

The result is Corpus/ladder/by-hand.tsv, which scripts/ladder quotes. Its last column, the cause of a
disagreement, is written by people and kept.
"""

import argparse
import csv
import json
import os
import pathlib
import re
import sqlite3
import subprocess

import numpy as np
import parselmouth
import soundfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORK = ROOT / ".build/ladder"
RESULT = ROOT / "Corpus/ladder/by-hand.tsv"
SEMITONES = 4
MELODY, WORDS = "synth-melody-tenor", "sung-female-words"
VOICES = [MELODY, WORDS, "synth-scale-tenor", "spoken-female-rear-left"]
PROBE = "probe-impulses"
METRICS = ["pitch.bias", "latency.impulse", "latency.onset", "latency.alignment"]
SCORES = {"ladder": f"intervalsSemitones: [{SEMITONES}]", "ladder-tuners": "tuned: C chromatic"}
KEYS = ["plan", "system"]
FIGURES = ["melody", "words", "impulses", "voices"]
COLUMNS = [*KEYS, *(column for figure in FIGURES for column in (figure, f"{figure} by hand")), "cause"]


def checked_plan(name):
    """The plan with one voice, few recordings and all sound kept."""
    plan = ROOT / f"Corpus/plans/{name}.yaml"
    subjects = re.sub(r"^listen: .*\n", "", plan.read_text().split("\nsubjects:\n")[1], flags=re.M)
    subjects = re.sub(r"^  - id: (\S+\.yaml)$", lambda m: f"  - id: {(plan.parent / m[1]).resolve()}", subjects,
                      flags=re.M)
    listed = ", ".join([*VOICES, PROBE])
    file = WORK / f"{name}-by-hand.yaml"
    file.write_text(
        f"name: {name}-by-hand\ntitle: Checked by hand\nrecordings: [{listed}]\nlisten: [{listed}]\n"
        f"metrics: [{', '.join(METRICS)}]\nscores:\n  - id: by-hand\n    {SCORES[name]}\nsubjects:\n{subjects}")
    return file


def judged(name, choir_eval, store):
    """Our figures and the sound of each cell, by system, then by recording."""
    path = f"{WORK / 'python/bin'}:{os.environ['PATH']}"
    subprocess.run([choir_eval, "run", checked_plan(name), "--store", store], cwd=ROOT, stdout=subprocess.DEVNULL,
                   env=dict(os.environ, PATH=path))
    systems = {}
    query = """SELECT result.cell, subject, settings, recording, metric, value FROM result
        JOIN runCell ON runCell.cell = result.cell WHERE run = ? AND value IS NOT NULL ORDER BY position"""
    with sqlite3.connect(store) as database:
        for key, subject, settings, recording, metric, value in database.execute(query, [f"{name}-by-hand"]):
            system = " ".join([subject, *(f"{k}={v}" for k, v in sorted(json.loads(settings).items()))])
            cell = systems.setdefault(system, {}).setdefault(recording, {"sound": sound(store, key[:16])})
            cell[metric] = value
    return systems


def sound(store, name):
    """File of a sound that the store keeps."""
    return store.with_suffix(".audio") / f"{name}.flac"


def praat(samples, rate):
    """Pitch every 10 ms, 0 where there is none."""
    times = np.arange(0.03, len(samples) / rate - 0.03, 0.01)
    pitch = parselmouth.Sound(samples, rate).to_pitch_ac(time_step=0.01, pitch_floor=65, pitch_ceiling=1100)
    return np.nan_to_num([pitch.get_value_at_time(time) for time in times])


def target(name, hertz):
    """The pitch that each frame should have; nothing where a tuner could choose either neighbour."""
    with np.errstate(divide="ignore"):
        notes = 69 + 12 * np.log2(hertz / 440)
    if name == "ladder":
        return notes + SEMITONES
    return np.where(np.abs(notes - np.round(notes)) < 0.35, np.round(notes), np.nan)


def cents_off(name, heard, made, rate, late_ms):
    """Median distance from the target, in cents, after the delay is taken out."""
    made = np.roll(made, -round(late_ms * rate / 1000))[: len(heard)]
    before, after = praat(heard, rate), praat(made, rate)
    count = min(len(before), len(after))
    before, after = before[:count], after[:count]
    with np.errstate(divide="ignore", invalid="ignore"):
        off = 100 * (69 + 12 * np.log2(after / 440) - target(name, before))
    known = off[(before > 0) & (after > 0) & np.isfinite(off)]
    return np.median(known) if len(known) >= 20 else None


def smooth(samples, rate, seconds):
    window = np.hanning(round(seconds * rate))
    return np.convolve(samples, window / window.sum(), "same")


def impulses_ms(heard, made, rate, earliest=-0.06, latest=0.4):
    """Lag from 60 ms before the impulses to 400 ms after them at which their answers are loudest."""
    first, last = int(earliest * rate), int(latest * rate)
    starts = np.flatnonzero(np.abs(heard) > np.abs(heard).max() / 2)
    starts = starts[(starts + first >= 0) & (starts + last <= len(made))]
    answer = sum(np.abs(made[start + first : start + last]) for start in starts)
    return 1000 * (np.argmax(smooth(answer, rate, 0.06)) + first) / rate if answer.any() else None


def loudness(samples, rate):
    """Level in dB every millisecond, in windows of 20 ms."""
    power = smooth(samples**2, rate, 0.02)[:: rate // 1000]
    return 10 * np.log10(power + 1e-5 * power.max())


def voices_ms(heard, made, rate, longest=300):
    """Lag up to 300 ms at which the loudness of both correlates best; nothing at the ends."""
    a, b = loudness(heard, rate), loudness(made, rate)
    end = min(len(a), len(b)) - longest
    lags = np.arange(-longest, longest + 1)
    fits = [np.corrcoef(a[longest:end], b[longest + lag : end + lag])[0, 1] for lag in lags]
    best = int(np.argmax(fits))
    if best in (0, 2 * longest):
        return None
    before, top, after = fits[best - 1 : best + 2]
    return (lags[best] + (before - after) / (before - 2 * top + after) / 2) * (rate // 1000) * 1000 / rate


def median(values):
    known = [value for value in values if value is not None]
    return np.median(known) if known else None


def checked(name, cells, store):
    """Our figures and those by hand of one system, by column."""
    row, lags = {}, {}
    for recording, cell in cells.items():
        # The name ends with a digest of the recording.
        heard, rate = soundfile.read(next(store.with_suffix(".audio").glob(f"input-{recording}-*.flac")))
        made, _ = soundfile.read(cell["sound"])
        if recording == PROBE:
            row["impulses"], row["impulses by hand"] = cell.get("latency.impulse"), impulses_ms(heard, made, rate)
            continue
        lags[recording] = voices_ms(heard, made, rate)
        if recording in (MELODY, WORDS):
            column = "melody" if recording == MELODY else "words"
            row[column] = cell.get("pitch.bias")
            row[f"{column} by hand"] = cents_off(name, heard, made, rate, lags[recording] or 0)
    ours = [cells[recording].get("latency.onset", cells[recording].get("latency.alignment")) for recording in lags]
    return row | {"voices": median(ours), "voices by hand": median(lags.values())}


def known_causes():
    """Causes of disagreements that people have written, by plan and system."""
    if not RESULT.exists():
        return {}
    with RESULT.open() as file:
        return {(row["plan"], row["system"]): row["cause"] for row in csv.DictReader(file, delimiter="\t")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--choir-eval", default=ROOT / ".build/release/choir-eval")
    options = parser.parse_args()
    store, causes = WORK / "by-hand.sqlite", known_causes()
    rows = []
    for name in SCORES:
        for system, cells in judged(name, options.choir_eval, store).items():
            figures = {column: "" if value is None else f"{value:.2f}"
                       for column, value in checked(name, cells, store).items()}
            rows.append({"plan": name, "system": system, **figures, "cause": causes.get((name, system), "")})
    with RESULT.open("w") as file:
        table = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
    print(RESULT.relative_to(ROOT))


if __name__ == "__main__":
    main()
