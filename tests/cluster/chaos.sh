#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ten faults with the date as seed. A campaign is tests/cluster/chaos.py --faults 200.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
exec python3 tests/cluster/chaos.py --faults 10 "$@"
