// SPDX-License-Identifier: MIT
#include <instep/match/parity.h>

#include <algorithm>
#include <cmath>

#include <instep/contract/recording.h>
#include <instep/math/units.h>

namespace instep::match {
namespace {

using contract::Recording;
using state::Json;
using state::refuse;
using state::Result;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

std::string found(const Json* value) { return value ? std::string(value->kind_name()) : "none"; }

std::size_t find_column(const Recording& recording, std::string_view name) {
    const auto at = std::find(recording.columns.begin(), recording.columns.end(), name);
    return at == recording.columns.end() ? none : static_cast<std::size_t>(at - recording.columns.begin());
}

double difference(double expected, double got, bool is_angle) {
    if (std::isnan(expected) && std::isnan(got)) return 0;
    if (expected == got) return 0;
    double size = std::abs(expected - got);
    if (is_angle) {
        size = std::fmod(size, math::two_pi);
        size = std::min(size, math::two_pi - size);
    }
    return std::isnan(size) ? infinity : size;
}

Result<std::vector<std::string>> strings_at(const Json& object, std::string_view key,
                                            const std::string& where) {
    std::vector<std::string> strings;
    const Json* list = object.find(key);
    if (!list || !list->array())
        return refuse(where,
                      "expected \"" + std::string(key) + "\" to be an array of strings, got " + found(list));
    for (const Json& item : *list->array()) {
        if (!item.string())
            return refuse(where,
                          "expected \"" + std::string(key) + "\" to hold only strings, got " + found(&item));
        strings.push_back(*item.string());
    }
    return strings;
}

Result<ParityRules> read_rules(const Json& entry, const std::string& where) {
    ParityRules rules;
    const Json* tolerance = entry.find("tolerance");
    if (!tolerance || (!tolerance->is_null() && !(tolerance->is_number() && tolerance->number() >= 0)))
        return refuse(where, "expected \"tolerance\" to be a number from 0 on, or null, got " +
                                 (tolerance && tolerance->is_number() ? state::write_json(*tolerance)
                                                                      : found(tolerance)));
    rules.by_hand = tolerance->is_null();
    rules.tolerance = tolerance->number();
    rules.angles = entry.find("angles") != nullptr;
    if (const Json* rows = entry.find("rows")) {
        std::uint64_t count = 0;
        if (!rows->to_integer(count) || count == 0)
            return refuse(where, "expected \"rows\" to be a whole number from 1 on");
        rules.rows = static_cast<std::size_t>(count);
    }
    if (entry.find("skip_airborne")) {
        auto names = strings_at(entry, "skip_airborne", where);
        if (!names) return std::unexpected(names.error());
        rules.skip_airborne = std::move(*names);
    }
    return rules;
}

// Walks both recordings in step, row by row.
struct RowPairs {
    const Recording& expected;
    const Recording& got;
    std::size_t expected_time = find_column(expected, "t");
    std::size_t got_time = find_column(got, "t");
    std::size_t got_row = 0;

    bool by_time() const { return expected_time != none && got_time != none; }

    double tick_of(std::size_t row) const {
        return expected_time == none ? static_cast<double>(row + 1) : expected.rows[row][expected_time];
    }
    // The row of `got` that belongs to this one of `expected`; null if there is no such row. Ask in rising
    // order.
    const std::vector<double>* partner(std::size_t row) {
        if (!by_time()) return row < got.rows.size() ? &got.rows[row] : nullptr;
        while (got_row < got.rows.size() && got.rows[got_row][got_time] < tick_of(row)) ++got_row;
        const bool same = got_row < got.rows.size() && got.rows[got_row][got_time] == tick_of(row);
        return same ? &got.rows[got_row] : nullptr;
    }
};

// A column that is compared, and where it is in both.
struct ColumnPair {
    std::size_t expected;
    std::size_t got;
    bool is_angle;
    bool skip_airborne;
};

Result<std::vector<ColumnPair>> pair_columns(const Recording& expected, const Recording& got,
                                             const ParityRules& rules, bool every_column_is_an_angle) {
    std::vector<ColumnPair> pairs;
    for (std::size_t i = 0; i < expected.columns.size(); ++i) {
        const std::string& name = expected.columns[i];
        if (!contract::is_output_column(name)) continue;
        const std::size_t there = find_column(got, name);
        if (there == none) return refuse("columns", "our run has no column \"" + name + "\"");
        const bool is_angle =
            rules.angles && (every_column_is_an_angle || name.find("angle") != std::string::npos);
        const bool skipped = std::find(rules.skip_airborne.begin(), rules.skip_airborne.end(), name) !=
                             rules.skip_airborne.end();
        pairs.push_back({i, there, is_angle, skipped});
    }
    if (pairs.empty())
        return refuse("columns", "there are only ticks and inputs, so nothing can be compared");
    return pairs;
}

Result<void> check_widths(const Recording& recording) {
    for (std::size_t i = 0; i < recording.rows.size(); ++i)
        if (recording.rows[i].size() != recording.columns.size())
            return refuse("rows[" + std::to_string(i) + "]",
                          "has " + std::to_string(recording.rows[i].size()) + " numbers for " +
                              std::to_string(recording.columns.size()) + " columns");
    return {};
}

}  // namespace

Result<ParityRules> find_parity_rules(const Json& index, const std::string& index_name,
                                      std::string_view file) {
    if (!index.array()) return refuse(index_name, "expected an array of entries, got " + found(&index));
    for (std::size_t i = 0; i < index.array()->size(); ++i) {
        const Json& entry = (*index.array())[i];
        const std::string where = index_name + ": [" + std::to_string(i) + "]";
        const Json* name = entry.find("file");
        if (!name || !name->string())
            return refuse(where, "expected \"file\" to be a string, got " + found(name));
        if (*name->string() == file) return read_rules(entry, where);
    }
    return ParityRules{};
}

Result<std::string> recorded_world(const Json& file, const std::string& where) {
    const Json* header = file.find("header");
    if (!header || !header->object())
        return refuse(where, "is no recording: expected an object with a \"header\", got " +
                                 (header ? found(header) + " as its header" : found(&file)));
    const Json* system = header->find("system");
    if (!system || !system->string())
        return refuse(where + ": header",
                      "expected \"system\" to be the name of a world, got " + found(system));
    return *system->string();
}

Result<Recording> read_recording(const Json& file, const std::string& where) {
    Recording recording;
    auto columns = strings_at(file, "columns", where);
    if (!columns) return std::unexpected(columns.error());
    recording.columns = std::move(*columns);
    const Json* rows = file.find("rows");
    if (!rows || !rows->array())
        return refuse(where, "expected \"rows\" to be an array of rows, got " + found(rows));
    for (const Json& row : *rows->array()) {
        const std::string row_where = where + ": rows[" + std::to_string(recording.rows.size()) + "]";
        if (!row.array()) return refuse(row_where, "expected an array of numbers, got " + found(&row));
        std::vector<double>& numbers = recording.rows.emplace_back();
        for (const Json& value : *row.array()) {
            if (!value.is_number() && !value.is_null())
                return refuse(row_where, "expected only numbers, got " + found(&value));
            numbers.push_back(value.is_null() ? not_a_number : value.number());
        }
    }
    if (auto checked = check_widths(recording); !checked) return state::within(where, checked.error());
    if (recording.rows.empty()) return refuse(where, "has no rows, so nothing can be compared");
    return recording;
}

Result<ParityReport> compare_recordings(const Recording& expected, const Recording& got,
                                        const ParityRules& rules, bool every_column_is_an_angle) {
    if (auto checked = check_widths(got); !checked) return state::within("our run", checked.error());
    const auto columns = pair_columns(expected, got, rules, every_column_is_an_angle);
    if (!columns) return std::unexpected(columns.error());
    std::size_t on_ground = find_column(expected, "onground");
    if (on_ground == none) on_ground = find_column(expected, "on_ground");
    if (!rules.skip_airborne.empty() && on_ground == none)
        return refuse("columns", "there is no \"onground\", by which skip_airborne could be followed");

    ParityReport report;
    report.tolerance = rules.tolerance;
    report.rows = std::min(rules.rows, expected.rows.size());
    report.columns = columns->size();
    RowPairs pairs{expected, got};
    for (std::size_t i = 0; i < report.rows; ++i) {
        const std::vector<double>& wanted = expected.rows[i];
        const std::vector<double>* ours = pairs.partner(i);
        if (!ours)
            return refuse("our run", "has no row for tick " + state::write_json(Json(pairs.tick_of(i))));
        for (const ColumnPair& column : *columns) {
            if (column.skip_airborne && wanted[on_ground] == 0) continue;
            const double a = wanted[column.expected];
            const double b = (*ours)[column.got];
            const double size = difference(a, b, column.is_angle);
            if (size > report.largest.size)
                report.largest = {size, expected.columns[column.expected], pairs.tick_of(i), a, b};
        }
    }
    return report;
}

Result<ParityReport> check_parity(const WorldTable& world, const Json& file, const std::string& where,
                                  const ParityRules& rules) {
    if (!world.parity)
        return refuse(where, "world \"" + std::string(world.name) +
                                 "\" follows no document, so no recording can be compared with it");
    const auto expected = read_recording(file, where);
    if (!expected) return std::unexpected(expected.error());
    const auto got = world.parity(world.context, file, where);
    if (!got) return std::unexpected(got.error());
    // Tables of functions of angles name their columns after the functions.
    const Json* name = file.find("header") ? file.find("header")->find("case") : nullptr;
    const bool about_angles = name && name->string() && name->string()->find("angle") != std::string::npos;
    auto report = compare_recordings(*expected, *got, rules, about_angles);
    if (!report) return state::within(where, report.error());
    return report;
}

}  // namespace instep::match
