// SPDX-License-Identifier: MIT
#include <instep/record/level_reference.h>

namespace instep::record {

LevelReference reference_to(const match::Setup& setup) {
    return {std::string(setup.world->name), setup.level, setup.is_builtin ? std::string() : setup.text};
}

state::Result<match::SharedSetup> find_setup(const LevelReference& reference, const LevelLookup& lookup) {
    if (reference.text.empty()) return lookup(reference.world, reference.level);
    auto setup = match::load_setup(reference.text, reference.level + ".json", reference.world);
    if (setup && (*setup)->layout.size > max_state_bytes)
        return state::refuse("level", "asks for a state of " + std::to_string((*setup)->layout.size) +
                                          " bytes; what a file brings with it may have " +
                                          std::to_string(max_state_bytes));
    return setup;
}

}  // namespace instep::record
