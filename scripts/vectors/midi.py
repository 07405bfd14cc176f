"""Writes MIDI files made by mido, and what mido and pretty_midi read in them.

    python3 -m venv judge && judge/bin/pip install mido==1.3.3 pretty_midi==0.2.11.post0
    judge/bin/python scripts/vectors/midi.py            # writes the vectors
    judge/bin/python scripts/vectors/midi.py FILE.mid   # prints what both read in a file

The result is Tests/Golden/midi.json.
"""

import importlib.metadata
import io
import json
import pathlib
import random
import sys
import tempfile

import mido
import pretty_midi

TARGET = pathlib.Path(__file__).parents[2] / "Tests/Golden/midi.json"


def read(data):
    """The notes, pedals and bends of a file by pretty_midi's clock, its signatures by mido's ticks.

    Bends are in semitones by pretty_midi's own range, 2, for it knows no registered parameters.
    """
    with tempfile.NamedTemporaryFile(suffix=".mid") as file:
        file.write(data)
        file.flush()
        judged = pretty_midi.PrettyMIDI(file.name)
    notes = sorted(
        [note.start, note.end, note.pitch, note.velocity]
        for instrument in judged.instruments for note in instrument.notes)
    pedals = sorted(
        [change.time, change.value]
        for instrument in judged.instruments for change in instrument.control_changes
        if change.number == 64)
    bends = sorted(
        [bend.time, pretty_midi.pitch_bend_to_semitones(bend.pitch)]
        for instrument in judged.instruments for bend in instrument.pitch_bends)
    parsed = mido.MidiFile(file=io.BytesIO(data))
    tempi, signatures = [], []
    for track in parsed.tracks:
        tick = 0
        for message in track:
            tick += message.time
            if message.type == "set_tempo":
                tempi.append([tick / parsed.ticks_per_beat, message.tempo])
            if message.type == "time_signature":
                signatures.append([
                    tick / parsed.ticks_per_beat, f"{message.numerator}/{message.denominator}"])
    return {
        "format": parsed.type, "ticksPerQuarter": parsed.ticks_per_beat, "notes": notes,
        "pedals": pedals, "bends": bends, "tempi": sorted(tempi), "signatures": sorted(signatures)}


def made(seed, kind):
    """A file of chance: notes, tempi, signatures and pedals; no note over another of its key."""
    chance = random.Random(seed)
    resolution = chance.choice([96, 480, 960])
    song = mido.MidiFile(type=kind, ticks_per_beat=resolution)
    events, tick = [], 0
    for bar in range(4):
        count, unit = chance.choice([(4, 4), (3, 4), (6, 8), (7, 8)])
        events.append((tick, 0, mido.MetaMessage(
            "time_signature", numerator=count, denominator=unit)))
        events.append((tick, 0, mido.MetaMessage(
            "set_tempo", tempo=chance.randrange(300_000, 900_000))))
        tick += count * resolution * 4 // unit
    for key in chance.sample(range(40, 90), 8):
        at = chance.randrange(resolution)
        while at < tick:
            length = chance.randrange(1, resolution)
            velocity = chance.randrange(1, 128)
            events.append((at, 2, mido.Message("note_on", note=key, velocity=velocity)))
            events.append((at + length, 1, mido.Message("note_off", note=key, velocity=0)))
            at += length + chance.randrange(1, 2 * resolution)
    events += [
        (resolution, 3, mido.Message("control_change", control=64, value=127)),
        (3 * resolution, 3, mido.Message("control_change", control=64, value=0))]
    for at in sorted(chance.sample(range(resolution, tick), 12)):
        events.append((at, 0, mido.Message("pitchwheel", pitch=chance.randrange(-8192, 8192))))
    # Tempi are the business of the first track; a file of format 0 has no other.
    parts = [events] if kind == 0 else [
        [event for event in events if event[2].is_meta],
        [event for event in events if not event[2].is_meta]]
    for part in parts:
        track, before = mido.MidiTrack(), 0
        for at, _, message in sorted(part, key=lambda event: event[:2]):
            track.append(message.copy(time=at - before))
            before = at
        song.tracks.append(track)
    return saved(song)


def saved(song):
    data = io.BytesIO()
    song.save(file=data)
    return data.getvalue()


def main():
    if len(sys.argv) == 2:
        print(json.dumps(read(pathlib.Path(sys.argv[1]).read_bytes())))
        return
    files = [made(seed, seed % 2) for seed in range(6)]
    versions = ", ".join(
        f"{name} {importlib.metadata.version(name)}" for name in ["mido", "pretty_midi"])
    TARGET.write_text(json.dumps({
        "madeBy": f"scripts/vectors/midi.py with {versions}",
        "files": [{"bytes": data.hex(), **read(data)} for data in files]}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
