// A search that one process leads: it alone decides what comes next and when to end, while others that hold the same model answer its
// questions. With nobody else the threads of this process do.
//
// A question must have the same answer wherever it is asked. Then the search has the same bits with any number of helpers: who answers
// changes nothing, and clocks are read by the one that leads. A question says all that changes from one to the next (a box, what is known
// so far); what does not (the domain, the inverse temperature) is the subject, told once. core/crew.hpp says who helps.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>

#include "surefield/core/budget.hpp"
#include "surefield/core/parallel.hpp"

namespace surefield {

/// What questions are about, beyond the model: a method by its name, and what it needs to know, as bytes (core/packing.hpp).
struct Subject {
  std::string method;
  std::string bytes = {};
  bool operator==(const Subject&) const = default;
};

inline auto fields_of(Subject& subject) {
  auto& [method, bytes] = subject;
  return std::tie(method, bytes);
}

/// Questions and answers are bytes. Safe from several threads at once.
using Answerer = std::function<std::string(std::string_view)>;

/// Makes who answers questions on a subject, for as long as the budget allows. Throws Error for one it does not know.
using Answerers = std::function<Answerer(const Subject&, const Budget&)>;

class Helpers {
 public:
  struct Questions {
    const Subject& subject;
    std::size_t count;
    const Budget& budget;                              ///< its threads answer in this process
    std::function<void(std::size_t)> here;             ///< answers one in this process
    std::function<std::string(std::size_t)> question;  ///< one for another process
    std::function<void(std::size_t, std::string_view)> keep;  ///< the answer that came back
    std::size_t ahead =
        0;  ///< a thread: told to another process while it is at work; for those that take less than a millisecond
  };

  virtual ~Helpers() = default;
  /// All of them. What the first of them throws, in their order, comes out.
  virtual void ask(const Questions& questions) = 0;
};

/// All questions, by helpers if there are any.
inline void ask(Helpers* helpers, const Helpers::Questions& questions) {
  if (helpers != nullptr && questions.count > 1)
    helpers->ask(questions);
  else
    for_each_index(questions.count, questions.budget.threads(), questions.here);
}

}  // namespace surefield
