#include "CPlot.h"

#include <gnuplot-iostream.h>

#include <memory>
#include <vector>

struct CPlot {
  Gnuplot gnuplot;

  // A leading '>' asks gnuplot-iostream for a file instead of a pipe.
  explicit CPlot(const std::string &path) : gnuplot(">" + path) {
    gnuplot << std::defaultfloat << std::setprecision(9);
  }
};

/// Runs `work`, turning any exception into `failed`.
template <typename Result, typename Work>
static Result guarded(Result failed, Work work) noexcept {
  try {
    return work();
  } catch (...) {
    return failed;
  }
}

extern "C" CPlot *cplot_open(const char *path) {
  return guarded<CPlot *>(nullptr, [&] { return new CPlot(path); });
}

extern "C" bool cplot_script(CPlot *plot, const char *text) {
  return guarded(false, [&] { return (plot->gnuplot << text).good(); });
}

extern "C" bool cplot_rows(CPlot *plot, const double *values, size_t rows, size_t columns) {
  return guarded(false, [&] {
    std::vector<std::vector<double>> table(rows);
    for (size_t row = 0; row < rows; row++) {
      table[row].assign(values + row * columns, values + (row + 1) * columns);
    }
    plot->gnuplot.send1d(table);
    return plot->gnuplot.good();
  });
}

extern "C" bool cplot_close(CPlot *plot) {
  std::unique_ptr<CPlot> owned(plot);
  return guarded(false, [&] { return owned->gnuplot.flush().good(); });
}
