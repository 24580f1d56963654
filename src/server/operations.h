// SPDX-License-Identifier: MIT
// What a server's operator sees and decides, shared by the public and the admin port.
#pragma once

#include <instep/server/ban_list.h>
#include <instep/server/build_status.h>
#include <instep/server/log.h>
#include <instep/server/metrics.h>
#include <instep/server/process_stats.h>

namespace instep::server {

struct Operations {
    explicit Operations(Log& the_log, std::string build_id = {}) : log(the_log), build(std::move(build_id)) {}

    std::string metrics_text() { return prometheus_text(metrics, log, process); }

    Log& log;
    Metrics metrics;
    ProcessStats process;
    BanList bans;
    BuildStatus build;
};

}  // namespace instep::server
