// The frame of a toy plugin of LV2, for a source that has defined Toy, with its ports first.
#include <lv2/core/lv2.h>
#include <stdlib.h>
#include <string.h>

__attribute__((unused)) static LV2_Handle instantiate_plain(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  (void)descriptor;
  (void)rate;
  (void)bundle;
  (void)features;
  return calloc(1, sizeof(Toy));
}

static void connect(LV2_Handle handle, uint32_t port, void *place) {
  ((Toy *)handle)->ports[port] = place;
}

static void cleanup(LV2_Handle handle) { free(handle); }

// Exports the plugin; functions that it lacks are NULL.
#define TOY(instantiate, activate, run, extension)                                              \
  static const LV2_Descriptor descriptor = {                                                    \
      "urn:toy", instantiate, connect, activate, run, NULL, cleanup, extension};                \
  LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {                      \
    return index == 0 ? &descriptor : NULL;                                                     \
  }
