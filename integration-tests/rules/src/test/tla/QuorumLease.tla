---------------------------- MODULE QuorumLease ----------------------------
(***************************************************************************)
(* LAYER 2 of the quorum lease: the votes for ONE path.                     *)
(*                                                                          *)
(* MODELS  docs/protocol.md#votes, with ADR-0001, ADR-0002, ADR-0003,       *)
(* ADR-0006 and ADR-0012: voters, the contenders that claim, CLAIM, VOTE,   *)
(* RELEASE and CHALLENGE.                                                   *)
(*                                                                          *)
(* ASSUMES no clock.  Time enters only through what Support.tla proves      *)
(* (Containment): c believes "a supports my node in epoch e"  =>  a does,   *)
(* or a is silent.  So sup[a][node] = e is the most c can believe; the      *)
(* invariants are checked for that most confident c, hence hold for every c *)
(* that believes less (paused, cut off, slow, one-way links, any            *)
(* interleaving of heartbeats).  Support may start, lapse and end at any    *)
(* moment.  An epoch is a number here that rises over crashes of the voter, *)
(* where the code has (life, counter).  Both are unique (Once), and that is *)
(* all that matters: a number below the one that is supported now is of     *)
(* support that has ended, in this life of the voter or before.  Got takes  *)
(* the highest.  A contender that holds a vote of a former life instead,    *)
(* because nothing orders lives, is less confident.  Any contender may      *)
(* claim at any moment: safety must hold for whatever an algorithm          *)
(* nominates.  Messages: msgs only grows and receiving consumes nothing, so *)
(* any message may be lost, delayed for ever, duplicated or overtaken.      *)
(*                                                                          *)
(* A hand-over needs no action of its own: a leader that names its          *)
(* successor c and a term asks the voters itself, before c knows:           *)
(* Delegate, which is allowed to anybody, at any time, in any term.         *)
(* Then c claims that very term, or any other, or none.  A NACK changes     *)
(* nobody's state here: a contender may take any higher term.               *)
(* RELEASE and Delegate are two messages, and a voter may act on each of    *)
(* them alone.  So one that frees the vote and passes c over, because c's   *)
(* node is down, does nothing that is not possible here.                    *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS
  Acc, Cand,    \* voters (acceptors); contenders (candidates).  Model values
  None,         \* nobody
  Together,     \* contenders that live in one node; every other has a node of its own (ADR-0006)
  UniqueTerms,  \* TRUE: no two contenders claim one term.  FALSE is what ships (ADR-0012)
  Challenges,   \* TRUE: contenders answer CHALLENGE (ADR-0001)
  Delegates,    \* TRUE: voters are asked to vote for a contender that has not claimed
  Forgets,      \* TRUE: voters drop the path when nobody holds it, and restart at their ceiling (ADR-0003)
  MaxTerm, MaxLapses, MaxCrash,
  MaxRestart,   \* restarts of nodes that forget the terms they have used (ADR-0002)
  Mutant        \* "none", or the rule that is broken
ASSUME Together \subseteq Cand

Node(c) == IF c \in Together THEN Together ELSE {c}      \* a node is the set of its contenders
Nodes   == { Node(c) : c \in Cand }

VARIABLES
  \* voter a
  term,    \* highest term it voted or closed for (durable: reserved on disk before a vote leaves)
  vote,    \* [h, i, e]: contender, incarnation of its node, support epoch that the vote is tied to
  silent,  \* crashed or in quarantine
  ep, sup, \* ep[a][n]: last epoch number used for node n; sup[a][n]: that epoch while supporting, else 0
  supi,    \* supi[a][n]: the incarnation that this support is for
  \* node n, contender c
  inc,     \* inc[n]: which life of the node this is
  t,       \* t[c]: its current term (0: none)
  lead,    \* lead[c]: its fencing token while its tenure lasts, else 0
  cert,    \* cert[c][a]: epoch of a's vote that backs the tenure, else 0
  \* network; history; stale (always 0 unless a mutant breaks Containment)
  msgs, maxTok, bad, crashes, lapses, restarts, stale
vars == <<term, vote, silent, ep, sup, supi, inc, t, lead, cert, msgs, maxTok, bad, crashes, lapses, restarts, stale>>
accv == <<term, vote, silent, ep, sup, supi>>
cndv == <<inc, t, lead, cert>>
tokv == <<maxTok, bad>>
hist == <<maxTok, bad, crashes, lapses, restarts, stale>>

NoVote == [h |-> None, i |-> 0, e |-> 0]
Quorum(S) == IF Mutant = "halfQuorum" THEN 2 * Cardinality(S) >= Cardinality(Acc)
                                      ELSE 2 * Cardinality(S) > Cardinality(Acc)
Max2(x, y) == IF x > y THEN x ELSE y

\* Who holds a vote: node, incarnation, contender.  The node follows from the contender.
IsOf(v, c, i) == /\ v.h # None
                 /\ v.h = c \/ (Mutant = "noContender" /\ Node(v.h) = Node(c))
                 /\ v.i = i \/ Mutant = "noIncarnation"

\* Does c (at its most confident) count on a's support in epoch e?
On(c, a, e) == e # 0 /\ \/ sup[a][Node(c)] = e
                        \/ stale[c][a] = e
                        \/ Mutant = "noEpoch" /\ sup[a][Node(c)] # 0
\* THE predicate behind hasLeadership(): evaluated at the moment of the call.
Backers(c) == { a \in Acc : On(c, a, cert[c][a]) }
HasLeadership(c) == lead[c] # 0 /\ Quorum(Backers(c))
\* Votes for c's current claim, as [Acc -> epoch or 0].
Got(c, lo) == [a \in Acc |-> LET E == { m.e : m \in { x \in msgs : x.k = "vote" /\ x.c = c /\ x.a = a
                                                     /\ (x.i = inc[Node(c)] \/ Mutant = "noIncarnation")
                                                     /\ x.n >= lo /\ x.n <= t[c] } }
                             IN IF E = {} THEN 0 ELSE CHOOSE e \in E : \A f \in E : f <= e]

LiveVote(a) == vote[a].h # None /\ sup[a][Node(vote[a].h)] = vote[a].e

Init == /\ term = [a \in Acc |-> 0] /\ vote = [a \in Acc |-> NoVote] /\ silent = [a \in Acc |-> FALSE]
        /\ ep  = [a \in Acc |-> [n \in Nodes |-> 1]] /\ sup = ep /\ supi = ep
        /\ inc = [n \in Nodes |-> 1]
        /\ t = [c \in Cand |-> 0] /\ lead = [c \in Cand |-> 0]
        /\ cert = [c \in Cand |-> [a \in Acc |-> 0]]
        /\ msgs = {} /\ maxTok = 0 /\ bad = FALSE /\ crashes = 0 /\ lapses = 0 /\ restarts = 0
        /\ stale = [c \in Cand |-> [a \in Acc |-> 0]]

---------------------------------------------------------------------------
(* Layer 1, abstracted. *)
\* Support for a former life costs nothing of the budget when it lapses: the new life waits for that.
Lapse(a, n) == /\ sup[a][n] # 0
               /\ IF supi[a][n] # inc[n] THEN UNCHANGED lapses ELSE lapses < MaxLapses /\ lapses' = lapses + 1
               /\ sup' = [sup EXCEPT ![a][n] = 0]
               /\ stale' = IF Mutant = "earlyLapse" THEN [c \in Cand |-> IF Node(c) = n
                              THEN [stale[c] EXCEPT ![a] = sup[a][n]] ELSE stale[c]] ELSE stale
               /\ UNCHANGED <<term, vote, silent, ep, supi, cndv, msgs, tokv, crashes, restarts>>
Gain(a, n)  == /\ ~silent[a] /\ sup[a][n] = 0
               /\ ep' = [ep EXCEPT ![a][n] = @ + 1] /\ sup' = [sup EXCEPT ![a][n] = ep[a][n] + 1]
               /\ supi' = [supi EXCEPT ![a][n] = inc[n]]
               /\ UNCHANGED <<term, vote, silent, cndv, msgs, hist>>

---------------------------------------------------------------------------
(* Contender. *)
\* Claim with a term above all that this life ever used.  While it leads this is a "bump": the tenure,
\* its token and the votes it holds go on, only the term rises (to win back voters that moved ahead).
\* Nor does it claim a term that it has given back, although it never claimed it: Delegate.
Claims == { m \in msgs : m.k = "claim" }
Given(c) == { m.n : m \in { x \in msgs : x.k = "rel" /\ x.c = c /\ x.i = inc[Node(c)] } }
Claim(c) == \E n \in 1..MaxTerm :
    /\ \A m \in Claims : /\ UniqueTerms => m.n # n
                         /\ m.c = c /\ m.i = inc[Node(c)] => m.n < n \/ Mutant = "lowerTerm"
    /\ Delegates /\ Mutant # "givenAgain" => \A m \in Given(c) : m < n
    /\ t' = [t EXCEPT ![c] = n]
    /\ msgs' = msgs \cup {[k |-> "claim", c |-> c, i |-> inc[Node(c)], n |-> n]}
    /\ UNCHANGED <<accv, inc, lead, cert, hist>>

Delegate(c) == /\ Delegates
               /\ \E n \in 1..MaxTerm :
                    msgs' = msgs \cup {[k |-> "delegated", c |-> c, i |-> inc[Node(c)], n |-> n]}
               /\ UNCHANGED <<accv, cndv, hist>>

Acquire(c) == /\ lead[c] = 0 /\ t[c] # 0
              /\ LET g == Got(c, IF Mutant = "oldVotes" THEN 1 ELSE t[c])
                 IN Quorum({ a \in Acc : On(c, a, g[a]) }) /\ cert' = [cert EXCEPT ![c] = g]
              /\ lead' = [lead EXCEPT ![c] = t[c]]
              /\ bad' = (bad \/ t[c] <= maxTok) /\ maxTok' = Max2(maxTok, t[c])
              /\ UNCHANGED <<accv, inc, t, msgs, crashes, lapses, restarts, stale>>

\* A further vote (a voter that came back, or won back by a bump) may extend the backing of a
\* tenure only if the tenure is still valid when the vote is added: check first, then add.
Extend(c) == /\ lead[c] # 0
             /\ HasLeadership(c) \/ Mutant = "extendBlind"
             /\ \E a \in Acc : LET e == Got(c, lead[c])[a] IN
                  e > cert[c][a] /\ cert' = [cert EXCEPT ![c][a] = e]
             /\ UNCHANGED <<accv, inc, t, lead, msgs, hist>>

Released(c, n) == [k |-> "rel", c |-> c, i |-> inc[Node(c)], n |-> n]

\* The end of a tenure or of a claim: lapse noticed, claim given up, close(), hand-over (first stop,
\* then tell) - or crash (tell = FALSE; here the next life remembers the terms, see Restart).
Resign(c) == \E tell \in BOOLEAN :
             /\ t[c] # 0
             /\ msgs' = IF tell THEN msgs \cup {Released(c, t[c])} ELSE msgs
             /\ IF tell /\ Mutant = "releaseFirst" THEN UNCHANGED <<t, lead, cert>>
                ELSE /\ t' = [t EXCEPT ![c] = 0] /\ lead' = [lead EXCEPT ![c] = 0]
                     /\ cert' = [cert EXCEPT ![c] = [a \in Acc |-> 0]]
             /\ UNCHANGED <<accv, inc, hist>>

\* ADR-0001: does a tenure or a claim of c cover term n?
Covers(c, n) == IF lead[c] = 0 \/ Mutant = "challengeIgnoresTenure" THEN n = t[c] ELSE lead[c] <= n /\ n <= t[c]
\* A voter that holds a live vote for c challenges c when somebody else claims, with the term of the vote.
\* The CHALLENGE may come at any time later, so it is enough that the vote was given once.
OnChallenge(c) == /\ Challenges
                  /\ \E m \in msgs : /\ m.k = "vote" /\ m.c = c /\ m.i = inc[Node(c)] /\ ~Covers(c, m.n)
                                     \* A vote in a term above its own is kept while it claims or leads.
                                     /\ t[c] = 0 \/ m.n < t[c] \/ ~Delegates
                                     /\ \E other \in msgs : other.k \in {"claim", "delegated"}
                                                             /\ ~(other.c = c /\ other.i = m.i)
                                     /\ Released(c, m.n) \notin msgs
                                     /\ msgs' = msgs \cup {Released(c, m.n)}
                  /\ UNCHANGED <<accv, cndv, hist>>

\* ADR-0002: a node without a durable store comes back as a new holder; it has forgotten its terms.
\* (Mutant noIncarnation: as the same holder, votes and support included.)
Restart(n) == /\ restarts < MaxRestart /\ restarts' = restarts + 1
              /\ inc' = [inc EXCEPT ![n] = @ + 1]
              /\ t' = [c \in Cand |-> IF c \in n THEN 0 ELSE t[c]]
              /\ lead' = [c \in Cand |-> IF c \in n THEN 0 ELSE lead[c]]
              /\ cert' = [c \in Cand |-> IF c \in n THEN [a \in Acc |-> 0] ELSE cert[c]]
              /\ UNCHANGED <<accv, msgs, tokv, crashes, lapses, stale>>

---------------------------------------------------------------------------
(* Voter. *)
OnClaim(a) == \E m \in msgs :
    /\ m.k \in {"claim", "delegated"} /\ ~silent[a] /\ sup[a][Node(m.c)] # 0 /\ supi[a][Node(m.c)] = m.i
    /\ m.n > term[a] \/ (m.n = term[a] /\ IsOf(vote[a], m.c, m.i))
    /\ ~LiveVote(a) \/ IsOf(vote[a], m.c, m.i) \/ (Mutant = "overwrite" /\ m.n > term[a])
    /\ term' = [term EXCEPT ![a] = m.n]
    /\ LET e == sup[a][Node(m.c)] IN
         /\ vote' = [vote EXCEPT ![a] = [h |-> m.c, i |-> m.i, e |-> e]]
         /\ msgs' = msgs \cup {[k |-> "vote", c |-> m.c, i |-> m.i, a |-> a, n |-> m.n, e |-> e]}
    /\ UNCHANGED <<silent, ep, sup, supi, cndv, hist>>

OnRelease(a) == \E m \in msgs :
    /\ m.k = "rel" /\ ~silent[a] /\ IsOf(vote[a], m.c, m.i)
    /\ m.n >= term[a] \/ Mutant = "releaseAny"
    /\ vote' = [vote EXCEPT ![a] = NoVote] /\ term' = [term EXCEPT ![a] = Max2(@, m.n)]
    /\ UNCHANGED <<silent, ep, sup, supi, cndv, msgs, hist>>

\* ADR-0003: the state of the path is dropped; without state, the term is the node-wide floor, which the
\* voter first raises to the path's term, and other paths may have raised further.
Forget(a) == /\ Forgets /\ ~silent[a] /\ ~LiveVote(a)
             /\ vote' = [vote EXCEPT ![a] = NoVote]
             /\ \E floor \in 0..MaxTerm : /\ floor >= term[a] \/ (Mutant = "noFloor" /\ floor = 0)
                                          /\ term' = [term EXCEPT ![a] = floor]
             /\ UNCHANGED <<silent, ep, sup, supi, cndv, msgs, hist>>

\* Crash: votes and support are forgotten, the term is not.  Until it rejoins it says nothing.
\* (Mutant lifeTwice: the next life has the name of this one, so its epochs are those of this one.)
Crash(a) == /\ ~silent[a] /\ crashes < MaxCrash /\ crashes' = crashes + 1
            /\ silent' = [silent EXCEPT ![a] = TRUE] /\ vote' = [vote EXCEPT ![a] = NoVote]
            /\ \E ceiling \in IF Forgets THEN term[a]..MaxTerm ELSE {term[a]} :
                 term' = [term EXCEPT ![a] = IF Mutant = "volatileTerm" THEN 0 ELSE ceiling]
            /\ ep' = IF Mutant = "lifeTwice" THEN [ep EXCEPT ![a] = [n \in Nodes |-> 0]] ELSE ep
            /\ UNCHANGED <<sup, supi, cndv, msgs, tokv, lapses, restarts, stale>>
\* End of quarantine: nobody believes any more in support it gave before (Q >= DA, Support.tla).
Rejoin(a) == /\ silent[a] /\ silent' = [silent EXCEPT ![a] = FALSE]
             /\ sup' = [sup EXCEPT ![a] = [n \in Nodes |-> 0]]
             /\ stale' = IF Mutant = "noQuarantine"
                         THEN [c \in Cand |-> [stale[c] EXCEPT ![a] = sup[a][Node(c)]]] ELSE stale
             /\ UNCHANGED <<term, vote, ep, supi, cndv, msgs, tokv, crashes, lapses, restarts>>

Next == \/ \E c \in Cand : Claim(c) \/ Delegate(c) \/ Acquire(c) \/ Extend(c) \/ Resign(c) \/ OnChallenge(c)
        \/ \E n \in Nodes : Restart(n)
        \/ \E a \in Acc : OnClaim(a) \/ OnRelease(a) \/ Forget(a) \/ Crash(a) \/ Rejoin(a)
        \/ \E a \in Acc, n \in Nodes : Gain(a, n) \/ Lapse(a, n)
Spec == Init /\ [][Next]_vars

---------------------------------------------------------------------------
\* At most one contender for which hasLeadership() could answer true.
Exclusive == \A c, d \in Cand : HasLeadership(c) /\ HasLeadership(d) => c = d
\* Every new tenure gets a token above all earlier ones, and whoever leads has the highest.
Fencing   == ~bad /\ \A c \in Cand : HasLeadership(c) => lead[c] = maxTok
\* The inductive core: a backer's vote really is c's, at a term not below c's token.
Backed    == \A c \in Cand : HasLeadership(c) => \A a \in Backers(c) : silent[a] \/
                (vote[a] = [h |-> c, i |-> inc[Node(c)], e |-> cert[c][a]] /\ term[a] >= lead[c])
\* False, to show that somebody can lead with the highest token that the bounds allow.
NeverLeads == \A c \in Cand : ~(HasLeadership(c) /\ lead[c] = MaxTerm)

Symm == Permutations(Acc) \cup Permutations(Together) \cup Permutations(Cand \ Together)
=============================================================================
