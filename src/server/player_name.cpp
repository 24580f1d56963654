// SPDX-License-Identifier: MIT
#include <instep/server/player_name.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>

#include <instep/state/utf8.h>

namespace instep::server {
namespace {

struct Range {
    char32_t first;
    char32_t last;
};

// Unicode 15.1, UnicodeData.txt and PropList.txt: what has no ink of its own, or changes how its neighbours
// are shown. Spaces other than U+0020 are here too.
constexpr Range invisible[] = {
    {0x0000, 0x001F},     // control characters
    {0x007F, 0x00A0},     // and the space that does not break
    {0x00AD, 0x00AD},     // soft hyphen
    {0x034F, 0x034F},     // grapheme joiner
    {0x061C, 0x061C},     // Arabic letter mark
    {0x115F, 0x1160},     // Hangul fillers
    {0x1680, 0x1680},     // Ogham space
    {0x17B4, 0x17B5},     // Khmer inherent vowels
    {0x180B, 0x180F},     // Mongolian selectors
    {0x2000, 0x200F},     // spaces, zero width, left-to-right and right-to-left marks
    {0x2028, 0x202F},     // separators, embeddings and overrides
    {0x205F, 0x206F},     // word joiner, isolates
    {0x2800, 0x2800},     // empty Braille pattern
    {0x3000, 0x3000},     // ideographic space
    {0x3164, 0x3164},     // Hangul filler
    {0xE000, 0xF8FF},     // private use
    {0xFDD0, 0xFDEF},     // no characters
    {0xFE00, 0xFE0F},     // variation selectors
    {0xFEFF, 0xFEFF},     // byte order mark
    {0xFFA0, 0xFFA0},     // Hangul filler
    {0xFFF0, 0xFFFF},     // interlinear marks, replacement, no characters
    {0x1BCA0, 0x1BCA3},   // shorthand controls
    {0x1D173, 0x1D17A},   // musical controls
    {0xE0000, 0x10FFFF},  // tags, selectors, private use
};

// Marks on the letter before them, in the blocks from which piles of marks are made.
constexpr Range marks[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
    {0x0670, 0x0670}, {0x06D6, 0x06ED}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E},
    {0x0EB1, 0x0EB1}, {0x0EB4, 0x0EBC}, {0x0EC8, 0x0ECE}, {0x0F71, 0x0F84}, {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0x3099, 0x309A}, {0xFE20, 0xFE2F}, {0x1E000, 0x1E02A},
};
// After a symbol this selector asks for its picture in colours; keyboards append it to many.
constexpr char32_t emoji_selector = 0xFE0F;
constexpr Range symbols[] = {{0x203C, 0x203C}, {0x2049, 0x2049}, {0x2190, 0x2BFF}, {0x1F000, 0x1FAFF}};

constexpr int most_marks = 2;  // on one letter, as in Vietnamese and Thai

// Letters that are the Latin ones in another dress (UTS 39 maps them to those).
constexpr Range disguised[] = {
    {0x2100, 0x214F},    // letterlike symbols
    {0x2460, 0x24FF},    // in circles
    {0xFF01, 0xFF5E},    // fullwidth
    {0x1D400, 0x1D7FF},  // mathematical
    {0x1F100, 0x1F1E5},  // in squares; flags are allowed
};

// Alphabets in which many letters look like Latin ones, or like those of another of them. A name has letters
// of one of them (UTS 39, "mixed-script confusables").
enum class Alphabet : std::uint8_t { latin, greek, cyrillic, armenian, cherokee, coptic, lisu };
struct AlphabetRange {
    Range range;
    Alphabet alphabet;
};
constexpr AlphabetRange alphabets[] = {
    {{0x0041, 0x005A}, Alphabet::latin},    {{0x0061, 0x007A}, Alphabet::latin},
    {{0x00AA, 0x00AA}, Alphabet::latin},    {{0x00BA, 0x00BA}, Alphabet::latin},
    {{0x00C0, 0x00D6}, Alphabet::latin},    {{0x00D8, 0x00F6}, Alphabet::latin},
    {{0x00F8, 0x02B8}, Alphabet::latin},    {{0x0370, 0x03E1}, Alphabet::greek},
    {{0x03E2, 0x03EF}, Alphabet::coptic},   {{0x03F0, 0x03FF}, Alphabet::greek},
    {{0x0400, 0x052F}, Alphabet::cyrillic}, {{0x0531, 0x058A}, Alphabet::armenian},
    {{0x13A0, 0x13FD}, Alphabet::cherokee}, {{0x1C80, 0x1C88}, Alphabet::cyrillic},
    {{0x1D00, 0x1D25}, Alphabet::latin},    {{0x1D26, 0x1D2A}, Alphabet::greek},
    {{0x1D2B, 0x1D2B}, Alphabet::cyrillic}, {{0x1D2C, 0x1D77}, Alphabet::latin},
    {{0x1D78, 0x1D78}, Alphabet::cyrillic}, {{0x1D79, 0x1DBF}, Alphabet::latin},
    {{0x1E00, 0x1EFF}, Alphabet::latin},    {{0x1F00, 0x1FFF}, Alphabet::greek},
    {{0x2C60, 0x2C7F}, Alphabet::latin},    {{0x2C80, 0x2CFF}, Alphabet::coptic},
    {{0x2DE0, 0x2DFF}, Alphabet::cyrillic}, {{0xA4D0, 0xA4FF}, Alphabet::lisu},
    {{0xA640, 0xA69F}, Alphabet::cyrillic}, {{0xA722, 0xA7FF}, Alphabet::latin},
    {{0xAB30, 0xAB64}, Alphabet::latin},    {{0xAB70, 0xABBF}, Alphabet::cherokee},
    {{0xFB00, 0xFB06}, Alphabet::latin},    {{0xFB13, 0xFB17}, Alphabet::armenian},
};

constexpr bool contains(Range range, char32_t letter) {
    return range.first <= letter && letter <= range.last;
}

template <std::size_t N>
bool is_in(const Range (&ranges)[N], char32_t letter) {
    return std::any_of(std::begin(ranges), std::end(ranges),
                       [letter](Range range) { return contains(range, letter); });
}

std::optional<Alphabet> alphabet_of(char32_t letter) {
    for (const AlphabetRange& each : alphabets)
        if (contains(each.range, letter)) return each.alphabet;
    return {};
}

// Takes the first character; `length` is that of well-formed UTF-8.
char32_t decode(std::string_view text, std::size_t length) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (length == 1) return byte(0);
    char32_t letter = byte(0) & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) letter = letter << 6 | (byte(i) & 0x3Fu);
    return letter;
}

}  // namespace

std::string_view objection_to_name(std::string_view name) {
    if (name.empty()) return "a player needs a name of 1 to 24 bytes";
    if (name.front() == ' ' || name.back() == ' ' || name.find("  ") != std::string_view::npos)
        return "a name neither begins nor ends with a space, and has no two in a row";
    std::optional<Alphabet> alphabet;
    int marks_in_a_row = most_marks;  // none before the first letter
    char32_t before = 0;
    while (!name.empty()) {
        const std::size_t length = state::utf8_length(name);
        if (length == 0) return "a name is UTF-8";
        const char32_t letter = decode(name, length);
        name.remove_prefix(length);
        const bool is_colouring = letter == emoji_selector && is_in(symbols, before);
        before = letter;
        if (is_colouring) continue;
        if (is_in(invisible, letter))
            return "a name has no invisible characters, and none that change the direction of text";
        if (is_in(disguised, letter))
            return "a name has no letters in circles, fullwidth or mathematical ones";
        if (!is_in(marks, letter)) {
            marks_in_a_row = letter == ' ' ? most_marks : 0;
        } else if (++marks_in_a_row > most_marks) {
            return "a name has at most two marks on one letter, and none without a letter";
        }
        const auto its_alphabet = alphabet_of(letter);
        if (its_alphabet && alphabet && *its_alphabet != *alphabet)
            return "a name has letters of one alphabet: those of others look alike";
        if (its_alphabet) alphabet = its_alphabet;
    }
    return {};
}

}  // namespace instep::server
