// SPDX-License-Identifier: MIT
// The same for WebAssembly: the host asks for one level's chronicle after the other and reads it out of
// memory.
#include <string>

#include <instep/match/builtin_levels.h>
#include <instep/match/chronicle.h>

namespace {
std::string text;
}

extern "C" {

__attribute__((export_name("level_count"))) unsigned level_count() {
    return static_cast<unsigned>(instep::match::builtin_levels().size());
}

// Returns the length of the text, whose address is chronicle_text(); 0 if it could not be made.
__attribute__((export_name("record_chronicle"))) unsigned record_chronicle(unsigned level) {
    const auto& chosen = instep::match::builtin_levels()[level];
    auto recorded = instep::match::record_chronicle(chosen.world, chosen.name);
    text = recorded ? *recorded : "";
    return static_cast<unsigned>(text.size());
}

__attribute__((export_name("chronicle_text"))) const char* chronicle_text() { return text.data(); }
}
