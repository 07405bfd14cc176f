#if !__has_include(<ladspa.h>)
#error "ladspa.h is missing, which choir-host loads LADSPA plugins with. Run scripts/setup, or: apt-get install ladspa-sdk"
#else
#include <ladspa.h>
#endif

// The functions of a processor in C.
#include "choir_subject.h"

#include "clap_abi.h"

#if !__has_include(<lilv/lilv.h>)
#error "liblilv is missing, which choir-host loads LV2 plugins with. Run scripts/setup, or: apt-get install liblilv-dev"
#else
#include <lilv/lilv.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/log/log.h>
#include <lv2/midi/midi.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/port-props/port-props.h>
#include <lv2/presets/presets.h>
#include <lv2/resize-port/resize-port.h>
#include <lv2/state/state.h>
#include <lv2/units/units.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <stdio.h>

// Swift has no functions with variable arguments for C to call.

static inline int lv2_log_vprintf(
    LV2_Log_Handle handle, LV2_URID type, const char *format, va_list values) {
  (void)handle;
  (void)type;
  return vfprintf(stderr, format, values);
}

static inline int lv2_log_printf(LV2_Log_Handle handle, LV2_URID type, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int count = lv2_log_vprintf(handle, type, format, values);
  va_end(values);
  return count;
}

/// Returns a log that writes to standard error.
static inline LV2_Log_Log lv2_log_to_errors(void) {
  LV2_Log_Log log = {NULL, lv2_log_printf, lv2_log_vprintf};
  return log;
}
#endif
