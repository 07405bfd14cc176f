// An LV2 plugin whose output is the number of frames in each block.
#include <lv2/core/lv2.h>
#include <stdlib.h>

typedef struct {
  float *output;
} Toy;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  (void)descriptor;
  (void)rate;
  (void)bundle;
  (void)features;
  return calloc(1, sizeof(Toy));
}

static void connect(LV2_Handle handle, uint32_t port, void *place) {
  Toy *toy = handle;
  if (port == 1) toy->output = place;
}

static void run(LV2_Handle handle, uint32_t count) {
  Toy *toy = handle;
  for (uint32_t i = 0; i < count; i++) toy->output[i] = count;
}

static void cleanup(LV2_Handle handle) { free(handle); }

static const LV2_Descriptor descriptor = {
    "urn:toy", instantiate, connect, NULL, run, NULL, cleanup, NULL};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index == 0 ? &descriptor : NULL;
}
