// SPDX-License-Identifier: MIT
// A scene as our engine plays it, for what only ours can be asked: saving, restoring, hashing.
#pragma once

#include <bench/rigid_room.h>
#include <bench/rigid_scene.h>

namespace instep::bench {

RigidRoom room_for(const Scene& scene);

}  // namespace instep::bench
