#include "surefield/api/model_table.hpp"

#include <array>

namespace surefield {
namespace {

constexpr std::array kModels{
    ModelRow{"flid", "sum_S u_i + sum_d (max_S W_id - sum_S W_id)", "O(D log n)", "W >= 0",
             "memory O(n D)", "docs/models/flid.md"},
    ModelRow{"fldc", "a flid + sum_e (sum_S V_ie - max_S V_ie): items that go together",
             "O((D + E) log n)", "at most one V_ie > 0 a concept e", "memory O(n (D + E))",
             "docs/models/fldc.md"},
    ModelRow{"facility-location", "sum_d max_S w_id - sum_S cost_i", "O(customers of i * log n)",
             "w >= 0", "memory O(entries)", "docs/models/facility_location.md"},
    ModelRow{"coverage", "sum_c w_c (1 - prod_S (1 - p_ic)) - sum_S cost_i", "O(concepts of i)",
             "w >= 0, 0 <= p <= 1", "memory O(entries)", "docs/models/coverage.md"},
    ModelRow{"pairwise", "constant + sum_S bias_i + sum_{ij in S} coupling_ij", "O(degree of i)",
             "coupling <= 0, or after flips", "memory O(n + edges)",
             "docs/models/pairwise_field.md"},
    ModelRow{"cut", "sum_S bias_i + sum_ij w_ij [cut by S], directed or not", "O(degree of i)",
             "w >= 0", "memory O(n + edges)", "docs/models/graph_cut.md"},
    ModelRow{"hypergraph-cut", "sum_S bias_i + sum_e w_e [S meets tail(e), misses some of head(e)]",
             "O(hyperedges of i)", "w >= 0", "memory O(entries)", "docs/models/hypergraph_cut.md"},
    ModelRow{"gibbs", "constant + sum_S bias_i + sum_{A in S} coefficient_A", "O(monomials of i)",
             "every pair interaction <= 0",
             "order 4 and above is decided for up to 20 variables a pair",
             "docs/models/gibbs_field.md"},
    ModelRow{"concave-over-modular", "sum_S modular_i + sum_g w_g psi_g(sum_S m_gi)",
             "O(80) a group of i", "w >= 0",
             "exact to the tolerance, 1e-10 by default; min(y, c) needs whole weights",
             "docs/models/concave_over_modular.md"},
    ModelRow{"log-det", "log det L_S (determinantal point process)",
             "O(samples * |S|^2 n) a change", "L positive definite",
             "an estimate by sampling: no certificate; log Z is exact", "docs/models/log_det.md"},
    ModelRow{"black-box", "any callback F(S), from C++", "O(samples) calls", "spot check only",
             "an estimate by sampling: no certificate", "docs/models/black_box.md"},
    ModelRow{"sum", "sum_t w_t F_t(S), of any of the above", "the sum of its terms'",
             "w >= 0 and every term submodular", "all terms over the same items",
             "docs/models/weighted_sum.md"},
};

}  // namespace

std::span<const ModelRow> model_table() { return kModels; }

}  // namespace surefield
