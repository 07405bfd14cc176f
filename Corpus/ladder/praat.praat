# Shifts a voice by overlap-add of its periods. Arguments: sound, result, semitones.
form Shift
  sentence Input
  sentence Output
  real Semitones 0
endform

sound = Read from file: input$
manipulation = To Manipulation: 0.01, 60, 1000
tier = Extract pitch tier
points = Get number of points
if points > 0
  Multiply frequencies: 0, 1e6, 2 ^ (semitones / 12)
  plusObject: manipulation
  Replace pitch tier
endif
selectObject: manipulation
Get resynthesis (overlap-add)
Save as 32-bit WAV file: output$
