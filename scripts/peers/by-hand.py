"""Whether a program scores through a sweep as it does by hand: Rubber Band R3, and SoX.

    python3 -m venv judge
    judge/bin/pip install praat-parselmouth==0.4.7 soundfile==0.14.0 numpy==2.4.6
    apt-get install rubberband-cli sox
    judge/bin/python scripts/peers/by-hand.py --choir-eval .build/release/choir-eval

A sweep renders a few clips four semitones up by `Corpus/subjects`, measures them and keeps what the
programs heard. Here the programs are called by themselves on that, and Praat measures what comes out:

    cents      median over frames of how far the pitch is from that of the input, four semitones up
    formants   median over F1 to F3 of output over input; 1 kept, 1.26 moved along with the pitch
    onset      how much later the sound comes, in ms: the lag at which the loudness of both agrees best
"""

import argparse
import csv
import pathlib
import subprocess
import tempfile

import numpy as np
import parselmouth
import soundfile

SEMITONES = 4
CLIPS = ["sung-female-phrase", "spoken-female-front-center", "spoken-male-sentence", "synth-scale-tenor",
         "synth-melody-soprano"]
METRICS = {"pitch.bias": "cents", "formant.ratio": "formants", "latency.onset": "onset"}
BY_HAND = {
    "rubberband": ["rubberband", "--quiet", "--fine", "--formant", "--pitch", str(SEMITONES),
                   "{input}", "{output}"],
    "sox-pitch": ["sox", "{input}", "{output}", "pitch", str(100 * SEMITONES), "82", "14.68", "12"],
}
PLAN = f"""name: by-hand
title: Programs beside themselves
subjects: [{", ".join(BY_HAND)}]
recordings: [{", ".join(CLIPS)}]
listen: [{", ".join(CLIPS)}]
metrics: [{", ".join(METRICS)}]
scores:
  - id: up
    intervalsSemitones: [{SEMITONES}]
"""


def praat(samples, rate):
    """Pitch every 10 ms (0 where there is none), and F1 to F3 at the same times."""
    sound = parselmouth.Sound(samples, rate)
    times = np.arange(0.03, len(samples) / rate - 0.03, 0.01)
    pitch = sound.to_pitch_ac(time_step=0.01, pitch_floor=65, pitch_ceiling=1100)
    hz = np.nan_to_num([pitch.get_value_at_time(t) for t in times])
    formants = sound.to_formant_burg(time_step=0.01, maximum_formant=5500)
    return hz, np.array([[formants.get_value_at_time(n, t) for n in (1, 2, 3)] for t in times])


def loudness(samples, rate):
    """In dB every millisecond."""
    power = np.convolve(samples**2, np.hanning(rate // 50) / (rate // 100), "same")
    return 10 * np.log10(power[:: rate // 1000] + 1e-6)


def lag_ms(heard, made, rate, longest=300):
    a, b = (loudness(x, rate) - loudness(x, rate).mean() for x in (heard, made))
    n = min(len(a), len(b)) - longest
    return max(range(-longest, longest + 1), key=lambda lag: np.dot(
        a[longest:n], b[longest + lag : n + lag]))


def by_hand(heard, made, rate):
    late = lag_ms(heard, made, rate)
    shift = late * rate // 1000
    made = np.roll(made, -shift)[: len(heard)]
    (before_hz, before), (after_hz, after) = praat(heard, rate), praat(made, rate)
    n = min(len(before_hz), len(after_hz))
    voiced = (before_hz[:n] > 0) & (after_hz[:n] > 0)
    cents = 1200 * np.log2(after_hz[:n][voiced] / before_hz[:n][voiced]) - 100 * SEMITONES
    ratio = np.nanmedian(after[:n][voiced] / before[:n][voiced])
    return {"cents": np.median(cents), "formants": ratio, "onset": late}


def rendered(command, source, folder):
    target = folder / "made.wav"
    words = [word.format(input=source, output=target) for word in command]
    subprocess.run(words, check=True, capture_output=True)
    return soundfile.read(target)[0]


parser = argparse.ArgumentParser(
    description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
parser.add_argument("--choir-eval", default="choir-eval")
options = parser.parse_args()
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    (folder / "plan.yaml").write_text(PLAN)
    store = folder / "s.sqlite"
    subprocess.run([options.choir_eval, "run", folder / "plan.yaml", "--store", store], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run([options.choir_eval, "export", "--force", "--store", store, "--output", folder / "s.csv"],
                   check=True)
    cells = {}
    with open(folder / "s.csv") as rows:
        for row in csv.DictReader(rows):
            cell = cells.setdefault((row["subject"], row["recording"]), {})
            if row["value"] and row["metric"] in METRICS:
                cell[METRICS[row["metric"]]] = float(row["value"])
    columns = list(METRICS.values())
    print(f"{'program':<11}{'clip':<28}" + "".join(
        f"{column + ': sweep':>17}{'by hand':>9}" for column in columns))
    for (subject, clip), cell in cells.items():
        heard, rate = soundfile.read(folder / "s.audio" / f"input-{clip}.flac")
        made = rendered(BY_HAND[subject], folder / "s.audio" / f"input-{clip}.flac", folder)
        hand = by_hand(heard, made, rate)
        print(f"{subject:<11}{clip:<28}" + "".join(
            f"{cell.get(column, float('nan')):>17.2f}{hand[column]:>9.2f}" for column in columns))
