# Sourced by scripts that install tools: each toolbox stays inside the checkout, remembers a fingerprint of what it was made
# from, and is made again only when that changes.
# shellcheck shell=bash

fingerprint() { sha256sum "$@" | sha256sum | cut -d' ' -f1; }

# python_toolbox FOLDER REQUIREMENTS WHAT: a virtual environment with the pinned packages of a file.
python_toolbox() {
    local wanted
    wanted="$(python3 --version) $(fingerprint "$2")"
    [ "$(cat "$1/.made-from" 2>/dev/null)" = "$wanted" ] && return 0
    echo "making $1 with $3"
    rm -rf "$1"
    mkdir -p "$(dirname "$1")"
    python3 -m venv "$1"
    "$1/bin/pip" install --quiet --disable-pip-version-check -r "$2"
    printf '%s' "$wanted" >"$1/.made-from"
}

# node_toolbox FOLDER WHAT: the packages of the folder's lock file.
node_toolbox() {
    local wanted
    wanted="$(fingerprint "$1/package.json" "$1/package-lock.json")"
    [ "$(cat "$1/node_modules/.made-from" 2>/dev/null)" = "$wanted" ] && return 0
    echo "installing $2 into $1/node_modules"
    npm ci --prefix "$1" --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null
    printf '%s' "$wanted" >"$1/node_modules/.made-from"
}
