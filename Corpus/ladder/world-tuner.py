"""Tunes a voice with the WORLD vocoder. Arguments: sound, result, pitch classes of the key (C is 0)."""
import sys

import numpy
import pyworld
import soundfile

source, result, classes = sys.argv[1:]
sound, rate = soundfile.read(source)
f0, times = pyworld.harvest(sound, rate, f0_floor=60, f0_ceil=1000)
tones = numpy.array([tone for tone in range(128) if tone % 12 in map(int, classes.split(","))])
voiced = f0 > 0
notes = 69 + 12 * numpy.log2(f0[voiced] / 440)
nearest = tones[numpy.abs(notes[:, None] - tones[None, :]).argmin(axis=1)]
tuned = numpy.zeros_like(f0)
tuned[voiced] = 440 * 2 ** ((nearest - 69) / 12)
envelope = pyworld.cheaptrick(sound, f0, times, rate)
aperiodicity = pyworld.d4c(sound, f0, times, rate)
output = pyworld.synthesize(tuned, envelope, aperiodicity, rate)
soundfile.write(result, numpy.resize(numpy.append(output, numpy.zeros(len(sound))), len(sound)), rate, "FLOAT")
