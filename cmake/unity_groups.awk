# SPDX-License-Identifier: MIT
# awk -v lines=N -f unity_groups.awk FILE...: prints "GROUP FILE" for each source, groups numbered from 0.
# A group is compiled as one unit of about N lines. A name that a file declares for itself (in an unnamed namespace, or
# by #define) must not mean something else in another file of its group, so two such files go to different groups.
# So do files of different folders: each world opens its own namespace.
# Relies on clang-format: declarations at namespace scope begin in the first column, calls have no space before "(".
FNR == 1 { file = files++; name[file] = folder[file] = FILENAME; sub(/[^\/]*$/, "", folder[file]); private = 0 }
{ ++size[file] }
/^ *\/\// { next }
/^namespace \{/ { private = 1 }
/^\}  \/\/ namespace$/ { private = 0 }
/^#define / { declare($2) }
private && /^[A-Za-z_]/ && !/^(namespace|using .*;$)/ || /^using [A-Za-z0-9_]+ =/ { declare(declared($0)) }
{
    text = $0
    gsub(/"([^"\\]|\\.)*"/, " ", text)
    sub(/\/\/.*/, "", text)
    gsub(/(\.|->|::) *[A-Za-z0-9_]+/, " ", text) # members and qualified names are not looked up in the file
    gsub(/[(<]/, "( ", text)
    words = split(text, word, /[^A-Za-z0-9_(]+/)
    for (i = 1; i <= words; ++i) {
        uses[file, word[i]] = 1
        if (sub(/\($/, "", word[i])) uses[file, word[i]] = 1
    }
}

function declare(what) { own[file] = own[file] " " what }
# The name in the first line of a declaration; a function's name ends in "(", since only a call can mean it.
function declared(line) {
    if (sub(/^(struct|class|union|enum class|enum|using|concept) +/, "", line)) {
        sub(/[^A-Za-z0-9_].*/, "", line)
        return line
    }
    sub(/[={;\[].*/, "", line)
    function_ends = sub(/\(.*/, "", line) ? "(" : ""
    sub(/ +$/, "", line)
    if (line ~ /::[A-Za-z0-9_]+$/ || line !~ /[A-Za-z0-9_]$/) return "" # a member of something else, or an operator
    sub(/.*[^A-Za-z0-9_]/, "", line)
    return line function_ends
}
function disturbs(a, b, names, count, i) { # whether b uses a name that a declares for itself
    count = split(own[a], names, " ")
    for (i = 1; i <= count; ++i)
        if ((b, names[i]) in uses) return 1
    return 0
}
function fits(file, group, members, count, i) {
    count = split(content[group], members, " ")
    if (folder[members[1]] != folder[file]) return 0
    for (i = 1; i <= count; ++i)
        if (disturbs(file, members[i]) || disturbs(members[i], file)) return 0
    return 1
}
END {
    for (file = 0; file < files; ++file) {
        for (group = 0; group < groups; ++group)
            if (total[group] + size[file] <= lines && fits(file, group)) break
        if (group == groups) ++groups
        content[group] = content[group] " " file
        total[group] += size[file]
        print group, name[file]
    }
}
