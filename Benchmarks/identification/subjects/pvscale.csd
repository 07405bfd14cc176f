<CsoundSynthesizer>
; Up to four voices by Csound's streaming phase vocoder. Channel k of the output is voice k.
; Macros: IN (file), INTERVALS (semitones), WINDOW (samples), OVERLAP (hops in a window),
; FORMANTS (0 moved, 1 cepstrum, 2 true envelope).
<CsInstruments>
ksmps = 32
nchnls = 4
0dbfs = 1

giIntervals[] fillarray $INTERVALS
giSeconds filelen $IN

; Voice p4, from 0.
instr 1
  aLead diskin2 $IN, 1
  fLead pvsanal aLead, $WINDOW, $WINDOW / $OVERLAP, $WINDOW, 1
  fVoice pvscale fLead, semitone(giIntervals[p4]), $FORMANTS
  aVoice pvsynth fVoice
  outch p4 + 1, aVoice
endin

instr 2
  event_i "e", 0
endin

giVoice = 0
while giVoice < lenarray(giIntervals) do
  schedule 1 + 0.1 * (giVoice + 1), 0, giSeconds, giVoice
  giVoice += 1
od
schedule 2, giSeconds, 0.01
</CsInstruments>
<CsScore>
</CsScore>
</CsoundSynthesizer>
