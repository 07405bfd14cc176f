#!/usr/bin/env python3
"""Counts the wrong notes and the bounces of the auto-tuner's rule for notes, on legato singing.

    judge/bin/python scripts/peers/legato.py

judge is an environment with numpy and numba. The rule of NoteHold.swift is written again here, so that
rules can be compared without a build. 150 songs of 16 notes of 0.6 s, in steps of one or two tones of a
chromatic scale, each note up to 45 cents off, after a glide, with a vibrato of 4.5 to 7 Hz that grows over
0.2 s, some with a flutter of a cent. A note is wrong if most of its second half is taken for another. A
bounce is a change of note away from the one that is sung. Time on a wrong note counts from the glide on.
"""
import numpy as np
from numba import njit

HOP_MS = 2.5
HYSTERESIS = 0.3  # semitones
PASSING_MS = 60
NOTE_HOPS = 240
# Vibrato in semitones, glide in seconds, flutter in semitones.
SONGS = ((0.3, 0.06, 0), (0.3, 0.12, 0.02), (0.5, 0.06, 0.02))
MIDDLE_HOPS, SWING_HOPS, KNOWN_HOPS, LEAVING_HOPS = 73, 48, 96, 6  # those of NoteMiddle and NoteSwing
# Distance beyond the middle at which a passing note is left, semitones; time until a note is clear, ms;
# distance from the note's mean, beyond 1.5 times the swing to the other side, that leaves it like a passing one.
RULES = {"hysteresis, passing notes left at the middle": (0, np.inf, np.inf), "clear after 120 ms": (0, 120, np.inf),
         "and passing notes left 10 cents beyond the middle": (0.1, 120, np.inf),
         "and notes left as no vibrato would": (0.1, 120, 0.3)}


@njit
def notes(pitches, passing, clear_ms, leaving):
    found, means = np.empty(len(pitches), np.int64), np.empty(len(pitches))
    key, came_from, held, rival, lead = round(pitches[0]), -1, 0, -1, 0
    start, middle, below, above, away_hops = 0, pitches[0], 0.0, 0.0, 0
    for hop, pitch in enumerate(pitches):
        nearest = round(pitch)
        gained = abs(pitch - key) - abs(pitch - nearest)
        needed = HYSTERESIS
        if came_from >= 0 and held * HOP_MS < PASSING_MS and nearest != came_from:
            needed = passing
        away = pitch - middle
        is_away = held >= KNOWN_HOPS and abs(away) > leaving + 1.5 * (below if away > 0 else above)
        away_hops = away_hops + 1 if is_away else 0
        if away_hops > LEAVING_HOPS:
            needed = passing
        if nearest == rival and lead * HOP_MS >= clear_ms:
            needed = 0
        if nearest != key and gained > 2 * needed:
            came_from, key, held, rival, lead = key, nearest, 0, -1, 0
            start, below, above, away_hops = hop, 0.0, 0.0, 0
        else:
            held += 1
            if rival < 0 and nearest != key:
                rival = nearest
            lead += 1 if nearest == rival else -1
            if lead <= 0:
                rival, lead = -1, 0
        first = max(start, hop + 1 - MIDDLE_HOPS)
        means[hop] = pitches[first:hop + 1].mean()
        middle = means[first:hop + 1].mean()
        if held > SWING_HOPS:
            below, above = max(below, middle - pitch), max(above, pitch - middle)
        found[hop] = key
    return found


def song(random, vibrato, glide_s, flutter):
    """Pitches by hop, and the note that is meant at each."""
    time = np.arange(NOTE_HOPS) * HOP_MS / 1000
    note, last, pitches, meant = 62, 62.0, [], []
    for _ in range(16):
        step = random.choice([-2, -1, 1, 2])
        note += step if 50 <= note + step <= 74 else -step
        goal = note + 0.9 * (random.random() - 0.5)
        hz, extent = 4.5 + 2.5 * random.random(), vibrato * random.random()
        way = 0.5 - 0.5 * np.cos(np.pi * np.minimum(time / glide_s, 1))
        swing = extent * np.minimum(time / 0.2, 1) * np.sin(2 * np.pi * hz * time)
        pitches.append(last + (goal - last) * way + swing)
        meant.append(np.full(NOTE_HOPS, note))
        last = goal
    pitches, meant = np.concatenate(pitches), np.concatenate(meant)
    noise = np.convolve(random.normal(0, 1, len(pitches)), np.ones(4) / 4, "same")
    return pitches + flutter * noise, meant


def main():
    print("rule; for each kind of song: wrong notes %, bounces per 100 notes, time on a wrong note %")
    for name, rule in RULES.items():
        figures = []
        for kind in SONGS:
            random = np.random.default_rng(3)
            wrong, bounces, time, count = 0, 0, 0.0, 0
            for _ in range(150):
                pitches, meant = song(random, *kind)
                found = notes(pitches, *rule)
                changes = np.flatnonzero(np.diff(found)) + 1
                away = abs(found[changes] - meant[changes]) > abs(found[changes - 1] - meant[changes])
                is_wrong = (found != meant).reshape(-1, NOTE_HOPS)
                wrong += (is_wrong[:, NOTE_HOPS // 2:].mean(axis=1) > 0.5).sum()
                bounces, time, count = bounces + away.sum(), time + is_wrong.mean(axis=1).sum(), count + 16
            figures.append(f"{100 * wrong / count:.1f}, {100 * bounces / count:.1f}, {100 * time / count:.1f}")
        print(f"{name}: {'; '.join(figures)}")


if __name__ == "__main__":
    main()
