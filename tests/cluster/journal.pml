/* SPDX-License-Identifier: MIT
 * The protocol of a room's journal, as docs/decisions/cluster.md has it, for spin. tests/cluster/model.sh checks every
 * interleaving.
 *
 * Servers own the room, are delayed for any time (a stopped process is one that takes no step), die with appends on the
 * way, lose their connection, and take over. Redis applies appends in the order of each connection, lets leases expire
 * whenever it likes, and restarts. Time is not modelled: a lease may expire at once, and an answer may come after years.
 *
 * What clients receive is a version of a tick: the epoch of the owner that stepped it. The laws:
 *   - never two versions of one tick are received
 *   - a tick that was received is in the journal, in the version that was received
 *
 * A build with one of these must break a law:
 *   NO_EPOCH   scripts do not check the epoch
 *   EARLY      a snapshot is sent before its ticks are acknowledged
 *   LOSSY      Redis forgets acknowledged writes when it restarts: the loss that appendfsync always prevents
 */
#define SERVERS 2   /* that own the room in turns: the one that does not is dead, waits, or does not know it yet */
#ifndef TICKS
#define TICKS   2   /* steps of the match */
#endif
#define EPOCHS  3   /* owners: the first one, its successor, and the first one again */
#define AHEAD   2   /* appends without an answer: the step does not wait */

mtype = { APPEND, ATTACH, OK, FENCED };
typedef History { byte version[TICKS + 1] };   /* 0: not stepped */

/* Redis. The journal is checkpoint and stream in one: what a successor replays. */
byte epoch;
bool leased;
byte last;
History journal;

/* Connections, in both directions. */
typedef Wire { chan ask = [AHEAD] of { mtype, byte, byte }; chan answer = [AHEAD] of { mtype, byte, byte } };
Wire wire[SERVERS];
bool attached[SERVERS];
History stepped[SERVERS];   /* what each owner computed */

byte received[TICKS + 1];      /* by clients */
byte restarts;
byte t_;

inline hear(n, what) {
    assert(received[n] == 0 || received[n] == what);
    received[n] = what
}

inline cut(s) {
    do
    :: wire[s].ask?_, _, _
    :: empty(wire[s].ask) -> break
    od;
    do
    :: wire[s].answer?_, _, _
    :: empty(wire[s].answer) -> break
    od;
    attached[s] = false
}

#ifdef NO_EPOCH
#define fenced(e) false
#else
#define fenced(e) ((e) != epoch)
#endif

/* Leases expire, and Redis restarts. */
proctype Faults() {
    byte s;
end:
    do
    :: atomic { leased -> leased = false }
    :: atomic { restarts < 1 -> restarts++;
#ifdef LOSSY
           if
           :: last > 0 -> journal.version[last] = 0; last--
           :: skip
           fi;
#endif
           for (s : 0 .. SERVERS - 1) { cut(s) };
           s = 0 }
    od
}

/* Redis, at one server's connection. */
proctype Scripts(byte s) {
    byte e, t;
end:
    do
    :: atomic { nfull(wire[s].answer) && nempty(wire[s].ask) ->
           if
           :: wire[s].ask?APPEND, e, t ->
              if
              :: !fenced(e) && t == last + 1 ->
                 last = t; journal.version[t] = stepped[s].version[t]; leased = true;
                 wire[s].answer!OK, e, t
              :: else -> wire[s].answer!FENCED, e, t
              fi
           :: wire[s].ask?ATTACH, e, t ->  /* a checkpoint of the owner's state after tick t */
              if
              :: !fenced(e) ->
                 for (t_ : 1 .. TICKS) {
                     journal.version[t_] = (t_ <= t -> stepped[s].version[t_] : 0)
                 };
                 last = t; leased = true;
                 wire[s].answer!OK, e, t
              :: else -> wire[s].answer!FENCED, e, t
              fi
           fi;
           e = 0; t = 0; t_ = 0 }
    od
}

proctype Server(byte s) {
    byte mine;      /* the epoch in which this server owns the room; 0: it does not */
    byte tick;      /* stepped */
    byte sent;      /* appended, perhaps without an answer */
    byte committed; /* acknowledged, and received */
    byte e, t;
end:
    do
    /* Take over: the script bumps the epoch and returns the journal, and the server replays it. */
    :: atomic { mine == 0 && !leased && epoch < EPOCHS && empty(wire[s].ask) ->
           cut(s);
           epoch++; leased = true; mine = epoch; attached[s] = true;
           tick = last; sent = last; committed = last;
           for (t_ : 1 .. TICKS) {
               assert(received[t_] == 0 || journal.version[t_] == received[t_]);
               stepped[s].version[t_] = journal.version[t_]
           };
           t_ = 0 }

    /* Step, whatever Redis does. */
    :: atomic { mine > 0 && tick < TICKS ->
           tick++; stepped[s].version[tick] = mine;
#ifdef EARLY
           hear(tick, mine)
#endif
       }
    :: atomic { mine > 0 && attached[s] && sent < tick && nfull(wire[s].ask) ->
           sent++; wire[s].ask!APPEND, mine, sent }

    /* A new connection begins with a checkpoint. */
    :: atomic { mine > 0 && !attached[s] ->
           attached[s] = true; sent = tick; wire[s].ask!ATTACH, mine, tick }
    :: atomic { attached[s] -> cut(s) }

    :: atomic { wire[s].answer?OK, e, t ->
           if
           :: e == mine ->
              do
              :: committed < t -> committed++; hear(committed, stepped[s].version[committed])
              :: else -> break
              od
           :: else
           fi;
           e = 0; t = 0 }
    :: atomic { wire[s].answer?FENCED, e, t ->
           if
           :: e == mine -> mine = 0; tick = 0; sent = 0; committed = 0
           :: else
           fi;
           e = 0; t = 0 }

    /* kill -9: appends that are on the way may still arrive. */
    :: atomic { mine > 0 -> mine = 0; tick = 0; sent = 0; committed = 0 }
    od
}

init {
    atomic {
        run Faults();
        run Scripts(0); run Scripts(1);
        run Server(0); run Server(1)
    }
}
