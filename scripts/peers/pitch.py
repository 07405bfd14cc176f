"""Measures pitch trackers side by side on a truth set, with mir_eval.

    python3 -m venv judge
    judge/bin/pip install praat-parselmouth==0.4.7 pyworld==0.3.5 librosa==0.11.0 \\
        mir_eval==0.8.2 soundfile==0.14.0 numpy==2.4.6 scipy==1.17.1 pysptk==1.0.1 \\
        swift-f0==0.3.0
    PATH=$PWD/judge/bin:$PATH scripts/peers/truth-set truth
    taskset -c 0 judge/bin/python scripts/peers/pitch.py truth/report --csv pitch.csv
    judge/bin/python scripts/peers/pitch.py truth/tune --thresholds    # how Praat's were chosen

All read 48 kHz and answer every 10 ms between 60 and 1200 Hz, each with one setting for every
condition. Praat's voicing thresholds are those of the best mean accuracy on the other half;
the others have none and stand as they come. For each condition:

    OA    overall accuracy: share of frames right in voicing and, where voiced, within 50 cents
    RPA   share of voiced frames within 50 cents, whatever the tracker says of voicing
    RCA   the same, octaves forgiven
    VR    share of voiced frames called voiced
    VFA   share of unvoiced frames called voiced

as means over clips; those about voiced frames over clips that have some. `median` and `p95` are of
the absolute error in cents where both are voiced, over all frames of the clean clips and over those
of the clips without jitter; gross errors count. `speed` is processor time over the time of the sound: of the first ten clean clips the least
of three runs each, and the median of those; reading the file left out.

Where they say unvoiced, choir-eval and pYIN give the pitch that would be likeliest; so does Praat,
asked again without thresholds. DIO and Harvest give none: their RPA is no larger than their recall.
"""

import argparse
import csv
import json
import pathlib
import subprocess
import tempfile
import time
import warnings

import librosa
import mir_eval
import numpy as np
import parselmouth
import pysptk
import pyworld
import scipy.signal
import soundfile
import swift_f0

HOP_S = 0.01
LOW_HZ, HIGH_HZ = 60, 1200
CONDITIONS = ("clean", "40dB", "20dB", "10dB", "0dB", "reverb")
MEASURES = {
    "OA": "Overall Accuracy", "RPA": "Raw Pitch Accuracy", "RCA": "Raw Chroma Accuracy",
    "VR": "Voicing Recall", "VFA": "Voicing False Alarm"}
PRAAT_AC_THRESHOLD, PRAAT_CC_THRESHOLD = 0.45, 0.45


class Praat:
    """Boersma's autocorrelation (ac) and its forward cross-correlation (cc)."""

    def __init__(self, method, threshold):
        self.method, self.threshold = method, threshold

    def track(self, path, sound, rate):
        seconds = len(sound) / rate
        sound = parselmouth.Sound(sound, rate)
        begin = time.process_time()
        times, f0 = self.pitch(sound, voicing_threshold=self.threshold)
        self.speed = (time.process_time() - begin) / seconds
        _, guess = self.pitch(sound, voicing_threshold=0, silence_threshold=0)
        return times, np.where(f0 > 0, f0, -guess)

    def pitch(self, sound, **thresholds):
        call = sound.to_pitch_ac if self.method == "ac" else sound.to_pitch_cc
        pitch = call(time_step=HOP_S, pitch_floor=LOW_HZ, pitch_ceiling=HIGH_HZ, **thresholds)
        return pitch.xs(), pitch.selected_array["frequency"]


class Pyin:
    def track(self, path, sound, rate):
        hop = int(HOP_S * rate)
        f0, voiced, _ = librosa.pyin(
            sound, fmin=LOW_HZ, fmax=HIGH_HZ, sr=rate, frame_length=4096, hop_length=hop,
            fill_na=None)
        return np.arange(len(f0)) * HOP_S, np.where(voiced, f0, -f0)


class Dio:
    def track(self, path, sound, rate):
        f0, times = pyworld.dio(
            sound, rate, f0_floor=LOW_HZ, f0_ceil=HIGH_HZ, frame_period=1000 * HOP_S)
        return times, pyworld.stonemask(sound, f0, times, rate)


class Rapt:
    """Talkin's, which counts on samples of 16 bits."""

    def track(self, path, sound, rate):
        f0 = pysptk.rapt(
            (sound * 32768).astype(np.float32), rate, int(HOP_S * rate), min=LOW_HZ, max=HIGH_HZ)
        return np.arange(len(f0)) * HOP_S, f0


class Swipe:
    def track(self, path, sound, rate):
        f0 = pysptk.swipe(sound, rate, int(HOP_S * rate), min=LOW_HZ, max=HIGH_HZ)
        return np.arange(len(f0)) * HOP_S, f0


class SwiftF0:
    """A learned tracker, which answers every 16 ms."""

    def __init__(self):
        self.detector = swift_f0.SwiftF0()

    def track(self, path, sound, rate):
        sound = scipy.signal.resample_poly(sound, 16000, rate).astype(np.float32)
        found = self.detector.detect(sound, 16000, fmin=LOW_HZ, fmax=HIGH_HZ)
        f0 = np.asarray(found.pitch_hz)
        return np.asarray(found.timestamps), np.where(np.asarray(found.confidence) > 0.5, f0, -f0)


class Harvest:
    def track(self, path, sound, rate):
        f0, times = pyworld.harvest(
            sound, rate, f0_floor=LOW_HZ, f0_ceil=HIGH_HZ, frame_period=1000 * HOP_S)
        return times, f0


class ChoirEval:
    """A program of its own, which reports the processor time that tracking took."""

    def __init__(self, program):
        self.program = program

    def track(self, path, sound, rate):
        with tempfile.NamedTemporaryFile(suffix=".csv") as file:
            said = subprocess.run(
                [self.program, "analyze", "--force", str(path), "--hop-ms", str(1000 * HOP_S), "--json",
                 "--write", "pitch", "--output", file.name], check=True, capture_output=True, text=True).stdout
            self.speed = json.loads(said)[0]["pitchRealTimeFactor"]
            columns = np.genfromtxt(file.name, delimiter=",", names=True, ndmin=1)
        f0 = columns["f0_hz"]
        return columns["time_s"], np.where(f0 > 0, f0, -columns["likely_hz"])


def trackers(choir_eval):
    """Every tracker by name, with the one setting it is measured with."""
    return {
        "choir-eval": ChoirEval(choir_eval), "praat-ac": Praat("ac", PRAAT_AC_THRESHOLD),
        "praat-cc": Praat("cc", PRAAT_CC_THRESHOLD), "swift-f0": SwiftF0(), "world-dio": Dio(),
        "world-harvest": Harvest(), "sptk-rapt": Rapt(), "sptk-swipe": Swipe(), "pyin": Pyin()}


def measured(tracker, folder, conditions=CONDITIONS):
    """Means of the measures by condition, and error and speed on the clean clips."""
    result, errors, steady, speeds = {}, [], [], []
    with open(folder.parent / "clips.csv", newline="") as file:
        jitters = {row["name"]: row["jitter"] != "0" for row in csv.DictReader(file)}
    for condition in conditions:
        scores = []
        for number, path in enumerate(sorted((folder / condition).glob("*.wav"))):
            sound, rate = soundfile.read(path)
            speed = np.inf
            timed = condition == "clean" and number < 10
            for _ in range(3 if timed else 1):
                begin = time.process_time()
                times, f0 = tracker.track(path, sound, rate)
                took = time.process_time() - begin
                speed = min(speed, getattr(tracker, "speed", took * rate / len(sound)))
            truth_times, truth = np.loadtxt(
                folder / "truth" / f"{path.stem}.csv", delimiter=",", skiprows=1).T
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of clips without voice
                score = mir_eval.melody.evaluate(truth_times, truth, times, f0)
            voiced = np.any(truth > 0)
            scores.append([
                score[long] if voiced or short in ("OA", "VFA") else np.nan
                for short, long in MEASURES.items()])
            if timed:
                speeds.append(speed)
            if condition == "clean":
                nearest = np.rint(np.interp(truth_times, times, np.arange(len(times)))).astype(int)
                both = (truth > 0) & (f0[nearest] > 0)
                cents = 1200 * np.abs(np.log2(at(truth_times, times, f0)[both] / truth[both]))
                errors.append(cents)
                if not jitters[path.stem]:
                    steady.append(cents)
        result[condition] = dict(zip(MEASURES, np.nanmean(scores, axis=0)))
    if errors:
        for name, values in (("all", errors), ("steady", steady)):
            result[name] = np.percentile(np.concatenate(values), [50, 95])
        result["speed"] = np.median(speeds)
    result["mean"] = np.mean([result[condition]["OA"] for condition in conditions])
    return result


def at(wanted, times, f0):
    """The pitch at other times: on a straight line of semitones between voiced frames."""
    voiced = f0 > 0
    line = np.interp(wanted, times, np.log2(np.where(voiced, f0, 1)))
    whole = np.interp(wanted, times, voiced.astype(float)) > 1 - 1e-9
    nearest = np.rint(np.interp(wanted, times, np.arange(len(times)))).astype(int)
    return np.where(whole, 2**line, np.abs(f0[nearest]) + 1e-9)


def print_table(results):
    names = " / ".join(CONDITIONS)
    print(f"| tracker | OA mean | OA {names} | RPA | RCA clean / 0dB | VR / VFA 20dB | VFA "
          "| cents median / p95, clean | without jitter | speed |")
    print("| --- " * 10 + "|")
    for name, result in results.items():
        def row(measure, conditions=CONDITIONS):
            return " / ".join(f"{result[c][measure]:.3f}".lstrip("0") for c in conditions)
        print(
            f"| {name} | {result['mean']:.3f} | {row('OA')} | {row('RPA')} "
            f"| {row('RCA', ('clean', '0dB'))} "
            f"| {result['20dB']['VR']:.4f} / {result['20dB']['VFA']:.4f} | {row('VFA')} "
            f"| {result['all'][0]:.2f} / {result['all'][1]:.1f} "
            f"| {result['steady'][0]:.2f} / {result['steady'][1]:.1f} | {result['speed']:.4f} |",
            flush=True)


def write_csv(path, results):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["tracker", "condition", "measure", "value"])
        for name, result in results.items():
            for condition in CONDITIONS:
                for measure, value in result[condition].items():
                    writer.writerow([name, condition, measure, f"{value:.6f}"])
            for clips in ("all", "steady"):
                for measure, cents in zip(("median_cents", "p95_cents"), result[clips]):
                    writer.writerow([name, f"clean, {clips} clips", measure, f"{cents:.6f}"])
            writer.writerow([name, "clean", "speed", f"{result['speed']:.6f}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--choir-eval", default=".build/release/choir-eval")
    parser.add_argument("--only", nargs="*", help="names of trackers")
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--thresholds", action="store_true", help="try voicing thresholds of Praat")
    arguments = parser.parse_args()
    if arguments.thresholds:
        for method in ("ac", "cc"):
            for threshold in (0.35, 0.45, 0.55, 0.65):
                mean = measured(Praat(method, threshold), arguments.folder)["mean"]
                print(f"praat-{method} {threshold}: {mean:.4f}", flush=True)
        return
    results = {}
    every = trackers(arguments.choir_eval)
    for name in arguments.only or every:
        results[name] = measured(every[name], arguments.folder)
        print(f"{name}: {results[name]['mean']:.3f}", flush=True)
    print_table(results)
    if arguments.csv:
        write_csv(arguments.csv, results)


if __name__ == "__main__":
    main()
