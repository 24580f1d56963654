// SPDX-License-Identifier: MIT
#include <instep/contract/recording.h>

#include <algorithm>
#include <cmath>

namespace instep::contract {

using state::Json;
using state::refuse;
using state::Result;

bool is_output_column(std::string_view name) {
    return name != "t" && !name.starts_with("in_") && !name.starts_with("mouse_");
}

Result<RecordingReader> RecordingReader::open(const Json& file, const std::string& where) {
    RecordingReader reader;
    reader.where_ = where;
    reader.header_ = file.find("header");
    if (!reader.header_ || !reader.header_->object()) return refuse(where, "expected an object \"header\"");
    const Json* columns = file.find("columns");
    const Json* rows = file.find("rows");
    if (!columns || !columns->array() || !rows || !rows->array())
        return refuse(where, "expected arrays \"columns\" and \"rows\": this is no table of ticks");
    for (const Json& name : *columns->array()) {
        if (!name.string())
            return refuse(where + ": columns", "expected names, got " + std::string(name.kind_name()));
        reader.file_.columns.push_back(*name.string());
    }
    const auto tick_column = reader.column("t");
    if (!tick_column) return std::unexpected(tick_column.error());
    reader.tick_column_ = *tick_column;

    double tick = -1;
    for (const Json& row : *rows->array()) {
        const std::string path = where + ": rows[" + std::to_string(reader.file_.rows.size()) + "]";
        if (!row.array() || row.array()->size() != reader.file_.columns.size())
            return refuse(
                path, "expected " + std::to_string(reader.file_.columns.size()) + " values, one a column");
        std::vector<double>& values = reader.file_.rows.emplace_back();
        for (const Json& value : *row.array()) {
            if (!value.is_number())
                return refuse(path, "expected numbers, got " + std::string(value.kind_name()));
            values.push_back(value.number());
        }
        const double next = values[reader.tick_column_];
        if (!(next > tick) || next > static_cast<double>(most_ticks) || next != std::trunc(next))
            return refuse(path, "expected a whole tick above that of the row before and at most " +
                                    std::to_string(most_ticks));
        tick = next;
    }
    return reader;
}

Result<double> RecordingReader::constant(std::string_view name, double low, double high) const {
    const Json* constants = header_->find("constants");
    const Json* found = constants ? constants->find(name) : nullptr;
    if (!found || !found->is_number() || !(found->number() >= low && found->number() <= high))
        return refuse(where_ + ": header.constants." + std::string(name),
                      "expected a number that the world can have");
    return found->number();
}

Result<std::uint32_t> RecordingReader::whole_constant(std::string_view name, std::uint32_t low,
                                                      std::uint32_t high) const {
    const auto number = constant(name, low, high);
    if (!number) return std::unexpected(number.error());
    if (*number != std::trunc(*number))
        return refuse(where_ + ": header.constants." + std::string(name), "expected a whole number");
    return static_cast<std::uint32_t>(*number);
}

Result<std::size_t> RecordingReader::column(std::string_view name) const {
    const auto found = std::find(file_.columns.begin(), file_.columns.end(), name);
    if (found == file_.columns.end())
        return refuse(where_ + ": columns", "expected a column \"" + std::string(name) + "\", found none");
    return static_cast<std::size_t>(found - file_.columns.begin());
}

std::vector<std::string> RecordingReader::outputs() const {
    std::vector<std::string> names;
    for (const std::string& name : file_.columns)
        if (is_output_column(name)) names.push_back(name);
    return names;
}

state::Error RecordingReader::unknown_column(std::string_view name) const {
    return {where_ + ": columns", "there is nothing called \"" + std::string(name) + "\" in this world"};
}

}  // namespace instep::contract
