#ifndef CPLOT_H
#define CPLOT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A gnuplot script being written to a file. Nothing is piped: a pipe to a missing gnuplot kills
/// the process, and one to a failing gnuplot reports success.
typedef struct CPlot CPlot;

/// Creates the file, or empties it. Returns NULL if it cannot be written.
CPlot *cplot_open(const char *path);

/// Appends `text` as it stands. Returns false if the file has failed.
bool cplot_script(CPlot *plot, const char *text);

/// Appends `rows` lines of `columns` numbers, nine significant digits each, and the closing line
/// `e`. `values` holds row after row. NaN becomes `nan`, at which gnuplot interrupts a line.
/// Returns false if the file has failed.
bool cplot_rows(CPlot *plot, const double *values, size_t rows, size_t columns);

/// Writes out what is buffered, closes the file and frees `plot`, whatever happens.
/// Returns false if any byte may be missing.
bool cplot_close(CPlot *plot);

#ifdef __cplusplus
}
#endif

#endif
