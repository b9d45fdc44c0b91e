------------------------------- MODULE TokenRing -------------------------------
(* The HARDENED token ring, as it ships: variant H of                            *)
(* io.quorate.tokenring.TokenRing, in the world of io.quorate.testkit            *)
(* .ModelChecker.  CountsTest demands that both have the same number of distinct *)
(* states (if Persist is FALSE and Mutant is "none").                            *)
(*                                                                               *)
(* MODELS  docs/algorithms/token-ring.md#hardened without option Q: initiate,    *)
(* ELECTION, close, adopt, COORDINATOR, suspect, restore, TR, HB, and K1 after   *)
(* every event.  A handler                                                       *)
(* takes the state of the process and what it has sent so far, and gives both.   *)
(* Process p is the machine's process p - 1.                                     *)
(*                                                                               *)
(* ASSUMES  one FIFO link per ordered pair; messages to a crashed process        *)
(* vanish, those of a crashed one arrive, those of a former life are dropped on  *)
(* arrival; all start at once, with leader Leader0, or with none if it is 0; a   *)
(* crash is noticed by each process at any later moment; a timer fires when no   *)
(* message is on its way and nothing is to be noticed (the bound delta), earlier *)
(* only out of a budget; one process always survives.                            *)
(*                                                                               *)
(* BOUNDS  N; MaxCrash, MaxRestart, MaxLoss, MaxEarly, MaxFalse (wrong           *)
(* suspicions): budgets, used up in the state.                                   *)
EXTENDS Naturals, FiniteSets, Sequences
CONSTANTS N, MaxCrash, MaxRestart, MaxLoss, MaxEarly, MaxFalse, Leader0,
          Persist,   \* option P: a restarted process knows term and seen (K7)
          Mutant     \* "none", or the rule that is broken
ASSUME N \in Nat /\ N >= 1 /\ Leader0 \in 0 .. N
P == 1 .. N
None == 0
VARIABLES alive,  \* [P -> BOOLEAN]
          inc,    \* [P -> Nat]: which life of the process this is
          state,  \* [P -> what the machine keeps]; see Empty
          link,   \* link[p][q]: what is on its way from p to q, as <<message, life of p>>
          crashes, restarts, losses, earlies, falses
budget == <<crashes, restarts, losses, earlies, falses>>
vars   == <<alive, inc, state, link, budget>>
AliveSet == {p \in P : alive[p]}
Range(ids) == {ids[i] : i \in 1 .. Len(ids)}
Max(S) == CHOOSE p \in S : \A q \in S : p >= q
RECURSIVE Walk(_, _)
Walk(q, S) == LET r == (q % N) + 1 IN IF r \in S THEN Walk(r, S) ELSE r
\* Victories, as <<term, leader, closer>>.
Less(v, w) == \/ v[1] < w[1]
              \/ v[1] = w[1] /\ v[2] < w[2]
              \/ v[1] = w[1] /\ v[2] = w[2] /\ v[3] < w[3] /\ Mutant # "noCloser"
NoVictory == <<0, None, None>>
\* k: the number of the attempt; S: whom the process suspects; late, doubled: K8, how often TR was doubled. Timers have
\* no length here, so that nothing depends on it; the machine's limit of 20 is out of reach.
Empty == [term |-> 0, seen |-> NoVictory, leader |-> None, ring |-> <<>>, part |-> FALSE, k |-> 0, S |-> {},
          late |-> FALSE, doubled |-> 0]
Broken(rule) == Mutant = rule

\* ---- the machine.  s: the state; out: the messages it has sent, as <<to, message>>; i: the life of p.
Election(ids, attempt, term) == [type |-> "ELECTION", ids |-> ids, attempt |-> attempt, term |-> term]
Coordinator(victory, ring, visited) ==
  [type |-> "COORDINATOR", victory |-> victory, ring |-> ring, visited |-> visited]
Step(s, out) == [s |-> s, out |-> out]
ToNext(p, s, out, message) == Append(out, <<Walk(p, s.S), message>>)

InitiateAnew(p, i, s, out) ==
  LET t == [s EXCEPT !.part = TRUE, !.k = @ + 1]
  IN Step(t, ToNext(p, t, out, Election(<<p>>, <<i, t.k>>, t.term)))
Initiate(p, i, s, out) == IF s.part THEN Step(s, out) ELSE InitiateAnew(p, i, s, out)
\* TR is set as long as p takes part, so it initiates when that runs out.  Deviation 1 of the package: not at once.
Object(p, i, s, out) == IF Broken("storm") THEN Initiate(p, i, s, out) ELSE Step([s EXCEPT !.part = TRUE], out)
EndElection(s) ==
  IF Broken("keepsPatience") THEN [s EXCEPT !.part = FALSE]
  ELSE [s EXCEPT !.part = FALSE, !.late = FALSE, !.doubled = 0]                             \* K8
Adopt(s, victory, ring) ==
  [EndElection(s) EXCEPT !.leader = victory[2], !.seen = victory, !.ring = ring]
Announce(p, s, out) ==
  IF Walk(p, s.S) = p THEN out ELSE ToNext(p, s, out, Coordinator(s.seen, s.ring, <<p>>))
Close(p, ids, s, out) ==
  LET isLive(x) == x \notin s.S \/ Broken("deadMember")
      members   == SelectSeq(ids, isLive)
      t         == [s EXCEPT !.term = @ + 1]                                             \* K2
      closed    == Adopt(t, <<t.term, Max(Range(members)), p>>, members)
  IN Step(closed, Announce(p, closed, out))
OnElection(p, i, m, s, out) ==
  LET isOld  == Head(m.ids) = p /\ (~s.part \/ m.attempt # <<i, s.k>>)                   \* K5
      isLate == s.part /\ m.attempt[1] = i /\ m.attempt[2] < s.k                           \* K8
      isHome == IF Broken("homeAtHead") THEN Head(m.ids) = p ELSE p \in Range(m.ids)     \* decision (1)
      higher == \E x \in Range(m.ids) \ s.S : x > p
      t      == [s EXCEPT !.part = TRUE, !.leader = IF @ = p /\ higher THEN None ELSE @]
  IN CASE isOld /\ ~Broken("oldToken") -> Step(IF isLate THEN [s EXCEPT !.late = TRUE] ELSE s, out)
       [] isHome                       -> Close(p, m.ids, s, out)
       [] OTHER -> Step(t, ToNext(p, t, out, Election(Append(m.ids, p), m.attempt, t.term)))
OnCoordinator(p, i, m, s, out) ==
  LET v       == m.victory
      isRound == IF Broken("onlyCloserRemoves") THEN v[3] = p ELSE p \in Range(m.visited)
      joined  == IF p \in Range(m.ring) THEN Step(Adopt(s, v, m.ring), out) ELSE Object(p, i, s, out)
      forward == Coordinator(v, m.ring, Append(m.visited, p))
  IN CASE isRound                                          -> Step(s, out)
       [] v[2] \in s.S /\ ~Broken("deadLeader")            -> Object(p, i, s, out)
       [] Less(v, s.seen) /\ ~Broken("anyVictory")         -> IF s.leader = p
                                                              THEN Object(p, i, s, out) ELSE Step(s, out)
       [] v[2] < p               -> Object(p, i, s, out)
       [] OTHER -> IF Walk(p, s.S) = p THEN joined
                   ELSE Step(joined.s, ToNext(p, joined.s, joined.out, forward))
OnMessage(p, m, s) ==
  LET term == IF m.type = "ELECTION" THEN m.term ELSE m.victory[1]
      t    == IF term > s.term THEN [s EXCEPT !.term = term] ELSE s                      \* K2
  IN IF m.type = "ELECTION" THEN OnElection(p, inc[p], m, t, <<>>) ELSE OnCoordinator(p, inc[p], m, t, <<>>)
OnSuspect(p, q, s) ==
  LET t == [s EXCEPT !.S = @ \cup {q}]
  IN IF t.part /\ ~Broken("noRetry") THEN InitiateAnew(p, inc[p], t, <<>>) ELSE Step(t, <<>>)
OnTrust(p, q, s) ==
  LET t == [s EXCEPT !.S = @ \ {q}]
  IN IF t.leader = p THEN Initiate(p, inc[p], t, <<>>) ELSE Step(t, <<>>)
\* K1.  After every event.
Recheck(p, i, step) ==
  LET s == step.s
      t == IF s.leader \in s.S THEN [s EXCEPT !.leader = None] ELSE s
  IN IF t.leader = None /\ ~Broken("noRecheck") THEN Initiate(p, i, t, step.out) ELSE Step(t, step.out)

\* ---- the world.  l: the links, without the message that is handled; a: who is alive.
RECURSIVE Sent(_, _, _, _, _)
Sent(l, p, i, a, out) ==
  IF out = <<>> THEN l
  ELSE LET to == Head(out)[1]
       IN Sent(IF a[to] THEN [l EXCEPT ![p][to] = Append(@, <<Head(out)[2], i>>)] ELSE l, p, i, a, Tail(out))
Does(p, i, a, l, handled) ==
  LET step == Recheck(p, i, handled)
  IN state' = [state EXCEPT ![p] = step.s] /\ link' = Sent(l, p, i, a, step.out)
Everybody == [x \in P |-> TRUE]
\* What p knows when it starts.  known: term and seen of a former life, if they are kept.
Started(p, i, known) ==
  LET first == i = 1 /\ Leader0 # None
      s     == [Empty EXCEPT !.term = known.term, !.seen = IF first THEN <<0, Leader0, None>> ELSE known.seen,
                             !.leader = IF first THEN Leader0 ELSE None,
                             !.ring = IF first THEN [x \in P |-> x] ELSE <<>>]
  IN Recheck(p, i, Step(s, <<>>))
Init == /\ alive = Everybody /\ inc = [p \in P |-> 1]
        /\ state = [p \in P |-> Started(p, 1, Empty).s]
        /\ link = [p \in P |-> Sent([x \in P |-> [q \in P |-> <<>>]], p, 1, Everybody, Started(p, 1, Empty).out)[p]]
        /\ crashes = 0 /\ restarts = 0 /\ losses = 0 /\ earlies = 0 /\ falses = 0
IsStale(from, p) == Head(link[from][p])[2] # inc[from]               \* of a former life
Rest(from, p) == [link EXCEPT ![from][p] = Tail(@)]
Deliver(from, p) ==
  /\ link[from][p] # <<>>
  /\ IF IsStale(from, p) THEN link' = Rest(from, p) /\ UNCHANGED state
     ELSE Does(p, inc[p], alive, Rest(from, p), OnMessage(p, Head(link[from][p])[1], state[p]))
  /\ UNCHANGED <<alive, inc, budget>>
Lose(from, p) ==
  /\ link[from][p] # <<>> /\ ~IsStale(from, p) /\ losses < MaxLoss
  /\ link' = Rest(from, p) /\ losses' = losses + 1
  /\ UNCHANGED <<alive, inc, state, crashes, restarts, earlies, falses>>
Suspect(p, q) ==
  /\ alive[p] /\ p # q /\ q \notin state[p].S
  /\ IF ~alive[q] THEN UNCHANGED falses ELSE falses < MaxFalse /\ falses' = falses + 1
  /\ Does(p, inc[p], alive, link, OnSuspect(p, q, state[p]))
  /\ UNCHANGED <<alive, inc, crashes, restarts, losses, earlies>>
Trust(p, q) ==
  /\ alive[p] /\ alive[q] /\ q \in state[p].S
  /\ Does(p, inc[p], alive, link, OnTrust(p, q, state[p]))
  /\ UNCHANGED <<alive, inc, budget>>
Quiet == /\ \A p, q \in P : link[p][q] = <<>>
         /\ \A p \in AliveSet : state[p].S = P \ AliveSet
Fire(p, handled) ==
  /\ IF Quiet THEN UNCHANGED earlies ELSE earlies < MaxEarly /\ earlies' = earlies + 1
  /\ Does(p, inc[p], alive, link, handled)
  /\ UNCHANGED <<alive, inc, crashes, restarts, losses, falses>>
\* TR is set as long as p takes part.
Retried(s) == [s EXCEPT !.late = FALSE, !.doubled = IF s.late \/ Broken("silenceDoubles") THEN @ + 1 ELSE @]  \* K8
Retry(p) ==
  alive[p] /\ state[p].part /\ ~Broken("noRetry") /\ Fire(p, InitiateAnew(p, inc[p], Retried(state[p]), <<>>))
\* HB is always set.
Repeat(p) ==
  /\ alive[p] /\ ~Broken("noRepetition")
  /\ LET s == state[p] IN Fire(p, Step(s, IF s.leader = p /\ ~s.part THEN Announce(p, s, <<>>) ELSE <<>>))
Crash(p) ==
  /\ alive[p] /\ crashes < MaxCrash /\ Cardinality(AliveSet) > 1
  /\ alive' = [alive EXCEPT ![p] = FALSE]
  /\ link' = [q \in P |-> [link[q] EXCEPT ![p] = <<>>]]
  /\ state' = [state EXCEPT ![p] = IF Persist THEN [Empty EXCEPT !.term = state[p].term, !.seen = state[p].seen]
                                   ELSE Empty]
  /\ crashes' = crashes + 1 /\ UNCHANGED <<inc, restarts, losses, earlies, falses>>
Restart(p) ==
  /\ ~alive[p] /\ restarts < MaxRestart
  /\ alive' = [alive EXCEPT ![p] = TRUE] /\ inc' = [inc EXCEPT ![p] = @ + 1]
  /\ LET step == Started(p, inc[p] + 1, state[p])
     IN state' = [state EXCEPT ![p] = step.s] /\ link' = Sent(link, p, inc[p] + 1, alive', step.out)
  /\ restarts' = restarts + 1 /\ UNCHANGED <<crashes, losses, earlies, falses>>
Next == \E p \in P : \/ Retry(p) \/ Repeat(p) \/ Crash(p) \/ Restart(p)
                     \/ \E q \in P : Deliver(p, q) \/ Lose(p, q) \/ Suspect(p, q) \/ Trust(p, q)
\* Strong for the timers: the HB of a leader disturbs the quiet again and again.
Notice(p, q) == Trust(p, q) \/ (Suspect(p, q) /\ UNCHANGED budget)
Fair == \A p \in P : /\ SF_vars(Retry(p) /\ UNCHANGED budget) /\ SF_vars(Repeat(p) /\ UNCHANGED budget)
                     /\ \A q \in P : WF_vars(Deliver(p, q)) /\ WF_vars(Notice(p, q))
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fair

\* ---- what holds; names of source 001
IsList(ids) == Cardinality(Range(ids)) = Len(ids) /\ Range(ids) \subseteq P
IsVictory(v) == v[1] \in Nat /\ v[2] \in P \cup {None} /\ v[3] \in P \cup {None}
IsMessage(m) ==
  CASE m.type = "ELECTION"    -> m.ids # <<>> /\ IsList(m.ids) /\ m.attempt \in (1 .. 1 + MaxRestart) \X Nat
    [] m.type = "COORDINATOR" -> /\ IsVictory(m.victory) /\ IsList(m.ring) /\ IsList(m.visited)
                                 /\ m.victory[2] \in Range(m.ring)
TypeOK ==
  /\ alive \in [P -> BOOLEAN] /\ inc \in [P -> 1 .. 1 + MaxRestart]
  /\ \A p \in P : LET s == state[p] IN
       /\ s.term \in Nat /\ IsVictory(s.seen) /\ s.leader \in P \cup {None} /\ IsList(s.ring)
       /\ s.part \in BOOLEAN /\ s.k \in Nat /\ s.S \subseteq P \ {p} /\ s.term >= s.seen[1]
       /\ s.late \in BOOLEAN /\ s.doubled \in Nat
  /\ \A p, q \in P : \A j \in 1 .. Len(link[p][q]) : IsMessage(link[p][q][j][1]) /\ link[p][q][j][2] \in 1 .. inc[p]
\* The machine's own checks.
Invariants == \A p \in AliveSet : LET s == state[p] IN
  /\ s.leader = None => s.part
  /\ ~s.part => ~s.late /\ s.doubled = 0                                                    \* K8
  /\ s.leader # None => s.leader = s.seen[2] /\ s.leader \in Range(s.ring) /\ s.leader \notin s.S
OneLeader == \A p, q \in AliveSet : state[p].leader = p /\ state[q].leader = q => p = q
\* Several closers of one term and leader: the closer decides whose list counts.
InNoElection == \A p \in AliveSet : ~state[p].part
SameRingWhenQuiet == Quiet /\ InNoElection => \A p, q \in AliveSet : state[p].ring = state[q].ring
HighestAliveProcessIsLeader == Quiet /\ InNoElection => \A p \in AliveSet : state[p].leader = Max(AliveSet)
\* Tokens of one life never fall; Persist: nor those of all lives.
TokensNeverFall ==
  [][\A p \in P : alive'[p] /\ (Persist \/ inc'[p] = inc[p]) => ~Less(state'[p].seen, state[p].seen)]_vars
\* K5: a token of p that is not of its present attempt is not closed.
IsOld(p, m) == m.type = "ELECTION" /\ Head(m.ids) = p /\ (~state[p].part \/ m.attempt # <<inc[p], state[p].k>>)
OldTokensAreIgnored ==
  [][\A p, q \in P : /\ link[q][p] # <<>> /\ ~IsStale(q, p) /\ IsOld(p, Head(link[q][p])[1])
                    /\ link'[q][p] = Tail(link[q][p]) => state'[p].seen = state[p].seen]_vars
\* K8: a list that came home late, and nothing else, makes a process more patient.
SilenceDoublesNothing ==
  [][\A p \in P : state'[p].doubled > state[p].doubled => state[p].late]_vars
\* False, to show that TR is doubled.
NeverPatient == \A p \in AliveSet : state[p].doubled = 0
\* A closed list names nobody who is known to be dead.
NobodySuspectedIsElected ==
  [][\A p \in P : state'[p].seen # state[p].seen => state'[p].seen[2] \notin state'[p].S]_vars
ElectionWillEnd == \A p \in P : (alive[p] /\ state[p].part) ~> (~alive[p] \/ ~state[p].part)
Agreed == /\ \A p \in AliveSet : ~state[p].part /\ state[p].leader = Max(AliveSet)
          /\ \A p, q \in AliveSet : state[p].ring = state[q].ring /\ state[p].seen = state[q].seen
          /\ \A p \in AliveSet : AliveSet \subseteq Range(state[p].ring)
\* From some time on all agree, and what the leader repeats is all that is ever on its way.
EventuallyAgreed == <>[]Agreed
EventuallyQuiet == []<>Quiet
\* No end of elections without a timer, even while processes wrongly suspect each other.
FewElections == \A p \in P : state[p].term < 9
\* False, to show that somebody leads.
NeverALeader == \A p \in P : state[p].leader # p
================================================================================
