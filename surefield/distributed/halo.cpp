#include "surefield/distributed/halo.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "surefield/core/assert.hpp"

namespace surefield {
namespace {

/// By wave, then as the model counts; where each wave starts.
template <class InModel>
std::vector<std::size_t> sort_by_wave(std::vector<std::uint32_t>& variables,
                                      const InModel& in_model, const Partition& partition) {
  const auto wave = [&](std::uint32_t i) {
    return partition.waves.of_block[in_model(i) / partition.block];
  };
  std::ranges::sort(variables, {}, [&](std::uint32_t i) {
    return std::pair{wave(i), in_model(i)};
  });
  std::vector<std::size_t> from(partition.waves.count + 1, variables.size());
  for (std::size_t k = variables.size(); k-- > 0;) from[wave(variables[k])] = k;
  for (std::size_t w = partition.waves.count; w-- > 0;) from[w] = std::min(from[w], from[w + 1]);
  return from;
}

template <class T>
void append(std::byte*& at, std::span<const T> values) {
  if (!values.empty()) std::memcpy(at, values.data(), values.size_bytes());
  at += values.size_bytes();
}

template <class T>
void take(std::span<const std::byte>& bytes, std::vector<T>& values, std::size_t count) {
  SUREFIELD_ASSERT(bytes.size() >= count * sizeof(T));
  values.resize(count);
  if (count > 0) std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  bytes = bytes.subspan(count * sizeof(T));
}

}  // namespace

Halo::Halo(const FieldSlice& slice, const Partition& partition, const Communicator& ranks)
    : ranks_(ranks), waves_(partition.waves.count) {
  const auto parties = static_cast<std::size_t>(ranks.size());
  std::vector<std::vector<std::uint32_t>> send(parties), receive(parties);
  for (Index k = 0; k < slice.halo.size(); ++k)
    receive[partition.owner_of(slice.halo[k])].push_back(static_cast<std::uint32_t>(slice.own + k));
  for (Index i = 0; i < slice.own; ++i)
    for (const auto j : slice.field.neighbours().of(i)) {
      if (j < slice.own) continue;
      auto& list = send[partition.owner_of(slice.halo[j - slice.own])];
      if (list.empty() || list.back() != i) list.push_back(static_cast<std::uint32_t>(i));
    }
  const auto in_model = [&](std::uint32_t i) { return slice.in_model(i); };
  for (std::size_t r = 0; r < parties; ++r) {
    if (send[r].empty()) continue;
    Border& border = borders_.emplace_back();
    border.partner = static_cast<int>(r);
    border.send = std::move(send[r]);
    border.receive = std::move(receive[r]);
    border.send_from = sort_by_wave(border.send, in_model, partition);
    border.receive_from = sort_by_wave(border.receive, in_model, partition);
  }
}

void Halo::begin(std::span<const double> values) {
  for (Border& border : borders_) {
    border.sent.clear();
    for (const std::uint32_t i : border.send) border.sent.push_back(values[i]);
  }
}

void Halo::begin_anew() {
  for (Border& border : borders_)
    border.sent.assign(border.send.size(), std::numeric_limits<double>::quiet_NaN());
}

std::vector<std::uint8_t> Halo::is_copied(Index own) const {
  std::vector<std::uint8_t> copied(own, 0);
  for (const Border& border : borders_)
    for (const std::uint32_t i : border.send) copied[i] = 1;
  return copied;
}

void Halo::post() {
  std::vector<Communicator::Letter> letters;
  for (Border& border : borders_) {
    if (!border.meets) continue;
    const std::uint32_t head[2] = {static_cast<std::uint32_t>(border.out.places.size()),
                                   static_cast<std::uint32_t>(border.out.woken.size())};
    border.packed_out.resize(sizeof head + border.out.places.size() * 12 +
                             border.out.woken.size() * 4);
    std::byte* at = border.packed_out.data();
    append<std::uint32_t>(at, head);
    append<std::uint32_t>(at, border.out.places);
    append<std::uint32_t>(at, border.out.woken);
    append<double>(at, border.out.values);
    border.packed_in.resize(sizeof head + border.receive.size() * 12 + border.send.size() * 4);
    letters.push_back({border.partner, border.packed_out,
                       sizeof head + border.send.size() * 12 + border.receive.size() * 4,
                       border.packed_in});
    bytes_sent_ += border.packed_out.size();
    ++messages_sent_;
  }
  ranks_.post(letters);
}

void Halo::await() {
  ranks_.wait_for_post();
  for (Border& border : borders_) {
    if (!border.meets) continue;
    std::span<const std::byte> bytes(border.packed_in);
    std::vector<std::uint32_t> head;
    take(bytes, head, 2);
    take(bytes, border.in.places, head[0]);
    take(bytes, border.in.woken, head[1]);
    take(bytes, border.in.values, head[0]);
  }
}

}  // namespace surefield
