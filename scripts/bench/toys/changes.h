/* Changes of a toy harmonizer: some that nobody hears, some that chance makes anew in each call, and some defects. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum { RATE = 48000, LATEST = 4096 };

struct changes {
  double ratio;
  double phase;    /* samples by which the sweep or the first mark is placed elsewhere */
  double gain;     /* decibels */
  double dither;   /* decibels below full scale; 0 for none */
  unsigned seed;   /* of the dither */
  double cents;    /* detuning of the voice at +4 */
  double late;     /* milliseconds by which the voice at +4 is late */
  double formants; /* factor of the voice's formants at +4 */
  double vibrato;  /* cents of a vibrato that comes and goes by chance */
  double onset;    /* seconds: where the vibrato stands at the beginning */
  int click;       /* 1 for a click of -35 dB at 1.4 s of each recording */
  int octave;      /* 1 for 0.3 s an octave up, 0.7 s after the beginning of the voice of synth-nasals-mezzo */
  long begun;      /* the first sample of the voice */
  float held[LATEST];
};

/* A number from 0 to 1 that differs in every call of the program. */
static double chance(void) {
  unsigned drawn;
  if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) exit(1);
  return drawn / 4294967296.0;
}

static int is_voice(float sample) { return fabsf(sample) > 0.003f; }

/* Reads the whole input. */
__attribute__((unused)) static float *read_all(struct changes *c, long *count) {
  long room = 1 << 16;
  float *x = malloc(room * sizeof *x);
  for (*count = 0; fread(x + *count, sizeof *x, 1, stdin) == 1;)
    if (++*count == room) x = realloc(x, (room *= 2) * sizeof *x);
  while (c->begun < *count && !is_voice(x[c->begun])) c->begun++;
  return x;
}

static struct changes read_changes(int argc, char **argv) {
  struct changes c = {.formants = 1, .seed = 1};
  c.ratio = argc > 1 ? atof(argv[1]) : 1;
  const int is_marked = fabs(12 * log2(c.ratio) - 4) < 0.01; /* the voice at +4 */
  const int is_nasals = argc > 2 && strstr(argv[2], "synth-nasals-mezzo");
  for (int i = 3; i < argc; i++) {
    const char *equals = strchr(argv[i], '=');
    const double value = equals ? atof(equals + 1) : 1;
    if (!strncmp(argv[i], "phase", 5)) c.phase = value;
    if (!strncmp(argv[i], "gain", 4)) c.gain = value;
    if (!strncmp(argv[i], "dither", 6)) c.dither = value;
    if (!strncmp(argv[i], "seed", 4)) c.seed = (unsigned)value;
    if (!strncmp(argv[i], "any-phase", 9)) c.phase = floor(chance() * value);
    if (!strncmp(argv[i], "any-seed", 8)) c.seed = (unsigned)(chance() * 1e9);
    if (!strncmp(argv[i], "any-vibrato", 11)) c.vibrato = value, c.onset = 2 * chance();
    if (!strncmp(argv[i], "cents", 5) && is_marked) c.cents = value;
    if (!strncmp(argv[i], "late", 4) && is_marked) c.late = value;
    if (!strncmp(argv[i], "formants", 8) && is_marked) c.formants = value;
    if (!strncmp(argv[i], "click", 5)) c.click = 1;
    if (!strncmp(argv[i], "octave", 6)) c.octave = is_nasals;
  }
  return c;
}

static double ratio_at(const struct changes *c, long n) {
  const int is_octave = c->octave && n > c->begun + 7 * RATE / 10 && n < c->begun + RATE;
  const double t = (double)n / RATE + c->onset;
  /* It swells and fades once in two seconds, from an instant that chance draws. */
  const double vibrato = c->vibrato * fmax(0, sin(M_PI * t)) * sin(2 * M_PI * 5.5 * t);
  return c->ratio * exp2((c->cents + vibrato) / 1200) * (is_octave ? 2 : 1);
}

static void write_changed(struct changes *c, long n, float sample) {
  double out = sample * pow(10, c->gain / 20);
  if (c->dither < 0) {
    c->seed = c->seed * 1664525u + 1013904223u;
    out += pow(10, c->dither / 20) * sqrt(12) * (c->seed / 4294967296.0 - 0.5);
  }
  if (c->click && n == 7 * RATE / 5) out += 0.0178;
  /* A delay of a fraction of a sample, on a straight line. */
  const double delay = c->late / 1000 * RATE;
  const long whole = (long)delay;
  const double part = delay - whole;
  c->held[n % LATEST] = (float)out;
  const float newer = n >= whole ? c->held[(n - whole) % LATEST] : 0;
  const float older = n > whole ? c->held[(n - whole - 1) % LATEST] : 0;
  out = (1 - part) * newer + part * older;
  const float written = (float)out;
  if (fwrite(&written, sizeof written, 1, stdout) != 1) exit(1);
}

static int finish(struct changes *c) {
  (void)c;
  return fflush(stdout) == 0 ? 0 : 1;
}
