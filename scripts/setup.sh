#!/usr/bin/env bash
# Installs what the build, the tests and the benchmarks need from Debian's packages, and nothing that is there already.
# Works as root or with sudo; takes well under a second when nothing is missing.
set -eu

packages=(
  g++ cmake ninja-build            # the build
  libeigen3-dev libtbb-dev         # the library
  nlohmann-json3-dev libfmt-dev    # the library
  liblbfgspp-dev                   # the library
  libcli11-dev                     # the program
  libboost-dev libsqlite3-dev      # the studio's server and its history
  libgtest-dev libgmock-dev        # the tests
  python3                          # the repository checks and the documents' examples
  libbenchmark-dev python3-numpy   # the benchmarks and their baseline
  clang-format clang-tidy          # make format, make tidy
  chromium                         # the tests of the report page
  python3-jsonschema               # the tests of the result schema
)
# The report page is bundled with node and npm; those of another source than Debian do as well.
command -v node >/dev/null || packages+=(nodejs)
command -v npm >/dev/null || packages+=(npm)

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || {
    echo "setup: these packages are missing and there is no sudo to install them: ${missing[*]}" >&2
    exit 2
  }
  as_root=(sudo)
fi
echo "setup: installing ${missing[*]}" >&2
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >&2
