// An LV2 plugin that needs what the host offers: it adds to its input the velocity of the last MIDI
// note, and a worker counts the blocks in its second output.
#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/core/lv2.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <lv2/buf-size/buf-size.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const float *input, *gain;
  float *output, *count;
  const LV2_Atom_Sequence *events;
  const LV2_Worker_Schedule *worker;
  LV2_URID midi;
  float velocity, done, most;
} Toy;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  (void)descriptor;
  (void)rate;
  (void)bundle;
  Toy *toy = calloc(1, sizeof(Toy));
  const LV2_URID_Map *map = NULL;
  const LV2_Options_Option *options = NULL;
  for (int i = 0; features[i]; i++) {
    if (!strcmp(features[i]->URI, LV2_URID__map)) map = features[i]->data;
    if (!strcmp(features[i]->URI, LV2_WORKER__schedule)) toy->worker = features[i]->data;
    if (!strcmp(features[i]->URI, LV2_OPTIONS__options)) options = features[i]->data;
  }
  if (!map || !toy->worker || !options) return NULL;
  toy->midi = map->map(map->handle, LV2_MIDI__MidiEvent);
  LV2_URID most = map->map(map->handle, LV2_BUF_SIZE__maxBlockLength);
  for (; options->key; options++) {
    if (options->key == most) toy->most = *(const int *)options->value;
  }
  return toy;
}

static void connect(LV2_Handle handle, uint32_t port, void *place) {
  Toy *toy = handle;
  switch (port) {
  case 0: toy->input = place; break;
  case 1: toy->output = place; break;
  case 2: toy->count = place; break;
  case 3: toy->events = place; break;
  case 4: toy->gain = place; break;
  }
}

static void activate(LV2_Handle handle) {
  Toy *toy = handle;
  toy->velocity = toy->done = 0;
}

static void run(LV2_Handle handle, uint32_t count) {
  Toy *toy = handle;
  if (count > toy->most) abort();
  uint32_t next = 0;
  LV2_ATOM_SEQUENCE_FOREACH(toy->events, event) {
    for (; next < event->time.frames; next++) toy->output[next] = toy->velocity;
    const uint8_t *bytes = (const uint8_t *)(event + 1);
    if (event->body.type == toy->midi && bytes[0] == 0x90) toy->velocity = bytes[2];
  }
  for (; next < count; next++) toy->output[next] = toy->velocity;
  for (uint32_t i = 0; i < count; i++) {
    toy->output[i] += *toy->gain * toy->input[i];
    toy->count[i] = toy->done;
  }
  toy->worker->schedule_work(toy->worker->handle, 4, &toy->done);
}

static LV2_Worker_Status work(
    LV2_Handle handle, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle target,
    uint32_t size, const void *data) {
  (void)handle;
  float more = *(const float *)data + 1;
  return respond(target, size, &more);
}

static LV2_Worker_Status answer(LV2_Handle handle, uint32_t size, const void *data) {
  (void)size;
  ((Toy *)handle)->done = *(const float *)data;
  return LV2_WORKER_SUCCESS;
}

static const void *extension(const char *uri) {
  static const LV2_Worker_Interface worker = {work, answer, NULL};
  return strcmp(uri, LV2_WORKER__interface) ? NULL : &worker;
}

static void cleanup(LV2_Handle handle) { free(handle); }

static const LV2_Descriptor descriptor = {
    "urn:toy", instantiate, connect, activate, run, NULL, cleanup, extension};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index == 0 ? &descriptor : NULL;
}
