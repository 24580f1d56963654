// SPDX-License-Identifier: MIT
// The oddities that an importer found. Each kind is one sentence with a count and its first few positions, so
// that a report stays readable however strange a file is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace instep::worlds::foothold {

class ImportReport {
public:
    static constexpr std::size_t most_places = 5;
    static constexpr std::size_t most_kinds_of_note = 200;

    struct Note {
        std::string what;
        std::size_t count = 0;
        std::vector<std::string> places;
    };

    void add(std::string_view what, std::string_view origin = {}) {
        Note* note = nullptr;
        for (Note& known : notes_)
            if (known.what == what) note = &known;
        if (!note) {
            if (notes_.size() == most_kinds_of_note) {
                ++unlisted_;
                return;
            }
            note = &notes_.emplace_back();
            note->what = what;
        }
        ++note->count;
        if (!origin.empty() && note->places.size() < most_places) note->places.emplace_back(origin);
    }

    const std::vector<Note>& notes() const { return notes_; }
    std::size_t count(std::string_view what) const {
        for (const Note& note : notes_)
            if (note.what == what) return note.count;
        return 0;
    }

    // One line a note: "linked ends that do not meet: 3 (1 -> 2, 7 -> 8, 9 -> 4)".
    std::string text() const {
        std::string lines;
        for (const Note& note : notes_) {
            lines += note.what + ": " + std::to_string(note.count);
            for (std::size_t i = 0; i < note.places.size(); ++i)
                lines += (i == 0 ? " (" : ", ") + note.places[i];
            if (!note.places.empty()) lines += note.count > note.places.size() ? ", ...)" : ")";
            lines += '\n';
        }
        if (unlisted_ > 0) lines += "other oddities: " + std::to_string(unlisted_) + "\n";
        return lines;
    }

private:
    std::vector<Note> notes_;
    std::size_t unlisted_ = 0;
};

}  // namespace instep::worlds::foothold
