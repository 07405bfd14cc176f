// An LV2 plugin that needs what the host offers: it adds to its input the velocity of the last MIDI
// note, and a worker counts the blocks in its second output.
#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>

typedef struct {
  void *ports[5];
  const LV2_Worker_Schedule *worker;
  LV2_URID midi;
  float velocity, done, most;
} Toy;

#include "toy-lv2.h"

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  Toy *toy = instantiate_plain(descriptor, rate, bundle, features);
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

static void activate(LV2_Handle handle) {
  Toy *toy = handle;
  toy->velocity = toy->done = 0;
}

static void run(LV2_Handle handle, uint32_t count) {
  Toy *toy = handle;
  const float *input = toy->ports[0], *gain = toy->ports[4];
  float *output = toy->ports[1], *done = toy->ports[2];
  const LV2_Atom_Sequence *events = toy->ports[3];
  if (count > toy->most) abort();
  uint32_t next = 0;
  LV2_ATOM_SEQUENCE_FOREACH(events, event) {
    for (; next < event->time.frames; next++) output[next] = toy->velocity;
    const uint8_t *bytes = (const uint8_t *)(event + 1);
    if (event->body.type == toy->midi && bytes[0] == 0x90) toy->velocity = bytes[2];
  }
  for (; next < count; next++) output[next] = toy->velocity;
  for (uint32_t i = 0; i < count; i++) {
    output[i] += *gain * input[i];
    done[i] = toy->done;
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

TOY(instantiate, activate, run, extension)
