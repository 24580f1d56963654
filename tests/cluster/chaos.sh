#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Ten faults with the date as seed, one of them a failover by Sentinels. A campaign is tests/cluster/chaos.py --faults 200,
# on a quiet machine: here the limit of waits only finds clients that do not come back, since a busy machine delays
# take-overs.
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
code=0
python3 tests/cluster/chaos.py --faults 9 --longest-wait 10 "$@" || code=1
python3 tests/cluster/chaos.py --sentinel --faults 1 --longest-wait 15 "$@" || code=1
exit $code
