"""Checks rendered performances against their truth with Praat, a second source.

Reads a folder of clips as `choir synth` writes them: ID.wav with ID.f0.csv,
ID.formants.csv and ID.phones.csv beside it. Prints one line a clip and, at the end, the
figures that docs/notes/voices.md#the-synthetic-singer states.

    python3 -m venv judge && judge/bin/pip install praat-parselmouth numpy soundfile
    judge/bin/python scripts/judge/singer.py FOLDER
"""

import csv
import pathlib
import sys

import numpy as np
import parselmouth

STEADY_CENTS = 2.0  # largest median error on steady vowels
MOVING_CENTS = 5.0  # and on vibrato
FORMANT_PERCENT = 5.0  # largest median error of F1 to F3 below 250 Hz
VOWELS = "aeiou"
STEADY = ("vowel", "scale")  # clips of steady notes; the scales span C2 to C6


def table(path):
    """The columns of a CSV file, as arrays of numbers or text."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    columns = zip(*rows[1:])
    return {name: list(column) for name, column in zip(rows[0], columns)}


def numbers(columns, name):
    return np.array([float(value) for value in columns[name]])


def middle_of_vowels(phones, times, margin=0.12):
    """For each time, the vowel that sounds there, away from its ends; else an empty string."""
    label = np.full(len(times), "", dtype=object)
    for start, end, phone in zip(phones["onset_s"], phones["offset_s"], phones["label"]):
        if phone in VOWELS:
            inside = (times > float(start) + margin) & (times < float(end) - margin)
            label[inside] = phone
    return label


def pitch_errors(sound, times, f0):
    """Praat's autocorrelation pitch minus the truth, in cents, where both are voiced."""
    voiced = f0[f0 > 0]
    if not len(voiced):
        return np.full(len(times), np.nan)
    low, high = voiced.min() * 0.75, voiced.max() * 1.35
    pitch = sound.to_pitch_ac(
        time_step=0.005, pitch_floor=low, very_accurate=True, pitch_ceiling=high)
    read = np.interp(times, pitch.xs(), pitch.selected_array["frequency"])
    sure = np.interp(times, pitch.xs(), (pitch.selected_array["frequency"] > 0) * 1.0) == 1
    both = sure & (f0 > 0)
    errors = np.full(len(times), np.nan)
    errors[both] = 1200 * np.log2(read[both] / f0[both])
    return errors


def formant_errors(sound, times, label, truth, voiced):
    """Burg's F1 to F3 over the truth, in percent: {(vowel, number): errors}.

    The ceiling lies half way between the true F5 and F6, as one sets it for a known voice. A
    whisper's source is white and needs no pre-emphasis.
    """
    ceiling = np.median(truth[4]) * 1.12
    burg = sound.to_formant_burg(
        time_step=0.005, max_number_of_formants=5, maximum_formant=ceiling, window_length=0.03,
        pre_emphasis_from=50 if voiced else 0.5 / sound.dt)
    found = {}
    for time, vowel, *true in zip(times, label, *truth[:3]):
        if not vowel:
            continue
        for number, hz in enumerate(true, start=1):
            read = burg.get_value_at_time(number, time)
            found.setdefault((vowel, number), []).append(100 * (read / hz - 1))
    return found


def check(path):
    stem = path.with_suffix("")
    sound = parselmouth.Sound(str(path))
    f0_table = table(f"{stem}.f0.csv")
    times, f0 = numbers(f0_table, "time_s"), numbers(f0_table, "f0_hz")
    label = middle_of_vowels(table(f"{stem}.phones.csv"), times)
    errors = pitch_errors(sound, times, f0)
    inside = errors[(label != "") & ~np.isnan(errors)]
    pitch = (np.median(np.abs(inside)), np.median(inside), len(inside)) if len(inside) else None
    formants = table(f"{stem}.formants.csv")
    truth = [numbers(formants, f"f{n}_hz")[: len(times)] for n in range(1, 6)]
    low = np.where(f0 < 250, label, "")
    # Beyond half of F1 two harmonics share its peak, and the stronger draws any reading to it.
    clear = np.where(2 * f0 < truth[0], low, "")
    voiced = f0.any()
    return (
        pitch, formant_errors(sound, times, low, truth, voiced),
        formant_errors(sound, times, clear, truth, voiced))


def collect(gathered, name, errors_by_formant):
    for key, errors in errors_by_formant.items():
        gathered.setdefault(key, []).append((name, float(np.median(errors))))


def formant_table(title, gathered):
    """Prints the median over the voices for each vowel and formant; returns the worst."""
    print(f"\n{title}: error of Burg's formants in percent (at most {FORMANT_PERCENT})")
    worst = 0.0
    for (vowel, number), entries in sorted(gathered.items()):
        median = float(np.median([error for _, error in entries]))
        name, extreme = max(entries, key=lambda entry: abs(entry[1]))
        worst = max(worst, abs(median))
        print(f"{vowel} F{number}: {median:+5.1f} over {len(entries)} voices,"
              f" worst {extreme:+5.1f} ({name})")
    return worst


def main(folder):
    worst_steady = worst_moving = 0.0
    gathered = {"slides": {}, "clear": {}, "whisper": {}}
    for path in sorted(pathlib.Path(folder).glob("*.wav")):
        pitch, low, clear = check(path)
        name = path.stem
        if pitch:
            median, bias, count = pitch
            print(f"{name:32} pitch |{median:5.2f}| cents, bias {bias:+5.2f}, {count} frames")
            if name.startswith(STEADY):
                worst_steady = max(worst_steady, median)
            else:
                worst_moving = max(worst_moving, median)
        kind = name.split("-")[0]
        if kind in gathered:
            collect(gathered[kind], name, low)
        if kind == "slides":
            collect(gathered["clear"], name, clear)
    print(f"\nworst clip, steady notes: {worst_steady:.2f} cents (at most {STEADY_CENTS})")
    print(f"worst clip, all others:    {worst_moving:.2f} cents (at most {MOVING_CENTS})")
    formant_table("sliding vowels, f0 below 250 Hz", gathered["slides"])
    worst_formant = max(
        formant_table("sliding vowels, f0 below 250 Hz and F1 / 2", gathered["clear"]),
        formant_table("whispered vowels", gathered["whisper"]))
    good = (
        worst_steady <= STEADY_CENTS and worst_moving <= MOVING_CENTS
        and worst_formant <= FORMANT_PERCENT)
    return 0 if good else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
