// An LV2 plugin with a setting that no port shows: its output is its input times `depth`, which a preset sets
// and its state holds. With -DFAULT_FORGETS it saves none, with -DFAULT_CRASHES it trusts any value.
#include <lv2/atom/atom.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>

typedef struct {
  float *ports[3], depth;
  LV2_URID key, type;
} Toy;

#include "toy-lv2.h"

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  Toy *toy = instantiate_plain(descriptor, rate, bundle, features);
  toy->depth = 1;
  for (int i = 0; features[i]; i++) {
    if (strcmp(features[i]->URI, LV2_URID__map)) continue;
    const LV2_URID_Map *map = features[i]->data;
    toy->key = map->map(map->handle, "urn:toy#depth");
    toy->type = map->map(map->handle, LV2_ATOM__Int);
  }
  return toy;
}

static void run(LV2_Handle handle, uint32_t count) {
  Toy *toy = handle;
  const float *input = toy->ports[0], *gain = toy->ports[2];
  for (uint32_t i = 0; i < count; i++) toy->ports[1][i] = toy->depth * *gain * input[i];
}

static LV2_State_Status save(
    LV2_Handle handle, LV2_State_Store_Function store, LV2_State_Handle target, uint32_t flags,
    const LV2_Feature *const *features) {
  (void)flags;
  (void)features;
  Toy *toy = handle;
  int32_t depth = (int32_t)toy->depth;
#ifndef FAULT_FORGETS
  store(target, toy->key, &depth, sizeof depth, toy->type, LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE);
#endif
  return LV2_STATE_SUCCESS;
}

static LV2_State_Status restore(
    LV2_Handle handle, LV2_State_Retrieve_Function retrieve, LV2_State_Handle source, uint32_t flags,
    const LV2_Feature *const *features) {
  (void)features;
  Toy *toy = handle;
  size_t size = 0;
  uint32_t type = 0;
  const int32_t *depth = retrieve(source, toy->key, &size, &type, &flags);
  if (!depth || size != sizeof *depth || type != toy->type) return LV2_STATE_ERR_NO_PROPERTY;
#ifdef FAULT_CRASHES
  if (*depth > 3) *(volatile int *)8 = 1;
#else
  if (*depth < 0 || *depth > 3) return LV2_STATE_ERR_BAD_TYPE;
#endif
  toy->depth = (float)*depth;
  return LV2_STATE_SUCCESS;
}

static const void *extension(const char *uri) {
  static const LV2_State_Interface state = {save, restore};
  return strcmp(uri, LV2_STATE__interface) ? NULL : &state;
}

TOY(instantiate, NULL, run, extension)
