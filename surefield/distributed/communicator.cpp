#include "surefield/distributed/communicator.hpp"

#define OMPI_SKIP_MPICXX  // its C++ binding, removed from the standard
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <thread>

#include "surefield/core/assert.hpp"
#include "surefield/core/error.hpp"

namespace surefield {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 30;  // bytes an MPI call, whose counts are int
constexpr int kTold = 1;  // the tag of what is told; what is exchanged has 0

/// How much of `size` bytes lies in the piece that starts at `at`.
int piece(std::size_t size, std::size_t at) {
  return size <= at ? 0 : static_cast<int>(std::min(kPiece, size - at));
}

/// What to say where an end is near and another rank does not come; one program has one of these.
struct Farewell {
  std::function<bool()> told;
  std::string message;
  int to = -1;

  void say_if(std::chrono::microseconds waited) {
    constexpr auto kLong = std::chrono::milliseconds(300);  // mpirun leaves ranks a second
    if (message.empty() || waited < kLong || !told()) return;
    message += '\n';
    if (::write(to, message.data(), message.size()) < 0) to = -1;  // nobody listens
    message.clear();
  }
};
Farewell farewell;

/// Waits as somebody who may have to share the core with those it waits for: looks for a while, then sleeps in between, a tenth of how long it
/// has waited. MPI's own way is to look all the time, which on a busy machine takes the time of who is waited for.
void finish(std::span<MPI_Request> requests) {
  using Clock = std::chrono::steady_clock;
  constexpr auto kAwake = std::chrono::microseconds(100), kNap = std::chrono::microseconds(5000);
  const auto count = static_cast<int>(requests.size());
  const auto begun = Clock::now();
  for (int there = 0;;) {
    MPI_Testall(count, requests.data(), &there, MPI_STATUSES_IGNORE);
    if (there != 0) return;
    const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begun);
    farewell.say_if(waited);
    if (waited < kAwake)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::min(waited / 10, kNap));
  }
}

template <class T>
T reduced(T own, MPI_Datatype type, MPI_Op how) {
  T all = own;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&own, &all, 1, type, how, MPI_COMM_WORLD, &request);
  finish({&request, 1});
  return all;
}

}  // namespace

struct Communicator::Told {
  std::string bytes;
  MPI_Request request = MPI_REQUEST_NULL;
};

struct Communicator::Post {
  std::vector<MPI_Request> requests;
};

Communicator::Communicator(int* argc, char*** argv) : post_(std::make_unique<Post>()) {
  speaks_ = ::dup(STDERR_FILENO);
  int provided = 0;
  MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size_);
}

Communicator::~Communicator() {
  for (const auto& told : told_) finish({&told->request, 1});
  MPI_Request all = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &all);
  finish({&all, 1});  // asleep, where MPI_Finalize would wait awake
  farewell = {};
  ::close(speaks_);
  MPI_Finalize();
}

ExactSum Communicator::sum(const ExactSum& own) const {
  ExactSum all;
  for (const auto& parts : gather_to_all<double>(own.parts())) all.add(ExactSum::from_parts(parts));
  return all;
}

std::uint64_t Communicator::sum(std::uint64_t own) const {
  return reduced(own, MPI_UINT64_T, MPI_SUM);
}

double Communicator::largest(double own) const { return reduced(own, MPI_DOUBLE, MPI_MAX); }

bool Communicator::any(bool own) const { return reduced(own ? 1 : 0, MPI_INT, MPI_MAX) != 0; }

std::vector<std::vector<std::byte>> Communicator::gather_bytes(
    std::span<const std::byte> own) const {
  const std::vector<std::span<const std::byte>> to_all(static_cast<std::size_t>(size_), own);
  return swap_bytes(to_all);
}

std::vector<std::vector<std::byte>> Communicator::swap_bytes(
    std::span<const std::span<const std::byte>> out) const {
  const auto ranks = static_cast<std::size_t>(size_);
  std::vector<std::uint64_t> sending(ranks), coming(ranks);
  for (std::size_t r = 0; r < ranks; ++r) sending[r] = out[r].size();
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ialltoall(sending.data(), 1, MPI_UINT64_T, coming.data(), 1, MPI_UINT64_T, MPI_COMM_WORLD,
                &request);
  finish({&request, 1});
  std::vector<std::vector<std::byte>> in(ranks);
  std::vector<Letter> letters;
  for (std::size_t r = 0; r < ranks; ++r) {
    in[r].resize(coming[r]);
    if (static_cast<int>(r) == rank_)
      std::ranges::copy(out[r], in[r].begin());
    else
      letters.push_back({static_cast<int>(r), out[r], out[r].size(), in[r]});
  }
  exchange(letters);
  return in;
}

void Communicator::exchange(std::span<const Letter> letters) const {
  post(letters);
  wait_for_post();
}

void Communicator::post(std::span<const Letter> letters) const {
  std::vector<MPI_Request>& requests = post_->requests;
  SUREFIELD_ASSERT(requests.empty());
  for (const Letter& letter : letters) {
    for (std::size_t at = 0; at < letter.in.size(); at += kPiece)
      MPI_Irecv(letter.in.data() + at, piece(letter.in.size(), at), MPI_BYTE, letter.partner, 0,
                MPI_COMM_WORLD, &requests.emplace_back());
    for (std::size_t at = 0; at < letter.most_out; at += kPiece)
      MPI_Isend(letter.out.data() + std::min(at, letter.out.size()), piece(letter.out.size(), at),
                MPI_BYTE, letter.partner, 0, MPI_COMM_WORLD, &requests.emplace_back());
  }
}

void Communicator::wait_for_post() const {
  finish(post_->requests);
  post_->requests.clear();
}

void Communicator::tell(int rank, std::string bytes) const {
  std::erase_if(told_, [](const auto& told) {
    int arrived = 0;
    MPI_Test(&told->request, &arrived, MPI_STATUS_IGNORE);
    return arrived != 0;
  });
  if (bytes.size() > kPiece)
    abort(message("a result of a task has ", bytes.size(), " bytes, more than the ", kPiece,
                  " that one message may have"));
  Told& told = *told_.emplace_back(std::make_unique<Told>(Told{std::move(bytes)}));
  MPI_Isend(told.bytes.data(), static_cast<int>(told.bytes.size()), MPI_BYTE, rank, kTold,
            MPI_COMM_WORLD, &told.request);
}

std::optional<std::pair<int, std::string>> Communicator::heard() const {
  int there = 0;
  MPI_Message letter = MPI_MESSAGE_NULL;
  MPI_Status status;
  MPI_Improbe(MPI_ANY_SOURCE, kTold, MPI_COMM_WORLD, &there, &letter, &status);
  if (there == 0) return std::nullopt;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  MPI_Mrecv(bytes.data(), size, MPI_BYTE, &letter, MPI_STATUS_IGNORE);
  return std::pair(status.MPI_SOURCE, std::move(bytes));
}

void Communicator::say_when_left_waiting(std::function<bool()> told, std::string message) const {
  farewell = {std::move(told),
              message.empty() ? message : surefield::message("rank ", rank_, ": ", message),
              speaks_};
}

void Communicator::together(const std::function<void()>& own_work) const {
  std::string refusal;
  bool refused = false;
  try {
    own_work();
  } catch (const Error& error) {
    refused = true;
    refusal = error.what();
  }
  if (!any(refused)) return;
  const char told = refused ? '!' : '.';
  for (const auto& text : gather_to_all<char>(std::string(1, told) + refusal))
    if (text[0] == '!') throw Error(std::string(text.begin() + 1, text.end()));
}

void Communicator::abort(const std::string& message) const {
  const std::string line =
      surefield::message("surefield-mpi: rank ", rank_, " of ", size_, ": ", message, "\n");
  if (::write(speaks_, line.data(), line.size()) < 0) std::perror("surefield-mpi");
  MPI_Abort(MPI_COMM_WORLD, 2);
  std::abort();
}

}  // namespace surefield
