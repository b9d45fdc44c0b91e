------------------------------- MODULE ThreePhase -------------------------------
(* Three-phase group election (source 002), both variants: Hardened = FALSE is F,  *)
(* docs/algorithms/three-phase.md#faithful, TRUE is H without option Q,            *)
(* docs/algorithms/three-phase.md#hardened.  Ln is a line of the first, Gn a guess *)
(* of it.  A handler takes the state of the process and what it has sent so far,   *)
(* and gives both.                                                                 *)
(*                                                                                 *)
(* MODELS  phases 1 to 3; process p is the document's p - 1, so round r is judged  *)
(* by (r mod N) + 1.  At first the priority of p is p.                             *)
(*                                                                                 *)
(* TIME  there is no clock.  A timer fires when no message is on its way (the      *)
(* bound delta); earlier only out of a budget.  Window counts steps of task 0: one *)
(* in F (2 delta), two in H (4 delta).  TMR further needs that the judge is gone:  *)
(* a live one sends its OK in time.  Phase 1 is a detector that is perfect but     *)
(* slow: FRESH runs out some time after the crash of the leader, or when nobody    *)
(* sends heartbeats; otherwise only out of a budget (MaxFalse).  So heartbeats     *)
(* have no numbers.                                                                *)
(*                                                                                 *)
(* ASSUMES  one FIFO link per ordered pair; messages to a crashed process vanish,  *)
(* those of a crashed one arrive, those of a former life are dropped on arrival;   *)
(* all start at once, with leader Leader0, or with none if it is 0; one process    *)
(* always survives.                                                                *)
(*                                                                                 *)
(* CUTS  nothing passes a cut link.  A follower behind one may find the leader     *)
(* wrong whenever all is quiet and the leader has sent heartbeats (T_hb < T_D).  A *)
(* follower acknowledges the leader that it follows, so HBACK is no message: a     *)
(* leader is followed (S1) by those that follow it over links that are whole both  *)
(* ways.                                                                           *)
(*                                                                                 *)
(* BOUNDS  N; MaxCrash, MaxRestart, MaxLoss, MaxEarly, MaxFalse, MaxUpdate         *)
(* (changes of priorities): budgets, used up in the state.                         *)
EXTENDS Integers, FiniteSets, Sequences
CONSTANTS N, MaxCrash, MaxRestart, MaxLoss, MaxEarly, MaxFalse, MaxUpdate, Leader0,
          Hardened,
          CopyTimestamp,  \* F: G14 corrected, L62 copies the timestamp too
          Persist,        \* H: option P
          Cut,            \* pairs <<p, q>>: nothing passes from p to q
          Mutant          \* "none", or the rule that is broken
ASSUME N \in Nat /\ N >= 1 /\ Leader0 \in 0 .. N
P == 1 .. N
ASSUME Cut \subseteq P \X P
Chain == {<<1, 3>>, <<3, 1>>}
Bridge == {<<4, 2>>, <<2, 4>>, <<4, 3>>, <<3, 4>>}
IsMajority(S) == 2 * Cardinality(S) > N
Deaf == {<<4, 1>>}
None == 0
Window == IF Hardened /\ Mutant # "shortWindow" THEN 2 ELSE 1
Announcement == 2        \* H: so many steps the judge repeats a LEADER; the document has four, 8 delta
VARIABLES alive,    \* [P -> BOOLEAN]
          inc,      \* [P -> Nat]: which life of the process this is
          state,    \* [P -> what the machine keeps]; see Empty
          link,     \* link[p][q]: what is on its way from p to q, as <<message, life of p>>
          decided,  \* history: <<round, leader>> of every decision
          stale,    \* history: whether a decision was made from a list although a newer one was reported
          crashes, restarts, losses, earlies, falses, updates
budget == <<crashes, restarts, losses, earlies, falses, updates>>
vars   == <<alive, inc, state, link, decided, stale, budget>>
AliveSet == {p \in P : alive[p]}
Others(p) == P \ {p}
Judge(r) == (r % N) + 1                                                                  \* L19
Broken(rule) == Mutant = rule
Min(a, b) == IF a < b THEN a ELSE b
\* Pairs: decisions are <<epoch, leader>>, versions of lists <<epoch, timestamp>>.
Less(v, w) == v[1] < w[1] \/ (v[1] = w[1] /\ v[2] < w[2])
Newest(v, w) == IF Less(v, w) THEN w ELSE v
\* Priority lists: 0 is "none".
NoList == [q \in P |-> 0]
FirstList == [q \in P |-> q]
Retain(list, S) == [q \in P |-> IF q \in S THEN list[q] ELSE 0]
HasBest(list) == \E q \in P : list[q] > 0
Best(list) == CHOOSE q \in P : \A x \in P : list[x] < list[q] \/ (list[x] = list[q] /\ x <= q)    \* G17
\* The application gives everybody a priority.
Changed(list) == [q \in P |-> (list[q] % N) + 1]

\* ver: the list's version; F compares its timestamp only.  tag: history, when the list was really made.
\* acks: steps of task 0 since the last ACK.  jl, jv, jt: judge.ListPRI, its version and tag; best: the newest
\* tag reported; since: steps since the COLLECT, or since the decision.  made: history, decisions of this very step,
\* as <<round, leader, whether the list was old>>.  held (H): in phase 1, the leader's last heartbeat said that a
\* majority follows it; in a round, some process said in it that it hears a leader.  grace: no second heartbeat yet.
NoPhase3 == [stage |-> "none", jl |-> NoList, jv |-> <<-1, 0>>, jt |-> <<-1, 0>>, best |-> <<-1, 0>>,
             reported |-> {}, lacks |-> {}, since |-> 0]
NoAcks == [q \in P |-> Window]
Empty == [phase |-> "MON", leader |-> None, seen |-> <<-1, None>>, list |-> NoList, ver |-> <<-1, 0>>,
          tag |-> <<-1, 0>>, r |-> -1, trust |-> {}, acks |-> NoAcks, age |-> 0, p3 |-> NoPhase3,
          held |-> FALSE, grace |-> TRUE, made |-> {}]

\* ---- messages.  out is a sequence of <<to, message>>.
RECURSIVE ToSet(_, _)
ToSet(S, m) == IF S = {} THEN <<>> ELSE LET q == CHOOSE x \in S : \A y \in S : x <= y
                                        IN <<<<q, m>>>> \o ToSet(S \ {q}, m)
Message(s, isFollowed) == [type |-> "MESSAGE", list |-> s.list, ver |-> s.ver, tag |-> s.tag,
                           followed |-> Hardened /\ isFollowed]
Start(r)      == [type |-> "START", r |-> r]
Ok(r, trust)  == [type |-> "OK", r |-> r, trust |-> trust]
Ack(r)        == [type |-> "ACK", r |-> r]
Collect(r)    == [type |-> "COLLECT", r |-> r]
Report(r, s)  == [type |-> "REPORT", r |-> r, list |-> s.list, ver |-> s.ver, tag |-> s.tag]
Leader(d, list) == [type |-> "LEADER", d |-> d, list |-> IF Hardened THEN list ELSE NoList]
LAck(e)       == [type |-> "LACK", e |-> e]
Step(s, out)  == [s |-> s, out |-> out]

\* ---- phase 2
StartRound(p, s, out, k) ==                                                              \* L16-21
  LET t == [s EXCEPT !.phase = "ELEC", !.held = FALSE, !.r = k, !.trust = P, !.acks = NoAcks, !.age = 0,
                     !.p3 = IF Broken("phase3Survives") THEN @ ELSE NoPhase3]            \* G10
  IN Step(t, out \o ToSet(Others(p), IF p = Judge(k) THEN Ok(k, P) ELSE Start(k)))       \* L17, G9
Begin(p, s, out) ==                                                                      \* L23, G6
  LET isGivenUp == Hardened /\ s.phase = "ELEC" /\ s.leader # p /\ ~s.held               \* S3
  IN StartRound(p, IF isGivenUp THEN [s EXCEPT !.leader = None] ELSE s, out, s.r + 1)
EndElection(s) == [s EXCEPT !.phase = "MON", !.trust = {}, !.acks = NoAcks, !.age = 0, !.p3 = NoPhase3]   \* G15
IsJudging(p, s) == s.phase = "ELEC" /\ p = Judge(s.r)
Inform(s, q, out) == IF s.leader = None THEN out
                     ELSE Append(out, <<q, Leader(s.seen, s.list)>>)
\* S1.
IsWhole(p, q) == <<p, q>> \notin Cut /\ <<q, p>> \notin Cut
IsAcknowledged(p) == Broken("alwaysFollowed")
                     \/ IsMajority({p} \cup {q \in AliveSet : state[q].leader = p /\ IsWhole(p, q)})
IsHolding(p, s) == ~Broken("joins") /\ IF s.leader = p THEN IsAcknowledged(p) ELSE s.held      \* S2
\* H: laggards are told the decision, and not followed.
IsInformed(p, s, k) == Hardened /\ s.phase = "MON" /\ s.leader # None /\ (k <= s.seen[1] \/ IsHolding(p, s))
OnStart(p, from, m, s) ==
  CASE IsInformed(p, s, m.r) -> Step(s, Inform(s, from, <<>>))
    [] m.r > s.r          -> StartRound(p, s, <<>>, m.r)                                 \* L40-42
    [] m.r < s.r          -> Step(s, <<<<from, Start(s.r)>>>>)                           \* L43-44
    [] OTHER              -> Step(s, <<>>)
OnOk(p, from, m, s) ==
  CASE IsInformed(p, s, m.r) -> Step(s, IF m.r # s.seen[1] THEN Inform(s, from, <<>>) ELSE <<<<from, LAck(m.r)>>>>)
    [] m.r > s.r          -> StartRound(p, s, <<<<from, Ack(m.r)>>>>, m.r)               \* L40-42
    [] m.r < s.r          -> Step(s, <<<<from, Start(s.r)>>>>)                           \* L43-44
    [] s.phase = "MON"    -> Step(s, <<>>)
    [] p \notin m.trust   -> Begin(p, s, <<>>)                                            \* L33
    [] OTHER              -> Step([s EXCEPT !.trust = m.trust], <<<<from, Ack(s.r)>>>>)  \* L35-37
OnAck(p, from, m, s) ==
  Step(IF IsJudging(p, s) /\ m.r = s.r THEN [s EXCEPT !.acks[from] = 0] ELSE s, <<>>)

\* ---- phase 3
Follow(s, ld) == EndElection([s EXCEPT !.leader = ld, !.ver[2] = 0])                     \* F: L56, L65-66
\* H: as LEADER in F, and the decision brings its list.  The leader sends a heartbeat at once.
Adopt(p, s, d, list, out) ==
  LET first == <<d[1], 0>>
      u == IF Less(first, s.ver) THEN s ELSE [s EXCEPT !.list = list, !.ver = first, !.tag = first]
      t == [u EXCEPT !.leader = d[2], !.seen = d, !.held = FALSE, !.grace = TRUE, !.r = IF @ < d[1] THEN d[1] ELSE @]
  IN Step(t, IF d[2] = p THEN out \o ToSet(Others(p), Message(t, FALSE)) ELSE out)
Elected(p, s, d, list, out) == LET step == Adopt(p, s, d, list, out) IN Step(EndElection(step.s), step.out)
EndIfAcknowledged(p, step) ==
  IF step.s.trust \ {p} \subseteq step.s.p3.lacks THEN Step(EndElection(step.s), step.out) ELSE step
IsOld(s) == Less(s.p3.jt, s.p3.best)
DecideF(p, s, out) ==                                                                    \* L53-57
  LET d == <<s.r, Best(s.p3.jl)>>
      t == Follow([s EXCEPT !.made = {<<s.r, d[2], IsOld(s)>>}], d[2])
  IN IF HasBest(s.p3.jl) THEN Step(t, out \o ToSet(s.trust \ {p}, Leader(d, NoList))) ELSE Step(s, out)   \* L54
DecideH(p, s, out) ==
  LET own(q)     == IF q = p \/ q \in s.p3.reported THEN q ELSE 0
      candidates == [q \in P |-> IF q \notin s.trust THEN 0 ELSE IF s.p3.jl[q] > 0 THEN s.p3.jl[q] ELSE own(q)]
      list       == [q \in P |-> IF candidates[q] > 0 THEN candidates[q] ELSE s.p3.jl[q]]
      d          == <<s.r, Best(candidates)>>
      t          == [s EXCEPT !.p3.stage = "decided", !.p3.since = 0, !.made = {<<s.r, d[2], IsOld(s)>>}]
  IN EndIfAcknowledged(p, Adopt(p, t, d, list, out \o ToSet(s.trust \ {p}, Leader(d, list))))
HaveAllReported(p, s) == s.trust \ {p} \subseteq s.p3.reported
IsViable(s) == ~s.held \/ Broken("alone") \/ IsMajority(s.trust)                           \* S3
DecideIfAllReported(p, step) == IF HaveAllReported(p, step.s) /\ IsViable(step.s) THEN DecideH(p, step.s, step.out) ELSE step
DropUntrusted(s) == [s EXCEPT !.list = Retain(@, s.trust)]                               \* L46
Begun(p, s) ==                                                                           \* L49-52, G11
  [s EXCEPT !.p3 = [NoPhase3 EXCEPT !.stage = "collecting", !.jl = s.list, !.jv = s.ver, !.jt = s.tag, !.best = s.tag]]
Phase3(p, s, out) ==
  CASE s.p3.stage = "none" ->
         LET t == Begun(p, IF Hardened THEN s ELSE DropUntrusted(s))
             u == Step(t, out \o ToSet(s.trust \ {p}, Collect(s.r)))
         IN IF Hardened THEN DecideIfAllReported(p, u) ELSE u
    [] s.p3.stage = "collecting" ->
         IF ~Hardened THEN Step(s, out)
         ELSE DecideIfAllReported(p, Step(s, out \o ToSet((s.trust \ {p}) \ s.p3.reported, Collect(s.r))))
    [] OTHER ->
         IF s.p3.since >= Announcement THEN Step(EndElection(s), out)
         ELSE EndIfAcknowledged(p, Step(s, out \o ToSet((s.trust \ {p}) \ s.p3.lacks, Leader(s.seen, s.list))))
Task0(p, s) ==                                                                           \* L25-30
  LET age    == Min(s.age + 1, Window)
      isHere(q) == (q = p /\ ~Broken("judgeOut")) \/ s.acks[q] < Window
      trust  == IF age < Window THEN s.trust ELSE {q \in s.trust : isHere(q)}            \* L28-29
      t      == [s EXCEPT !.age = age, !.trust = trust, !.acks = [q \in P |-> Min(@[q] + 1, Window)],
                          !.p3.since = Min(@ + 1, Announcement)]
      out    == ToSet(Others(p), Ok(s.r, trust))
  IN IF age < Window THEN Step(t, out) ELSE Phase3(p, t, out)                            \* G10
OnCollect(p, from, m, s) ==                                                              \* L67-69
  LET t == IF Hardened THEN s ELSE DropUntrusted(s)
  IN IF s.phase = "MON" \/ (Hardened /\ m.r # s.r) THEN Step(s, <<>>)
     ELSE Step(t, <<<<from, Report(m.r, t)>>>>)
OnReportF(m, s) ==                                                                       \* L58-63
  LET isNewer == m.ver[2] > s.ver[2]                                                     \* L60
      t == [s EXCEPT !.p3.best = Newest(@, m.tag)]
  IN CASE s.p3.stage # "collecting" -> Step(s, <<>>)
       [] ~isNewer                  -> Step(t, <<>>)
       [] OTHER -> Step([t EXCEPT !.list = m.list, !.tag = m.tag,                        \* L62-63, G14
                                  !.ver = IF CopyTimestamp THEN m.ver ELSE @,
                                  !.p3.jl = m.list, !.p3.jt = m.tag], <<>>)
OnReportH(p, from, m, s) ==
  LET isNewer == IF Broken("timestampOnly") THEN m.ver[2] > s.p3.jv[2] ELSE Less(s.p3.jv, m.ver)
      t == [s EXCEPT !.p3.best = Newest(@, m.tag), !.p3.reported = @ \cup {from}]
      u == IF ~isNewer THEN t
           ELSE [t EXCEPT !.p3.jl = m.list, !.p3.jt = m.tag, !.p3.jv = IF Broken("keepsVersion") THEN @ ELSE m.ver]
  IN IF s.p3.stage # "collecting" \/ m.r # s.r THEN Step(s, <<>>)
     ELSE DecideIfAllReported(p, Step(u, <<>>))
\* H: a decision of a round that this process has left for a higher one.
IsOutdated(s, e) == s.phase = "ELEC" /\ e < s.r /\ ~Broken("oldDecisions")
Hear(p, s, d, list) ==
  LET t == IF s.leader = None THEN Adopt(p, s, d, list, <<>>).s ELSE s
  IN Step(CASE d # s.seen         -> [s EXCEPT !.leader = None, !.held = TRUE]            \* its own leader is an old one
            [] s.leader = p       -> EndElection(s)
            [] d[2] = p           -> s            \* it led in a former life
            [] Broken("hearsay")  -> [EndElection(t) EXCEPT !.held = TRUE]
            [] OTHER              -> [t EXCEPT !.held = TRUE], <<>>)
OnLeader(p, from, m, s) ==                                                               \* L64-66
  CASE ~Hardened -> Step(Follow(s, m.d[2]), <<>>)
    [] Less(m.d, s.seen) /\ ~Broken("oldDecisions")  -> Step(s, <<>>)
    [] IsOutdated(s, m.d[1])                         -> Hear(p, s, m.d, m.list)             \* S3
    [] s.seen # m.d \/ s.leader # m.d[2] -> Elected(p, s, m.d, m.list, <<<<from, LAck(m.d[1])>>>>)
    [] OTHER -> Step(s, <<<<from, LAck(m.d[1])>>>>)
OnLAck(p, from, m, s) ==
  IF s.p3.stage # "decided" \/ m.e # s.r THEN Step(s, <<>>)
  ELSE EndIfAcknowledged(p, Step([s EXCEPT !.p3.lacks = @ \cup {from}], <<>>))

\* ---- phase 1
Stored(s, m) == [s EXCEPT !.list = m.list, !.ver = m.ver, !.tag = m.tag]                 \* G5
OnMessageF(from, m, s) ==                                                                \* L10-15, G18
  Step(IF from = s.leader /\ s.phase = "MON" /\ m.ver[2] >= s.ver[2] THEN Stored(s, m) ELSE s, <<>>)
OnMessageH(p, from, m, s) ==
  LET theirs == <<m.ver[1], from>>
      isOutdated == IsOutdated(s, theirs[1])
      isNews == Less(s.seen, theirs) \/ s.leader = None
      step   == IF (isOutdated /\ m.followed) \/ isNews THEN Elected(p, s, theirs, m.list, <<>>) ELSE Step(s, <<>>)
  IN CASE Less(theirs, s.seen)                     -> Step(s, Inform(s, from, <<>>))     \* an old leader
       [] isNews /\ isOutdated /\ ~m.followed      -> Step(s, <<>>)
       [] OTHER -> LET t == [step.s EXCEPT !.held = m.followed]
                   IN Step(IF Less(m.ver, t.ver) THEN t ELSE Stored(t, m), step.out)

\* ---- the world.  l: the links, without the message that is handled; a: who is alive.
RECURSIVE Sent(_, _, _, _, _)
Sent(l, p, i, a, out) ==
  IF out = <<>> THEN l
  ELSE LET to == Head(out)[1]
       IN Sent(IF a[to] /\ <<p, to>> \notin Cut THEN [l EXCEPT ![p][to] = Append(@, <<Head(out)[2], i>>)] ELSE l, p, i, a, Tail(out))
\* A decision that p made on the way goes into the history.
\* The quantifier makes TLC compute the step once, also in ENABLED.
Does(p, l, step) == \E it \in {step} :
  /\ state' = [state EXCEPT ![p] = [it.s EXCEPT !.made = {}]]
  /\ link' = Sent(l, p, inc[p], alive, it.out)
  /\ decided' = decided \cup {<<d[1], d[2]>> : d \in it.s.made} /\ stale' = (stale \/ \E d \in it.s.made : d[3])
NoLinks == [x \in P |-> [q \in P |-> <<>>]]
Known(p) == [Empty EXCEPT !.list = FirstList, !.leader = Leader0,
                          !.seen = IF Leader0 = None \/ ~Hardened THEN @ ELSE <<-1, Leader0>>]
First(p) == IF Leader0 = None THEN Begin(p, Known(p), <<>>) ELSE Step(Known(p), <<>>)
Init == /\ alive = [p \in P |-> TRUE] /\ inc = [p \in P |-> 1]
        /\ state = [p \in P |-> First(p).s]
        /\ link = [p \in P |-> Sent(NoLinks, p, 1, [q \in P |-> TRUE], First(p).out)[p]]
        /\ decided = {} /\ stale = FALSE
        /\ crashes = 0 /\ restarts = 0 /\ losses = 0 /\ earlies = 0 /\ falses = 0 /\ updates = 0
OnMessage(p, from, m, s) ==
  CASE m.type = "MESSAGE" -> IF Hardened THEN OnMessageH(p, from, m, s) ELSE OnMessageF(from, m, s)
    [] m.type = "START"   -> OnStart(p, from, m, s)
    [] m.type = "OK"      -> OnOk(p, from, m, s)
    [] m.type = "ACK"     -> OnAck(p, from, m, s)
    [] m.type = "COLLECT" -> OnCollect(p, from, m, s)
    [] m.type = "REPORT"  -> IF Hardened THEN OnReportH(p, from, m, s) ELSE OnReportF(m, s)
    [] m.type = "LEADER"  -> OnLeader(p, from, m, s)
    [] m.type = "LACK"    -> OnLAck(p, from, m, s)
IsStale(from, p) == Head(link[from][p])[2] # inc[from]               \* of a former life
Rest(from, p) == [link EXCEPT ![from][p] = Tail(@)]
Deliver(from, p) ==
  /\ link[from][p] # <<>>
  /\ IF IsStale(from, p) THEN link' = Rest(from, p) /\ UNCHANGED <<state, decided, stale>>
     ELSE Does(p, Rest(from, p), OnMessage(p, from, Head(link[from][p])[1], state[p]))
  /\ UNCHANGED <<alive, inc, budget>>
Lose(from, p) ==
  /\ link[from][p] # <<>> /\ ~IsStale(from, p) /\ losses < MaxLoss
  /\ link' = Rest(from, p) /\ losses' = losses + 1
  /\ UNCHANGED <<alive, inc, state, decided, stale, crashes, restarts, earlies, falses, updates>>
Quiet == \A p, q \in P : link[p][q] = <<>>
InTime(isInTime) == IF isInTime THEN UNCHANGED earlies ELSE earlies < MaxEarly /\ earlies' = earlies + 1
Fires(p, isInTime, step) ==
  /\ InTime(isInTime) /\ Does(p, link, step)
  /\ UNCHANGED <<alive, inc, crashes, restarts, losses, falses, updates>>
HbFires(p)    == /\ alive[p] /\ state[p].leader = p                                     \* L4-6
                 /\ LET s == [state[p] EXCEPT !.grace = ~Hardened]
                    IN Fires(p, Quiet, Step(s, ToSet(Others(p), Message(s, IsAcknowledged(p)))))
\* Whether P3 comes first.
IsP3Due(p)    == LET p3 == state[p].p3 IN p3.stage = "collecting" /\ p3.since >= Window /\ (Hardened \/ HasBest(p3.jl))
Task0Fires(p) == /\ alive[p] /\ IsJudging(p, state[p])
                 /\ Fires(p, Quiet /\ ~IsP3Due(p), Task0(p, state[p]))
HasJudge(p, s) == LET j == Judge(s.r) IN alive[j] /\ state[j].phase = "ELEC" /\ state[j].r = s.r /\ <<j, p>> \notin Cut
\* A process that was told of a leader hears it before the round ends (T_hb < TMR, P3), or, if it leads no more, those
\* that told it give it up.
IsLeading(p)  == alive[p] /\ state[p].leader = p
HearsSoon(p)  == LET told    == {q \in AliveSet : state[q].phase = "MON" /\ state[q].leader # None
                                                  /\ (state[q].held \/ (IsLeading(q) /\ IsAcknowledged(q)))}
                     leaders == IF state[p].leader # None THEN {state[p].leader} ELSE {state[q].leader : q \in told}
                 IN state[p].held
                    /\ \E ld \in leaders :
                          IF IsLeading(ld) THEN <<ld, p>> \notin Cut
                          ELSE \E q \in AliveSet : state[q].phase = "MON" /\ state[q].leader = ld
TmrFires(p)   == /\ alive[p] /\ state[p].phase = "ELEC" /\ ~IsJudging(p, state[p])      \* L38-39
                 /\ Fires(p, Quiet /\ ~HasJudge(p, state[p]) /\ ~HearsSoon(p), Begin(p, state[p], <<>>))
P3Fires(p)    == /\ alive[p] /\ state[p].p3.stage = "collecting"                        \* L53
                 /\ Fires(p, Quiet /\ state[p].p3.since >= Window - 1 /\ (~HearsSoon(p) \/ IsViable(state[p])),
                          IF Hardened THEN IF IsViable(state[p]) THEN DecideH(p, state[p], <<>>) ELSE Begin(p, state[p], <<>>)
                          ELSE DecideF(p, state[p], <<>>))
\* A LEADER that was lost is repeated in time.
IsAnnounced    == \E q \in AliveSet : state[q].p3.stage = "decided"
HasNoLeader(p) == LET ld == state[p].leader IN
  IF ld = None THEN Quiet /\ ~IsAnnounced /\ \A q \in AliveSet : state[q].leader # q
  ELSE ~alive[ld] \/ (Quiet /\ <<ld, p>> \in Cut /\ ~state[ld].grace) \/ (Quiet /\ ~IsAnnounced /\ state[ld].leader # ld)
FreshFires(p) ==                                                                         \* L7-9
  /\ alive[p] /\ state[p].phase = "MON" /\ state[p].leader # p
  /\ IF HasNoLeader(p) THEN UNCHANGED falses ELSE falses < MaxFalse /\ falses' = falses + 1
  /\ Does(p, link, Begin(p, state[p], <<>>))
  /\ UNCHANGED <<alive, inc, crashes, restarts, losses, earlies, updates>>
\* The application at the leader.
Update(p) ==
  /\ alive[p] /\ state[p].leader = p /\ updates < MaxUpdate /\ updates' = updates + 1
  /\ state' = [state EXCEPT ![p].list = Changed(@), ![p].ver[2] = @ + 1,
                            ![p].tag = <<IF Hardened THEN @[1] ELSE state[p].r, @[2] + 1>>]
  /\ UNCHANGED <<alive, inc, link, decided, stale, crashes, restarts, losses, earlies, falses>>
Crash(p) ==
  /\ alive[p] /\ crashes < MaxCrash /\ Cardinality(AliveSet) > 1
  /\ alive' = [alive EXCEPT ![p] = FALSE]
  /\ link' = [q \in P |-> [link[q] EXCEPT ![p] = <<>>]]
  /\ state' = [state EXCEPT ![p] = IF Persist THEN [Empty EXCEPT !.r = state[p].r, !.seen = state[p].seen] ELSE Empty]
  /\ crashes' = crashes + 1 /\ UNCHANGED <<inc, decided, stale, restarts, losses, earlies, falses, updates>>
\* H listens first, and knows its own priority only.
Restart(p) ==
  /\ ~alive[p] /\ restarts < MaxRestart
  /\ alive' = [alive EXCEPT ![p] = TRUE] /\ inc' = [inc EXCEPT ![p] = @ + 1]
  /\ LET born == [state[p] EXCEPT !.list = IF Hardened THEN Retain(FirstList, {p}) ELSE FirstList]
         step == IF Hardened THEN Step(born, <<>>) ELSE Begin(p, born, <<>>)
     IN state' = [state EXCEPT ![p] = step.s] /\ link' = Sent(link, p, inc[p] + 1, alive', step.out)
  /\ restarts' = restarts + 1 /\ UNCHANGED <<decided, stale, crashes, losses, earlies, falses, updates>>
Timer(p) == Task0Fires(p) \/ TmrFires(p) \/ P3Fires(p) \/ FreshFires(p)
Next == \E p \in P : \/ HbFires(p) \/ Timer(p) \/ Update(p) \/ Crash(p) \/ Restart(p)
                     \/ \E q \in P : Deliver(p, q) \/ Lose(p, q)
\* Strong for the timers: others disturb the quiet again and again.
Fair == /\ SF_vars((\E p \in P : HbFires(p)) /\ UNCHANGED budget)
        /\ \A p \in P : /\ SF_vars(Timer(p) /\ UNCHANGED budget)
                         /\ \A q \in Others(p) : WF_vars(Deliver(p, q))
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fair

\* ---- what holds
IsList(list) == list \in [P -> 0 .. N]
IsVersion(v) == v[1] \in Int /\ v[1] >= -1 /\ v[2] \in Nat
IsMessage(m) ==
  CASE m.type = "MESSAGE"                  -> IsList(m.list) /\ IsVersion(m.ver) /\ m.followed \in BOOLEAN
    [] m.type \in {"START", "ACK", "COLLECT"} -> m.r \in Nat
    [] m.type = "OK"                       -> m.r \in Nat /\ m.trust \subseteq P
    [] m.type = "REPORT"                   -> m.r \in Nat /\ IsList(m.list) /\ IsVersion(m.ver)
    [] m.type = "LEADER"                   -> m.d[1] >= -1 /\ m.d[2] \in P /\ IsList(m.list)
    [] m.type = "LACK"                     -> m.e >= -1
TypeOK ==
  /\ alive \in [P -> BOOLEAN] /\ inc \in [P -> 1 .. 1 + MaxRestart] /\ stale \in BOOLEAN
  /\ \A p \in P : LET s == state[p] IN
       /\ s.phase \in {"MON", "ELEC"} /\ s.leader \in P \cup {None} /\ s.r >= -1 /\ s.trust \subseteq P
       /\ IsList(s.list) /\ IsVersion(s.ver) /\ s.acks \in [P -> 0 .. Window] /\ s.age \in 0 .. Window
       /\ s.p3.stage \in {"none", "collecting", "decided"} /\ IsList(s.p3.jl)
  /\ \A p, q \in P : \A j \in 1 .. Len(link[p][q]) : IsMessage(link[p][q][j][1]) /\ link[p][q][j][2] \in 1 .. inc[p]
\* The machine's own checks.
Invariants == \A p \in AliveSet : LET s == state[p] IN
  /\ s.phase = "ELEC" => p \in s.trust
  /\ s.p3.stage # "none" => IsJudging(p, s)
  /\ Hardened => /\ s.leader # None => s.leader = s.seen[2]
                 /\ s.r >= s.seen[1] /\ s.ver[1] <= s.seen[1]
OneLeader == \A p, q \in AliveSet : state[p].leader = p /\ state[q].leader = q => p = q
OneLeaderPerEpoch == \A d, e \in decided : d[1] = e[1] => d[2] = e[2]
\* L54 needs it.
SomebodyCanLead == \A p \in P : state[p].p3.stage = "collecting" => HasBest(state[p].p3.jl)
\* A live process that is in the round of its judge is in the group.
LivingAreTrusted == \A p, q \in AliveSet :
  IsJudging(p, state[p]) /\ state[q].phase = "ELEC" /\ state[q].r = state[p].r => q \in state[p].trust
\* One election is enough.
OneElection == Cardinality(decided) <= 1
\* The leader is the best of the newest list that was reported.
FreshestListDecides == ~stale
\* Tokens of one life never fall; Persist: nor those of all lives.
TokensNeverFall ==
  [][\A p \in P : alive'[p] /\ (Persist \/ inc'[p] = inc[p]) => ~Less(state'[p].seen, state[p].seen)]_vars
ElectionWillEnd == \A p \in P : (alive[p] /\ state[p].phase = "ELEC") ~> (~alive[p] \/ state[p].phase = "MON")
Agreed == \E q \in AliveSet : \A p \in AliveSet : state[p].phase = "MON" /\ state[p].leader = q
EventuallyAgreed == <>[]Agreed
\* False, to show that somebody leads.
NeverALeader == \A p \in P : state[p].leader # p
\* S2, S3: nobody elects while a majority follows the leader.
NoElection == decided = {}
\* S2: evidence is first-hand.
CutOffHoldsNobody == \A p \in AliveSet : <<state[p].leader, p>> \in Cut => ~(state[p].phase = "MON" /\ state[p].held)
\* A bound where the budgets do not give one.
FewRounds == \A p \in P : state[p].r < 5
\* As an action constraint: a detector runs out only when all is quiet, so never while the messages of another suspicion
\* are on their way.  Without it ThreePhase_four, _restart and _faults have more than 600,000 states each.
DetectsWhenQuiet == (\E p \in P : FreshFires(p)) => Quiet
=================================================================================
