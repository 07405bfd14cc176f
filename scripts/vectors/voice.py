"""A deterministic speech-like voice and ways to spoil it, from simple recurrences.

`Tests/AnalyzerTests/Support/VectorVoice.swift` makes the same samples, so that vectors need no
audio beside them. Keep the two in step.
"""

import math

import numpy as np

MASK = (1 << 64) - 1

# F1 to F3 of a, e, i, o, u in Hz, near those of Peterson and Barney, 1952.
VOWELS_HZ = [
    (730, 1090, 2440), (530, 1840, 2480), (270, 2290, 3010), (570, 840, 2410), (300, 870, 2240),
]


class Random:
    """SplitMix64, as DSP's SeededGenerator."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def uniform(self):
        return (self.next() >> 11) * 2.0**-53


class Resonator:
    """Two poles at a frequency, with unit gain at 0 Hz (Klatt 1980)."""

    def __init__(self):
        self.first = self.second = 0.0

    def step(self, x, hz, width_hz, rate):
        radius = math.exp(-math.pi * width_hz / rate)
        b = 2 * radius * math.cos(2 * math.pi * hz / rate)
        c = -radius * radius
        y = (1 - b - c) * x + b * self.first + c * self.second
        self.first, self.second = y, self.first
        return y


def voice(rate, seconds=3.0, f0_hz=120.0, seed=1):
    """Syllables of 0.25 s: a hiss, a vowel, a pause; every sixth is silent. Rounded to Float."""
    random, hiss = Random(seed), Random(seed + 1000)
    resonators = [Resonator() for _ in range(3)]
    samples = []
    phase, syllable, formants, glide, shift = 0.0, -1, VOWELS_HZ[0], 1.0, 1.0
    for n in range(int(seconds * rate)):
        time = n / rate
        if int(time / 0.25) != syllable:
            syllable = int(time / 0.25)
            formants = VOWELS_HZ[int(random.uniform() * 5)]
            shift = 0.9 + 0.2 * random.uniform()
            glide = 0.8 + 0.4 * random.uniform()
        place = time / 0.25 - syllable
        loud = 0.0 if syllable % 6 == 5 else 1.0
        phase += f0_hz * glide * (1 + 0.2 * place) / rate
        pulse = 0.0
        if phase >= 1:
            phase -= 1
            pulse = 1.0
        swell = max(0.0, min(1.0, min((place - 0.2) / 0.15, (0.85 - place) / 0.25)))
        hush = max(0.0, min(1.0, min(place / 0.05, (0.25 - place) / 0.05)))
        noise = 2 * hiss.uniform() - 1
        value = loud * swell * (pulse * math.sqrt(rate) + 0.02 * noise)
        for i in range(3):
            value = resonators[i].step(value, formants[i] * shift, 60 + 30 * i, rate)
        samples.append(0.05 * value + 0.02 * loud * hush * noise)
    return np.array(samples, dtype=np.float32)


def energy(samples):
    return sum(float(x) * float(x) for x in samples)


def spoil(name, x, rate, seed=77):
    """What is left of `x` after a degradation, rounded to Float."""
    kind, _, amount = name.partition(" ")
    x = [float(value) for value in x]
    random = Random(seed)
    if kind in ("white", "pink"):
        noise = [2 * random.uniform() - 1 for _ in x]
        if kind == "pink":
            # Kellet's three-pole approximation.
            a = b = c = 0.0
            for n, white in enumerate(noise):
                a = 0.99765 * a + white * 0.0990460
                b = 0.96300 * b + white * 0.2965164
                c = 0.57000 * c + white * 1.0526913
                noise[n] = a + b + c + white * 0.1848
        gain = math.sqrt(energy(x) / energy(noise)) * 10 ** (-float(amount) / 20)
        y = [value + gain * n for value, n in zip(x, noise)]
    elif kind == "lowpass":
        y = x
        share = 1 - math.exp(-2 * math.pi * float(amount) / rate)
        for _ in range(4):
            state, out = 0.0, []
            for value in y:
                state += share * (value - state)
                out.append(state)
            y = out
    elif kind == "reverb":
        y = list(x)
        for ms in (29.7, 37.1, 41.1, 43.7):
            delay = int(ms / 1000 * rate)
            gain = 10 ** (-3 * ms / 1000 / float(amount))
            comb = []
            for n, value in enumerate(x):
                comb.append(value + (gain * comb[n - delay] if n >= delay else 0.0))
                y[n] += comb[n] - value
    elif kind == "clip":
        top = max(abs(value) for value in x) * float(amount)
        y = [max(-top, min(top, value)) for value in x]
    elif kind == "ring":
        y = [v * math.sin(2 * math.pi * float(amount) * n / rate) for n, v in enumerate(x)]
    elif kind == "gate":
        # Open and shut in turn, each for this many milliseconds: exact zeros.
        length = int(float(amount) / 1000 * rate)
        y = [value if n // length % 2 == 0 else 0.0 for n, value in enumerate(x)]
    else:
        raise ValueError(f"unknown degradation {name}")
    return np.array(y, dtype=np.float32)
