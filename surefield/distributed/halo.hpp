// What ranks tell each other after a wave: the new values of variables that others hold copies of, only those that
// changed, and whom of the others' variables a move woke.
//
// Both sides of a border list its variables in the same order, by wave and then as the model counts them, so a value travels
// with its place in that list. A message a partner and wave: 8 bytes, 12 for a value, 4 for one woken.
// Blocks of a wave do not touch, so nobody needs what others do in the same wave: those on a border go first, and while what changed is under
// way, the rest are done.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "surefield/core/concepts.hpp"
#include "surefield/distributed/communicator.hpp"
#include "surefield/distributed/field_slice.hpp"

namespace surefield {

class Halo {
 public:
  /// All must outlive this.
  Halo(const FieldSlice& slice, const Partition& partition, const Communicator& ranks);

  /// From now on all copies are as `values` says, which holds own variables and copies; every copy must be right.
  void begin(std::span<const double> values);
  /// From now on no copy is right: everything is sent once.
  void begin_anew();

  /// The variables of one wave: value(i) of own ones goes out where it changed since it was sent last. woken(j) says whether a copy was
  /// woken. Then work that touches neither these nor copies may go on, until
  template <class Value, class Woken>
  void send(std::size_t wave, const Value& value, const Woken& woken) {
    send(wave, wave + 1, value, woken);
  }
  /// The same of all waves at once, nobody waking: for what does not depend on the order.
  template <class Value>
  void send_all(const Value& value) {
    send(0, waves_, value, [](Index) { return false; });
  }
  /// put(i, v) of copies that others changed, wake(i) of own variables that they woke.
  template <class Put, class Wake>
  void receive(const Put& put, const Wake& wake) {
    await();
    for (Border& border : borders_) {
      if (!border.meets) continue;
      for (std::size_t k = 0; k < border.in.places.size(); ++k)
        put(border.receive[border.in.places[k]], border.in.values[k]);
      for (const std::uint32_t k : border.in.woken) wake(border.send[k]);
    }
  }

  /// Whether others have copies of an own variable, by variable.
  std::vector<std::uint8_t> is_copied(Index own) const;

  std::uint64_t bytes_sent() const { return bytes_sent_; }
  std::uint64_t messages_sent() const { return messages_sent_; }

 private:
  struct Message {
    std::vector<std::uint32_t> places, woken;
    std::vector<double> values;
    void clear() {
      places.clear();
      woken.clear();
      values.clear();
    }
  };
  struct Border {
    int partner;
    std::vector<std::uint32_t> send, receive;          // own variables, copies
    std::vector<std::size_t> send_from, receive_from;  // where each wave starts in them
    std::vector<double> sent;
    Message out, in;
    bool meets = false;
    std::vector<std::byte> packed_out, packed_in;
  };

  template <class Value, class Woken>
  void send(std::size_t first, std::size_t last, const Value& value, const Woken& woken) {
    for (Border& border : borders_) {
      border.out.clear();
      border.meets = border.send_from[first] < border.send_from[last] ||
                     border.receive_from[first] < border.receive_from[last];
      if (!border.meets) continue;
      for (std::size_t k = border.send_from[first]; k < border.send_from[last]; ++k)
        if (const double v = value(border.send[k]); v != border.sent[k]) {
          border.sent[k] = v;
          border.out.places.push_back(static_cast<std::uint32_t>(k));
          border.out.values.push_back(v);
        }
      for (std::size_t k = 0; k < border.receive.size(); ++k)
        if (woken(border.receive[k])) border.out.woken.push_back(static_cast<std::uint32_t>(k));
    }
    post();
  }

  void post();
  void await();

  const Communicator& ranks_;
  std::size_t waves_;
  std::vector<Border> borders_;
  std::uint64_t bytes_sent_ = 0, messages_sent_ = 0;
};

}  // namespace surefield
