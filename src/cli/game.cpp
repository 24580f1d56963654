// SPDX-License-Identifier: MIT
#include <instep/cli/game.h>

namespace instep::cli {

namespace fs = std::filesystem;

Game& game() {
    static Game only;
    return only;
}

fs::path share_folder() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    const fs::path installed = program.parent_path().parent_path() / "share" / "instep";
    if (!error && fs::is_directory(installed / "templates", error)) return installed;
    return {game().share};
}

std::string page_folder(const std::string& asked_for) {
    if (!asked_for.empty()) return asked_for;
    std::error_code error;
    const std::string name = std::string(game().name) + "-page";
    for (const fs::path& folder : {share_folder() / name, fs::path(game().page)})
        if (fs::exists(folder / "index.html", error)) return folder.string();
    return {};
}

}  // namespace instep::cli
