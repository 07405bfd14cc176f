// An LV2 plugin whose output is the number of frames in each block.
typedef struct {
  float *ports[2];
} Toy;

#include "toy-lv2.h"

static void run(LV2_Handle handle, uint32_t count) {
  float *output = ((Toy *)handle)->ports[1];
  for (uint32_t i = 0; i < count; i++) output[i] = count;
}

TOY(instantiate_plain, NULL, run, NULL)
