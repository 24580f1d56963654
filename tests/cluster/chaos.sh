#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ten faults with the date as seed. A campaign is tests/cluster/chaos.py --faults 200, on a quiet machine: here the limit
# of waits only finds clients that do not come back, since a busy machine delays take-overs.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec python3 tests/cluster/chaos.py --faults 10 --longest-wait 10 "$@"
