"""Writes music21's spelling of chords and scales, and its names of chords from their notes.

    python3 -m venv judge && judge/bin/pip install music21==10.5.1
    judge/bin/python scripts/vectors/harmony.py

The result is Tests/Golden/harmony.json.
"""

import importlib.metadata
import json
import pathlib

from music21 import chord, harmony, interval, pitch, scale

TARGET = pathlib.Path(__file__).parents[2] / "Tests/Golden/harmony.json"
# All spellings of roots that chords are written with.
ROOTS = ["C", "C#", "Db", "D", "Eb", "E", "F", "F#", "Gb", "G", "G#", "Ab", "A", "Bb", "B"]
# The project's name of a formula, and music21's kind with what is added to it.
KINDS = {
    "maj": "major", "min": "minor", "dim": "diminished", "aug": "augmented",
    "sus2": "suspended-second", "sus4": "suspended-fourth", "5": "power",
    "6": "major-sixth", "min6": "minor-sixth", "7": "dominant-seventh",
    "maj7": "major-seventh", "min7": "minor-seventh", "minmaj7": "minor-major-seventh",
    "dim7": "diminished-seventh", "hdim7": "half-diminished-seventh",
    "aug7": "augmented-seventh", "7sus4": "suspended-fourth-seventh", "9": "dominant-ninth",
    "maj9": "major-ninth", "min9": "minor-ninth", "add9": "major+9", "madd9": "minor+9",
    "11": "dominant-11th", "13": "dominant-ninth+13"}
SCALES = {
    "major": scale.MajorScale, "minor": scale.MinorScale,
    "harmonic minor": scale.HarmonicMinorScale, "dorian": scale.DorianScale,
    "phrygian": scale.PhrygianScale, "lydian": scale.LydianScale,
    "mixolydian": scale.MixolydianScale, "locrian": scale.LocrianScale}
TONICS = ["C", "C#", "Db", "D", "Eb", "E", "F", "F#", "Gb", "G", "Ab", "A", "Bb", "B"]


def theirs(name):
    """music21 writes flats with minus signs."""
    return name[0] + name[1:].replace("b", "-")


def ours(name):
    return name.replace("-", "b")


def tones(root, kind):
    base, _, added = kind.partition("+")
    found = [p.name for p in harmony.ChordSymbol(root=theirs(root), kind=base).pitches]
    if added:
        found.append(interval.Interval("M" + added).transposePitch(
            pitch.Pitch(theirs(root) + "3")).name)
    return [ours(name) for name in found]


def identifications():
    """Every inversion of chords whose root is beyond doubt: root, turn and name are music21's."""
    cases = []
    for formula in ["maj", "min", "dim", "7", "maj7", "hdim7", "minmaj7"]:
        for root in ROOTS:
            members = tones(root, KINDS[formula])
            for turn in range(len(members)):
                rising, before = [], 47
                for name in members[turn:] + members[:turn]:
                    above = pitch.Pitch(theirs(name)).pitchClass
                    before += (above - before - 1) % 12 + 1
                    rising.append(before)
                spelled = chord.Chord([
                    pitch.Pitch(theirs(name), octave=5 + place // 7)
                    for place, name in enumerate(members[turn:] + members[:turn])])
                spelled.bass(spelled.pitches[0])
                cases.append({
                    "keys": rising, "formula": formula,
                    "root": spelled.root().pitchClass, "inversion": spelled.inversion(),
                    "kind": spelled.commonName})
    return cases


def diatonic(tonic, name, size):
    """The chords of stacked thirds on every tone of a scale, spelled."""
    members = [ours(p.name) for p in SCALES[name](theirs(tonic)).pitches[:7]]
    return [[members[(step + 2 * third) % 7] for third in range(size)] for step in range(7)]


def main():
    vectors = {
        "madeBy": "scripts/vectors/harmony.py with music21 "
                  + importlib.metadata.version("music21"),
        "chords": [
            {"root": root, "formula": formula, "tones": tones(root, kind)}
            for root in ROOTS for formula, kind in KINDS.items()],
        "scales": [
            {"tonic": tonic, "scale": name,
             "tones": [ours(p.name) for p in kind(theirs(tonic)).pitches[:7]]}
            for tonic in TONICS for name, kind in SCALES.items()],
        "identified": identifications(),
        "diatonic": [
            {"tonic": tonic, "scale": name, "triads": diatonic(tonic, name, 3),
             "sevenths": diatonic(tonic, name, 4)}
            for tonic in ["C", "F#", "Eb", "A"] for name in ["major", "minor", "dorian"]],
    }
    TARGET.write_text(json.dumps(vectors, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
