// SPDX-License-Identifier: MIT
// Reads a source line by line without comments and strings. Checks each include against the table of modules,
// and each word of a core module against the tables of what breaks determinism.
#include <tests/architecture/rules.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace instep::architecture {
namespace {

struct Module {
    std::string_view name;
    int layer;  // a module may use the modules of smaller layers
    bool core;  // part of the deterministic core, which also builds for WebAssembly
    std::string_view is_for;
    std::string_view must_not_know;
};

constexpr std::array modules{
    Module{"math", 0, true, "vectors, rotations, trigonometry, random numbers and units", "time or state"},
    Module{"state", 1, true, "pools, handles, field lists, hashes and snapshots in flat memory", "physics"},
    Module{"motion", 2, true, "integrators, springs and constraints as pure functions", "players or rules"},
    Module{"rigid", 3, true, "shapes, broad phase, manifolds and the contact solver", "players or rules"},
    Module{"contract", 4, true, "the interface of a world: inputs, events, facts and draw list",
           "any world, or its host"},
    Module{"match", 6, true, "any world behind one interface: registry, running match, scripts, chronicles",
           "the network"},
    Module{"codec", 7, true, "how states, events and inputs become bits", "clients or links"},
    Module{"record", 8, true, "recordings and replay", "the network"},
    Module{"present", 9, true, "what a screen needs: blending, interpolation, positions, the event feed",
           "the network"},
    Module{"net", 10, true, "links, snapshots, acknowledgements, inputs, clock, prediction and desync",
           "sockets or threads"},
    Module{"server", 11, false, "rooms, connections, limits, tokens and metrics", "the browser"},
    Module{"headless", 12, false, "clients without a screen, for demos, tests and load", "the browser"},
    Module{"cluster", 12, false, "rooms that outlive their process: leases and journals in Redis",
           "the browser"},
    Module{"browser", 11, true, "the WebAssembly interface of match and net", "sockets or the server"},
    Module{"cli", 13, false, "the program and its commands", "nothing in particular"},
};

// A folder of worlds/: it uses what a world is made of, and adds itself to the program by <instep/game.h>.
constexpr Module world_module{"worlds", 5, true, "one game each: setup, input, state, step and view",
                              "the network or another world"};

// A word or header that is refused in core modules, and why.
struct Refused {
    std::string_view name;
    std::string_view why;
};

constexpr std::string_view no_clock = "a step has no clock: time is passed in as ticks";
constexpr std::string_view no_threads =
    "the core runs on one thread and must build for platforms without threads";
constexpr std::string_view no_io = "the core does no input or output and must build for platforms without it";
constexpr std::string_view own_random =
    "engines and distributions differ between libraries and are not part of a state: use math::Random";
constexpr std::string_view no_order =
    "its iteration order differs between libraries: use a pool, a sorted vector or std::map";

constexpr std::array refused_headers{
    Refused{"random", own_random},   Refused{"unordered_map", no_order},  Refused{"unordered_set", no_order},
    Refused{"chrono", no_clock},     Refused{"ctime", no_clock},          Refused{"time.h", no_clock},
    Refused{"sys/time.h", no_clock}, Refused{"thread", no_threads},       Refused{"mutex", no_threads},
    Refused{"future", no_threads},   Refused{"shared_mutex", no_threads}, Refused{"pthread.h", no_threads},
    Refused{"fstream", no_io},       Refused{"iostream", no_io},          Refused{"filesystem", no_io},
    Refused{"sys/socket.h", no_io},
};

constexpr std::string_view ties = "libraries order elements that compare equal differently";
constexpr std::string_view fixed_width = "its size differs between platforms: use std::int64_t or double";

constexpr std::array refused_words{
    Refused{"rand", own_random},
    Refused{"srand", own_random},
    Refused{"drand48", own_random},
    Refused{"random_device", own_random},
    Refused{"clock_gettime", no_clock},
    Refused{"gettimeofday", no_clock},
    Refused{"unordered_map", no_order},
    Refused{"unordered_set", no_order},
    Refused{"unordered_multimap", no_order},
    Refused{"unordered_multiset", no_order},
    Refused{"shuffle", ties},
    Refused{"priority_queue", ties},
    Refused{"long", fixed_width},
};

// Allowed with a comment `// total order: why no two elements compare equal` on the same line or just above.
constexpr std::array tie_breakers{"sort", "partial_sort", "nth_element", "make_heap", "sort_heap"};

// Functions of <cmath> whose last bit depends on the library, the processor or the sign of zero. Always the
// same, so not listed: sqrt, fmod, remainder, floor, ceil, round, trunc, fabs, copysign, ldexp, frexp.
constexpr std::array unsafe_functions{
    "sin",    "cos",       "tan",  "asin", "acos",  "atan",   "atan2",  "sinh",   "cosh",  "tanh", "asinh",
    "acosh",  "atanh",     "exp",  "exp2", "expm1", "log",    "log2",   "log10",  "log1p", "pow",  "cbrt",
    "hypot",  "fma",       "fmin", "fmax", "erf",   "erfc",   "tgamma", "lgamma", "lerp",  "rint", "lrint",
    "llrint", "nearbyint", "sinf", "cosf", "tanf",  "atan2f", "powf",   "expf",   "logf",
};
// src/math has its own under these names, and calls them without a namespace.
constexpr std::array own_functions{"sin", "cos", "atan", "atan2"};

template <class Table>
bool contains(const Table& table, std::string_view word) {
    return std::find(table.begin(), table.end(), word) != table.end();
}

template <class Table>
const Refused* find(const Table& table, std::string_view name) {
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Refused& row) { return row.name == name; });
    return found == table.end() ? nullptr : &*found;
}

const Module* find_module(std::string_view name) {
    if (name == world_module.name) return &world_module;
    const auto found = std::find_if(modules.begin(), modules.end(),
                                    [&](const Module& module) { return module.name == name; });
    return found == modules.end() ? nullptr : &*found;
}

std::string text(std::initializer_list<std::string_view> parts) {
    std::string joined;
    for (const std::string_view part : parts) joined += part;
    return joined;
}

// "worlds/bounce/step.cpp" -> "worlds", "bounce"; "math/vec2.h" has no world.
struct Location {
    std::string_view module;
    std::string_view world;
};

Location location_of(std::string_view path) {
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) return {};
    const std::string_view module = path.substr(0, slash);
    const std::string_view rest = path.substr(slash + 1);
    const std::size_t second = rest.find('/');
    if (module != "worlds" || second == std::string_view::npos) return {module, {}};
    return {module, rest.substr(0, second)};
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Removes comments, strings and characters from a source, line by line. Raw strings do not occur in the core.
class Stripper {
public:
    enum class Strings : bool { go, stay };
    explicit Stripper(Strings strings = Strings::go) : strings_(strings) {}

    std::string strip(std::string_view line) {
        std::string code;
        for (std::size_t i = 0; i < line.size(); ++i) {
            if (in_comment_) {
                if (line.substr(i, 2) == "*/") in_comment_ = false, ++i;
            } else if (line.substr(i, 2) == "//") {
                break;
            } else if (line.substr(i, 2) == "/*") {
                in_comment_ = true, ++i;
            } else if (strings_ == Strings::stay) {
                code += line[i];
            } else if (line[i] == '"' || (line[i] == '\'' && (i == 0 || !is_word(line[i - 1])))) {
                const char quote = line[i];
                for (++i; i < line.size() && line[i] != quote; ++i)
                    if (line[i] == '\\') ++i;
                code += "\"\"";
            } else {
                code += line[i];
            }
        }
        return code;
    }

private:
    Strings strings_;
    bool in_comment_ = false;
};

struct Include {
    std::string_view name;
    bool quoted = false;
};

std::optional<Include> include_of(std::string_view line) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string_view::npos || line[hash] != '#') return {};
    const std::size_t word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string_view::npos || line.substr(word, 7) != "include") return {};
    const std::size_t open = line.find_first_of("<\"", word);
    if (open == std::string_view::npos) return {};
    const std::size_t close = line.find_first_of(">\"", open + 1);
    if (close == std::string_view::npos) return {};
    return Include{line.substr(open + 1, close - open - 1), line[open] == '"'};
}

// The error in this include, or an empty text.
std::string check_include(Location here, const Module& module, Include include) {
    const std::string_view name = include.name;
    if (include.quoted || name.find("..") != std::string_view::npos)
        return "write includes as <instep/module/name.h>, which also works once installed";

    constexpr std::string_view ours = "instep/";
    if (!name.starts_with(ours)) {
        const std::string_view folder = name.substr(0, std::min(name.find('/'), name.size()));
        if (!here.world.empty() && folder != name && folder != here.world && !find(refused_headers, name))
            return "a world must not know another world: move shared code to a module below";
        if (name.starts_with("nlohmann/") || name.starts_with("rapidjson/"))
            return "read JSON with instep/state/json.h, whose errors have the path";
        if (name.starts_with("CLI/") && module.name != "cli") return "only src/cli uses CLI11";
        if (name.starts_with("doctest/")) return "tests belong under tests/, not in the sources";
        const Refused* refused = module.core ? find(refused_headers, name) : nullptr;
        return refused ? std::string(refused->why) : std::string();
    }

    // Public headers that a world may use; the others are for programs.
    if (!here.world.empty() &&
        (name == "instep/game.h" || name == "instep/world.h" || name == "instep/rigid.h"))
        return {};
    const Location there = location_of(name.substr(ours.size()));
    const Module* target = find_module(there.module);
    if (!target) return "there is no such module";
    const bool same_module = target == &module;
    if (same_module) return {};
    if (target->name == "server" && module.name != "cli" && module.name != "headless" &&
        module.name != "cluster")
        return "only headless, cluster and cli use server";
    if (target->layer >= module.layer)
        return text({target->name, " is not below ", module.name,
                     " in the layers: math, state, motion, rigid, contract, match, codec, record, "
                     "present, net, then server or browser, then headless or cluster, then cli"});
    return {};
}

// A word and its context.
struct Word {
    std::string_view text;
    std::string_view qualifier;  // "std", "math", "" for a global ::name
    bool qualified = false;
    bool member = false;
    bool called = false;
};

std::vector<Word> words_of(std::string_view code) {
    std::vector<Word> words;
    for (std::size_t i = 0; i < code.size();) {
        if (!is_word(code[i])) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < code.size() && is_word(code[end])) ++end;
        const std::string_view before = code.substr(0, i);
        const std::size_t next = code.find_first_not_of(' ', end);
        Word word{.text = code.substr(i, end - i)};
        word.called = next != std::string_view::npos && code[next] == '(';
        word.member = before.ends_with('.') || before.ends_with("->");
        if (before.ends_with("::")) {
            word.qualified = true;
            const std::size_t last = before.size() - 2;
            std::size_t first = last;
            while (first > 0 && is_word(before[first - 1])) --first;
            word.qualifier = before.substr(first, last - first);
        }
        words.push_back(word);
        i = end;
    }
    return words;
}

// The error in using this word in a core module, or an empty text.
std::string check_word(const Module& module, const Word& word, bool total_order_promised) {
    if (word.member) return {};
    const bool standard = word.qualified && (word.qualifier == "std" || word.qualifier.empty());

    if (contains(unsafe_functions, word.text)) {
        const bool bare_call = word.called && !word.qualified;
        const bool our_own = module.name == "math" && contains(own_functions, word.text);
        if (standard || (bare_call && !our_own))
            return "its result depends on the library or the processor: use + - * / sqrt, or math::sin, cos, "
                   "atan2 by that full name, and std::min or std::max";
    }
    if (contains(tie_breakers, word.text) && (standard || word.qualifier == "ranges") &&
        !total_order_promised)
        return text({ties, ": use std::stable_sort, or say `// total order:` and why no two compare equal"});
    if (word.qualified && !standard && word.qualifier != "ranges") return {};
    if (word.text.ends_with("_distribution") || word.text.starts_with("mt19937"))
        return std::string(own_random);
    if (const Refused* refused = find(refused_words, word.text)) return std::string(refused->why);
    return {};
}

}  // namespace

std::vector<Finding> check_source(std::string_view path, std::string_view source) {
    std::vector<Finding> findings;
    if (path.find('/') == std::string_view::npos) return findings;  // a public header: it includes others
    const Location here = location_of(path);
    const Module* module = find_module(here.module);
    if (!module) {
        findings.push_back(
            {text({"src/", path}), 1, "this is not a module: see tests/architecture/rules.cpp"});
        return findings;
    }
    const std::string_view root = here.world.empty() ? "src/" : "";

    const std::string about = text({"\n    ", root, module->name, " is for ", module->is_for,
                                    "; it must not know ", module->must_not_know, "."});
    Stripper stripper;
    std::string_view previous;
    for (int number = 1; !source.empty(); ++number) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        const std::string_view line = source.substr(0, end);
        source.remove_prefix(std::min(end + 1, source.size()));

        const auto report = [&](std::string_view what, std::string_view why) {
            findings.push_back({text({root, path}), number, text({what, ": ", why, about})});
        };
        const std::string code = stripper.strip(line);
        if (const auto include = include_of(line)) {
            const std::string wrong = check_include(here, *module, *include);
            if (!wrong.empty()) report(text({"#include ", include->name}), wrong);
        } else if (module->core) {
            constexpr std::string_view promise = "// total order:";
            const bool promised = line.find(promise) != std::string_view::npos ||
                                  previous.find(promise) != std::string_view::npos;
            for (const Word& word : words_of(code)) {
                const std::string wrong = check_word(*module, word, promised);
                if (!wrong.empty()) report(word.text, wrong);
            }
        }
        previous = line;
    }
    return findings;
}

std::vector<Finding> find_names(std::string_view path, std::string_view source,
                                const std::vector<std::string>& names) {
    std::vector<Finding> findings;
    Stripper stripper(Stripper::Strings::stay);
    for (int number = 1; !source.empty(); ++number) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        const std::string code = stripper.strip(source.substr(0, end));
        source.remove_prefix(std::min(end + 1, source.size()));
        for (const Word& word : words_of(code))
            if (contains(names, word.text))
                findings.push_back({std::string(path), number,
                                    text({word.text,
                                          ": the engine knows no world; what belongs to one goes to "
                                          "worlds/, or through the world's table"})});
    }
    return findings;
}

}  // namespace instep::architecture
