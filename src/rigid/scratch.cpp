// SPDX-License-Identifier: MIT
// All the memory of a step, taken at once.
#include <instep/rigid/scratch.h>

#include <algorithm>

namespace instep::rigid {
namespace {

std::uint32_t max_proxies(const Setup& setup) {
    std::size_t most = 1;
    for (const Form& form : setup.forms) most = std::max(most, form.shapes.size());
    return setup.max_bodies * static_cast<std::uint32_t>(most);
}

}  // namespace

Scratch::Scratch(const Setup& setup)
    : place_of_id(setup.max_bodies),
      first_proxy(setup.max_bodies),
      hulls(max_proxies(setup)),
      strips(max_proxies(setup)),
      pair_starts(max_proxies(setup) + 1),
      first_obstacle(max_proxies(setup)),
      pressed(setup.max_bodies),
      movers(setup.max_bodies + 1),
      batches(setup.max_bodies, setup.max_contacts),
      island_of(setup.max_bodies),
      island_marks(setup.max_bodies),
      island_changes(setup.max_bodies) {
    // Vectors that grow during the step, up to their capacity and never beyond.
    events.reserve(std::size_t{setup.max_contacts} * 4);
    proxies.reserve(max_proxies(setup));
    boxes.reserve(max_proxies(setup));
    swept.reserve(max_proxies(setup));
    pairs.reserve(std::size_t{setup.max_contacts} * 4);
    sorted_pairs.resize(pairs.capacity());
    obstacles.reserve(2 * pairs.capacity());
    contacts.reserve(setup.max_contacts);
    pushed.reserve(setup.max_bodies);
}

}  // namespace instep::rigid
