// The part of CLAP's binary interface that choir-host uses, declared from the specification, version 1.2
// (github.com/free-audio/clap, MIT). Names and layouts are those of its headers.
#ifndef CLAP_ABI_H
#define CLAP_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLAP_NAME_SIZE = 256, CLAP_PATH_SIZE = 1024 };

#define CLAP_PLUGIN_FACTORY_ID "clap.plugin-factory"
#define CLAP_EXT_AUDIO_PORTS "clap.audio-ports"
#define CLAP_EXT_LATENCY "clap.latency"
#define CLAP_EXT_LOG "clap.log"
#define CLAP_EXT_NOTE_PORTS "clap.note-ports"
#define CLAP_EXT_PARAMS "clap.params"
#define CLAP_EXT_STATE "clap.state"
#define CLAP_EXT_THREAD_CHECK "clap.thread-check"

typedef uint32_t clap_id;

typedef struct clap_version {
  uint32_t major, minor, revision;
} clap_version;

// Events

enum {
  CLAP_EVENT_NOTE_ON = 0, CLAP_EVENT_NOTE_OFF = 1, CLAP_EVENT_PARAM_VALUE = 5, CLAP_EVENT_MIDI = 10
};

typedef struct clap_event_header {
  uint32_t size;
  uint32_t time;  // frames from the start of the block
  uint16_t space_id;
  uint16_t type;
  uint32_t flags;
} clap_event_header;

typedef struct clap_event_note {
  clap_event_header header;
  int32_t note_id;
  int16_t port_index, channel, key;
  double velocity;  // 0 to 1
} clap_event_note;

typedef struct clap_event_midi {
  clap_event_header header;
  uint16_t port_index;
  uint8_t data[3];
} clap_event_midi;

typedef struct clap_event_param_value {
  clap_event_header header;
  clap_id param_id;
  void *cookie;
  int32_t note_id;
  int16_t port_index, channel, key;
  double value;
} clap_event_param_value;

typedef struct clap_input_events {
  void *ctx;
  uint32_t (*size)(const struct clap_input_events *list);
  const clap_event_header *(*get)(const struct clap_input_events *list, uint32_t index);
} clap_input_events;

typedef struct clap_output_events {
  void *ctx;
  bool (*try_push)(const struct clap_output_events *list, const clap_event_header *event);
} clap_output_events;

// Processing

typedef struct clap_audio_buffer {
  float **data32;
  double **data64;
  uint32_t channel_count;
  uint32_t latency;
  uint64_t constant_mask;
} clap_audio_buffer;

enum { CLAP_PROCESS_ERROR = 0, CLAP_PROCESS_CONTINUE = 1 };

typedef struct clap_process {
  int64_t steady_time;
  uint32_t frames_count;
  const void *transport;
  const clap_audio_buffer *audio_inputs;
  clap_audio_buffer *audio_outputs;
  uint32_t audio_inputs_count, audio_outputs_count;
  const clap_input_events *in_events;
  const clap_output_events *out_events;
} clap_process;

// Host and plugin

typedef struct clap_host {
  clap_version clap_version;
  void *host_data;
  const char *name, *vendor, *url, *version;
  const void *(*get_extension)(const struct clap_host *host, const char *id);
  void (*request_restart)(const struct clap_host *host);
  void (*request_process)(const struct clap_host *host);
  void (*request_callback)(const struct clap_host *host);
} clap_host;

typedef struct clap_plugin_descriptor {
  clap_version clap_version;
  const char *id, *name, *vendor, *url, *manual_url, *support_url, *version, *description;
  const char *const *features;
} clap_plugin_descriptor;

typedef struct clap_plugin {
  const clap_plugin_descriptor *desc;
  void *plugin_data;
  bool (*init)(const struct clap_plugin *plugin);
  void (*destroy)(const struct clap_plugin *plugin);
  bool (*activate)(
      const struct clap_plugin *plugin, double sample_rate, uint32_t min_frames, uint32_t max_frames);
  void (*deactivate)(const struct clap_plugin *plugin);
  bool (*start_processing)(const struct clap_plugin *plugin);
  void (*stop_processing)(const struct clap_plugin *plugin);
  void (*reset)(const struct clap_plugin *plugin);
  int32_t (*process)(const struct clap_plugin *plugin, const clap_process *process);
  const void *(*get_extension)(const struct clap_plugin *plugin, const char *id);
  void (*on_main_thread)(const struct clap_plugin *plugin);
} clap_plugin;

typedef struct clap_plugin_factory {
  uint32_t (*get_plugin_count)(const struct clap_plugin_factory *factory);
  const clap_plugin_descriptor *(*get_plugin_descriptor)(
      const struct clap_plugin_factory *factory, uint32_t index);
  const clap_plugin *(*create_plugin)(
      const struct clap_plugin_factory *factory, const clap_host *host, const char *plugin_id);
} clap_plugin_factory;

// The symbol `clap_entry` of a plugin's file.
typedef struct clap_plugin_entry {
  clap_version clap_version;
  bool (*init)(const char *plugin_path);
  void (*deinit)(void);
  const void *(*get_factory)(const char *factory_id);
} clap_plugin_entry;

// Extensions of plugins

enum { CLAP_AUDIO_PORT_IS_MAIN = 1 };

typedef struct clap_audio_port_info {
  clap_id id;
  char name[CLAP_NAME_SIZE];
  uint32_t flags;
  uint32_t channel_count;
  const char *port_type;
  clap_id in_place_pair;
} clap_audio_port_info;

typedef struct clap_plugin_audio_ports {
  uint32_t (*count)(const clap_plugin *plugin, bool is_input);
  bool (*get)(const clap_plugin *plugin, uint32_t index, bool is_input, clap_audio_port_info *info);
} clap_plugin_audio_ports;

enum { CLAP_NOTE_DIALECT_CLAP = 1, CLAP_NOTE_DIALECT_MIDI = 2 };

typedef struct clap_note_port_info {
  clap_id id;
  uint32_t supported_dialects, preferred_dialect;
  char name[CLAP_NAME_SIZE];
} clap_note_port_info;

typedef struct clap_plugin_note_ports {
  uint32_t (*count)(const clap_plugin *plugin, bool is_input);
  bool (*get)(const clap_plugin *plugin, uint32_t index, bool is_input, clap_note_port_info *info);
} clap_plugin_note_ports;

enum {
  CLAP_PARAM_IS_STEPPED = 1, CLAP_PARAM_IS_HIDDEN = 4, CLAP_PARAM_IS_READONLY = 8,
  CLAP_PARAM_IS_BYPASS = 16
};

typedef struct clap_param_info {
  clap_id id;
  uint32_t flags;
  void *cookie;
  char name[CLAP_NAME_SIZE];
  char module[CLAP_PATH_SIZE];
  double min_value, max_value, default_value;
} clap_param_info;

typedef struct clap_plugin_params {
  uint32_t (*count)(const clap_plugin *plugin);
  bool (*get_info)(const clap_plugin *plugin, uint32_t index, clap_param_info *info);
  bool (*get_value)(const clap_plugin *plugin, clap_id id, double *value);
  bool (*value_to_text)(
      const clap_plugin *plugin, clap_id id, double value, char *text, uint32_t capacity);
  bool (*text_to_value)(const clap_plugin *plugin, clap_id id, const char *text, double *value);
  void (*flush)(
      const clap_plugin *plugin, const clap_input_events *in, const clap_output_events *out);
} clap_plugin_params;

typedef struct clap_plugin_latency {
  uint32_t (*get)(const clap_plugin *plugin);
} clap_plugin_latency;

// Streams return the number of bytes moved, 0 at the end, -1 for an error.

typedef struct clap_istream {
  void *ctx;
  int64_t (*read)(const struct clap_istream *stream, void *buffer, uint64_t size);
} clap_istream;

typedef struct clap_ostream {
  void *ctx;
  int64_t (*write)(const struct clap_ostream *stream, const void *buffer, uint64_t size);
} clap_ostream;

typedef struct clap_plugin_state {
  bool (*save)(const clap_plugin *plugin, const clap_ostream *stream);
  bool (*load)(const clap_plugin *plugin, const clap_istream *stream);
} clap_plugin_state;

// Extensions of the host

typedef struct clap_host_thread_check {
  bool (*is_main_thread)(const clap_host *host);
  bool (*is_audio_thread)(const clap_host *host);
} clap_host_thread_check;

typedef struct clap_host_log {
  void (*log)(const clap_host *host, int32_t severity, const char *message);
} clap_host_log;

typedef struct clap_host_latency {
  void (*changed)(const clap_host *host);
} clap_host_latency;

typedef struct clap_host_state {
  void (*mark_dirty)(const clap_host *host);
} clap_host_state;

typedef struct clap_host_params {
  void (*rescan)(const clap_host *host, uint32_t flags);
  void (*clear)(const clap_host *host, clap_id id, uint32_t flags);
  void (*request_flush)(const clap_host *host);
} clap_host_params;

#endif
