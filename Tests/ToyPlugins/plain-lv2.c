// An LV2 plugin without features: a one-pole low-pass filter.
typedef struct {
  float *ports[3], state;
} Toy;

#include "toy-lv2.h"

static void run(LV2_Handle handle, uint32_t count) {
  Toy *toy = handle;
  const float *input = toy->ports[0], *gain = toy->ports[2];
  for (uint32_t i = 0; i < count; i++) {
    toy->state = 0.9f * toy->state + *gain * input[i];
    toy->ports[1][i] = toy->state;
  }
}

TOY(instantiate_plain, NULL, run, NULL)
