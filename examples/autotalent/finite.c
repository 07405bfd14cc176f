/* Debian's autotalent.so needs functions that glibc removed in 2.31. Loaded before it, this library has them:
     cc -O2 -shared -fPIC -o finite.so finite.c -lm */
#include <math.h>

double __exp_finite(double x) { return exp(x); }
double __exp2_finite(double x) { return exp2(x); }
double __log10_finite(double x) { return log10(x); }
