#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The program from outside: every command, every kind of bad input, each with its exit code and a message that names the
# problem. Another build than the release one: INSTEP=path/to/instep tests/scripts/cli.sh
set -u
cd "$(dirname "$0")/../.." || exit 1
source tools/checks.sh

instep=${INSTEP:-build/release/instep}
[ -x "$instep" ] || { fail "there is a program to test at $instep"; finish; exit; }

# says SENTENCE PATTERN ARGUMENT...: instep succeeds and prints something like the pattern, on stdout or stderr.
says() {
    local sentence=$1 pattern=$2 code=0
    shift 2
    "$instep" "$@" >"$scratch/output" 2>&1 </dev/null || code=$?
    if [ $code -eq 0 ] && grep -Eq -- "$pattern" "$scratch/output"; then
        ok "$sentence"
    else
        fail "$sentence (exit code $code, expected 0 and a text like: $pattern)"
        head -n 20 "$scratch/output" | sed 's/^/    /'
    fi
}

# refuses CODE SENTENCE PATTERN ARGUMENT...: instep ends with that code, prints nothing on stdout, and at most three lines
# on stderr, one of them like the pattern.
refuses() {
    local wanted=$1 sentence=$2 pattern=$3 code=0
    shift 3
    "$instep" "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null || code=$?
    if [ $code -eq "$wanted" ] && grep -Eq -- "$pattern" "$scratch/stderr" && [ ! -s "$scratch/stdout" ] &&
        [ "$(wc -l <"$scratch/stderr")" -le 3 ]; then
        ok "$sentence"
    else
        fail "$sentence (exit code $code, expected $wanted, nothing on stdout, and a short complaint like: $pattern)"
        head -n 20 "$scratch/stdout" "$scratch/stderr" | sed 's/^/    /'
    fi
}

file() { # NAME TEXT: prints the path of a new file with that text
    printf '%s' "$2" >"$scratch/$1"
    echo "$scratch/$1"
}

# --- help and usage -------------------------------------------------------------------------------------------------
about cli

says "--version names the program and a version" '^instep \(Instep [0-9]+\.[0-9]+\.[0-9]+\)$' --version
says "--help explains the exit codes" '3  a file could not be read or written' --help
for command in worlds simulate play parity netsim serve bots token replay chronicle "chronicle check" "chronicle record"; do
    read -ra words <<<"$command"
    says "$command --help shows examples" '^  instep ' "${words[@]}" --help
    says "$command --help shows how it is called" "^Usage: instep $command " "${words[@]}" --help
done
# The examples of --help must work. What follows a pipe is left out: jq may not be installed.
cp "$(file example.json '{"world": "bounce", "inputs": []}')" "$scratch/script.json"
"$instep" simulate --help | sed -n 's/^  instep \([^|(]*\).*/\1/p' >"$scratch/examples"
expect "simulate has examples" test "$(wc -l <"$scratch/examples")" -ge 5
"$instep" netsim --help | sed -n '/200/d; s/^  instep \([^|(]*\).*/\1/p' >>"$scratch/examples"
program=$(realpath "$instep")
in_scratch() (cd "$scratch" && "$program" "$@")
while read -ra words; do
    expect "works: instep ${words[*]}" in_scratch "${words[@]}"
done <"$scratch/examples"

refuses 2 "an unknown command is refused with those there are" 'no command "simulat"; there are: worlds, types, simulate' simulat
refuses 2 "an unknown option is refused by name" '--tikcs' simulate bounce --tikcs 5
refuses 2 "a word too many is refused" 'two' worlds two
refuses 2 "an option without its value is refused" '--ticks' simulate bounce --ticks
refuses 2 "netsim without a world is refused" 'which world' netsim
refuses 2 "an unknown kind of link is refused" 'expected ordered or datagram' netsim orbit --link pigeon
refuses 2 "--bad and --rtt together are refused" 'leave out --rtt' netsim orbit --bad --rtt 50
refuses 2 "--limit without --campaign is refused" 'add --campaign' netsim orbit --limit 5
refuses 2 "--from without --campaign is refused" 'add --campaign' netsim orbit --from 5
refuses 2 "--from after the last match is refused" 'has no match 5' netsim orbit --campaign 4 --from 5
refuses 2 "--threads without --campaign is refused" 'add --campaign' netsim orbit --threads 2
"$instep" netsim --campaign 2 --seconds 3 --players 3 --threads 1 2>/dev/null | sed 1d >"$scratch/one-thread"
"$instep" netsim --campaign 2 --seconds 3 --players 3 --threads 4 2>/dev/null | sed 1d >"$scratch/four-threads"
expect "a campaign reports every world" test "$(wc -l <"$scratch/one-thread")" -eq "$("$instep" worlds --json | grep -o '"summary"' | wc -l)"
expect "a campaign has the same results with any number of threads" cmp "$scratch/one-thread" "$scratch/four-threads"
short_campaign() { "$instep" netsim flail --campaign 4 --seconds 3 --players 3 --threads 1 "$@" 2>&1 >/dev/null | grep -o 'flail/.*'; }
again=$("$instep" netsim flail --level original --bad --seed 1 --seconds 3 --players 3 --link ordered --replication snapshots 2>/dev/null | sed -n 's/.*hash *//p')
expect "a match of a campaign can be played again by its seed" grep -q "flail/original seed 1, hash $again: ok" <(short_campaign)
expect "--from continues a campaign" diff <(short_campaign | tail -n +3) <(short_campaign --from 3)
refuses 2 "chronicle without a command is refused" 'expected one of: check, record' chronicle
refuses 2 "an unknown chronicle command is refused" 'no command "forge"; there are: check, record' chronicle forge
code=0
"$instep" >"$scratch/stdout" 2>"$scratch/stderr" || code=$?
expect "without arguments the help is shown, with exit code 2" \
    test $code -eq 2 -a ! -s "$scratch/stdout" -a -s "$scratch/stderr"

# --- worlds ---------------------------------------------------------------------------------------------------------
about worlds

says "worlds are listed" '^bounce +balls in a box' worlds
says "worlds are listed as JSON" '^\[\{"name":"arena",.*"name":"bounce",.*"levels":\["billiards","box"\]' worlds --json

# --- simulate -------------------------------------------------------------------------------------------------------
about simulate

says "the summary counts ticks" '^bounce/box, seed 1: 600 ticks in ' simulate bounce --level box --format none
says "the summary has the hash" '^hash [0-9a-f]{16}$' simulate bounce --format none
says "JSON lines begin with tick and hash" '^\{"tick":1,"hash":"[0-9a-f]{16}","head":\{"tick":1,' \
    simulate bounce --ticks 1
says "--events prints events" '"events":\[.*"kind":"joined"' simulate bounce --ticks 1 --events
says "CSV has a header" '^tick,id,position\.x,position\.y,' simulate bounce --format csv --ticks 1
says "a level may be a file" '^bounce/box,' simulate bounce --level worlds/bounce/levels/box.json --format none
says "a level's file names its world" '^bounce/box,' simulate --level worlds/bounce/levels/box.json --format none

run() { "$instep" simulate bounce --level box --seed 7 --ticks 200 "$@" 2>/dev/null; }
expect "the same arguments give the same bytes" cmp <(run) <(run)
expect "other arguments give other bytes" bash -c '! cmp -s "$1" "$2"' - <(run) <(run --bots 3)
run --out "$scratch/out.jsonl"
expect "--out writes what stdout would have had" cmp "$scratch/out.jsonl" <(run)

script='{"world": "bounce", "level": "box", "seed": 3, "ticks": 120, "inputs": [
    {"tick": 1, "join": {"slot": 0, "name": "Ann", "seed": 7}},
    {"tick": 5, "slot": 0, "input": {"push": {"x": 1, "y": 0}}},
    {"tick": 90, "leave": 0}]}'
says "a script is played" '^bounce/box, seed 3: 120 ticks' simulate --inputs "$(file script.json "$script")"
says "a script's names are in the state" '"name":"Ann"' simulate --inputs "$scratch/script.json"

quiet_pipe() { # what is left of stderr, and the exit code
    { "$instep" simulate bounce --ticks 1000000 2>"$scratch/stderr"; echo $? >"$scratch/code"; } | head -n 1 >"$scratch/first"
    [ ! -s "$scratch/stderr" ] && [ "$(cat "$scratch/code")" = 0 ] && [ -s "$scratch/first" ]
}
expect "a closed pipe ends it quietly" quiet_pipe

says "a plot alone prints no ticks" '^bounce/' simulate bounce --plot "$scratch/plot.svg"
expect "a plot is an SVG of a sensible size" \
    bash -c 'head -c 5 "$1" | grep -q "<svg " && size=$(wc -c <"$1") && [ $size -gt 5000 ] && [ $size -lt 500000 ]' - \
    "$scratch/plot.svg"
says "a plot of a million ticks is drawn" 'ticks in ' \
    simulate bounce --ticks 1000000 --plot "$scratch/long.svg" --size 640x480
expect "a plot of a million ticks stays small" test "$(wc -c <"$scratch/long.svg")" -lt 500000

# Counts that are no numbers, or out of range.
limits='--ticks: expected a whole number from 1 to 10,000,000'
for ticks in 0 -1 -9223372036854775808 2000000000 2147483648 4294967297 99999999999999999999999 1e6 0x10 ten nan '' ' 5'; do
    refuses 2 "--ticks '$ticks' is refused with the bounds" "$limits, got \"$ticks\"" simulate bounce --ticks "$ticks"
done
refuses 2 "--every 0 is refused" '--every: expected a whole number from 1' simulate bounce --every 0
refuses 2 "a negative seed is refused" '--seed: expected a whole number from 0' simulate bounce --seed -1
refuses 2 "65 bots are refused" '--bots: expected a whole number from 0 to 64' simulate bounce --bots 65
refuses 2 "more bots than the level takes are refused" 'takes at most 4 players, got 5' \
    simulate bounce --level billiards --bots 5
refuses 2 "a size without a height is refused" 'expected a size like 1280x720' simulate bounce --plot "$scratch/x" --size 12
refuses 2 "a huge size is refused" 'from 100 to 10,000' simulate bounce --plot "$scratch/x" --size 100000x100
refuses 2 "a plot whose name does not end in .svg is refused" 'ends in .svg' simulate bounce --plot "$scratch/x.png"
refuses 2 "a file without a name is refused" 'expected the name of a file' simulate bounce --plot ""
refuses 2 "a size without a plot is refused" 'add --plot' simulate bounce --size 640x480
refuses 2 "an unknown format is refused" 'expected jsonl, csv or none, got "xml"' simulate bounce --format xml
refuses 2 "bots and a script together are refused" 'leave out --bots or --inputs' simulate bounce --bots 2 --inputs "$scratch/script.json"

refuses 2 "an unknown option is named" '^instep: there is no option --bots-please' simulate bounce --bots-please
refuses 2 "an unknown option before the command is named" '^instep: there is no option -x' -x simulate bounce
refuses 2 "an option without its value is named" '^instep: --ticks: needs a value' simulate bounce --ticks
refuses 2 "a word too many is named" '^instep: did not expect "orbit"' simulate bounce orbit

# Unknown names.
refuses 2 "an unknown world is refused with those there are" 'no world "bonce"; there are: arena, bounce' simulate bonce
refuses 2 "no world at all is refused" 'instep worlds' simulate
refuses 2 "an unknown level is refused with those there are" 'no level "boks"; there are: billiards, box' \
    simulate bounce --level boks
refuses 2 "an unknown pool is refused with those there are" 'no pool "cubes"; there are: players, balls' \
    simulate bounce --pool cubes

# Missing files, and files that cannot be read or written.
refuses 3 "a missing level is named" 'nowhere\.json: No such file' simulate bounce --level "$scratch/nowhere.json"
refuses 3 "a missing script is named" 'nowhere\.json: No such file' simulate --inputs "$scratch/nowhere.json"
mkdir -p "$scratch/folder.json"
refuses 3 "a folder is no level" 'folder\.json: is a directory' simulate bounce --level "$scratch/folder.json"
refuses 3 "a folder is no script" 'folder\.json: is a directory' simulate --inputs "$scratch/folder.json"
refuses 3 "an output in no folder is refused" 'no/where: No such file' simulate bounce --out "$scratch/no/where"
refuses 3 "an output that is a folder is refused" 'Is a directory' simulate bounce --out "$scratch/folder.json"
refuses 3 "a plot that is a folder is refused" 'Is a directory' simulate bounce --plot /dev
refuses 3 "a full disk is noticed" 'No space left' simulate bounce --out /dev/full
refuses 3 "a full disk is noticed by a plot" 'No space left' simulate bounce --plot /dev/full
full_stdout() { "$instep" simulate bounce --ticks 1 >/dev/full; }
expect_refusal "a full disk behind stdout is noticed" 'No space left' full_stdout
truncate -s 100M "$scratch/large.json"
refuses 2 "100 MB are no script" 'large\.json: is larger than 16 MB' simulate --inputs "$scratch/large.json"
refuses 2 "100 MB are no level" 'large\.json: is larger than 16 MB' simulate bounce --level "$scratch/large.json"
refuses 2 "an endless file is no script" '/dev/zero: is larger than 16 MB' simulate --inputs /dev/zero

# Files that are neither a script nor a level.
head -c 4096 "$instep" >"$scratch/binary.json"
refuses 2 "a binary is no script" 'binary\.json' simulate --inputs "$scratch/binary.json"
refuses 2 "a binary is no level" 'binary\.json' simulate bounce --level "$scratch/binary.json"
for name in script level; do
    if [ $name = script ]; then option=(--inputs) whole=$script; else option=(bounce --level) whole=$(cat worlds/bounce/levels/box.json); fi
    refuses 2 "an empty file is no $name" "empty\\.json" simulate "${option[@]}" "$(file empty.json '')"
    # Cut off after every fifth byte: always a clear refusal.
    wrong=0 length=${#whole}
    for ((cut = 1; cut < length; cut += 5)); do
        code=0
        "$instep" simulate "${option[@]}" "$(file cut.json "${whole:0:cut}")" >"$scratch/output" 2>&1 || code=$?
        [ $code -eq 2 ] && grep -q 'cut\.json' "$scratch/output" || wrong=$((wrong + 1))
    done
    if [ $wrong -eq 0 ]; then ok "a $name cut off anywhere is refused"; else fail "a $name cut off anywhere is refused ($wrong are not)"; fi
    refuses 2 "nesting without end is no $name" 'deep\.json' \
        simulate "${option[@]}" "$(file deep.json "$(printf '[%.0s' {1..100000})")"
done

bad_script() { # SENTENCE PATTERN TEXT
    refuses 2 "$1" "bad\\.json.*$2" simulate --inputs "$(file bad.json "$3")"
}
entry() { echo "{\"world\": \"bounce\", \"level\": \"box\", \"inputs\": [{\"tick\": 1, \"join\": {\"slot\": 0}}, $1]}"; }
bad_script "a script is an object" 'expected an object' '[1, 2]'
bad_script "a script's world is a string" '"world" to be a string' '{"world": 7, "inputs": []}'
bad_script "a script's world exists" 'no world "bonce"' '{"world": "bonce", "inputs": []}'
bad_script "a script has inputs" '"inputs" to be an array' '{"world": "bounce"}'
bad_script "a script has no unknown keys" 'tikcs' '{"world": "bounce", "tikcs": 5, "inputs": []}'
bad_script "a script's ticks are bounded" '10000000' '{"world": "bounce", "ticks": 2000000000, "inputs": []}'
bad_script "a script's ticks are whole" 'got 1\.5' '{"world": "bounce", "ticks": 1.5, "inputs": []}'
bad_script "NaN is no number of JSON" '' "$(entry '{"tick": 5, "slot": 0, "input": {"push": {"x": NaN, "y": 0}}}')"
bad_script "1e999 is no number" '' "$(entry '{"tick": 5, "slot": 0, "input": {"push": {"x": 1e999, "y": 0}}}')"
bad_script "an input's fields have kinds" 'inputs\[1\]\.input.*push' "$(entry '{"tick": 5, "slot": 0, "input": {"push": "left"}}')"
bad_script "an input's fields have names" 'inputs\[1\]\.input.*pull' "$(entry '{"tick": 5, "slot": 0, "input": {"pull": [1, 0]}}')"
bad_script "an input has a range" 'inputs\[1\]\.input\.push.*from -1 to 1, got 5' "$(entry '{"tick": 5, "slot": 0, "input": {"push": [5, 0]}}')"
bad_script "a slot exists" 'from 0 to 63' "$(entry '{"tick": 5, "leave": 64}')"
bad_script "a tick is not before the first" 'from 1 to 10000000, got 0' "$(entry '{"tick": 0, "leave": 0}')"

bad_level() { # SENTENCE PATTERN TEXT
    refuses 2 "$1" "bad\\.json.*$2" simulate bounce --level "$(file bad.json "$3")"
}
bad_level "a level is an object" 'expected' '"box"'
bad_level "a level's rules have names" 'rules.*drga' '{"world": "bounce", "name": "x", "rules": {"base": "game", "drga": 1}}'
bad_level "a level's rules have kinds" 'rules.*drag' '{"world": "bounce", "name": "x", "rules": {"base": "game", "drag": "slow"}}'
bad_level "a level's numbers have ranges" 'box.*loose_balls' \
    '{"world": "bounce", "name": "x", "rules": "game", "box": {"loose_balls": 2000000000}}'
refuses 2 "a level of another world is refused" 'a level of "bounce", not of "flail"' \
    simulate flail --level worlds/bounce/levels/box.json

late() { "$instep" simulate --inputs "$(file late.json '{"world": "bounce", "inputs": [{"tick": 5, "leave": 0}]}')"; }
expect_refusal "an error at tick 5 names the tick" 'late\.json: tick 5: slot 0: leaves, but it is empty' late
bent() {
    "$instep" simulate --inputs "$(file bent.json "$(entry '{"tick": 5, "slot": 0, "input": {"push": {"x": 1, "y": 1}}}')")"
}
expect_refusal "an input that sanitising would change is refused" 'bent\.json: inputs\[1\]\.input\.push\.x: is more than' bent

# --- play -----------------------------------------------------------------------------------------------------------
about play

"$instep" play bounce --seconds 0.6 --seed 5 >"$scratch/frames" 2>&1 </dev/null
expect "without a terminal three frames are shown" test "$(grep -c 'bounce / box .* seed 5' "$scratch/frames")" -eq 3
expect "without a terminal there are no escape codes" bash -c '! grep -q "$(printf "\033")" "$1"' - "$scratch/frames"
again=$(sed -n 's/^to repeat it: instep //p' "$scratch/frames")
hash=$(sed -n 's/^bounce .*hash //p' "$scratch/frames")
# shellcheck disable=SC2086
says "the command that it prints computes the same match" "^hash $hash\$" $again
refuses 2 "an unknown world is refused" 'no world "bonce"' play bonce
refuses 2 "a duration that is no number is refused" '--seconds: expected a number from 0.1 to 86400' play bounce --seconds nan
refuses 2 "more bots than the level takes are refused" 'takes at most' play bounce --level billiards --bots 64

if command -v script >/dev/null; then
    # In a new terminal; q is pressed once a frame was drawn, and again in case that the first came too early.
    press_q() {
        for _ in {1..600}; do
            ! grep -q '38;2;' "$scratch/typescript" 2>/dev/null || printf q || return
            sleep 0.1
        done
    }
    press_q 2>/dev/null | TERM=xterm-256color timeout 60 script -qfec "$instep play bounce --seed 5" "$scratch/typescript" \
        >/dev/null 2>&1
    expect "q ends it" grep -q 'to repeat it' "$scratch/typescript"
    expect "it enters the alternate screen and hides the cursor" \
        grep -q "$(printf '\033')\\[?1049h$(printf '\033')\\[?25l" "$scratch/typescript"
    expect "it shows the cursor again and leaves the alternate screen" \
        grep -q "$(printf '\033')\\[?25h$(printf '\033')\\[?1049l" "$scratch/typescript"
    expect "it draws in 24-bit colour" grep -q "$(printf '\033')\\[38;2;" "$scratch/typescript"
else
    skip "in a terminal: script(1) is not installed"
fi

# --- parity ---------------------------------------------------------------------------------------------------------
about parity

mkdir -p "$scratch/vectors/bounce"
recording='{"header": {"system": "bounce"}, "columns": ["t", "x"], "rows": [[1, 2]]}'
refuses 2 "a world without recordings says so" 'recording\.json: world "bounce" follows no document' \
    parity "$(file vectors/bounce/recording.json "$recording")"
refuses 2 "a recording of an unknown world is refused" 'header\.system: there is no world "moon"' \
    parity "$(file vectors/bounce/moon.json "${recording/bounce/moon}")"
refuses 2 "a level is no recording" 'is no recording' parity worlds/bounce/levels/box.json
refuses 2 "a cut-off recording is refused" 'cut\.json' parity "$(file vectors/bounce/cut.json "${recording:0:40}")"
refuses 2 "parity without files is refused" 'which recordings' parity
refuses 3 "a missing recording is named" 'nowhere\.json: No such file' parity "$scratch/nowhere.json"
file vectors/bounce.json '[{"file": "recording.json", "tolerance": null}]' >/dev/null
says "a file without a tolerance is skipped" '^skip .*recording\.json' parity "$scratch/vectors/bounce/recording.json"
file vectors/bounce.json '{"oops"' >/dev/null
refuses 2 "a broken index is refused" 'bounce\.json' parity "$scratch/vectors/bounce/recording.json"

# --- chronicle ------------------------------------------------------------------------------------------------------
about chronicle

says "the recorded chronicles are what this build computes" '^ok +bounce box$' chronicle check
says "chronicles are recorded" "^new +$scratch/chronicles/bounce-box.txt" chronicle record bounce --dir "$scratch/chronicles"
expect "recording again gives the same bytes" cmp "$scratch/chronicles/bounce-box.txt" worlds/bounce/chronicles/box.txt
says "one world alone can be checked" '^ok +bounce box$' chronicle check bounce --dir "$scratch/chronicles"
refuses 2 "an unknown world is not checked" 'no world "bonce"' chronicle check bonce
expect_refusal "levels that were not recorded fail the check" 'does not exist: run `instep chronicle record' \
    "$instep" chronicle check --dir "$scratch/chronicles/.."
refuses 2 "an unknown world is not recorded" 'no world "bonce"' chronicle record bonce --dir "$scratch/chronicles"
refuses 3 "a missing folder is named" 'nowhere: No such file' chronicle check --dir "$scratch/nowhere"
refuses 3 "a missing product is named" 'nowhere: No such file' chronicle check --produced "$scratch/nowhere"
refuses 2 "an empty product is refused" 'empty\.txt: is empty' chronicle check --produced "$(file empty.txt '')"
refuses 2 "a product that is no chronicle is refused" 'is not a chronicle' chronicle check --produced "$scratch/binary.json"
refuses 2 "a name without a product is refused" 'add --produced' chronicle check --build "clang -O0"

finish
