# Tunes a voice by overlap-add of its periods. Arguments: sound, result, pitch classes of the key (C is 0),
# separated by commas.
form Tune
  sentence Input
  sentence Output
  sentence Tones
endform

sound = Read from file: input$
manipulation = To Manipulation: 0.01, 60, 1000
tier = Extract pitch tier
points = Get number of points
selectObject: sound
duration = Get total duration
tuned = Create PitchTier: "tuned", 0, duration
for point to points
  selectObject: tier
  hertz = Get value at index: point
  time = Get time from index: point
  note = 69 + 12 * log2 (hertz / 440)
  nearest = note
  distance = 99
  for step to 13
    tone = round (note) + step - 7
    class = tone mod 12
    if index ("," + tones$ + ",", "," + string$ (class) + ",") and abs (tone - note) < distance
      nearest = tone
      distance = abs (tone - note)
    endif
  endfor
  selectObject: tuned
  Add point: time, 440 * 2 ^ ((nearest - 69) / 12)
endfor
if points > 0
  selectObject: tuned, manipulation
  Replace pitch tier
endif
selectObject: manipulation
Get resynthesis (overlap-add)
Save as 32-bit WAV file: output$
