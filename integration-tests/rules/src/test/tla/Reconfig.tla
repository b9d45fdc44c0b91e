------------------------------ MODULE Reconfig ------------------------------
(***************************************************************************)
(* LAYER 3 of the quorum lease: the voters change while it runs.            *)
(*                                                                          *)
(* MODELS  docs/reconfiguration.md#rules, R1 to R9, for one path:           *)
(* QuorumLease.tla with a chain of voter lists, list[1], list[2], ...       *)
(*                                                                          *)
(* ASSUMES  (1) Support.tla's Containment, as QuorumLease does: a belief    *)
(* lives no longer than the support that it rests on, except that a crashed *)
(* voter is silent until all beliefs in it are over.  (2) ReconfigPaxos.tla:*)
(* at most one list is decided per slot, and its value was proposed after a *)
(* majority of the list before had promised.                                *)
(*                                                                          *)
(* TIME.  sup[a][c] is 0, or the LOWEST NUMBER under which c may still      *)
(* believe in a's support: the number that c's heartbeat carried (R1).      *)
(* A holder that counts in list[m] may use beliefs with numbers <= m (R2),  *)
(* so the lowest number is what the most confident holder has.  It rises as *)
(* late as possible: when a promises the next slot, which waits until older *)
(* numbers are over (R4).  When support lapses, the votes of that epoch are *)
(* dead.  given, cert and live are cut at that moment, so the epoch numbers *)
(* of QuorumLease are not needed here.                                      *)
(*                                                                          *)
(* Messages are never consumed.  claimed, given (votes on their way) and    *)
(* rel only grow while they can count.  So a message may be lost, delayed,  *)
(* copied or overtaken.  A node may stay at an old number for ever: nothing *)
(* forces Learn.  A voter that has lost its disk is one that never rejoins, *)
(* because a new store has a new identity (R9; mutant "wiped" keeps the old *)
(* identity).  Voters of the code serve one number only, and its holders    *)
(* count in their newest list; both may do more here.                       *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC
CONSTANTS
  v1, v2, v3, v4,  \* voters, by name, for the chains below
  Acc, First,      \* the voters in use (acceptors); those of list 1
  Cand, None,      \* contenders (candidates); nobody
  Chain,           \* all lists in order; or <<>>: each list is any that differs from the last one by one voter
  MaxList, MaxTerm, MaxLapses, MaxCrash,
  Mutant           \* "none", or the rule that is broken

VARIABLES
  list,    \* the decided lists: voters v, floor f; tenures that begin in a list have tokens above its floor
  \* voter a
  prom,    \* durable: the highest slot that it promised; it supports no number below prom - 1 any more
  said,    \* what its promise of the open slot said: 1 + its highest term at that moment; 0: no promise
  term, vote, live,  \* highest term (durable); whose its vote is; whether that vote is live
  silent,  \* crashed or in quarantine
  sup,     \* sup[a][c]: 0, or the lowest number under which c may believe in a
  \* contender c, each in a node of its own
  k,       \* the number of the newest list that it knows
  t, lead, cert,        \* its term; its token while its tenure lasts, else 0; the voters behind its tenure
  \* network; history
  claimed, given, rel,  \* claims; given[a][c]: terms of votes that count while the support lasts; releases
  maxTok, bad, lapses, crashes
vars == <<list, prom, said, term, vote, live, silent, sup, k, t, lead, cert,
          claimed, given, rel, maxTok, bad, lapses, crashes>>
ballots == <<term, vote, live>>
support == <<sup, given>>
holders == <<t, lead, cert>>
tokens  == <<maxTok, bad>>

Max2(x, y) == IF x > y THEN x ELSE y
Maj(S, C)  == 2 * Cardinality(S \cap C) > Cardinality(C)
Open       == Len(list) + 1                    \* the slot that is not decided
Known(c)   == UNION { list[m].v : m \in 1..k[c] }

\* R2: c, at its most confident, has a majority of list[m] among the voters S whose votes it holds.
Counts(c, m, S) ==
    LET B == { a \in S : sup[a][c] # 0 /\ sup[a][c] <= m }
    IN IF Mutant = "mixed" THEN 2 * Cardinality(B \cap Known(c)) > Cardinality(list[m].v) ELSE Maj(B, list[m].v)
HasLeadership(c) == lead[c] # 0 /\ \E m \in 1..k[c] : Counts(c, m, cert[c])

Init == /\ list = << [v |-> First, f |-> 0] >>
        /\ prom = [a \in Acc |-> 1] /\ said = [a \in Acc |-> 0]
        /\ term = [a \in Acc |-> 0] /\ vote = [a \in Acc |-> None] /\ live = [a \in Acc |-> FALSE]
        /\ silent = [a \in Acc |-> FALSE] /\ sup = [a \in Acc |-> [c \in Cand |-> 1]]
        /\ k = [c \in Cand |-> 1] /\ t = [c \in Cand |-> 0] /\ lead = t /\ cert = [c \in Cand |-> {}]
        /\ claimed = {} /\ given = [a \in Acc |-> [c \in Cand |-> {}]] /\ rel = {}
        /\ maxTok = 0 /\ bad = FALSE /\ lapses = 0 /\ crashes = 0

---------------------------------------------------------------------------
(* Support. *)
\* Beliefs of the contenders Out in a are over.
Over(a, Out, sup2) ==
    /\ sup' = [sup EXCEPT ![a] = sup2]
    /\ live' = [live EXCEPT ![a] = @ /\ vote[a] \notin Out]
    /\ given' = [given EXCEPT ![a] = [c \in Cand |-> IF c \in Out THEN {} ELSE @[c]]]
    /\ cert' = [c \in Cand |-> IF c \in Out THEN cert[c] \ {a} ELSE cert[c]]

Lapse(a, c) == /\ sup[a][c] # 0 /\ lapses < MaxLapses /\ lapses' = lapses + 1
               /\ Over(a, {c}, [sup[a] EXCEPT ![c] = 0])
               /\ UNCHANGED <<list, prom, said, term, vote, silent, k, t, lead, claimed, rel, tokens, crashes>>

\* R3: a heartbeat under a number that a's last promise allows.  In code this is the number that a itself is at.
Lowest(a) == IF Mutant = "oldNumber" THEN 1 ELSE Max2(1, prom[a] - 1)
Gain(a, c) == /\ ~silent[a] /\ sup[a][c] = 0 /\ k[c] >= Lowest(a)
              /\ sup' = [sup EXCEPT ![a][c] = Lowest(a)]
              /\ UNCHANGED <<list, prom, said, ballots, silent, given, k, holders, claimed, rel, tokens,
                             lapses, crashes>>

---------------------------------------------------------------------------
(* Voter lists. *)
\* R4: a promises the open slot.  The promise is durable, and waits until all support under older numbers than
\* the present one is over.
Promise(a) == LET s == Open
                  Out == { c \in Cand : sup[a][c] # 0 /\ k[c] < s - 1 }
              IN
    /\ s <= MaxList /\ a \in list[s-1].v /\ said[a] = 0 /\ prom[a] <= s
    /\ ~silent[a] \/ Mutant = "inQuarantine"
    /\ prom' = [prom EXCEPT ![a] = s] /\ said' = [said EXCEPT ![a] = term[a] + 1]
    /\ IF Mutant = "noWait" \/ silent[a] THEN UNCHANGED <<support, live, cert>>
       ELSE Over(a, Out, [c \in Cand |-> IF c \in Out \/ sup[a][c] = 0 THEN 0 ELSE Max2(sup[a][c], s - 1)])
    /\ UNCHANGED <<list, term, vote, silent, k, t, lead, claimed, rel, tokens, lapses, crashes>>

Options(C) == IF Chain # <<>> THEN { Chain[Open] }
              ELSE { C \cup {a} : a \in Acc \ C } \cup ({ C \ {a} : a \in C } \ {{}})
\* R5, R6: the floor is the highest term in the promises of a majority.
Decide == LET C == list[Len(list)] IN
    /\ Open <= MaxList
    /\ \E Q \in SUBSET { a \in Acc : said[a] # 0 } :
         /\ Q # {} /\ (Maj(Q, C.v) \/ Mutant = "byOne")
         /\ \E V \in Options(C.v) :
              list' = Append(list, [v |-> V, f |-> IF Mutant = "noFloor" THEN 0 ELSE
                         LET m == CHOOSE x \in { said[a] - 1 : a \in Q } : \A a \in Q : said[a] - 1 <= x
                         IN Max2(C.f, m)])
    /\ said' = [a \in Acc |-> 0]
    /\ UNCHANGED <<prom, ballots, silent, support, k, holders, claimed, rel, tokens, lapses, crashes>>

\* R8: a node hears of a newer decided list.  A tenure goes on only if it is valid at this moment.
Learn(c) == /\ \E n \in k[c]+1..Len(list) : k' = [k EXCEPT ![c] = n]
            /\ lead[c] = 0 \/ HasLeadership(c) \/ Mutant = "learnBlind"
            /\ UNCHANGED <<list, prom, said, ballots, silent, support, holders, claimed, rel, tokens, lapses, crashes>>

---------------------------------------------------------------------------
(* Contender: as in QuorumLease. *)
Claim(c) == \E n \in 1..MaxTerm :
    /\ \A m \in 1..MaxTerm : <<c, m>> \in claimed => m < n
    /\ t' = [t EXCEPT ![c] = n] /\ claimed' = claimed \cup {<<c, n>>}
    /\ UNCHANGED <<list, prom, said, ballots, silent, support, k, lead, cert, rel, tokens, lapses, crashes>>

\* R7: a tenure begins above the floor of the list in which it is counted.
Acquire(c) == LET g == { a \in Acc : t[c] \in given[a][c] } IN
    /\ lead[c] = 0 /\ t[c] # 0
    /\ \E m \in 1..k[c] : Counts(c, m, g) /\ (t[c] > list[m].f \/ Mutant = "floorUnchecked")
    /\ cert' = [cert EXCEPT ![c] = g] /\ lead' = [lead EXCEPT ![c] = t[c]]
    /\ bad' = (bad \/ t[c] <= maxTok) /\ maxTok' = Max2(maxTok, t[c])
    /\ UNCHANGED <<list, prom, said, ballots, silent, support, k, t, claimed, rel, lapses, crashes>>

Extend(c) == /\ lead[c] # 0 /\ HasLeadership(c)
             /\ \E a \in Acc \ cert[c] : /\ \E n \in given[a][c] : lead[c] <= n /\ n <= t[c]
                                         /\ cert' = [cert EXCEPT ![c] = @ \cup {a}]
             /\ UNCHANGED <<list, prom, said, ballots, silent, support, k, t, lead, claimed, rel, tokens,
                            lapses, crashes>>

Resign(c) == /\ t[c] # 0
             /\ \E tell \in BOOLEAN : rel' = IF tell THEN rel \cup {<<c, t[c]>>} ELSE rel
             /\ t' = [t EXCEPT ![c] = 0] /\ lead' = [lead EXCEPT ![c] = 0] /\ cert' = [cert EXCEPT ![c] = {}]
             /\ UNCHANGED <<list, prom, said, ballots, silent, support, k, claimed, tokens, lapses, crashes>>

---------------------------------------------------------------------------
(* Voter: as in QuorumLease.  It votes whatever the list is; where a vote counts is the holder's matter. *)
OnClaim(a) == \E c \in Cand, n \in 1..MaxTerm :
    /\ <<c, n>> \in claimed /\ ~silent[a] /\ sup[a][c] # 0
    /\ n > term[a] \/ (n = term[a] /\ vote[a] = c)
    /\ ~live[a] \/ vote[a] = c
    /\ term' = [term EXCEPT ![a] = n] /\ vote' = [vote EXCEPT ![a] = c] /\ live' = [live EXCEPT ![a] = TRUE]
    /\ given' = [given EXCEPT ![a][c] = @ \cup {n}]
    /\ UNCHANGED <<list, prom, said, silent, sup, k, holders, claimed, rel, tokens, lapses, crashes>>

OnRelease(a) == \E m \in rel :
    /\ ~silent[a] /\ vote[a] = m[1] /\ m[2] >= term[a]
    /\ vote' = [vote EXCEPT ![a] = None] /\ live' = [live EXCEPT ![a] = FALSE] /\ term' = [term EXCEPT ![a] = m[2]]
    /\ UNCHANGED <<list, prom, said, silent, support, k, holders, claimed, rel, tokens, lapses, crashes>>

\* Crash: votes and support are forgotten, term and promise are not.
Crash(a) == /\ ~silent[a] /\ crashes < MaxCrash /\ crashes' = crashes + 1
            /\ silent' = [silent EXCEPT ![a] = TRUE]
            /\ vote' = [vote EXCEPT ![a] = None] /\ live' = [live EXCEPT ![a] = FALSE]
            /\ prom' = IF Mutant \in {"volatilePromise", "wiped"} THEN [prom EXCEPT ![a] = 1] ELSE prom
            /\ term' = IF Mutant = "wiped" THEN [term EXCEPT ![a] = 0] ELSE term
            /\ UNCHANGED <<list, said, support, k, holders, claimed, rel, tokens, lapses>>
\* End of quarantine: beliefs in the support that it gave before are over.
Rejoin(a) == /\ silent[a] /\ silent' = [silent EXCEPT ![a] = FALSE]
             /\ Over(a, Cand, [c \in Cand |-> 0])
             /\ UNCHANGED <<list, prom, said, term, vote, k, t, lead, claimed, rel, tokens, lapses, crashes>>

Next == \/ \E c \in Cand : Claim(c) \/ Acquire(c) \/ Extend(c) \/ Resign(c) \/ Learn(c)
        \/ \E a \in Acc : OnClaim(a) \/ OnRelease(a) \/ Crash(a) \/ Rejoin(a) \/ Promise(a)
        \/ \E a \in Acc, c \in Cand : Gain(a, c) \/ Lapse(a, c)
        \/ Decide
Spec == Init /\ [][Next]_vars

---------------------------------------------------------------------------
\* At most one contender for which hasLeadership() could answer true.
Exclusive == \A c, d \in Cand : HasLeadership(c) /\ HasLeadership(d) => c = d
\* Every new tenure gets a token above all earlier ones, and whoever leads has the highest.
Fencing   == ~bad /\ \A c \in Cand : HasLeadership(c) => lead[c] = maxTok
\* At any instant, leases can be counted in the last two decided lists only.
Window    == \A c \in Cand, m \in 1..Len(list) : lead[c] # 0 /\ m <= k[c] /\ Counts(c, m, cert[c]) => m + 1 >= Len(list)
\* ADR-0010: a tenure that was over is never valid again.
NoRevival == [][\A c \in Cand : lead[c] # 0 /\ ~HasLeadership(c) /\ lead'[c] = lead[c] => ~HasLeadership(c)']_vars
\* False, to show that a tenure from before the last list can be counted in that list.
NeverAcross == ~(Len(list) = MaxList /\ \E c \in Cand : HasLeadership(c) /\ k[c] = MaxList
                   /\ Counts(c, MaxList, cert[c]) /\ lead[c] <= list[MaxList].f)
\* False, to show that a tenure can begin in the last list, when its floor is not 0.
NeverAnew == ~(Len(list) = MaxList /\ list[MaxList].f > 0
               /\ \E c \in Cand : /\ HasLeadership(c) /\ Counts(c, MaxList, cert[c])
                                  /\ lead[c] > list[MaxList].f)

\* Bounds long chains: voters outside the last two lists give no new votes and no new support.
InUse == LET L == list[Len(list)].v \cup list[Max2(1, Len(list) - 1)].v
         IN \A a \in Acc \ L : \A c \in Cand : given'[a][c] \subseteq given[a][c] /\ (sup[a][c] = 0 => sup'[a][c] = 0)

\* Bounds the change of three voters: whoever claims goes on, so a tenure ends with its lease only.
Stay == \A c \in Cand : t[c] # 0 => t'[c] # 0

\* Ways from one list of voters to another.
Free    == <<>>
Two     == << {v1}, {v1,v2}, {v2} >>         \* the smallest with disjoint ends
Thrice  == << {v1}, {v1,v2}, {v2}, {v2,v3}, {v3} >>
Halve   == << {v1,v2}, {v2} >>
Exchange == << {v1,v2,v3}, {v1,v2,v4} >>     \* breaks R5: two voters differ
Replace == << {v1,v2,v3}, {v1,v2,v3,v4}, {v2,v3,v4} >>
Add     == << {v1,v2,v3}, {v1,v2,v3,v4} >>
Remove  == << {v1,v2,v3,v4}, {v2,v3,v4} >>
Shrink  == << {v1,v2,v3}, {v2,v3}, {v3} >>
Grow    == << {v1}, {v1,v2}, {v1,v2,v3} >>
SymCand  == Permutations(Cand)
SymAdd   == Permutations(Cand) \cup Permutations({v1,v2,v3})
SymRemove  == Permutations(Cand) \cup Permutations({v2,v3,v4})
SymReplace == Permutations(Cand) \cup Permutations({v2,v3})
SymFree  == Permutations(Cand) \cup Permutations(First) \cup Permutations(Acc \ First)
=============================================================================
