// SPDX-License-Identifier: MIT
// A scene in Instep's engine, with saving, restoring and hashing, which the other engines lack.
#pragma once

#include <bench/rigid_scene.h>
#include <bench/rigid_space.h>

namespace instep::bench {

SceneSpace make_space(const Scene& scene);

}  // namespace instep::bench
