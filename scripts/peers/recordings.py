"""Measures how far pitch trackers agree with the annotated pitch of real recordings, with mir_eval.

    judge/bin/python scripts/peers/recordings.py FOLDER [--csv recordings.csv]

(scripts/peers/pitch.py says how to have `judge`.) FOLDER holds recordings NAME.flac or NAME.wav and
beside some of them NAME.f0.csv, whose first column is time_s and whose others are the pitch of one
voice each in hertz, 0 where it is silent; the rest of the folder is passed over.

One voice is measured by RPA, RCA, VR, VFA and OA as in pitch.py, every tracker with the setting
that it has there. Of several voices no tracker of one pitch can follow all: there the figure is the
share of its voiced frames that lie within 50 cents of any voice (precision), and with octaves
forgiven.
"""

import argparse
import csv
import pathlib
import tempfile
import warnings

import mir_eval
import numpy as np
import soundfile

import pitch


def annotated(folder):
    """Path, times and pitches (one column a voice) of each recording with an annotation."""
    for table in sorted(folder.glob("*.f0.csv")):
        name = table.name.removesuffix(".f0.csv")
        sounds = [folder / f"{name}{ending}" for ending in (".flac", ".wav")]
        sound = next((path for path in sounds if path.exists()), None)
        if sound:
            columns = np.loadtxt(table, delimiter=",", skiprows=1, ndmin=2)
            yield sound, columns[:, 0], columns[:, 1:]


def of_one_voice(truth_times, truth, times, f0):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        score = mir_eval.melody.evaluate(truth_times, truth, times, f0)
    return {short: score[long] for short, long in pitch.MEASURES.items()}


def of_several_voices(truth_times, truth, times, f0):
    heard = pitch.at(truth_times, times, np.maximum(f0, 0))
    asked = (heard > 1) & np.any(truth > 0, axis=1)
    distances = 1200 * np.log2(heard[asked, None] / np.maximum(truth[asked], 1e-9))
    folded = distances - 1200 * np.rint(distances / 1200)
    return {
        "precision": np.mean(np.any(np.abs(distances) <= 50, axis=1)),
        "chroma precision": np.mean(np.any(np.abs(folded) <= 50, axis=1))}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--choir-eval", default=".build/release/choir-eval")
    parser.add_argument("--only", nargs="*", help="names of trackers")
    parser.add_argument("--csv", type=pathlib.Path)
    arguments = parser.parse_args()
    trackers = pitch.trackers(arguments.choir_eval)
    rows = []
    for path, truth_times, truth in annotated(arguments.folder):
        sound, rate = soundfile.read(path, always_2d=True)
        sound = np.ascontiguousarray(sound.mean(axis=1))
        with tempfile.NamedTemporaryFile(suffix=".wav") as file:
            soundfile.write(file.name, sound, rate, subtype="FLOAT")
            for name in arguments.only or trackers:
                times, f0 = trackers[name].track(pathlib.Path(file.name), sound, rate)
                if truth.shape[1] == 1:
                    scores = of_one_voice(truth_times, truth[:, 0], times, f0)
                else:
                    scores = of_several_voices(truth_times, truth, times, f0)
                print(
                    f"{path.stem}  {name}: "
                    + ", ".join(f"{measure} {value:.4f}" for measure, value in scores.items()),
                    flush=True)
                rows += [[path.stem, name, *score] for score in scores.items()]
    if arguments.csv:
        with open(arguments.csv, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(["recording", "tracker", "measure", "value"])
            writer.writerows(rows)


if __name__ == "__main__":
    main()
