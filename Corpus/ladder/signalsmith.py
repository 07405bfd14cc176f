"""Shifts a voice with Signalsmith Stretch. Arguments: sound, result, semitones."""
import sys

import numpy
import soundfile
from python_stretch import Signalsmith

source, result, semitones = sys.argv[1:]
sound, rate = soundfile.read(source, dtype="float32", always_2d=True)
stretch = Signalsmith.Stretch()
stretch.preset(1, rate)
stretch.setTransposeSemitones(float(semitones))
soundfile.write(result, stretch.process(numpy.ascontiguousarray(sound.T)).T, rate, "FLOAT")
