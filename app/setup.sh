# What app/run and tests/run share: install, configure, build. Sourced by both, from any folder.
#
# All words go to stderr, so that stdout stays the program's. A step that is done already says nothing.
# Everything made lies in build/: env (Python environment with the ExecuTorch SDK), PRESET (CMake), setup.log.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
log=$root/build/setup.log
cmake_needed=3.28
sdk_package="executorch==1.5.1"
packages=(g++ ninja-build ccache pkgconf python3-venv fonts-dejavu-core qt6-base-dev qt6-svg-dev nlohmann-json3-dev libsimdjson-dev
  libflatbuffers-dev flatbuffers-compiler libminizip-dev zlib1g-dev libcli11-dev libxxhash-dev)

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }

# step TITLE COMMAND...: runs it with its output in the log. The title appears when the work takes over a second.
step() {
  local title=$1 watcher status=0; shift
  printf '\n== %s: %s\n' "$title" "$*" >>"$log"
  { read -rt 1 <> <(:) || say "$title"; } & watcher=$!
  "$@" >>"$log" 2>&1 </dev/null || status=$?
  kill "$watcher" 2>/dev/null || true
  wait "$watcher" 2>/dev/null || true
  if [ "$status" -eq 0 ]; then return; fi
  say "error: $title: failed with status $status. The end of $log:"
  tail -n 40 "$log" >&2
  exit 1
}

at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }  # at_least WANTED HAVE

# Prints those of the given packages that are not installed.
missing_packages() {
  local installed name
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null | sed -n 's/^installed //p' || true)
  for name in "$@"; do grep -qxF "$name" <<<"$installed" || printf '%s\n' "$name"; done
}

cmake_on_path() { local version; version=$(cmake --version 2>/dev/null | sed -n '1s/.* //p'); at_least "$cmake_needed" "${version:-0}"; }
cmake_in_debian() { at_least "$cmake_needed" "$(apt-cache policy cmake | sed -n 's/.*Candidate: //p' | grep . || echo 0)"; }

# install_packages PACKAGE...: those that are missing.
install_packages() {
  local missing
  command -v dpkg-query >/dev/null || fail "this needs Debian 12 or 13; elsewhere, install the like of: $*, and see app/setup.sh"
  mapfile -t missing < <(missing_packages "$@")
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  if [ "$(id -u)" -ne 0 ]; then
    say "error: Debian packages are missing, and only root can install them. Run once:"
    say "  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}"
    exit 1
  fi
  step "Fetching Debian's package lists" apt-get update
  step "Installing Debian packages: ${missing[*]}" \
    env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"
}

# The ExecuTorch SDK from PyPI (its C++ half; no torch), and CMake where Debian's is too old.
install_environment() {
  local wanted=("$sdk_package") key
  if [ -n "$cmake_from_pypi" ]; then wanted+=("cmake>=$cmake_needed"); fi
  key="$env $(/usr/bin/python3 -V) ${wanted[*]}"
  if [ "$(cat "$env/.ready" 2>/dev/null)" != "$key" ]; then
    rm -rf "$env"
    step "Making a Python environment in build/env" /usr/bin/python3 -m venv "$env"
    step "Installing ${wanted[*]} from PyPI" "$env/bin/python" -m pip install --no-deps "${wanted[@]}"
    printf '%s\n' "$key" >"$env/.ready"
  fi
  sdk=$(echo "$env"/lib/python3*/site-packages/executorch/share/cmake)
  [ -d "$sdk" ] || fail "the executorch package in build/env holds no C++ SDK for this machine ($(uname -m))"
}

# configure PRESET [CMAKE_ARGUMENT...]
configure() {
  local preset=$1 folder=$root/build/$1 key; shift
  key="$root $sdk $(cmake --version | sed -n 1p) $(sha256sum <"$root/CMakePresets.json") $*"
  if [ -e "$folder/build.ninja" ] && [ "$(cat "$folder/.configured" 2>/dev/null)" = "$key" ]; then return; fi
  step "Configuring build/$preset" cmake --fresh -S "$root" --preset "$preset" "-Dexecutorch_DIR=$sdk" "$@"
  printf '%s\n' "$key" >"$folder/.configured"
}

# set_up PRESET TARGET: all that is needed to run what TARGET makes. One at a time in a clone.
set_up() {
  local preset=$1 target=$2 lock
  mkdir -p "$root/build"
  exec {lock}>"$root/build/.lock"
  flock "$lock"
  : >"$log"
  if [ "$preset" = fuzz ]; then packages+=(clang-19 libclang-rt-19-dev llvm-19); fi
  if [ -n "${WAYLAND_DISPLAY:-}" ]; then packages+=(qt6-wayland); fi
  install_packages "${packages[@]}"

  env=$root/build/env cmake_from_pypi=
  if cmake_on_path; then :
  elif [ ! -x "$env/bin/cmake" ] && cmake_in_debian; then install_packages cmake
  else cmake_from_pypi=yes; PATH=$env/bin:$PATH
  fi
  install_environment

  cd "$root"
  configure "$preset"
  step "Building build/$preset (minutes the first time; to watch: tail -f build/setup.log)" \
    cmake --build --preset "$preset" --target "$target"
  cd "$OLDPWD"
  exec {lock}>&-
}
