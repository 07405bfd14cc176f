<CsoundSynthesizer>
; A choir of up to four voices by Csound: `pitchamdf` tracks the lead, `harmon2` repeats its periods
; at the pitch of each voice. Channel k of the output is voice k.
; Macros: IN (file), INTERVALS (semitones), DEGREES (0: none), TONES (pitch classes of the key), LOWEST and
; HIGHEST (pitch of the lead in Hz).
<CsInstruments>
ksmps = 32
nchnls = 4
0dbfs = 1

giIntervals[] fillarray $INTERVALS
giDegrees[] fillarray $DEGREES
giTones[] fillarray $TONES
giSeconds filelen $IN

instr 1
  aLead diskin2 $IN, 1
  chnset aLead, "lead"
  kHz, kLevel pitchamdf aLead, $LOWEST, $HIGHEST
  kOct = octcps(kHz)
  chnset kOct, "oct"
endin

; Voice p4, from 0.
instr 2
  aLead chnget "lead"
  kOct chnget "oct"
  kShift init 0
  if giDegrees[0] == 0 then
    kShift = giIntervals[p4]
  else
    ; The tone of the key nearest to the lead, then as many steps of the key as the degree says.
    kNote = 12 * (kOct - 3)
    kTone = round(kNote)
    kBest = 99
    kCount = lenarray(giTones)
    kTry = round(kNote) - 6
    while kTry <= round(kNote) + 6 do
      kIndex = 0
      while kIndex < kCount do
        if (kTry + 1200) % 12 == giTones[kIndex] && abs(kTry - kNote) < kBest then
          kBest = abs(kTry - kNote)
          kTone = kTry
        endif
        kIndex += 1
      od
      kTry += 1
    od
    kDegree = giDegrees[p4]
    kSteps = abs(kDegree) - 1
    kWay = kDegree > 0 ? 1 : -1
    kHere = kTone
    while kSteps > 0 do
      kHere += kWay
      kIndex = 0
      while kIndex < kCount do
        if (kHere + 1200) % 12 == giTones[kIndex] then
          kSteps -= 1
        endif
        kIndex += 1
      od
    od
    kShift = kHere - kTone
  endif
  aVoice harmon2 aLead, kOct, semitone(kShift), 0, 0, octcps($LOWEST)
  outch p4 + 1, aVoice
endin

instr 3
  event_i "e", 0
endin

schedule 1, 0, giSeconds
giCount = giDegrees[0] == 0 ? lenarray(giIntervals) : lenarray(giDegrees)
giVoice = 0
while giVoice < giCount do
  schedule 2 + 0.1 * (giVoice + 1), 0, giSeconds, giVoice
  giVoice += 1
od
schedule 3, giSeconds, 0.01
</CsInstruments>
<CsScore>
</CsScore>
</CsoundSynthesizer>
