// Mean field as a layer: many models of one structure at once, forward and backward.
//
//   forward    theta, beta, items forced in or out  ->  marginals x*, ELBO, upper bound of the best ELBO
//   backward   dL/dx*, dL/dELBO                     ->  dL/dtheta, dL/dbeta
//   second     the derivative of backward's answer for the ELBO alone: d^2 f*/dtheta^2 is made of dx*/dtheta
//
// The structure is a model of a family with derivatives (extension_derivatives.hpp); an element is that model
// with other numbers (parameters.hpp). Two gradients:
//
//   kImplicit   from where a pass of double greedy ends, to the fixed point (fixed_point.hpp); backward is
//               one linear solve there (implicit.hpp); the ELBO by the envelope theorem
//   kUnrolled   sweeps of coordinate ascent from the middle of the box, as many as `epochs` or until they
//               have converged; backward goes back along them, exactly, converged or not (unrolled.hpp)
//
// The upper bound is the certificate of a double greedy pass: infinite where F is not submodular, but for fields that
// flips of variables make so (models/balance.hpp), the attractive ones on a bipartite graph among them. An element
// that fails (a number that is not finite, an item both in and out) says why; its numbers are NaN, its
// derivatives 0, and the others do not notice. Elements are independent: the same bits for any number of threads.
// Cost an element: FLID of n = 100 and D = 10 about 0.3 ms forward and 0.2 ms backward (docs/torch.md).
// Nothing is kept between the calls.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "surefield/core/budget.hpp"
#include "surefield/core/report.hpp"
#include "surefield/learn/marginal_gradient.hpp"
#include "surefield/learn/parameters.hpp"
#include "surefield/models/any_model.hpp"

namespace surefield {

enum class LayerGradient { kImplicit, kUnrolled };

struct MeanFieldLayerOptions {
  LayerGradient gradient = LayerGradient::kImplicit;
  std::size_t epochs = 1000;  ///< at most, an element
  double tolerance = 1e-10;   ///< converged when no coordinate moves by more
  bool upper_bound = true;    ///< whether it is wanted: infinite if not
};

/// What goes in: one row an element, rows one after the other.
struct LayerBatch {
  std::size_t count = 0;
  std::span<const double> parameters;           ///< count rows of theta
  std::span<const double> inverse_temperature;  ///< count
  std::span<const std::uint8_t> include,
      exclude;  ///< count rows of n, not 0: forced; empty: nothing is
};

/// What comes out of forward, into memory of the caller.
struct LayerAnswer {
  std::span<double> marginals;    ///< count rows of n
  std::span<double> elbo;         ///< count
  std::span<double> upper_bound;  ///< count
  std::span<Status> status;       ///< count: kConverged, kEpochLimit, kInterrupted or kFailed
  std::span<std::string> reason;  ///< count: why it failed; empty if it did not
};

/// The slopes of a loss; an empty span is all zeros.
struct LayerSlopes {
  std::span<const double> marginals;  ///< count rows of n
  std::span<const double> elbo;       ///< count
};

/// What comes out of backward and of second.
struct LayerDerivatives {
  std::span<double> parameters;           ///< count rows of theta
  std::span<double> inverse_temperature;  ///< count
  std::span<double> elbo_slope;           ///< count, of second alone: in LayerSlopes::elbo
  std::span<std::string> reason;          ///< count: why there is none, which is then 0; else empty
};

class MeanFieldLayer {
 public:
  /// Throws Error for a family without derivatives, naming those that have them, and for options out of
  /// range.
  MeanFieldLayer(AnyModel structure, MeanFieldLayerOptions options);

  const AnyModel& structure() const { return structure_; }
  const MeanFieldLayerOptions& options() const { return options_; }
  const std::vector<ParameterBlock>& blocks() const { return blocks_; }
  Index items() const { return structure_.size(); }
  std::size_t parameter_count() const { return parameter_count_; }
  std::vector<double> parameters() const;  ///< of the structure itself

  /// All throw Error where a size is wrong. Elements not begun before the budget is spent are
  /// kInterrupted.
  void forward(const LayerBatch& batch, const LayerAnswer& answer, const Budget& budget = {}) const;
  /// `marginals` are forward's own.
  void backward(const LayerBatch& batch, std::span<const double> marginals,
                const LayerSlopes& slopes, const LayerDerivatives& derivatives,
                const Budget& budget = {}) const;
  /// Derivatives of v . backward's dL/dtheta + w . its dL/dbeta, for slopes of the ELBO alone and the
  /// implicit gradient; any other is refused by Error.
  void second(const LayerBatch& batch, std::span<const double> marginals,
              std::span<const double> elbo_slope, std::span<const double> v,
              std::span<const double> w, const LayerDerivatives& derivatives,
              const Budget& budget = {}) const;

 private:
  void require_sizes(const LayerBatch& batch, const LayerDerivatives* derivatives) const;

  AnyModel structure_;
  MeanFieldLayerOptions options_;
  std::vector<ParameterBlock> blocks_;
  std::size_t parameter_count_ = 0;
};

}  // namespace surefield
