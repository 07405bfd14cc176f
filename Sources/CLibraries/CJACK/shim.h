#include <jack/jack.h>
#include <jack/midiport.h>

/// Opens a client of a named server, or of the default one; Swift can't call a function with a variable
/// number of arguments.
static inline jack_client_t *choir_jack_open(
    const char *name, const char *server, jack_options_t options, jack_status_t *status) {
  return server ? jack_client_open(name, options | JackServerName, status, server)
                : jack_client_open(name, options, status);
}
