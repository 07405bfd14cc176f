// A delay line as a LADSPA plugin, with a fault to choose: cc -DFAULT_CRASHES …
#include <ladspa.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { DELAY = 64 };

typedef struct {
  LADSPA_Data *ports[4];
  LADSPA_Data line[DELAY];
  unsigned long place;
  int activations;
  double hours, leak;
  LADSPA_Data last;
} Toy;

#ifdef FAULT_CRASHES_AT_LOAD
__attribute__((constructor)) static void load(void) { *(volatile int *)8 = 1; }
#endif

static LADSPA_Handle instantiate(const LADSPA_Descriptor *descriptor, unsigned long rate) {
  (void)descriptor;
  (void)rate;
#ifdef FAULT_REFUSES
  return NULL;
#endif
#ifdef FAULT_ABORTS_AT_START
  abort();
#endif
#ifdef FAULT_EATS_MEMORY
  for (;;) *(volatile char *)malloc(1 << 26) = 1;
#endif
  return calloc(1, sizeof(Toy));
}

static void connect(LADSPA_Handle handle, unsigned long port, LADSPA_Data *place) {
  ((Toy *)handle)->ports[port] = place;
}

static void activate(LADSPA_Handle handle) {
  Toy *toy = handle;
#ifndef FAULT_STALE
  for (int i = 0; i < DELAY; i++) toy->line[i] = 0;
  toy->place = 0;
#endif
  toy->activations++;
#ifdef FAULT_DIES_ON_REACTIVATION
  if (toy->activations == 2) abort();
#endif
}

static void run(LADSPA_Handle handle, unsigned long count) {
  Toy *toy = handle;
  const LADSPA_Data *input = toy->ports[0];
  LADSPA_Data *output = toy->ports[1];
#ifdef FAULT_CRASHES
  if (toy->place > 1000) *(volatile int *)8 = 1;
#endif
#ifdef FAULT_EXITS
  if (toy->place > 1000) _exit(0);
#endif
#ifdef FAULT_DIVIDES
  volatile int zero = 0;
  zero = 7 % zero;
#endif
#ifdef FAULT_PRINTS
  puts("this is no sound");
#endif
#ifdef FAULT_FORKS
  if (toy->place == 0 && fork() == 0) sleep(600);
#endif
#ifdef FAULT_GARBLES
  // More than any message of the host: a plugin can reach its host's pipe.
  static const unsigned char noise[64] = {[0 ... 63] = 0xff};
  for (int file = 3; file < 16; file++) {
    if (write(file, noise, sizeof noise) > 0) break;
  }
#endif
#ifdef FAULT_HANGS
  while (toy->place > 1000) usleep(1000);
#endif
#ifdef FAULT_ALLOCATES
  char *volatile memory = malloc(100);
  free(memory);
#endif
  float gain = exp2f(*toy->ports[2] / 12);
  unsigned delay = DELAY;
#if defined FAULT_LATENCY_MOVES || defined FAULT_LATENCY_MOVES_UNTOLD
  if (*toy->ports[2] > 6) delay = DELAY / 2;
#endif
  toy->hours += count / 48000. / 3600;
#ifdef FAULT_FADES
  gain *= powf(10, -toy->hours / 20);
#endif
#ifdef FAULT_LEAKS
  // 10 kB a minute.
  for (toy->leak += 60 * 10240. * count / 48000 / 3600; toy->leak > 1024; toy->leak -= 1024)
    *(volatile char *)malloc(1024) = 1;
#endif
#ifdef FAULT_SLOWS
  for (volatile unsigned long i = 0; i < toy->hours * 1000000; i++) {}
#endif
  for (unsigned long i = 0; i < count; i++) {
    LADSPA_Data now = input[i];
    output[i] = gain * toy->line[(toy->place - delay) % DELAY];
    toy->line[toy->place++ % DELAY] = now;
#if defined FAULT_DRIFTS || defined FAULT_CREEPS
    // One sample an hour, later or earlier.
    LADSPA_Data whole = output[i], share = toy->hours;
#ifdef FAULT_CREEPS
    share = 1 - share;
#endif
    output[i] += share * (toy->last - whole);
    toy->last = whole;
#endif
  }
#ifdef FAULT_SHORT_BLOCKS
  if (count < 8) output[0] = 0;
#endif
#ifdef FAULT_LONG_BLOCKS
  for (unsigned long i = 512; i < count; i++) output[i] *= 0.99f;
#endif
#ifdef FAULT_NAN
  if (toy->place > 1000) output[0] = NAN;
#endif
#ifdef FAULT_INFINITE
  if (toy->place > 1000) output[0] = INFINITY;
#endif
#ifdef FAULT_SILENT
  for (unsigned long i = 0; i < count; i++) output[i] = 0;
#endif
#ifdef FAULT_OUT_OF_BOUNDS
  output[count] = 1;
#endif
#ifdef FAULT_BEFORE_BOUNDS
  output[-1] = 1;
#endif
#ifdef FAULT_BESIDE_A_CONTROL
  toy->ports[2][1] = 1;
#endif
#ifdef FAULT_WRONG_LATENCY
  *toy->ports[3] = DELAY + 480;
#elif defined FAULT_LATENCY_LIES
  *toy->ports[3] = *toy->ports[2] > 6 ? DELAY + 100 : DELAY;
#elif defined FAULT_LATENCY_MOVES
  *toy->ports[3] = delay;
#elif defined FAULT_LATENCY_NAN
  *toy->ports[3] = NAN;
#else
  *toy->ports[3] = DELAY;
#endif
}

static void cleanup(LADSPA_Handle handle) { free(handle); }

static const LADSPA_PortDescriptor kinds[4] = {
    LADSPA_PORT_INPUT | LADSPA_PORT_AUDIO, LADSPA_PORT_OUTPUT | LADSPA_PORT_AUDIO,
    LADSPA_PORT_INPUT | LADSPA_PORT_CONTROL, LADSPA_PORT_OUTPUT | LADSPA_PORT_CONTROL};
static const char *const names[4] = {"Input", "Output", "Semitones", "latency"};
static const LADSPA_PortRangeHint hints[4] = {
    {0, 0, 0},
    {0, 0, 0},
#ifdef FAULT_INFINITE_BOUNDS
    {LADSPA_HINT_BOUNDED_BELOW | LADSPA_HINT_BOUNDED_ABOVE | LADSPA_HINT_DEFAULT_0, -INFINITY, INFINITY},
#else
    {LADSPA_HINT_BOUNDED_BELOW | LADSPA_HINT_BOUNDED_ABOVE | LADSPA_HINT_DEFAULT_0, -12, 12},
#endif
    {0, 0, 0}};

static const LADSPA_Descriptor descriptor = {
    .Label = "toy",
    .Name = "Toy",
    .Maker = "",
    .Copyright = "",
    .PortCount = 4,
    .PortDescriptors = kinds,
    .PortNames = names,
    .PortRangeHints = hints,
    .instantiate = instantiate,
    .connect_port = connect,
    .activate = activate,
    .run = run,
    .cleanup = cleanup,
};

const LADSPA_Descriptor *ladspa_descriptor(unsigned long index) {
  return index == 0 ? &descriptor : NULL;
}
