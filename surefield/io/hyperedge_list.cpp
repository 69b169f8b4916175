#include "surefield/io/hyperedge_list.hpp"

#include <optional>
#include <unordered_map>

#include "surefield/core/error.hpp"
#include "surefield/io/lines.hpp"
#include "surefield/io/number_text.hpp"
#include "surefield/io/read_file.hpp"
#include "surefield/io/text_scanner.hpp"

namespace surefield {
namespace {

constexpr std::string_view kSeparators = " \t,";

/// The next name of the line, or nothing at its end.
std::optional<std::string_view> take_name(std::string_view& left, const Lines& at) {
  left.remove_prefix(std::min(left.size(), left.find_first_not_of(kSeparators)));
  if (left.empty()) return std::nullopt;
  const bool quote = left[0] == '\'' || left[0] == '"';
  const auto end = quote ? left.find(left[0], 1) : left.find_first_of(kSeparators);
  if (quote && end == std::string_view::npos)
    at.fail_here("found ", in_quotes(left), ", expected a closing quote on the same line");
  const std::string_view name = quote ? left.substr(1, end - 1) : left.substr(0, end);
  left.remove_prefix(std::min(left.size(), quote ? end + 1 : end));
  if (quote && !left.empty() && kSeparators.find(left[0]) == std::string_view::npos)
    at.fail_here("found ", in_quotes(left), " behind a closing quote, expected a separator");
  if (name.empty()) at.fail_here("found an empty name, expected a node");
  return name;
}

std::string_view without_braces(const Lines& at) {
  std::string_view line = at.line();
  const bool opens = line.starts_with('{');
  if (opens != line.ends_with('}'))
    at.fail_here("found ", in_quotes(line), ", expected both braces or none");
  return opens ? trimmed(line.substr(1, line.size() - 2)) : line;
}

class Nodes {
 public:
  explicit Nodes(bool listed) : listed_(listed) {}

  void list(std::string_view name, const Lines& at) {
    if (!add(name).second) at.fail_here("node ", in_quotes(name), " is listed twice");
  }
  std::uint32_t find(std::string_view name, const Lines& at) {
    if (!listed_) return add(name).first;
    const auto place = index_.find(std::string(name));
    if (place == index_.end())
      at.fail_here("found ", in_quotes(name), ", expected one of the ", names_.size(),
                   " listed nodes");
    return place->second;
  }
  Index count() const { return names_.size(); }
  std::vector<std::string> names() && { return std::move(names_); }

 private:
  std::pair<std::uint32_t, bool> add(std::string_view name) {
    const auto [place, added] = index_.emplace(name, static_cast<std::uint32_t>(names_.size()));
    if (added) names_.emplace_back(name);
    return {place->second, added};
  }

  bool listed_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::uint32_t> index_;
};

}  // namespace

HypergraphFile parse_hyperedges(std::string_view text, std::string_view name) {
  const auto first_line_at =
      text.starts_with("\xEF\xBB\xBF") ? trimmed(text.substr(3)) : trimmed(text);
  const bool listed = trimmed(first_line_at.substr(0, first_line_at.find('\n'))) == "nodes";
  Nodes nodes(listed);
  std::vector<Hyperedge> hyperedges;
  std::vector<Index> last_edge;  // per node: the number of the last hyperedge that holds it
  Lines lines(text, name);
  enum class Part { kHeader, kNodes, kEdges } part = listed ? Part::kHeader : Part::kEdges;
  while (lines.next()) {
    if (lines.line().empty()) continue;
    if (part == Part::kHeader) {
      part = Part::kNodes;
    } else if (part == Part::kNodes && lines.line() == "edges") {
      part = Part::kEdges;
    } else if (part == Part::kNodes) {
      nodes.list(lines.line(), lines);
    } else {
      std::vector<std::uint32_t> members;
      std::string_view left = without_braces(lines);
      while (const auto node = take_name(left, lines)) {
        const auto i = nodes.find(*node, lines);
        last_edge.resize(nodes.count(), 0);
        if (last_edge[i] == hyperedges.size() + 1)
          lines.fail_here("node ", in_quotes(*node), " is twice in the hyperedge");
        last_edge[i] = hyperedges.size() + 1;
        members.push_back(i);
      }
      if (members.empty()) lines.fail_here("the hyperedge is empty, expected one or more nodes");
      hyperedges.push_back(undirected_hyperedge(std::move(members), 1));
    }
  }
  if (part == Part::kNodes || part == Part::kHeader)
    fail(name, ":", lines.number(), ": the file ends, expected a line 'edges'");
  std::vector<double> bias(nodes.count(), 0.0);
  return {naming_file(name,
                      [&] { return make_hypergraph_cut(std::move(bias), std::move(hyperedges)); }),
          std::move(nodes).names()};
}

HypergraphFile read_hyperedges(const std::string& path) {
  return parse_hyperedges(read_file(path), path);
}

std::string hyperedges_text(const HypergraphCut& model, const std::vector<std::string>& items) {
  const Index n = model.bias.size();
  require(items.empty() || items.size() == n, "hyperedges: there are ", items.size(),
          " names, but ", n, " nodes");
  const auto name_of = [&items](Index i) { return items.empty() ? message(i + 1) : items[i]; };
  std::string text = "nodes\n";
  std::vector<std::string> quoted_names;
  for (Index i = 0; i < n; ++i) {
    const std::string name = name_of(i);
    const char quote = name.find('\'') == std::string::npos ? '\'' : '"';
    require(model.bias[i] == 0, "hyperedges: node ", i, " has bias ", model.bias[i],
            ", but a hyperedge list holds none; write the model as JSON");
    require(!name.empty() && name == trimmed(name) && name != "edges" &&
                name.find(quote) == std::string::npos && name.find('\n') == std::string::npos,
            "hyperedges: the node name ", in_quotes(name),
            " cannot be written in a hyperedge list");
    text.append(name).append("\n");
    quoted_names.push_back(quote + name + quote);
  }
  text += "edges\n";
  for (Index e = 0; e < model.hyperedges.size(); ++e) {
    const auto& [weight, tail, head] = model.hyperedges[e];
    require(weight == 1 && tail == head && !tail.empty(), "hyperedges: hyperedge ", e,
            " must be undirected with weight 1; write the model as JSON");
    for (Index k = 0; k < tail.size(); ++k)
      text.append(k == 0 ? "{" : ", ").append(quoted_names[tail[k]]);
    text += "}\n";
  }
  return text;
}

}  // namespace surefield
