#!/usr/bin/env python3
"""Counts the chords of sampled instruments that `choir-eval analyze --write chords` names right.

  scripts/vectors/chords.py [--sevenths | --fifths] [--seconds S] [FOLDER]

Each instrument plays 24 triads in two positions (close from C3; root, fifth, octave and tenth from E2), with
--sevenths seven kinds of chord on twelve roots, or with --fifths fifths from E2 with and without the octave, each for
S seconds (2) less a rest of a tenth: `choir-eval score` compares them with what was played. FOLDER keeps the sounds. Needs mido, fluidsynth and FluidR3_GM.sf2 (Debian: fluidsynth,
fluid-soundfont-gm).
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

import mido

FONT = "/usr/share/sounds/sf2/FluidR3_GM.sf2"
NAMES = "C C# D D# E F F# G G# A A# B".split()
PROGRAMS = {"piano": 0, "electric piano": 4, "organ": 16, "nylon guitar": 24, "steel guitar": 25, "jazz guitar": 26,
            "clean guitar": 27, "overdriven guitar": 29, "distorted guitar": 30, "strings": 48, "choir": 52,
            "synthesizer": 81}
TRIADS = {"maj": 4, "min": 3}
SEVENTHS = {"7": (0, 4, 7, 10), "maj7": (0, 4, 7, 11), "min7": (0, 3, 7, 10), "sus4": (0, 5, 7), "sus2": (0, 2, 7),
            "dim": (0, 3, 6), "hdim7": (0, 3, 6, 10)}


def chords(kind):
    if kind == "fifths":
        low = [(NAMES[root], 40 + (root - 4) % 12) for root in range(12)]
        return [(f"{name}:5", [key + tone for tone in tones]) for tones in ((0, 7), (0, 7, 12)) for name, key in low]
    if kind == "sevenths":
        return [(f"{NAMES[root]}:{name}", [48 + root + tone for tone in tones])
                for name, tones in SEVENTHS.items() for root in range(12)]
    close = [(f"{NAMES[root]}:{name}", [48 + root, 48 + root + third, 55 + root])
             for name, third in TRIADS.items() for root in range(12)]
    open_position = []
    for name, third in TRIADS.items():
        for root in range(12):
            low = 40 + (root - 4) % 12
            open_position.append((f"{NAMES[root]}:{name}", [low, low + 7, low + 12, low + 12 + third]))
    return close + open_position


def play(program, played, seconds, path):
    track = mido.MidiTrack([mido.MetaMessage("set_tempo", tempo=500_000),
                            mido.Message("program_change", program=program)])
    rest = 0
    for _, notes in played:
        for kind, wait in (("note_on", rest), ("note_off", round(0.9 * seconds * 960))):
            for index, note in enumerate(notes):
                track.append(mido.Message(kind, note=note, velocity=90, time=0 if index else wait))
        rest = round(0.1 * seconds * 960)
    mido.MidiFile(ticks_per_beat=480, tracks=[track]).save(path.with_suffix(".mid"))
    subprocess.run(["fluidsynth", "-niq", "-r", "44100", "-g", "0.6", "-F", path.with_suffix(".wav"), FONT,
                    path.with_suffix(".mid")], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--sevenths", dest="kind", action="store_const", const="sevenths", default="triads")
    parser.add_argument("--fifths", dest="kind", action="store_const", const="fifths")
    parser.add_argument("--seconds", type=float, default=2)
    given = parser.parse_args()
    folder = given.folder or pathlib.Path(tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    played = chords(given.kind)
    kind = f"{given.kind}-{given.seconds:g}"
    wanted = folder / f"{kind}.csv"
    wanted.write_text("".join(f"{i * given.seconds},{(i + 1) * given.seconds},{name}\n"
                              for i, (name, _) in enumerate(played)))
    for name, program in PROGRAMS.items():
        sound = folder / f"{name.replace(' ', '-')}-{kind}.wav"
        if not sound.exists():
            play(program, played, given.seconds, sound)
        found = sound.with_suffix(".csv")
        subprocess.run(["choir-eval", "analyze", sound, "--write", "chords", "--output", found, "--force", "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
        score = json.loads(subprocess.run(["choir-eval", "score", wanted, found, "--json"], check=True,
                                          stdout=subprocess.PIPE).stdout)
        answers = score["answers"]
        wrong = [f"{a['wanted']} as {a['answer']}" for a in answers if not a["right"]]
        late = sorted(a["seconds"] for a in answers if a["right"])
        print(f"{name:15} {len(answers) - len(wrong)} of {len(answers)}, "
              f"median {late[len(late) // 2] if late else 0:.2f} s after its start", ", ".join(wrong[:4]))


if __name__ == "__main__":
    main()
