"""A voice that is known exactly: harmonics through resonances, at any pitch with the same mouth.

Amplitude and phase of every harmonic are those of five resonances side by side (Klatt 1980) at its
frequency, on a source that falls by 3 dB an octave. Nothing is random but the hiss of consonants,
which is the same at every pitch. So the same clip at another pitch is what a shifter that keeps
formants should have made of it, to the sample. In a row instead, the resonances leave valleys of
60 dB, of which the figures of every shifter that works on frames then speak, and not of what is heard.

- Levels: a clip has an rms of 0.05 of full scale at every pitch.
"""

import numpy as np

RATE_HZ = 48_000
VOWELS_HZ = {
    "a": (700, 1220, 2600, 3300, 4200), "e": (400, 2000, 2800, 3500, 4500),
    "i": (280, 2250, 2900, 3500, 4500), "o": (450, 800, 2830, 3400, 4000),
    "u": (310, 870, 2250, 3300, 4000)}
STEADY = ((110, "a"), (165, "o"), (220, "e"), (262, "u"), (330, "a"), (440, "o"))
BURSTS_HZ = (184, 187, 190, 193, 199, 202, 205, 208)
SIZES = (1, 0.6, 0.35, 0.2, 0.15)  # of the formants
HIGHEST_HZ = 8_000
CONTROL = 48  # samples from one setting of the mouth to the next


def mouth(hz, formants):
    """Complex gain at `hz`; both may be arrays over time."""
    gain = 0.01
    for number, (formant, size) in enumerate(zip(formants, SIZES)):
        width = 60 + 0.04 * formant
        turned = 1j * hz * width
        gain = gain + (-1) ** number * size * turned / (formant ** 2 - hz ** 2 + turned)
    return gain


def source(hz):
    """With what leaves the lips, it falls by 3 dB an octave."""
    return hz ** -0.5


def level_db(hz, vowel):
    """The envelope of a steady vowel, source included."""
    return 20 * np.log10(np.abs(mouth(hz, VOWELS_HZ[vowel])) * source(hz))


def sing(f0, formants):
    """f0 by sample in Hz; formants five numbers, or five arrays over time."""
    turns, times = np.cumsum(f0) / RATE_HZ, np.arange(len(f0))
    formants = [x if np.isscalar(x) else x[::CONTROL] for x in formants]
    sound = np.zeros(len(f0))
    for number in range(1, int(HIGHEST_HZ / f0.min()) + 1):
        hz = number * f0[::CONTROL]
        gain = mouth(hz, formants) * source(hz)
        size = np.where(hz < HIGHEST_HZ, np.abs(gain), 0)
        size, turn = (
            np.interp(times, times[::CONTROL], x) for x in (size, np.unwrap(np.angle(gain))))
        sound += size * np.cos(2 * np.pi * number * turns + turn)
    return sound


def ramps(sound, seconds):
    count = int(seconds * RATE_HZ)
    rise = np.sin(np.linspace(0, np.pi / 2, count)) ** 2
    sound[:count] *= rise
    sound[-count:] *= rise[::-1]
    return sound


def brought_to(rms, sound):
    return rms * sound / np.sqrt((sound ** 2).mean())


def seconds(length):
    return np.arange(int(length * RATE_HZ)) / RATE_HZ


def steady(hz, vowel):
    def f0(ratio):
        return np.full(int(1.5 * RATE_HZ), ratio * hz)
    return lambda ratio: ramps(sing(f0(ratio), VOWELS_HZ[vowel]), 0.02)


def vibrato(ratio):
    cents = 50 * np.sin(2 * np.pi * 5.5 * seconds(2))
    return ramps(sing(ratio * 220 * 2 ** (cents / 1200), VOWELS_HZ["a"]), 0.02)


def glide(ratio):
    time = seconds(2)
    return ramps(sing(ratio * 147 * 2 ** np.clip((time - 0.2) / 1.6, 0, 1), VOWELS_HZ["e"]), 0.02)


def steps(ratio):
    """Eight notes of a scale on one breath, 40 ms from one to the next."""
    notes = np.repeat((0, 2, 4, 5, 7, 5, 4, 2), int(0.3 * RATE_HZ)).astype(float)
    width = int(0.04 * RATE_HZ)
    window = np.hanning(width) / np.hanning(width).sum()
    notes = np.convolve(np.pad(notes, width, "edge"), window, "same")
    return ramps(sing(ratio * 165 * 2 ** (notes[width:-width] / 12), VOWELS_HZ["o"]), 0.02)


def bursts(hz):
    """Short vowels at uneven times: nothing but their outline says how late they are."""
    def clip(ratio):
        sound = np.zeros(int(2.2 * RATE_HZ))
        vowel = ramps(sing(np.full(int(0.2 * RATE_HZ), ratio * hz), VOWELS_HZ["a"]), 0.01)
        for start in (0.1, 0.43, 0.83, 1.1, 1.47, 1.85):
            place = int(start * RATE_HZ)
            sound[place:place + len(vowel)] += vowel
        return sound
    return clip


def spoken(ratio):
    """Ten syllables that fall by an octave: a hiss or a stop, then from one vowel to another."""
    random = np.random.default_rng(7)
    hiss = random.standard_normal(RATE_HZ)
    spectrum = np.fft.rfft(hiss)
    hz = np.fft.rfftfreq(len(hiss), 1 / RATE_HZ)
    hiss = brought_to(0.3, np.fft.irfft(spectrum * ((hz > 3000) & (hz < 8000))))
    order = "aeiouaoieua"
    parts = []
    for number in range(10):
        if number % 2:
            parts.append(ramps(hiss[:int(0.07 * RATE_HZ)].copy(), 0.01))
        else:
            release = ramps(2 * hiss[:int(0.01 * RATE_HZ)].copy(), 0.002)
            parts.append(np.concatenate((np.zeros(int(0.04 * RATE_HZ)), release)))
        time = np.linspace(0, 1, int(0.22 * RATE_HZ))
        first, last = (np.array(VOWELS_HZ[order[number + k]], float) for k in (0, 1))
        way = 0.5 - 0.5 * np.cos(np.pi * np.clip(1.6 * time - 0.3, 0, 1))
        f0 = 210 * 2 ** (-0.08 * (number + time) + 0.12 * np.sin(np.pi * time))
        formants = [a + (b - a) * way for a, b in zip(first, last)]
        parts.append(ramps(brought_to(1, sing(ratio * f0, formants)), 0.015))
    return np.concatenate(parts)


def clips():
    """Each by its name: a function of the ratio to the lead's pitch."""
    found = {f"steady-{hz}": steady(hz, vowel) for hz, vowel in STEADY}
    found |= {"vibrato": vibrato, "glide": glide, "steps": steps, "spoken": spoken}
    found |= {f"bursts-{hz}": bursts(hz) for hz in BURSTS_HZ} | {"bursts": bursts(196)}

    def levelled(make):
        return lambda ratio: brought_to(0.05, make(ratio))
    return {name: levelled(make) for name, make in found.items()}
