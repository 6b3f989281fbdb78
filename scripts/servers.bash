# Sourced by the test scripts: starts servers on free ports and stops every one of them when the script ends.
# shellcheck shell=bash

server_ids=()
scratch=$(mktemp -d)

stop_servers() {
    local id
    for id in "${server_ids[@]}"; do
        kill "$id" 2>/dev/null || true
    done
    for id in "${server_ids[@]}"; do
        # A server that does not drain in ten seconds is a bug of its own, but must not outlive the tests.
        for _ in $(seq 100); do
            kill -0 "$id" 2>/dev/null || continue 2
            sleep 0.1
        done
        echo "server $id did not stop on SIGTERM; killing it" >&2
        kill -9 "$id" 2>/dev/null || true
    done
    rm -rf "$scratch"
}
trap stop_servers EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# start_keyfold NAME [ARGUMENT…]: a fresh server on a data folder of its own; its address is left in $endpoint.
start_keyfold() {
    local name=$1 port id
    shift
    port=$(scripts/free-port)
    endpoint="http://127.0.0.1:$port"
    target/checks/keyfold engine serve --data "$scratch/$name" --port "$port" "$@" >"$scratch/$name.log" 2>&1 </dev/null &
    id=$!
    server_ids+=("$id")
    if ! scripts/await-endpoint "$endpoint" "$id"; then
        cat "$scratch/$name.log" >&2
        exit 1
    fi
    echo "keyfold ($name) answers at $endpoint"
}

# start_backend NAME ARGUMENT…: the REST server in development mode on a data folder of its own; its address is left in $backend, that of
# the DynamoDB endpoint beside it in $endpoint, and what it prints in $scratch/NAME.log.
start_backend() {
    local name=$1 port dynamodb_port id
    shift
    port=$(scripts/free-port)
    dynamodb_port=$(scripts/free-port)
    backend="http://127.0.0.1:$port"
    endpoint="http://127.0.0.1:$dynamodb_port"
    target/checks/keyfold serve --dev --data "$scratch/$name" --port "$port" --dynamodb-port "$dynamodb_port" "$@" \
        >"$scratch/$name.log" 2>&1 </dev/null &
    id=$!
    server_ids+=("$id")
    if ! scripts/await-endpoint "$backend/healthz" "$id"; then
        cat "$scratch/$name.log" >&2
        exit 1
    fi
    echo "keyfold ($name) answers at $backend"
}

# start_dynamodb_local: its address is left in $endpoint.
start_dynamodb_local() {
    local port id
    port=$(scripts/free-port)
    id=$(scripts/dynamodb-local "$port")
    server_ids+=("$id")
    endpoint="http://127.0.0.1:$port"
    echo "DynamoDB Local answers at $endpoint"
}
