"""ViSQOL of a voice: visqol-mos.py OUTPUT.wav REFERENCE.wav, both at 48 kHz."""

import sys
import wave

import visqol

output, reference = sys.argv[1:]
with wave.open(output) as file:
    seconds = file.getnframes() / file.getframerate()
if seconds < 1:
    print(f"not applicable: the sound lasts {seconds:.2f} s; ViSQOL needs 1 s")
else:
    judge = visqol.VisqolApi()
    judge.create(mode="audio")
    print(judge.measure(reference, output).moslqo)
