<CsoundSynthesizer>
; Tunes a voice by Csound: pitchamdf finds the note, the streaming phase vocoder moves it to the nearest tone.
; Macros: IN (file), TONES (pitch classes of the key, C is 0).
<CsInstruments>
ksmps = 32
nchnls = 1
0dbfs = 1

giTones[] fillarray $TONES
giSeconds filelen $IN

instr 1
  aLead diskin2 $IN, 1
  kHertz, kLevel pitchamdf aLead, 70, 900
  kNote = 69 + 12 * log2(max(kHertz, 1) / 440)
  ; Semitones from the nearest tone, by the nearest octave.
  kNearest = 12
  kTone = 0
  while kTone < lenarray(giTones) do
    kDistance = kNote - giTones[kTone]
    kDistance = kDistance - 12 * round(kDistance / 12)
    if abs(kDistance) < abs(kNearest) then
      kNearest = kDistance
    endif
    kTone += 1
  od
  fLead pvsanal aLead, 2048, 256, 2048, 1
  fTuned pvscale fLead, semitone(-kNearest), 2
  out pvsynth(fTuned)
endin

instr 2
  event_i "e", 0
endin

schedule 1, 0, giSeconds
schedule 2, giSeconds, 0.01
</CsInstruments>
<CsScore>
</CsScore>
</CsoundSynthesizer>
