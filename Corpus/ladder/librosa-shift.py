"""Shifts a voice with librosa. Arguments: sound, result, semitones."""
import sys

import librosa
import soundfile

source, result, semitones = sys.argv[1:]
sound, rate = soundfile.read(source)
soundfile.write(result, librosa.effects.pitch_shift(sound, sr=rate, n_steps=float(semitones)), rate, "FLOAT")
