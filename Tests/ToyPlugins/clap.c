// A delay line as a CLAP plugin, with a fault to choose: cc -DFAULT_ERROR …
#include "clap_abi.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DELAY = 64 };

typedef struct {
  clap_plugin plugin;
  const clap_host *host;
  float line[DELAY];
  unsigned place, blocks;
  double semitones, drive, bypass;
  float gain;    // that of `semitones` and `drive`
  float mix;     // of the bypass: 0 to 1, in 10 ms
  float offset;  // 100 while a key is held
  double next_semitones;
  bool is_active, has_restarted;
} Toy;

static Toy *toy_of(const clap_plugin *plugin) { return plugin->plugin_data; }

static uint32_t one(const clap_plugin *plugin, bool is_input) {
  (void)plugin;
  (void)is_input;
  return 1;
}

static bool audio(const clap_plugin *plugin, uint32_t index, bool is_input, clap_audio_port_info *info) {
  (void)plugin;
  memset(info, 0, sizeof *info);
  strcpy(info->name, is_input ? "Voice" : "Shifted");
  info->flags = CLAP_AUDIO_PORT_IS_MAIN;
  info->channel_count = 1;
  return index == 0;
}
static const clap_plugin_audio_ports audio_ports = {one, audio};

static bool notes(const clap_plugin *plugin, uint32_t index, bool is_input, clap_note_port_info *info) {
  (void)plugin;
  memset(info, 0, sizeof *info);
  strcpy(info->name, "Keys");
#ifdef SPEAKS_MIDI
  info->supported_dialects = CLAP_NOTE_DIALECT_MIDI;
#else
  info->supported_dialects = CLAP_NOTE_DIALECT_CLAP;
#endif
  return index == 0 && is_input;
}
static const clap_plugin_note_ports note_ports = {one, notes};

static uint32_t count(const clap_plugin *plugin) { return plugin ? 4 : 0; }
static bool info_of(const clap_plugin *plugin, uint32_t index, clap_param_info *info) {
  (void)plugin;
  memset(info, 0, sizeof *info);
  info->id = 40 + index;
  static const char *const names[] = {"Semi tones", "Secret", "Drive", "Bypass"};
  static const uint32_t flags[] = {0, CLAP_PARAM_IS_HIDDEN, 0, CLAP_PARAM_IS_BYPASS | CLAP_PARAM_IS_STEPPED};
  if (index > 3) return false;
  info->flags = flags[index];
  strcpy(info->name, names[index]);
  info->min_value = index < 2 ? -12 : 0;
  info->max_value = index < 2 ? 12 : 1;
  return true;
}
static bool value_of(const clap_plugin *plugin, clap_id id, double *value) {
  Toy *toy = toy_of(plugin);
  *value = id == 40 ? toy->semitones : id == 42 ? toy->drive : toy->bypass;
  return id == 40 || id == 42 || id == 43;
}
static bool text_of(const clap_plugin *plugin, clap_id id, double value, char *text, uint32_t size) {
  (void)plugin;
  return snprintf(text, size, id == 40 ? "%.1f st" : "%.1f", value) > 0;
}

static void update(Toy *toy) { toy->gain = (float)(exp2(toy->semitones / 12) * (1 + toy->drive)); }

static void take(Toy *toy, const clap_event_header *event) {
  if (event->type == CLAP_EVENT_PARAM_VALUE) {
    const clap_event_param_value *sent = (const clap_event_param_value *)event;
    if (sent->param_id == 40) toy->next_semitones = sent->value;
    if (sent->param_id == 42) toy->drive = sent->value;
    if (sent->param_id == 43) toy->bypass = sent->value;
#ifdef FAULT_TURNS_A_BLOCK_LATE
    if (toy->is_active) return;
#endif
    toy->semitones = toy->next_semitones;
    update(toy);
  }
  if (event->type == CLAP_EVENT_NOTE_ON) toy->offset = 100;
  if (event->type == CLAP_EVENT_NOTE_OFF) toy->offset = 0;
  if (event->type == CLAP_EVENT_MIDI) {
    const clap_event_midi *midi = (const clap_event_midi *)event;
    toy->offset = (midi->data[0] & 0xf0) == 0x90 && midi->data[2] ? 100 : 0;
  }
}
static void flush(const clap_plugin *plugin, const clap_input_events *in, const clap_output_events *out) {
  (void)out;
  for (uint32_t i = 0; i < in->size(in); i++) take(toy_of(plugin), in->get(in, i));
}
static const clap_plugin_params params = {count, info_of, value_of, text_of, NULL, flush};

static bool save(const clap_plugin *plugin, const clap_ostream *stream) {
  Toy *toy = toy_of(plugin);
  double values[4] = {27, toy->semitones, toy->drive, toy->bypass};
  return stream->write(stream, values, sizeof values) == sizeof values;
}
static bool load(const clap_plugin *plugin, const clap_istream *stream) {
  Toy *toy = toy_of(plugin);
  double values[4] = {0};
  bool is_whole = stream->read(stream, values, sizeof values) == sizeof values && values[0] == 27;
#ifdef FAULT_STATE_CRASHES
  if (!is_whole) *(volatile int *)8 = 1;
#endif
#ifdef FAULT_STATE_GIVES_NAN
  if (!is_whole) return toy->gain = NAN, true;
#endif
  if (!is_whole || !(fabs(values[1]) <= 12)) return false;
  toy->semitones = toy->next_semitones = values[1];
#ifndef FAULT_STATE_FORGETS
  toy->drive = values[2];
#endif
#ifdef FAULT_STATE_SWAPS
  toy->drive = values[1] / 12, toy->semitones = toy->next_semitones = 12 * values[2];
#endif
  toy->bypass = values[3];
#ifndef FAULT_STATE_IS_NOT_HEARD
  update(toy);
#endif
  return true;
}
static const clap_plugin_state state = {save, load};

static uint32_t latency(const clap_plugin *plugin) { return toy_of(plugin)->has_restarted ? 32 : DELAY; }
static const clap_plugin_latency latency_of = {latency};

static bool start(const clap_plugin *plugin) {
  (void)plugin;
#ifdef FAULT_REFUSES
  return false;
#endif
  return true;
}
static void end(const clap_plugin *plugin) { free(plugin->plugin_data); }
static bool activate(const clap_plugin *plugin, double rate, uint32_t least, uint32_t most) {
  (void)least;
  (void)most;
  toy_of(plugin)->is_active = true;
#ifdef FAULT_REFUSES_RATE
  return false;
#endif
  return rate > 0;
}
static void deactivate(const clap_plugin *plugin) { toy_of(plugin)->is_active = false; }
static void stop(const clap_plugin *plugin) { (void)plugin; }
static void reset(const clap_plugin *plugin) {
  Toy *toy = toy_of(plugin);
  memset(toy->line, 0, sizeof toy->line);
  toy->place = 0;
  toy->offset = 0;
  toy->mix = (float)toy->bypass;
}

static int32_t process(const clap_plugin *plugin, const clap_process *block) {
  Toy *toy = toy_of(plugin);
  toy->blocks++;
  toy->semitones = toy->next_semitones;
#ifdef FAULT_TURNS_A_BLOCK_LATE
  update(toy);
#endif
#ifdef FAULT_ERROR
  if (toy->blocks == 10) return CLAP_PROCESS_ERROR;
#endif
#ifdef FAULT_CRASHES
  if (toy->blocks == 10) *(volatile int *)8 = 1;
#endif
#ifdef FAULT_RESTARTS
  if (toy->blocks == 10) toy->host->request_restart(toy->host), toy->has_restarted = true;
#endif
  const clap_host_thread_check *threads = toy->host->get_extension(toy->host, CLAP_EXT_THREAD_CHECK);
  if (!threads->is_audio_thread(toy->host) || threads->is_main_thread(toy->host)) abort();
  uint32_t next = 0;
  const clap_input_events *events = block->in_events;
  float *out = block->audio_outputs[0].data32[0];
  const float *in = block->audio_inputs[0].data32[0];
  for (uint32_t i = 0; i < block->frames_count; i++) {
#ifdef FAULT_TURNS_EARLY
    while (next < events->size(events))
#else
    while (next < events->size(events) && events->get(events, next)->time <= i)
#endif
      take(toy, events->get(events, next++));
    float delayed = toy->line[toy->place];
    toy->line[toy->place] = in[i];
    toy->place = (toy->place + 1) % DELAY;
    float wet = delayed * toy->gain + toy->offset;
#ifdef FAULT_BYPASS_IS_EARLY
    delayed = in[i];
#endif
#ifdef FAULT_BYPASS_IS_SOFT
    delayed *= 0.9f;
#endif
#ifdef FAULT_BYPASS_CLICKS
    toy->mix = (float)toy->bypass;
#endif
    if (toy->mix < toy->bypass) toy->mix = fminf(toy->mix + 1 / 480.f, 1);
    if (toy->mix > toy->bypass) toy->mix = fmaxf(toy->mix - 1 / 480.f, 0);
    out[i] = wet + toy->mix * (delayed - wet);
  }
#ifdef FAULT_OUT_OF_BOUNDS
  out[block->frames_count] = 1;
#endif
  return CLAP_PROCESS_CONTINUE;
}

static const void *extension(const clap_plugin *plugin, const char *id) {
  (void)plugin;
  if (!strcmp(id, CLAP_EXT_AUDIO_PORTS)) return &audio_ports;
  if (!strcmp(id, CLAP_EXT_NOTE_PORTS)) return &note_ports;
  if (!strcmp(id, CLAP_EXT_PARAMS)) return &params;
  if (!strcmp(id, CLAP_EXT_STATE)) return &state;
  return strcmp(id, CLAP_EXT_LATENCY) ? NULL : &latency_of;
}
static void called(const clap_plugin *plugin) { (void)plugin; }

static const clap_plugin_descriptor descriptor = {
    {1, 2, 0}, "org.example.toy", "Toy", "", "", "", "", "1", "", NULL};
static uint32_t plugin_count(const clap_plugin_factory *factory) {
  (void)factory;
  return 1;
}
static const clap_plugin_descriptor *descriptor_of(const clap_plugin_factory *factory, uint32_t index) {
  (void)factory;
  return index == 0 ? &descriptor : NULL;
}
static const clap_plugin *create(const clap_plugin_factory *factory, const clap_host *host, const char *id) {
  (void)factory;
  if (strcmp(id, descriptor.id)) return NULL;
  Toy *toy = calloc(1, sizeof *toy);
  update(toy);
  toy->host = host;
  toy->plugin = (clap_plugin){&descriptor, toy,  start, end,     activate,  deactivate,
                              start,       stop, reset, process, extension, called};
  return &toy->plugin;
}
static const clap_plugin_factory factory = {plugin_count, descriptor_of, create};

static bool open_file(const char *path) { return path != NULL; }
static void close_file(void) {}
static const void *factory_of(const char *id) {
  return strcmp(id, CLAP_PLUGIN_FACTORY_ID) ? NULL : &factory;
}
#ifdef FAULT_OLD
const clap_plugin_entry clap_entry = {{0, 9, 0}, open_file, close_file, factory_of};
#elif !defined(FAULT_NO_ENTRY)
const clap_plugin_entry clap_entry = {{1, 2, 0}, open_file, close_file, factory_of};
#endif
