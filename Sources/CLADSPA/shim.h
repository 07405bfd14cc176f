#if !__has_include(<ladspa.h>)
#error "ladspa.h is missing, which choir-host loads LADSPA plugins with. Run scripts/setup, or: apt-get install ladspa-sdk"
#else
#include <ladspa.h>
#endif
