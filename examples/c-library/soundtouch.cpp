// SoundTouch's library as a subject of kind `library`, with options that its program hides.
//
//   c++ -O2 -shared -fPIC -I../../Sources/CLibraries/CPluginHost -o libsoundtouch-subject.so soundtouch.cpp -lSoundTouch
//
// What the library holds back is silence first, as in an audio callback: its delay is heard, and measured.
#include "choir_subject.h"

#include <algorithm>
#include <cstring>
#include <soundtouch/SoundTouch.h>

using soundtouch::SoundTouch;

void *choir_subject_create(double sample_rate_hz, uint32_t) {
  auto *shifter = new SoundTouch;
  shifter->setSampleRate((unsigned)sample_rate_hz);
  shifter->setChannels(1);
  return shifter;
}

int choir_subject_set(void *subject, const char *name, double value) {
  auto *shifter = static_cast<SoundTouch *>(subject);
  if (!std::strcmp(name, "semitones")) return shifter->setPitchSemiTones(value), 0;
  // 0 ms: SoundTouch chooses the window by the tempo.
  if (!std::strcmp(name, "sequenceMs")) return !shifter->setSetting(SETTING_SEQUENCE_MS, (int)value);
  if (!std::strcmp(name, "seekMs")) return !shifter->setSetting(SETTING_SEEKWINDOW_MS, (int)value);
  if (!std::strcmp(name, "overlapMs")) return !shifter->setSetting(SETTING_OVERLAP_MS, (int)value);
  return 1;
}

void choir_subject_process(void *subject, const float *input, float *output, uint32_t frames) {
  auto *shifter = static_cast<SoundTouch *>(subject);
  shifter->putSamples(input, frames);
  uint32_t count = std::min(frames, (uint32_t)shifter->numSamples());
  std::fill(output, output + frames - count, 0.f);
  shifter->receiveSamples(output + frames - count, count);
}

uint32_t choir_subject_latency(void *subject) {
  return (uint32_t)static_cast<SoundTouch *>(subject)->getSetting(SETTING_INITIAL_LATENCY);
}

void choir_subject_destroy(void *subject) { delete static_cast<SoundTouch *>(subject); }
