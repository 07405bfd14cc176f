// Plugins without a fault, each in every form: LADSPA, LV2, CLAP, the functions of choir_subject.h, and a stream.
//
//   cc -shared -fPIC …      a library of all plugins; choir_subject.h has the one that -DCORE=echo names
//   cc -DPROGRAM …          a program: `sound FOLDER` describes all, `sound NAME RATE [CONTROL=VALUE]…` is a stream
//
// A plugin computes sample by sample, so blocks can't matter; a reset forgets all but its controls.
#include "choir_subject.h"
#include "clap_abi.h"
#include <complex.h>
#include <ladspa.h>
#include <lv2/core/lv2.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 17, MOST = 64, FRAME = 256, HOP = 64 };
typedef enum { PLAIN, LOGARITHMIC, INTEGER, SWITCH, BYPASS } Kind;

typedef struct {
  const char *symbol;
  double low, high, preset;
  Kind kind;
} Control;

typedef struct Core Core;
typedef struct {
  const Core *core;
  double rate, value[MOST], smooth[MOST];  // a control, and what it has come to: 50 ms behind
  double z[16], gain[LINE / FRAME];
  float line[LINE];
  unsigned n, seed, latency, left;  // `left`: in the block
  bool has_begun;
  float meter;
  float *ports[MOST + 5];
  clap_plugin plugin;
  const clap_host *host;
} Toy;

struct Core {
  const char *name;
  double (*next)(Toy *, double in, double *right);
  double latencyMs, latencyMsOfControl;  // fixed, and by the value of the first control
  unsigned outputs;
  Control controls[6];
  unsigned repeats;  // of the first control
};

static float at(const Toy *toy, double delay) {
  unsigned whole = (unsigned)delay, now = toy->n + LINE - whole;
  float part = (float)(delay - whole), newer = toy->line[now % LINE];
  return newer + part * (toy->line[(now - 1) % LINE] - newer);
}
static double push(Toy *toy, double in) { return toy->line[toy->n % LINE] = (float)in; }
static double pole(Toy *toy, double ms) { return 1 - exp(-1000 / (ms * toy->rate)); }
static double decibels(double db) { return pow(10, db / 20); }
static double noise(Toy *toy) { return (toy->seed = toy->seed * 1664525u + 1013904223u) / 2147483648.0 - 1; }
static double turn(Toy *toy, double hz) { return 2 * M_PI * fmod(toy->n * (hz / toy->rate), 1); }

// A state-variable filter (Simper 2013) in two states: low, band, high, notch.
static double filter(Toy *toy, double *z, double in, double hz, double q, int mode) {
  double g = tan(M_PI * fmin(hz, 0.45 * toy->rate) / toy->rate), k = 1 / q, a = 1 / (1 + g * (g + k));
  double band = a * (z[0] + g * (in - z[1])), low = z[1] + g * band, high = in - low - k * band;
  z[0] = 2 * band - z[0], z[1] = 2 * low - z[1];
  return mode == 0 ? low : mode == 1 ? band : mode == 2 ? high : low + high;
}

#define CORE_OF(name) static double name(Toy *t, double in, double *right)
#define S(i) t->smooth[i]
#define V(i) t->value[i]

CORE_OF(gain) { return (void)right, in * decibels(S(0)); }
CORE_OF(delay) { return (void)right, push(t, in), at(t, t->latency); }
CORE_OF(lowpass) { return (void)right, filter(t, t->z, in, S(0), S(1), 0); }
CORE_OF(modes) { return (void)right, filter(t, t->z, in, 1000, 1, (int)V(0)); }
CORE_OF(limiter) {
  (void)right, push(t, in);
  t->z[1] = fabs(in) >= t->z[0] ? 0 : t->z[1] + 1;
  if (t->z[1] == 0) t->z[0] = fabs(in);
  if (t->z[1] > 2 * t->latency) t->z[0] *= 0.999;
  t->z[2] += pole(t, 0.5) * (fmin(1, decibels(S(0)) / fmax(t->z[0], 1e-9)) - t->z[2]);
  return at(t, t->latency) * t->z[2];
}
CORE_OF(pan) { return *right = in * sin(M_PI_4 * (1 + S(0))), in * cos(M_PI_4 * (1 + S(0))); }
CORE_OF(convolution) {
  (void)right, push(t, in);
  double sum = 0;
  for (int i = 0; i < 128; i++) sum += at(t, i) * exp(-i / 20.0) * cos(0.9 * i);
  return sum * S(0);
}
CORE_OF(tremolo) { return (void)right, in * (1 - S(1) * (0.5 - 0.5 * cos(turn(t, V(0))))); }
CORE_OF(gate) {
  (void)right, t->z[0] = fmax(fabs(in), t->z[0] * (1 - pole(t, 30)));
  t->z[1] += pole(t, 5) * ((t->z[0] > decibels(S(0))) - t->z[1]);
  return in * t->z[1] + decibels(-120) * noise(t);
}
static void transform(double complex *x, unsigned count, double sign) {
  if (count == 1) return;
  double complex even[FRAME / 2], odd[FRAME / 2];
  for (unsigned i = 0; i < count / 2; i++) even[i] = x[2 * i], odd[i] = x[2 * i + 1];
  transform(even, count / 2, sign), transform(odd, count / 2, sign);
  for (unsigned i = 0; i < count / 2; i++) {
    double complex turned = odd[i] * cexp(sign * 2 * M_PI * I * i / count);
    x[i] = even[i] + turned, x[i + count / 2] = even[i] - turned;
  }
}
CORE_OF(spectrum) {  // overlap-add under two Hann windows of 256, which add up to 1.5
  (void)right, push(t, in);
  if (t->n % HOP == HOP - 1) {
    double complex x[FRAME];
    for (int i = 0; i < FRAME; i++) x[i] = at(t, FRAME - 1 - i) * pow(sin(M_PI * i / FRAME), 2);
    transform(x, FRAME, -1);
    for (int i = 0; i < FRAME; i++) x[i] *= decibels(-S(0) * (i < FRAME / 2 ? i : FRAME - i) / (FRAME / 2.0));
    transform(x, FRAME, 1);
    for (int i = 0; i < FRAME; i++)
      t->gain[(t->n + 1 + i) % (2 * FRAME)] += creal(x[i]) / FRAME * pow(sin(M_PI * i / FRAME), 2) / 1.5;
  }
  double out = t->gain[t->n % (2 * FRAME)];
  t->gain[t->n % (2 * FRAME)] = 0;
  return out;
}
CORE_OF(echo) {
  double wet = at(t, fmin(S(0) * t->rate / 1000, LINE - 2));
  return (void)right, push(t, in + S(1) * wet), in + S(2) * wet;
}
CORE_OF(compressor) {
  (void)right;
  double over = fmax(0, 20 * log10(fabs(in) + 1e-9) - S(0)) * (1 - 1 / S(1));
  t->z[0] += pole(t, over > t->z[0] ? 5 : 100) * (over - t->z[0]);
  return in * decibels(-t->z[0]);
}
CORE_OF(shifter) {  // two taps that sweep through 30 ms; at 0 semitones one goes back to the middle, in 50 ms
  (void)right, push(t, in);
  if (fabs(S(0)) < 1e-3) t->z[0] += pole(t, 10) * (rint(t->z[0]) - t->z[0]);
  double window = 0.03 * t->rate, out = 0;
  t->z[0] += (1 - exp2(S(0) / 12)) / window, t->z[0] -= floor(t->z[0]);
  for (int tap = 0; tap < 2; tap++) {
    double phase = fmod(t->z[0] + 0.5 + 0.5 * tap, 1);
    out += pow(sin(M_PI * phase), 2) * at(t, 1 + phase * window);
  }
  return out;
}
CORE_OF(ring) { return (void)right, in * sin(turn(t, V(0))); }
CORE_OF(phaser) {
  (void)right;
  double a = 0.6 + 0.3 * sin(turn(t, 0.4)), out = in;
  for (int i = 0; i < 6; i++) {
    double y = t->z[i] - a * out;
    t->z[i] = out + a * y, out = y;
  }
  return in + S(0) * out;
}
CORE_OF(dcblock) {
  (void)right, t->z[0] = in - t->z[1] + 0.995 * t->z[0], t->z[1] = in;
  return t->z[0] * (1 - 2 * S(0));
}
CORE_OF(equalizer) {
  (void)right, push(t, in);
  double out = 0;
  for (int i = 0; i < MOST; i++) out += S(i) * at(t, i);
  return out;
}
CORE_OF(reverb) {  // four combs of 4 s to -60 dB, each in a quarter of the line
  (void)right;
  static const unsigned lengths[4] = {1487, 1601, 1867, 2053};
  double out = 0;
  for (unsigned i = 0; i < 4; i++) {
    float *place = t->line + i * LINE / 4 + t->n % lengths[i];
    out += *place;
    *place = (float)(in + pow(10, -3.0 * lengths[i] / (4 * t->rate)) * *place);
  }
  return in + S(0) * out / 4;
}
CORE_OF(saturation) { return (void)right, tanh(S(0) * in + (V(1) > 0.5 ? 0.1 : 0)); }
CORE_OF(chorus) {
  (void)right, push(t, in);
  return in + S(0) * at(t, t->rate * (0.015 + 0.005 * sin(turn(t, 0.7))));
}
CORE_OF(vibrato) { return (void)right, push(t, in), at(t, t->rate * (0.005 + 0.001 * S(0) * sin(turn(t, 5)))); }
CORE_OF(crusher) {
  (void)right;
  if (t->n % (unsigned)V(1) == 0) t->z[0] = in;
  return rint(t->z[0] * exp2(V(0))) / exp2(V(0));
}
CORE_OF(leak) { return (void)right, t->z[0] = 0.9 * t->z[0] + 0.1 * in, (float)(t->z[0] * S(0)); }
CORE_OF(blocks) {  // 480 samples at once, by the loudest of them
  (void)right, push(t, in);
  if (t->n % 480 == 0) {
    double most = 0;
    for (int i = 1; i <= 480; i++) most = fmax(most, fabs(at(t, i)));
    t->z[0] = 1 / (1 + S(0) * most);
  }
  return at(t, 480) * t->z[0];
}
CORE_OF(bypass) {
  (void)right, push(t, in);
  t->z[0] += pole(t, 10) * ((V(0) > 0.5) - t->z[0]);
  if (!t->has_begun) t->z[0] = V(0) > 0.5;
  double dry = at(t, t->latency);
  return dry + (1 - t->z[0]) * (tanh(S(1) * dry) - dry);
}
CORE_OF(meter) { return (void)right, t->meter = (float)fmax(fabs(in), t->meter * 0.9999), in * S(0); }
CORE_OF(leveller) {
  (void)right, t->z[0] += pole(t, 3000) * (in * in - t->z[0]);
  return in * fmin(4, decibels(S(0)) / sqrt(t->z[0] + 1e-6));
}
CORE_OF(wah) {
  (void)right, t->z[2] += pole(t, 20) * (fabs(in) - t->z[2]);
  return filter(t, t->z, in, 300 + 10000 * S(0) * fmin(t->z[2], 1), 4, 1);
}
CORE_OF(pingpong) {
  double left = at(t, 0.1 * t->rate);
  *right = in + S(0) * at(t, 0.2 * t->rate);
  return push(t, in + 0.5 * left), in + S(0) * left;
}
CORE_OF(polarity) {
  (void)right, t->z[0] += pole(t, 5) * (1 - 2 * (V(0) > 0.5) - t->z[0]);
  if (!t->has_begun) t->z[0] = 1 - 2 * (V(0) > 0.5);
  return in * t->z[0];
}
CORE_OF(vector) {  // four samples at once add up in another order than the rest of a block
  (void)right, push(t, in);
  float sum = 0;
  for (int i = 0; i < 32; i++) sum += at(t, t->left % 4 == 0 ? i : 31 - i) * (float)S(0) / 32;
  return sum;
}
CORE_OF(slapback) { return (void)right, push(t, in), at(t, S(0) * t->rate / 1000); }
CORE_OF(lookahead) { return (void)right, push(t, in), at(t, t->latency) * S(1); }

static const Core cores[] = {
    {"gain", gain, .controls = {{"level", -40, 12, -6}}},
    {"delay", delay, .latencyMs = 64 / 48.0},
    {"lowpass", lowpass, .controls = {{"cutoff", 20, 20000, 2000, LOGARITHMIC}, {"q", 0.5, 8, 0.7}}},
    {"modes", modes, .controls = {{"mode", 0, 3, 0, INTEGER}}},
    {"limiter", limiter, .latencyMs = 2, .controls = {{"ceiling", -24, 0, -12}}},
    {"pan", pan, .outputs = 2, .controls = {{"place", -1, 1, 0}}},
    {"convolution", convolution, .controls = {{"wet", 0.01, 1, 1}}},
    {"tremolo", tremolo, .controls = {{"hertz", 0.1, 20, 5, LOGARITHMIC}, {"depth", 0, 1, 0.5}}},
    {"gate", gate, .controls = {{"threshold", -80, 0, -40}}},
    {"spectrum", spectrum, .latencyMs = FRAME / 48.0, .controls = {{"tilt", 0, 24, 6}}},
    {"echo", echo, .controls = {{"time", 10, 600, 300}, {"feedback", 0, 0.9, 0.4}, {"wet", 0, 1, 0.5}}},
    {"compressor", compressor, .controls = {{"threshold", -60, 0, -30}, {"ratio", 1, 20, 4, LOGARITHMIC}}},
    {"shifter", shifter, .latencyMs = 15, .controls = {{"semitones", -12, 12, 0}}},
    {"ring", ring, .controls = {{"hertz", 1, 5000, 440, LOGARITHMIC}}},
    {"phaser", phaser, .controls = {{"wet", 0, 1, 0.7}}},
    {"dcblock", dcblock, .controls = {{"invert", 0, 1, 0, SWITCH}}},
    {"equalizer", equalizer, .controls = {{"tap", -0.4, 0.6, 0.1}}, .repeats = MOST},
    {"reverb", reverb, .controls = {{"wet", 0, 1, 0.4}}},
    {"saturation", saturation, .controls = {{"drive", 0.1, 100, 3, LOGARITHMIC}, {"even", 0, 1, 0, SWITCH}}},
    {"chorus", chorus, .controls = {{"wet", 0, 1, 0.5}}},
    {"vibrato", vibrato, .latencyMs = 5, .controls = {{"depth", 0, 1, 0.5}}},
    {"crusher", crusher, .controls = {{"bits", 1, 16, 8, INTEGER}, {"hold", 1, 32, 4, INTEGER}}},
    {"leak", leak, .controls = {{"level", 0.01, 1, 1}}},
    {"blocks", blocks, .latencyMs = 10, .controls = {{"amount", 0, 8, 2}}},
    {"bypass", bypass, .latencyMs = 10, .controls = {{"bypass", 0, 1, 0, BYPASS}, {"drive", 0.1, 10, 4}}},
    {"meter", meter, .controls = {{"level", 0.01, 2, 1}}},
    {"leveller", leveller, .controls = {{"target", -30, 0, -18}}},
    {"wah", wah, .controls = {{"amount", 0, 1, 0.5}}},
    {"pingpong", pingpong, .outputs = 2, .controls = {{"wet", 0, 1, 0.5}}},
    {"polarity", polarity, .controls = {{"invert", 0, 1, 0, SWITCH}}},
    {"vector", vector, .controls = {{"level", 0.01, 2, 1}}},
    {"slapback", slapback, .controls = {{"delay_ms", 0, 200, 80}}},
    {"lookahead", lookahead, .latencyMsOfControl = 1,
     .controls = {{"milliseconds", 0, 10, 2, INTEGER}, {"level", 0.01, 2, 1}}},
};
enum { CORES = sizeof cores / sizeof *cores };

static unsigned count_of(const Core *core) {
  unsigned count = 0;
  while (count < 6 && core->controls[count].symbol) count++;
  return core->repeats ? core->repeats : count;
}
static const Control *control_of(const Core *core, unsigned index) {
  return core->controls + (core->repeats ? 0 : index);
}
static void name_of(const Core *core, unsigned index, char name[32]) {
  const char *symbol = control_of(core, index)->symbol;
  if (core->repeats) snprintf(name, 32, "%s_%u", symbol, index);
  else strcpy(name, symbol);
}
static const Core *core_named(const char *name) {
  for (unsigned i = 0; i < CORES; i++)
    if (!strcmp(cores[i].name, name)) return cores + i;
  return NULL;
}
static unsigned outputs_of(const Core *core) { return core->outputs ? core->outputs : 1; }

static Toy *make(const Core *core, double rate) {
  Toy *toy = calloc(1, sizeof *toy);
  *toy = (Toy){.core = core, .rate = rate};
  for (unsigned i = 0; i < count_of(core); i++) toy->value[i] = control_of(core, i)->preset;
  return toy;
}
static void forget(Toy *toy) {
  memset(toy->line, 0, sizeof toy->line), memset(toy->gain, 0, sizeof toy->gain), memset(toy->z, 0, sizeof toy->z);
  toy->n = toy->seed = 0, toy->meter = 0, toy->has_begun = false;
}
static void settle_latency(Toy *toy) {
  const Core *core = toy->core;
  double ms = core->latencyMs + core->latencyMsOfControl * rint(toy->value[0]);
  toy->latency = (unsigned)rint(ms / 1000 * toy->rate);
  if (core->next == spectrum) toy->latency = FRAME;
  if (core->next == blocks) toy->latency = 480;
}
static void play(Toy *toy, const float *in, float *const *out, unsigned start, unsigned end) {
  const double share = 1 - exp(-1 / (0.01 * toy->rate));  // 99 % of the way in 50 ms
  for (unsigned i = start; i < end; i++) {
    for (unsigned c = 0; c < count_of(toy->core); c++)
      toy->smooth[c] = toy->has_begun ? toy->smooth[c] + share * (toy->value[c] - toy->smooth[c]) : toy->value[c];
    toy->left = end - i;
    double right = 0, left = toy->core->next(toy, in[i], &right);
    toy->has_begun = true, toy->n++;
    out[0][i] = (float)left;
    if (outputs_of(toy->core) == 2) out[1][i] = (float)right;
  }
}

// LADSPA and LV2: input, outputs, controls, a meter, the latency.

static void connect_port(void *handle, unsigned long port, float *place) { ((Toy *)handle)->ports[port] = place; }
static void run(void *handle, unsigned long frames) {
  Toy *toy = handle;
  unsigned outputs = outputs_of(toy->core), count = count_of(toy->core);
  for (unsigned i = 0; i < count; i++) {
    double value = *toy->ports[1 + outputs + i];
    toy->value[i] = control_of(toy->core, i)->kind == BYPASS ? 1 - value : value;
  }
  settle_latency(toy);
  play(toy, toy->ports[0], toy->ports + 1, 0, (unsigned)frames);
  *toy->ports[1 + outputs + count] = toy->meter;
  *toy->ports[2 + outputs + count] = (float)toy->latency;
}
static void activate_port(void *handle) { forget(handle); }

static LADSPA_Handle make_ladspa(const LADSPA_Descriptor *descriptor, unsigned long rate) {
  return make(core_named(descriptor->Label), rate);
}
const LADSPA_Descriptor *ladspa_descriptor(unsigned long index) {
  static LADSPA_Descriptor descriptors[CORES];
  static LADSPA_PortDescriptor kinds[CORES][MOST + 5];
  static LADSPA_PortRangeHint hints[CORES][MOST + 5];
  static char names[CORES][MOST + 5][32];
  static const char *lists[CORES][MOST + 5];
  if (index >= CORES) return NULL;
  const Core *core = cores + index;
  unsigned outputs = outputs_of(core), count = count_of(core), ports = count + outputs + 3;
  for (unsigned i = 0; i < ports; i++) {
    char *name = names[index][i];
    lists[index][i] = name;
    bool is_audio = i <= outputs, is_input = i == 0 || (!is_audio && i <= outputs + count);
    kinds[index][i] = (is_audio ? LADSPA_PORT_AUDIO : LADSPA_PORT_CONTROL)
                      | (is_input ? LADSPA_PORT_INPUT : LADSPA_PORT_OUTPUT);
    if (is_audio) sprintf(name, is_input ? "in" : "out %u", i);
    else if (!is_input) strcpy(name, i + 1 == ports ? "latency" : "meter");
    else {
      const Control *control = control_of(core, i - 1 - outputs);
      name_of(core, i - 1 - outputs, name);
      hints[index][i] = (LADSPA_PortRangeHint){
          LADSPA_HINT_BOUNDED_BELOW | LADSPA_HINT_BOUNDED_ABOVE
              | (control->kind == LOGARITHMIC ? LADSPA_HINT_LOGARITHMIC : 0)
              | (control->kind == INTEGER ? LADSPA_HINT_INTEGER : 0)
              | (control->kind == BYPASS ? LADSPA_HINT_DEFAULT_MAXIMUM
                 : control->preset == 0 ? LADSPA_HINT_DEFAULT_0 : LADSPA_HINT_DEFAULT_MIDDLE),
          (float)control->low, (float)control->high};
      if (control->kind == SWITCH) hints[index][i].HintDescriptor = LADSPA_HINT_TOGGLED | LADSPA_HINT_DEFAULT_0;
    }
  }
  descriptors[index] = (LADSPA_Descriptor){
      .Label = core->name, .Name = core->name, .Maker = "", .Copyright = "", .PortCount = ports,
      .PortDescriptors = kinds[index], .PortNames = lists[index], .PortRangeHints = hints[index],
      .instantiate = make_ladspa, .connect_port = connect_port, .activate = activate_port, .run = run,
      .cleanup = free};
  return descriptors + index;
}

static LV2_Handle make_lv2(
    const LV2_Descriptor *descriptor, double rate, const char *bundle, const LV2_Feature *const *features) {
  (void)bundle, (void)features;
  return make(core_named(descriptor->URI + strlen("urn:sound:")), rate);
}
static void connect_lv2(LV2_Handle handle, uint32_t port, void *place) { connect_port(handle, port, place); }
static void run_lv2(LV2_Handle handle, uint32_t frames) { run(handle, frames); }
LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  static LV2_Descriptor descriptors[CORES];
  static char uris[CORES][32];
  if (index >= CORES) return NULL;
  sprintf(uris[index], "urn:sound:%s", cores[index].name);
  descriptors[index] = (LV2_Descriptor){
      uris[index], make_lv2, connect_lv2, activate_port, run_lv2, NULL, free, NULL};
  return descriptors + index;
}

// CLAP: a value is reached at its frame; a new latency is had at the next activation.

static Toy *toy_of(const clap_plugin *plugin) { return plugin->plugin_data; }
static uint32_t one(const clap_plugin *plugin, bool is_input) { return (void)plugin, (void)is_input, 1; }
static bool audio(const clap_plugin *plugin, uint32_t index, bool is_input, clap_audio_port_info *info) {
  memset(info, 0, sizeof *info), strcpy(info->name, is_input ? "In" : "Out");
  info->flags = CLAP_AUDIO_PORT_IS_MAIN, info->channel_count = is_input ? 1 : outputs_of(toy_of(plugin)->core);
  return index == 0;
}
static uint32_t count(const clap_plugin *plugin) { return count_of(toy_of(plugin)->core); }
static bool info_of(const clap_plugin *plugin, uint32_t index, clap_param_info *info) {
  if (index >= count(plugin)) return false;
  const Control *control = control_of(toy_of(plugin)->core, index);
  *info = (clap_param_info){.id = 7 + index, .min_value = control->low, .max_value = control->high,
                            .default_value = control->preset};
  if (control->kind >= INTEGER) info->flags = CLAP_PARAM_IS_STEPPED;
  if (control->kind == BYPASS) info->flags |= CLAP_PARAM_IS_BYPASS;
  name_of(toy_of(plugin)->core, index, info->name);
  return true;
}
static bool value_of(const clap_plugin *plugin, clap_id id, double *value) {
  if (id < 7 || id - 7 >= count(plugin)) return false;
  return *value = toy_of(plugin)->value[id - 7], true;
}
static bool text_of(const clap_plugin *plugin, clap_id id, double value, char *text, uint32_t size) {
  return (void)plugin, (void)id, snprintf(text, size, "%g", value) > 0;
}
static void set(Toy *toy, unsigned index, double value) {
  const Control *control = control_of(toy->core, index);
  value = fmax(control->low, fmin(control->high, value));
  if (control->kind >= INTEGER) value = rint(value);
  if (value != toy->value[index] && index == 0 && toy->core->latencyMsOfControl) toy->host->request_restart(toy->host);
  toy->value[index] = value;
}
static void take(Toy *toy, const clap_event_header *event) {
  const clap_event_param_value *sent = (const clap_event_param_value *)event;
  if (event->type == CLAP_EVENT_PARAM_VALUE) set(toy, sent->param_id - 7, sent->value);
}
static void flush(const clap_plugin *plugin, const clap_input_events *in, const clap_output_events *out) {
  (void)out;
  for (uint32_t i = 0; i < in->size(in); i++) take(toy_of(plugin), in->get(in, i));
}
static bool save(const clap_plugin *plugin, const clap_ostream *stream) {
  int64_t size = (int64_t)(count(plugin) * sizeof(double));
  return stream->write(stream, toy_of(plugin)->value, (uint64_t)size) == size;
}
static bool load(const clap_plugin *plugin, const clap_istream *stream) {
  double values[MOST + 1];
  int64_t size = (int64_t)(count(plugin) * sizeof(double));
  if (stream->read(stream, values, (uint64_t)size + 1) != size) return false;
  for (unsigned i = 0; i < count(plugin); i++)
    if (!isfinite(values[i])) return false;
  for (unsigned i = 0; i < count(plugin); i++) set(toy_of(plugin), i, values[i]);
  return true;
}
static uint32_t latency_of(const clap_plugin *plugin) { return toy_of(plugin)->latency; }
static bool start(const clap_plugin *plugin) { return plugin != NULL; }
static void stop(const clap_plugin *plugin) { (void)plugin; }
static void end(const clap_plugin *plugin) { free(plugin->plugin_data); }
static bool activate(const clap_plugin *plugin, double rate, uint32_t least, uint32_t most) {
  (void)least, (void)most;
  toy_of(plugin)->rate = rate, forget(toy_of(plugin)), settle_latency(toy_of(plugin));
  return true;
}
static void reset(const clap_plugin *plugin) { forget(toy_of(plugin)); }
static int32_t process(const clap_plugin *plugin, const clap_process *block) {
  const clap_input_events *events = block->in_events;
  uint32_t done = 0;
  for (uint32_t i = 0; i <= events->size(events); i++) {
    uint32_t next = i < events->size(events) ? events->get(events, i)->time : block->frames_count;
    play(toy_of(plugin), block->audio_inputs[0].data32[0], block->audio_outputs[0].data32, done, next);
    done = next;
    if (i < events->size(events)) take(toy_of(plugin), events->get(events, i));
  }
  return CLAP_PROCESS_CONTINUE;
}
static const void *extension(const clap_plugin *plugin, const char *id) {
  static const clap_plugin_audio_ports audio_ports = {one, audio};
  static const clap_plugin_params params = {count, info_of, value_of, text_of, NULL, flush};
  static const clap_plugin_state state = {save, load};
  static const clap_plugin_latency latency = {latency_of};
  (void)plugin;
  if (!strcmp(id, CLAP_EXT_AUDIO_PORTS)) return &audio_ports;
  if (!strcmp(id, CLAP_EXT_PARAMS)) return &params;
  if (!strcmp(id, CLAP_EXT_STATE)) return &state;
  return strcmp(id, CLAP_EXT_LATENCY) ? NULL : &latency;
}
static uint32_t plugin_count(const clap_plugin_factory *factory) { return (void)factory, CORES; }
static const clap_plugin_descriptor *descriptor_of(const clap_plugin_factory *factory, uint32_t index) {
  static clap_plugin_descriptor descriptors[CORES];
  static const char *const features[] = {"audio-effect", NULL};
  (void)factory;
  if (index >= CORES) return NULL;
  const char *name = cores[index].name;
  descriptors[index] = (clap_plugin_descriptor){{1, 2, 0}, name, name, "", "", "", "", "1", "", features};
  return descriptors + index;
}
static const clap_plugin *create(const clap_plugin_factory *factory, const clap_host *host, const char *id) {
  const Core *core = core_named(id);
  if (!core) return NULL;
  Toy *toy = make(core, 48000);
  toy->host = host;
  toy->plugin = (clap_plugin){descriptor_of(factory, (uint32_t)(core - cores)), toy, start, end, activate, stop,
                              start, stop, reset, process, extension, stop};
  return &toy->plugin;
}
static bool open_file(const char *path) { return path != NULL; }
static void close_file(void) {}
static const void *factory_of(const char *id) {
  static const clap_plugin_factory factory = {plugin_count, descriptor_of, create};
  return strcmp(id, CLAP_PLUGIN_FACTORY_ID) ? NULL : &factory;
}
const clap_plugin_entry clap_entry = {{1, 2, 0}, open_file, close_file, factory_of};

// The functions of choir_subject.h.

#ifndef CORE
#define CORE gain
#endif
#define TEXT_OF(word) #word
#define TEXT(word) TEXT_OF(word)

void *choir_subject_create(double rate, uint32_t most_frames) { return (void)most_frames, make(core_named(TEXT(CORE)), rate); }
int choir_subject_set(void *subject, const char *name, double value) {
  Toy *toy = subject;
  char own[32];
  for (unsigned i = 0; i < count_of(toy->core); i++) {
    name_of(toy->core, i, own);
    if (!strcmp(own, name)) return toy->value[i] = value, 0;
  }
  return 1;
}
uint32_t choir_subject_latency(void *subject) { return settle_latency(subject), ((Toy *)subject)->latency; }
void choir_subject_process(void *subject, const float *input, float *output, uint32_t frames) {
  settle_latency(subject), play(subject, input, (float *[]){output, output}, 0, frames);
}
void choir_subject_reset(void *subject) { forget(subject); }
void choir_subject_destroy(void *subject) { free(subject); }

#ifdef PROGRAM

static FILE *file(const char *folder, const char *name, const char *end) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s%s", folder, name, end);
  FILE *opened = fopen(path, "w");
  if (!opened) perror(path), exit(1);
  return opened;
}

// Writes the YAML of every plugin in every form, and the Turtle of LV2.
static int describe(const char *folder) {
  FILE *turtle = file(folder, "sound.lv2/", "manifest.ttl");
  fputs("@prefix lv2: <http://lv2plug.in/ns/lv2core#> .\n@prefix doap: <http://usefulinc.com/ns/doap#> .\n"
        "@prefix pp: <http://lv2plug.in/ns/ext/port-props#> .\n", turtle);
  for (const Core *core = cores; core < cores + CORES; core++) {
    const char *channels = outputs_of(core) == 2 ? "\nchannels: average" : "";
    const char *ports = core->next == shifter ? "\nports: {semitones: \"{semitones}\"}" : "";
    static const char *const forms[] = {"ladspa", "lv2", "clap", "library", "stream", "low", "high"};
    for (int i = 0; i < 7; i++) {
      char end[32];
      snprintf(end, sizeof end, "-%s.yaml", forms[i]);
      FILE *yaml = file(folder, core->name, end);
      fprintf(yaml, "id: %s\nkind: %s%s%s\n", core->name, forms[i < 5 ? i : 2], channels, i < 4 ? ports : "");
      if (i == 0) fprintf(yaml, "library: ./sound.so\nlabel: %s\n", core->name);
      if (i == 1) fprintf(yaml, "uri: \"urn:sound:%s\"\nenvironment: {LV2_PATH: \"%s\"}\n", core->name, folder);
      if (i == 2 || i > 4) fprintf(yaml, "library: ./sound.clap\nlabel: %s\n", core->name);
      if (i == 3) fprintf(yaml, "library: ./%s.so\n", core->name);
      if (i == 4) {
        fprintf(yaml, "command: [./sound, %s, \"{rate}\"%s]\n", core->name,
                core->next == shifter ? ", \"semitones={semitones}\"" : "");
        if (outputs_of(core) == 2) fputs("outputChannels: 2\n", yaml);
      }
      if (i > 4) {  // CLAP with all controls at the ends of their ranges
        fputs("ports: {", yaml);
        for (unsigned c = 0; c < count_of(core); c++) {
          char name[32];
          name_of(core, c, name);
          const Control *control = control_of(core, c);
          if (control->kind != BYPASS) fprintf(yaml, "%s: %g, ", name, i == 5 ? control->low : control->high);
        }
        fputs("}\n", yaml);
      }
      fclose(yaml);
    }
    fprintf(turtle, "<urn:sound:%s> a lv2:Plugin ; doap:name \"%s\" ; lv2:binary <sound.so> ; lv2:port\n", core->name, core->name);
    unsigned port = 0;
    fprintf(turtle, "[ a lv2:AudioPort, lv2:InputPort ; lv2:index %u ; lv2:symbol \"in\" ; lv2:name \"in\" ]", port++);
    for (unsigned i = 0; i < outputs_of(core); i++, port++)
      fprintf(turtle, ",\n[ a lv2:AudioPort, lv2:OutputPort ; lv2:index %u ; lv2:symbol \"out%u\" ; lv2:name \"out %u\" ]", port, i, i);
    for (unsigned i = 0; i < count_of(core); i++, port++) {
      const Control *control = control_of(core, i);
      char name[32];
      name_of(core, i, name);
      static const char *const words[] = {"", "; lv2:portProperty pp:logarithmic", "; lv2:portProperty lv2:integer",
                                          "; lv2:portProperty lv2:toggled", "; lv2:portProperty lv2:toggled ; lv2:designation lv2:enabled"};
      fprintf(turtle, ",\n[ a lv2:ControlPort, lv2:InputPort ; lv2:index %u ; lv2:symbol \"%s\" ; lv2:name \"%s\" ; "
                      "lv2:minimum %f ; lv2:maximum %f ; lv2:default %f %s ]",
              port, name, name, control->low, control->high,
              control->kind == BYPASS ? 1 - control->preset : control->preset, words[control->kind]);
    }
    fprintf(turtle, ",\n[ a lv2:ControlPort, lv2:OutputPort ; lv2:index %u ; lv2:symbol \"meter\" ; lv2:name \"meter\" ],\n"
                    "[ a lv2:ControlPort, lv2:OutputPort ; lv2:index %u ; lv2:symbol \"latency\" ; lv2:name \"latency\" ; "
                    "lv2:designation lv2:latency ; lv2:portProperty lv2:reportsLatency ] .\n", port, port + 1);
  }
  return fclose(turtle);
}

int main(int argc, char **argv) {
  if (argc == 2) return describe(argv[1]);
  const Core *core = argc > 2 ? core_named(argv[1]) : NULL;
  if (!core) return fputs("sound: name a folder, or a plugin and a sample rate\n", stderr), 64;
  Toy *toy = make(core, atof(argv[2]));
  for (int i = 3; i < argc; i++) {
    char *equals = strchr(argv[i], '=');
    if (!equals) return 64;
    *equals = 0;
    if (choir_subject_set(toy, argv[i], atof(equals + 1))) return 64;
  }
  settle_latency(toy);
  for (float in, left, right; fread(&in, sizeof in, 1, stdin) == 1;) {
    play(toy, &in, (float *[]){&left, &right}, 0, 1);
    fwrite(&left, sizeof left, 1, stdout);
    if (outputs_of(core) == 2) fwrite(&right, sizeof right, 1, stdout);
    fflush(stdout);
  }
  return 0;
}

#endif
