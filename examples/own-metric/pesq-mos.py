"""PESQ of a voice: pesq-mos.py OUTPUT.wav REFERENCE.wav, both 16 bit at 16 kHz."""

import sys
import wave

import numpy
import pesq

# P.862 was validated for sounds of up to about 15 s, and the package needs a quarter of a second.
SECONDS = (0.25, 15)


def samples(path):
    with wave.open(path) as file:
        return numpy.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)


output, reference = map(samples, sys.argv[1:])
count = min(len(output), len(reference))
if not SECONDS[0] <= count / 16000 <= SECONDS[1]:
    print(f"not applicable: the sound lasts {count / 16000:.2f} s; PESQ judges {SECONDS[0]} to {SECONDS[1]} s")
else:
    try:
        print(pesq.pesq(16000, reference[:count], output[:count], "wb"))
    except pesq.NoUtterancesError:
        print("undefined: PESQ finds no speech")
