#include <jack/jack.h>
#include <jack/midiport.h>

/// Opens a client; Swift can't call a function with a variable number of arguments.
static inline jack_client_t *choir_jack_open(
    const char *name, jack_options_t options, jack_status_t *status) {
  return jack_client_open(name, options, status);
}
