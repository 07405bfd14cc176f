"""Shifts a voice with the WORLD vocoder. Arguments: sound, result, semitones."""
import sys

import numpy
import pyworld
import soundfile

source, result, semitones = sys.argv[1:]
sound, rate = soundfile.read(source)
f0, times = pyworld.harvest(sound, rate, f0_floor=60, f0_ceil=1000)
envelope = pyworld.cheaptrick(sound, f0, times, rate)
aperiodicity = pyworld.d4c(sound, f0, times, rate)
shifted = pyworld.synthesize(f0 * 2 ** (float(semitones) / 12), envelope, aperiodicity, rate)
soundfile.write(result, numpy.resize(numpy.append(shifted, numpy.zeros(len(sound))), len(sound)), rate, "FLOAT")
