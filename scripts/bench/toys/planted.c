/* Plants a defect in the sound of any program: mono 32-bit floats through a pipe.
 *
 *   planted RATE NAME < in.raw > out.raw
 *
 * The whole sound is read before the first sample is written. An unknown name fails; "none" changes nothing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double rate;
static long count;
static float *x, *y;

static double noise(void) {
  static unsigned state = 1;
  state = state * 1664525u + 1013904223u;
  return state / 2147483648.0 - 1;
}

static double peak(void) {
  double most = 0;
  for (long n = 0; n < count; n++) most = fmax(most, fabs(x[n]));
  return most;
}

/* The sound at a place between samples, on a cubic through four of them. */
static double at(double place) {
  const long n = (long)floor(place);
  if (n < 1 || n + 2 >= count) return n >= 0 && n < count ? x[n] : 0;
  const double t = place - n, a = x[n - 1], b = x[n], c = x[n + 1], d = x[n + 2];
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
}

/* Changes of sign in a stretch, by second. */
static double crossings(long start, long end) {
  long changes = 0;
  start = start < 1 ? 1 : start;
  end = end > count ? count : end;
  for (long n = start; n < end; n++) changes += (x[n] < 0) != (x[n - 1] < 0);
  return end > start ? changes * rate / (end - start) : 0;
}

/* A filter of second order: a peak of `db` at `hz`. */
static void resonance(double hz, double db, double q) {
  const double a = pow(10, db / 40), w = 2 * M_PI * hz / rate, alpha = sin(w) / (2 * q), c = -2 * cos(w);
  const double b0 = 1 + alpha * a, b2 = 1 - alpha * a, a0 = 1 + alpha / a, a2 = 1 - alpha / a;
  double x1 = 0, x2 = 0, y1 = 0, y2 = 0;
  for (long n = 0; n < count; n++) {
    const double out = (b0 * x[n] + c * x1 + b2 * x2 - c * y1 - a2 * y2) / a0;
    x2 = x1, x1 = x[n], y2 = y1, y1 = out;
    y[n] = (float)out;
  }
}

static void low_pass(double hz) {
  const double share = 1 - exp(-2 * M_PI * hz / rate);
  double state = 0;
  for (long n = 0; n < count; n++) y[n] = (float)(state += share * (x[n] - state));
}

static void high_pass(double hz) {
  low_pass(hz);
  for (long n = 0; n < count; n++) y[n] = x[n] - y[n];
}

static void echo(double seconds, double gain) {
  const long late = (long)(seconds * rate);
  for (long n = late; n < count; n++) y[n] += (float)(gain * x[n - late]);
}

static void mute(double from, double to) {
  for (long n = (long)fmax(0, from * rate); n < fmin(count, to * rate); n++) y[n] = 0;
}

/* The loudest first 20 ms, as a place for what happens once. */
static long loudest(void) {
  const long block = (long)(0.02 * rate);
  double most = -1;
  long best = block;
  for (long start = 4 * block; start + 8 * block < count; start += block) {
    double power = 0;
    for (long n = start; n < start + block; n++) power += x[n] * x[n];
    if (power > most) most = power, best = start;
  }
  return best;
}

static int plant(const char *name) {
  const double seconds = count / rate, most = peak();
#define IS(word) (!strcmp(name, word))
  if (IS("none")) {
  } else if (IS("louder")) {
    for (long n = 0; n < count; n++) y[n] *= 1.2f;
  } else if (IS("surge")) { /* 4 dB louder and softer, for a second each */
    for (long n = 0; n < count; n++) y[n] *= (long)(n / rate) % 2 ? 1.26f : 0.79f;
  } else if (IS("dark")) {
    low_pass(2000);
  } else if (IS("thin")) {
    high_pass(400);
  } else if (IS("telephone")) {
    high_pass(300), memcpy(x, y, count * sizeof *x), low_pass(3400);
  } else if (IS("hole")) {
    resonance(1500, -15, 1);
  } else if (IS("peak")) {
    resonance(3000, 12, 3);
  } else if (IS("comb")) {
    echo(0.003, 0.7);
  } else if (IS("slap")) {
    echo(0.06, 0.4);
  } else if (IS("smear")) {
    for (int tap = 1; tap <= 12; tap++) echo(0.0037 * tap, tap % 2 ? 0.25 : -0.25);
  } else if (IS("hum")) {
    for (long n = 0; n < count; n++) y[n] += (float)(0.02 * most * sin(2 * M_PI * 50 * n / rate));
  } else if (IS("hiss")) {
    for (long n = 0; n < count; n++) y[n] += (float)(0.01 * noise());
  } else if (IS("clip")) {
    const float limit = (float)(0.4 * most);
    for (long n = 0; n < count; n++) y[n] = fmaxf(-limit, fminf(limit, y[n]));
  } else if (IS("coarse")) {
    for (long n = 0; n < count; n++) y[n] = roundf(y[n] * 64) / 64;
  } else if (IS("offset")) {
    for (long n = 0; n < count; n++) y[n] += 0.05f;
  } else if (IS("held")) { /* every fourth sample, four times */
    for (long n = 0; n < count; n++) y[n] = x[n - n % 4];
  } else if (IS("robot")) {
    for (long n = 0; n < count; n++) y[n] *= (float)(0.8 + 0.4 * sin(2 * M_PI * 70 * n / rate));
  } else if (IS("zipper")) { /* another gain in every block */
    double gain = 1;
    for (long n = 0; n < count; n++) y[n] *= (float)(gain = n % 256 ? gain : 1 + 0.15 * noise());
  } else if (IS("drift")) { /* up by 12 cents from the beginning to the end */
    for (long n = 0; n < count; n++) y[n] = (float)at(n + (exp2(0.01) - 1) / 2 * n * n / count);
  } else if (IS("wow")) { /* 15 cents up and down, in two seconds */
    for (long n = 0; n < count; n++) y[n] = (float)at(n - 0.0087 * rate / M_PI * cos(M_PI * n / rate));
  } else if (IS("vibrato")) { /* 25 cents wide at 5.5 Hz */
    for (long n = 0; n < count; n++) y[n] = (float)at(n - 0.0145 * rate / (11 * M_PI) * cos(11 * M_PI * n / rate));
  } else if (IS("rate")) { /* taken for 44.1 kHz */
    for (long n = 0; n < count; n++) y[n] = (float)at(n * 44.1 / 48);
  } else if (IS("chorus")) { /* a second copy whose delay swings from 15 to 21 ms */
    for (long n = 0; n < count; n++) {
      y[n] += (float)(0.7 * at(n - rate * (0.018 + 0.003 * sin(2 * M_PI * 0.8 * n / rate))));
    }
  } else if (IS("stutter")) { /* 60 ms twice */
    const long start = loudest(), length = (long)(0.06 * rate);
    for (long n = start; n < start + length && n < count; n++) y[n] = x[n - length];
  } else if (IS("skip")) { /* 25 ms left out: all that follows comes early */
    const long start = loudest(), length = (long)(0.025 * rate);
    for (long n = start; n < count; n++) y[n] = n + length < count ? x[n + length] : 0;
  } else if (IS("later")) { /* 4 ms late from the middle on */
    const long length = (long)(0.004 * rate);
    for (long n = count / 2; n < count; n++) y[n] = x[n - length];
  } else if (IS("begins")) {
    const long block = (long)(0.01 * rate);
    long start = 0;
    while (start + block < count && fabs(x[start]) < 0.1 * most) start += block;
    mute(0, start / rate + 0.25);
  } else if (IS("ends")) {
    mute(seconds - 0.6, seconds);
  } else if (IS("gate")) { /* closes below a tenth of the peak */
    const double decay = exp(-1 / (0.01 * rate)), limit = 0.1 * most;
    double level = 0;
    for (long n = 0; n < count; n++) {
      level = fmax(fabs(x[n]), decay * level);
      if (level < limit) y[n] = 0;
    }
  } else if (IS("slow")) { /* swells for 100 ms after every silence */
    const double decay = exp(-1 / (0.02 * rate)), limit = 0.03 * most;
    double level = 0, gain = 0;
    for (long n = 0; n < count; n++) {
      level = fmax(fabs(x[n]), decay * level);
      gain = level < limit ? 0 : fmin(1, gain + 1 / (0.1 * rate));
      y[n] *= (float)gain;
    }
  } else if (IS("softer")) {
    for (long n = 0; n < count; n++) y[n] *= 0.75f;
  } else if (IS("fade")) { /* 5 dB softer at the end */
    for (long n = 0; n < count; n++) y[n] *= (float)pow(10, -0.25 * n / count);
  } else if (IS("bright")) {
    high_pass(2500);
    for (long n = 0; n < count; n++) y[n] += x[n];
  } else if (IS("flutter")) { /* 3 dB from trough to crest, 12 times a second */
    for (long n = 0; n < count; n++) y[n] *= (float)pow(10, 0.075 * sin(24 * M_PI * n / rate));
  } else if (IS("overdrive")) {
    for (long n = 0; n < count; n++) y[n] = (float)(most * tanh(2.5 * x[n] / most) / 2);
  } else if (IS("crackle")) { /* three clicks a second of a fifth of the peak */
    for (long n = (long)(0.2 * rate); n < count; n += (long)(0.33 * rate)) y[n] += (float)(0.2 * most);
  } else if (IS("buzz")) { /* the mains with harmonics */
    for (long n = 0; n < count; n++) {
      for (int partial = 1; partial <= 9; partial += 2)
        y[n] += (float)(0.008 * most * sin(2 * M_PI * 60 * partial * n / rate));
    }
  } else if (IS("holes")) { /* 15 ms of silence, twice a second */
    for (double start = 0.3; start < seconds; start += 0.5) mute(start, start + 0.015);
  } else if (IS("flat")) { /* 6 cents */
    for (long n = 0; n < count; n++) y[n] = (float)at(n * exp2(-0.005));
  } else if (IS("tardy")) { /* 3 ms late */
    for (long n = 0; n < count; n++) y[n] = n < (long)(0.003 * rate) ? 0 : x[n - (long)(0.003 * rate)];
  } else if (IS("octave")) { /* 0.6 s an octave up, from the loudest place on */
    const long start = loudest(), length = (long)(0.6 * rate);
    for (long n = 0; n < length && start + n < count; n++) y[start + n] = x[start + (2 * n) % length];
  } else if (IS("late")) { /* 0.4 ms late */
    for (long n = 0; n < count; n++) y[n] = (float)at(n - 0.0004 * rate);
  } else if (IS("uneven")) { /* 1 ms late in bright sounds, 1 ms early in dark ones */
    const double shift = crossings(0, count) > 1000 ? 0.001 : -0.001;
    for (long n = 0; n < count; n++) y[n] = (float)at(n - shift * rate);
  } else if (IS("lags")) { /* 0.2 ms later each second */
    for (long n = 0; n < count; n++) y[n] = (float)at(n * (1 - 0.0002));
  } else if (IS("dull")) { /* consonants 3 dB softer above 2.5 kHz */
    const long block = (long)(0.01 * rate);
    high_pass(2500);
    double share = 0;
    for (long n = 0; n < count; n++) {
      const double wanted = crossings(n - block, n + block) > 4000 ? 0.29 : 0;
      share += (wanted - share) / (0.003 * rate);
      y[n] = (float)(x[n] - share * y[n]);
    }
  } else if (IS("slip")) { /* 70 ms an octave up, from the loudest place on */
    const long start = loudest(), length = (long)(0.07 * rate);
    for (long n = 0; n < length && start + n < count; n++) y[start + n] = x[start + (2 * n) % length];
  } else {
    return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 3 || (rate = atof(argv[1])) <= 0) return fprintf(stderr, "planted RATE NAME\n"), 64;
  long room = 1 << 16;
  x = malloc(room * sizeof *x);
  while (fread(x + count, sizeof *x, 1, stdin) == 1)
    if (++count == room) x = realloc(x, (room *= 2) * sizeof *x);
  y = malloc((count + 1) * sizeof *y);
  memcpy(y, x, count * sizeof *y);
  if (!plant(argv[2])) return fprintf(stderr, "planted: no defect is called %s\n", argv[2]), 64;
  return fwrite(y, sizeof *y, count, stdout) == (size_t)count && fflush(stdout) == 0 ? 0 : 1;
}
