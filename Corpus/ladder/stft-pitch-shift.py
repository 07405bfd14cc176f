"""Shifts a voice with stftPitchShift, formants kept. Arguments: sound, result, ratio of frequencies."""
import sys

import soundfile
from stftpitchshift import StftPitchShift

source, result, ratio = sys.argv[1:]
sound, rate = soundfile.read(source)
shifter = StftPitchShift(2048, 2048 // 16, rate)
soundfile.write(result, shifter.shiftpitch(sound, float(ratio), quefrency=1e-3), rate, "FLOAT")
