---------------------------------- MODULE LcrH ----------------------------------
(* The HARDENED LCR, as it ships: variant H of io.quorate.lcr.Lcr, in the world  *)
(* of io.quorate.testkit.ModelChecker.  CountsTest demands that both have the    *)
(* same number of distinct states (if Persist is FALSE and Mutant is "none").    *)
(*                                                                               *)
(* MODELS  docs/algorithms/lcr.md#hardened without option Q: initiate, PROBE,    *)
(* victory and its repetition, SELECTED, suspect, restore, TR, HB, and K1 after  *)
(* every event.  A handler takes the state of the process and what it has sent   *)
(* so far, and gives both.  Process p is the machine's process p - 1; the ring   *)
(* is 1, 2, ... N, and a process skips whom it suspects.                         *)
(*                                                                               *)
(* ASSUMES  one FIFO link per ordered pair; messages to a crashed process        *)
(* vanish, those of a crashed one arrive, those of a former life are dropped on  *)
(* arrival; all start at once, with leader Leader0, or with none if it is 0; a   *)
(* crash is noticed by each process at any later moment; a timer fires when no   *)
(* message is on its way and nothing is to be noticed (the bound delta), earlier *)
(* only out of a budget, so the lengths of time-outs have no meaning here; one   *)
(* process always survives.                                                      *)
(*                                                                               *)
(* BOUNDS  N; MaxCrash, MaxRestart, MaxLoss, MaxEarly, MaxFalse (wrong           *)
(* suspicions): budgets, used up in the state.                                   *)
EXTENDS Naturals, FiniteSets, Sequences
CONSTANTS N, MaxCrash, MaxRestart, MaxLoss, MaxEarly, MaxFalse, Leader0,
          Circle,    \* after so many attempts their numbers begin again
          Persist,   \* option P: a restarted process knows term and seen (K7)
          Mutant     \* "none", or the rule that is broken
ASSUME N \in Nat /\ N >= 1 /\ Leader0 \in 0 .. N /\ Circle \in Nat \ {0}
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
Max(S) == CHOOSE p \in S : \A q \in S : p >= q
Greatest(x, y) == IF x < y THEN y ELSE x
RECURSIVE Walk(_, _)
Walk(q, S) == LET r == (q % N) + 1 IN IF r \in S THEN Walk(r, S) ELSE r
\* Victories, as <<term, leader>>.
Less(v, w) == v[1] < w[1] \/ (v[1] = w[1] /\ v[2] < w[2])
NoVictory == <<0, None>>
\* k: the number of the attempt, from 1 to Circle and then from 1 again, or a lower process that tries again and again
\* would count for ever; AttemptsAreToldApart shows that nothing depends on that.  S: whom the process suspects.
Empty == [term |-> 0, seen |-> NoVictory, leader |-> None, part |-> FALSE, k |-> 0, S |-> {}]
Broken(rule) == Mutant = rule

\* ---- the machine.  s: the state; out: the messages it has sent, as <<to, message>>; i: the life of p.
\* max: the highest term that the last sender has seen.
Probe(id, attempt, max, hops) == [type |-> "PROBE", id |-> id, attempt |-> attempt, max |-> max, hops |-> hops]
Selected(id, term, max, hops) == [type |-> "SELECTED", id |-> id, term |-> term, max |-> max, hops |-> hops]
Step(s, out) == [s |-> s, out |-> out]
ToNext(p, s, out, message) == Append(out, <<Walk(p, s.S), message>>)

InitiateAnew(p, i, s, out) ==
  LET t == [s EXCEPT !.part = TRUE, !.k = (@ % Circle) + 1, !.leader = IF @ = p THEN None ELSE @]
  IN Step(t, ToNext(p, t, out, Probe(p, <<i, t.k>>, t.term, 1)))
Initiate(p, i, s, out) == IF s.part THEN Step(s, out) ELSE InitiateAnew(p, i, s, out)
Raised(p, s) == [s EXCEPT !.term = @ + 1, !.seen = <<s.term + 1, p>>]                    \* K2
Announce(p, s, out) ==
  LET t == IF s.term > s.seen[1] THEN Raised(p, s) ELSE s
  IN Step(t, ToNext(p, t, out, Selected(p, t.seen[1], t.term, 1)))
Win(p, s, out) ==
  Announce(p, Raised(p, [s EXCEPT !.leader = p, !.part = Broken("winnerTakesPart")]), out)   \* decision 4
\* Only its owner stops a message (quirk 9).
IsOrphan(m, s) == (m.id \in s.S /\ Mutant \notin {"deadOwner", "orphans"}) \/ (m.hops >= N /\ ~Broken("orphans"))
OnProbe(p, i, m, s, out) ==
  LET isMine == (s.part /\ m.attempt = <<i, s.k>>) \/ Broken("oldAttempt")               \* K5
      t      == [s EXCEPT !.part = TRUE, !.leader = IF @ = p /\ ~Broken("leadsOn") THEN None ELSE @]
  IN CASE m.id = p       -> IF isMine THEN Win(p, s, out) ELSE Step(s, out)
       [] IsOrphan(m, s) -> Step(s, out)
       [] m.id < p       -> IF s.leader = p THEN Announce(p, s, out) ELSE Initiate(p, i, s, out)
       [] OTHER          -> Step(t, ToNext(p, t, out, Probe(m.id, m.attempt, t.term, m.hops + 1)))
OnSelected(p, i, m, s, out) ==
  LET v     == <<m.term, m.id>>
      isOld == Less(v, s.seen) /\ ~Broken("anyVictory")                                  \* K2
      t     == IF isOld THEN [s EXCEPT !.term = Greatest(@, s.seen[1] + 1)]
                        ELSE [s EXCEPT !.leader = m.id, !.seen = v, !.part = FALSE]
  IN CASE m.id = p       -> IF s.leader = p /\ s.term > s.seen[1] THEN Announce(p, s, out) ELSE Step(s, out)
       [] IsOrphan(m, s) -> Step(s, out)
       [] m.id < p       -> IF s.leader = p /\ Less(s.seen, v) THEN Announce(p, s, out)
                            ELSE IF s.leader < p THEN Initiate(p, i, s, out) ELSE Step(s, out)
       [] OTHER          -> Step(t, ToNext(p, t, out, Selected(m.id, m.term, t.term, m.hops + 1)))
OnMessage(p, m, s) ==
  LET highest == IF m.type = "PROBE" THEN m.max ELSE Greatest(m.term, m.max)
      t       == [s EXCEPT !.term = Greatest(@, highest)]                                 \* K2
  IN IF m.type = "PROBE" THEN OnProbe(p, inc[p], m, t, <<>>) ELSE OnSelected(p, inc[p], m, t, <<>>)
OnSuspect(p, q, s) ==
  LET t == [s EXCEPT !.S = @ \cup {q}]
  IN IF t.part /\ ~Broken("noRetry") THEN InitiateAnew(p, inc[p], t, <<>>) ELSE Step(t, <<>>)
OnTrust(p, q, s) == Step([s EXCEPT !.S = @ \ {q}], <<>>)
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
      kept  == IF Broken("forgets") THEN Empty ELSE known                                \* K7
      s     == [Empty EXCEPT !.term = kept.term, !.seen = IF first THEN <<0, Leader0>> ELSE kept.seen,
                             !.leader = IF first THEN Leader0 ELSE None]
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
Retry(p) == alive[p] /\ state[p].part /\ ~Broken("noRetry") /\ Fire(p, InitiateAnew(p, inc[p], state[p], <<>>))
\* HB is always set.
Repeat(p) ==
  /\ alive[p] /\ ~Broken("noRepetition")
  /\ LET s == state[p] IN Fire(p, IF s.leader = p /\ ~s.part THEN Announce(p, s, <<>>) ELSE Step(s, <<>>))
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
IsVictory(v) == v[1] \in Nat /\ v[2] \in P \cup {None}
IsMessage(m) ==
  /\ m.id \in P /\ m.max \in Nat /\ m.hops \in 1 .. N
  /\ CASE m.type = "PROBE"    -> m.attempt \in (1 .. 1 + MaxRestart) \X (1 .. Circle)
       [] m.type = "SELECTED" -> m.term \in Nat
TypeOK ==
  /\ alive \in [P -> BOOLEAN] /\ inc \in [P -> 1 .. 1 + MaxRestart]
  /\ \A p \in P : LET s == state[p] IN
       /\ s.term \in Nat /\ IsVictory(s.seen) /\ s.leader \in P \cup {None}
       /\ s.part \in BOOLEAN /\ s.k \in 0 .. Circle /\ s.S \subseteq P \ {p} /\ s.term >= s.seen[1]
  /\ \A p, q \in P : \A j \in 1 .. Len(link[p][q]) : IsMessage(link[p][q][j][1]) /\ link[p][q][j][2] \in 1 .. inc[p]
\* The machine's own checks.
Invariants == \A p \in AliveSet : LET s == state[p] IN
  /\ s.leader = None => s.part
  /\ s.leader # None => s.leader = s.seen[2] /\ s.leader \notin s.S
Participating == \A p \in AliveSet : state[p].part => state[p].leader # p
\* No PROBE on its way has the number that its owner would give to the next one.
AttemptsAreToldApart == \A p, q \in P : \A j \in 1 .. Len(link[p][q]) : LET m == link[p][q][j][1] IN
  m.type = "PROBE" /\ alive[m.id] => m.attempt # <<inc[m.id], (state[m.id].k % Circle) + 1>>
OneLeader == \A p, q \in AliveSet : state[p].leader = p /\ state[q].leader = q => p = q
InNoElection == \A p \in AliveSet : ~state[p].part
HighestAliveProcessIsLeader == Quiet /\ InNoElection => \A p \in AliveSet : state[p].leader = Max(AliveSet)
\* Tokens of one life never fall; Persist: nor those of all lives.
TokensNeverFall ==
  [][\A p \in P : alive'[p] /\ (Persist \/ inc'[p] = inc[p]) => ~Less(state'[p].seen, state[p].seen)]_vars
\* K5: an own PROBE that is not of the present attempt is no victory.
IsOld(p, m) == m.type = "PROBE" /\ m.id = p /\ (~state[p].part \/ m.attempt # <<inc[p], state[p].k>>)
OldProbesAreIgnored ==
  [][\A p, q \in P : /\ alive'[p] /\ link[q][p] # <<>> /\ ~IsStale(q, p) /\ IsOld(p, Head(link[q][p])[1])
                    /\ link'[q][p] = Tail(link[q][p]) => state'[p].seen = state[p].seen]_vars
NobodySuspectedIsElected ==
  [][\A p \in P : state'[p].seen # state[p].seen => state'[p].seen[2] \notin state'[p].S]_vars
ElectionWillEnd == \A p \in P : (alive[p] /\ state[p].part) ~> (~alive[p] \/ ~state[p].part)
Agreed == /\ \A p \in AliveSet : ~state[p].part /\ state[p].leader = Max(AliveSet)
          /\ \A p, q \in AliveSet : state[p].seen = state[q].seen
\* From some time on all agree, and what the leader repeats is all that is ever on its way.
EventuallyAgreed == <>[]Agreed
EventuallyQuiet == []<>Quiet
\* No end of elections without a timer, even while processes wrongly suspect each other.
FewElections == \A p \in P : state[p].term < 12
\* False, to show that somebody leads.
NeverALeader == \A p \in P : state[p].leader # p
================================================================================
