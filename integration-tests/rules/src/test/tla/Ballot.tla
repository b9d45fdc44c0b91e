--------------------------------- MODULE Ballot ---------------------------------
(* Gossip ballot leader election, faithful and hardened: the two variants of      *)
(* io.quorate.ballot.BallotElection are two values of Rules.                      *)
(*                                                                                *)
(* MODELS  docs/algorithms/ballot.md, both variants.  Ln is line n of source 000, *)
(* Hn a hardening.  Rules is the set of those that are in force: {} is F as the   *)
(* document has it, line 19 inside the condition of line 16; "L19" is line 19 as  *)
(* printed.  Process p is the machine's process p - 1.                            *)
(*                                                                                *)
(* ASSUMES  links that keep no order and make no copies; messages to a crashed    *)
(* process vanish, those of a crashed one or of a former life arrive; all start   *)
(* at once; the processes in Mortal may crash, one always survives. A round is    *)
(* long enough: it ends when all answers that are still to come have come,        *)
(* earlier only out of a budget. How long it is does not matter otherwise, so     *)
(* delay (L7, L37, H5) does not appear. While one process is in a round,          *)
(* another one may end up to Pace of its own; if Pace is 0, any number. The       *)
(* links in Cut fail for good, all together: at the start, or once at any         *)
(* moment. Swift: a reply arrives before anything else happens. Nobody looks at   *)
(* it before the end of the round, so this is the same as any other moment,       *)
(* unless rounds end early.                                                       *)
(*                                                                                *)
(* BOUNDS  N; MaxCrash, MaxRestart, MaxLoss, MaxEarly: budgets, used up in the    *)
(* state. Numbers of rounds come again after 1 .. Rounds; that is exact if        *)
(* Rounds > MaxEarly, as then no message lives to see its number again. Ballots   *)
(* are not bounded: either they stop to rise by themselves, or the invariant      *)
(* NumbersBounded is broken.                                                      *)
EXTENDS Naturals, FiniteSets
CONSTANTS N, Rules, Rounds, Pace, Swift, Cut, CutWhen, Mortal, MaxCrash, MaxRestart, MaxLoss, MaxEarly, MaxNumber
ASSUME N \in 1 .. 9 /\ Rounds > MaxEarly /\ CutWhen \in {"start", "once", "never"}
ASSUME Rules \subseteq {"H1", "H3", "H4", "H6", "H7", "H8", "H9", "L19"}
P == 1 .. N
Has(rule) == rule \in Rules

\* ---- ballots (n, pid, incarnation) are numbers, in the same order; 0 is below all of them
None == 0
Ballot(n, p, i) == (n * 10 + p) * 1000 + i
Number(b) == b \div 10000
Pid(b) == (b \div 1000) % 10
Max(S) == CHOOSE b \in S : \A c \in S : b >= c

VARIABLES alive,     \* [P -> BOOLEAN]
          life,      \* [P -> Nat]: which life of the process this is
          round,     \* L2
          answers,   \* L3 "ballots": [from, ballot, leader, qc]
          ballot,    \* L4
          leader,    \* L5: the leader's ballot, or None
          bmax,      \* L6; of a crashed process: what it saved (H9)
          bmaxR,     \* H4: bmax when the requests of this round left
          qc,        \* H8: whether the last test of the quorum was passed
          requests,  \* on their way: [from, to, round, life, bmax]; life of the asker
          replies,   \* on their way: [from, to, round, life, ballot, leader, qc]; life of the asker
          down,      \* the links that do not work: {} or Cut
          ahead,     \* [P -> [P -> 0 .. Pace]]: how many rounds p ended since q ended one
          last,      \* history: the latest indication, [ballot, life]
          flaws,     \* history: BLE3 was broken in one "life" or across "lives"; an "answer" was not p's to count
          crashes, restarts, losses, earlies
process == <<round, answers, ballot, leader, bmax, bmaxR, qc>>
net     == <<requests, replies>>
history == <<last, flaws>>
budget  == <<crashes, restarts, losses, earlies>>
vars    == <<alive, life, process, net, down, ahead, history, budget>>
AliveSet == {p \in P : alive[p]}
Reaches(p, q) == alive[q] /\ {p, q} \notin down
Inc(i) == IF Has("H6") THEN i ELSE 0

Init == /\ alive = [p \in P |-> TRUE] /\ life = [p \in P |-> 1]
        /\ round = [p \in P |-> 0] /\ answers = [p \in P |-> {}]                         \* L2, L3
        /\ ballot = [p \in P |-> Ballot(0, p, Inc(1))]                                   \* L4
        /\ leader = [p \in P |-> None] /\ bmax = ballot                                  \* L5, L6
        /\ bmaxR = [p \in P |-> IF Has("H4") THEN bmax[p] ELSE None]
        /\ qc = [p \in P |-> TRUE]
        /\ requests = {} /\ replies = {} /\ down = IF CutWhen = "start" THEN Cut ELSE {}
        /\ ahead = [p \in P |-> [q \in P |-> 0]]
        /\ last = [p \in P |-> [ballot |-> None, life |-> 1]] /\ flaws = {}
        /\ crashes = 0 /\ restarts = 0 /\ losses = 0 /\ earlies = 0

\* ---- the end of a round, L20
\* H1; F needs ceil(N / 2) processes, which is a half if N is even.
HasQuorum(p) == LET heard == Cardinality(answers[p]) + 1 IN
                IF Has("H1") THEN 2 * heard > N ELSE 2 * heard >= N                      \* L21
Top(p) == Max({ballot[p]} \cup {a.ballot : a \in {b \in answers[p] : b.qc}})             \* L10
\* H4: what was learnt during the round may be younger than the answers.
Known(p) == IF Has("H4") THEN bmaxR[p] ELSE bmax[p]
\* H7: somebody hears a leader that p does not.
IsHeld(p) == Has("H7") /\ \E a \in answers[p] : a.qc /\ a.leader >= Known(p)
Raised(p) == LET n == Max({Number(ballot[p]), Number(bmax[p])})
                 same == Ballot(n, p, Inc(life[p]))
             IN IF same > bmax[p] THEN same ELSE Ballot(n + 1, p, Inc(life[p]))          \* L12-13
\* BLE3; H may name the same leader again after it had none.
InOrder(p, b) == b > last[p].ballot \/ (Has("H3") /\ leader[p] = None /\ b = last[p].ballot)
Indicate(p, b) == /\ last' = [last EXCEPT ![p] = [ballot |-> b, life |-> life[p]]]
                  /\ flaws' = IF InOrder(p, b) THEN flaws
                              ELSE flaws \cup {IF last[p].life = life[p] THEN "life" ELSE "lives"}
Follow(p, top) == /\ bmax' = [bmax EXCEPT ![p] = top]                                    \* L17
                  /\ leader' = [leader EXCEPT ![p] = top]                                \* L18
                  /\ IF top # leader[p] \/ Has("L19") THEN Indicate(p, top)              \* L16, L19
                                                      ELSE UNCHANGED history
                  /\ UNCHANGED ballot
CheckLeader(p) ==                                                                        \* L9
  IF Top(p) < Known(p)                                                                   \* L11
  THEN /\ ballot' = IF IsHeld(p) THEN ballot ELSE [ballot EXCEPT ![p] = Raised(p)]
       /\ leader' = [leader EXCEPT ![p] = None]                                          \* L14
       /\ UNCHANGED <<bmax, history>>
  ELSE IF Top(p) < bmax[p] THEN UNCHANGED <<ballot, leader, bmax, history>>              \* H4: wait a round
  ELSE Follow(p, Top(p))                                                                 \* L15
\* H8: the first good round after an outage is for the others to come back as well.
TestQuorum(p) ==
  CASE Has("H8") /\ round[p] = 0    -> UNCHANGED <<ballot, leader, bmax, qc, history>>   \* nobody was asked
    [] HasQuorum(p) /\ qc[p]        -> CheckLeader(p) /\ UNCHANGED qc                    \* L22
    [] HasQuorum(p) /\ ~qc[p]       -> qc' = [qc EXCEPT ![p] = TRUE] /\ UNCHANGED <<ballot, leader, bmax, history>>
    [] ~HasQuorum(p) /\ ~Has("H8")  -> UNCHANGED <<ballot, leader, bmax, qc, history>>
    [] OTHER                        -> /\ qc' = [qc EXCEPT ![p] = FALSE] /\ leader' = [leader EXCEPT ![p] = None]
                                       /\ UNCHANGED <<ballot, bmax, history>>
NextRound(r) == IF r = Rounds THEN 1 ELSE r + 1
StartRound(p) ==
  /\ answers' = [answers EXCEPT ![p] = {}]                                               \* L23
  /\ round' = [round EXCEPT ![p] = NextRound(@)]                                         \* L24
  /\ bmaxR' = IF Has("H4") THEN [bmaxR EXCEPT ![p] = bmax'[p]] ELSE bmaxR
  /\ requests' = requests \cup {[from |-> p, to |-> q, round |-> round'[p], life |-> life[p], bmax |-> bmax'[p]]
                                : q \in {q \in P \ {p} : Reaches(p, q)}}                 \* L25-27
  /\ UNCHANGED replies
\* All that was asked, in former lives as well; what got lost is not waited for.
AllIsAnswered(p) == (\A m \in requests : m.from # p) /\ (\A m \in replies : m.to # p)
KeepsPace(p) == \A q \in AliveSet \ {p} : Pace = 0 \/ ahead[p][q] < Pace
\* Who crashed is ahead of nobody, and nobody ahead of it.
Counted(p) == [a \in P |-> [b \in P |-> IF Pace = 0 \/ a = b \/ ~alive[a] \/ ~alive[b] \/ b = p THEN 0
                                      ELSE IF a = p THEN ahead[a][b] + 1 ELSE ahead[a][b]]]
EndRound(p) ==                                                                           \* L20
  /\ alive[p] /\ KeepsPace(p) /\ ahead' = Counted(p)
  /\ IF AllIsAnswered(p) THEN UNCHANGED earlies ELSE earlies < MaxEarly /\ earlies' = earlies + 1
  /\ TestQuorum(p) /\ StartRound(p)
  /\ UNCHANGED <<alive, life, down, crashes, restarts, losses>>

\* ---- messages
OnRequest(m) ==                                                                          \* L29
  /\ m \in requests /\ requests' = requests \ {m}
  /\ bmax' = [bmax EXCEPT ![m.to] = Max({@, m.bmax})]                                    \* L30-31
  /\ replies' = IF ~Reaches(m.to, m.from) THEN replies                                   \* L32
                ELSE replies \cup {[from |-> m.to, to |-> m.from, round |-> m.round, life |-> m.life,
                                    ballot |-> ballot[m.to], leader |-> IF Has("H7") THEN leader[m.to] ELSE None,
                                    qc |-> qc[m.to]]}
  /\ UNCHANGED <<alive, life, round, answers, ballot, leader, bmaxR, qc, down, ahead, history, budget>>
IsOfThisRound(m) == m.round = round[m.to] /\ (Has("H6") => m.life = life[m.to])          \* L34
OnReply(m) ==                                                                            \* L33
  /\ m \in replies /\ replies' = replies \ {m}
  /\ LET answer == [from |-> m.from, ballot |-> m.ballot, leader |-> m.leader, qc |-> m.qc]
         others == IF Has("H6") THEN {a \in answers[m.to] : a.from # m.from} ELSE answers[m.to]
     IN answers' = IF IsOfThisRound(m) THEN [answers EXCEPT ![m.to] = others \cup {answer}] ELSE answers  \* L35
  /\ flaws' = IF IsOfThisRound(m) /\ m.life # life[m.to] THEN flaws \cup {"answer"} ELSE flaws
  /\ UNCHANGED <<alive, life, round, ballot, leader, bmax, bmaxR, qc, requests, down, ahead, last, budget>>

\* ---- faults
Crash(p) ==
  /\ alive[p] /\ p \in Mortal /\ crashes < MaxCrash /\ Cardinality(AliveSet) > 1
  /\ alive' = [alive EXCEPT ![p] = FALSE] /\ crashes' = crashes + 1
  /\ round' = [round EXCEPT ![p] = 0] /\ answers' = [answers EXCEPT ![p] = {}]
  /\ ballot' = [ballot EXCEPT ![p] = None] /\ leader' = [leader EXCEPT ![p] = None]
  /\ bmax' = IF Has("H9") THEN bmax ELSE [bmax EXCEPT ![p] = None]
  /\ bmaxR' = [bmaxR EXCEPT ![p] = None] /\ qc' = [qc EXCEPT ![p] = TRUE]
  /\ requests' = {m \in requests : m.to # p} /\ replies' = {m \in replies : m.to # p}
  /\ UNCHANGED <<life, down, ahead, history, restarts, losses, earlies>>
Restart(p) ==
  /\ ~alive[p] /\ restarts < MaxRestart
  /\ alive' = [alive EXCEPT ![p] = TRUE] /\ restarts' = restarts + 1
  /\ life' = [life EXCEPT ![p] = @ + 1]
  /\ ballot' = [ballot EXCEPT ![p] = Ballot(0, p, Inc(life'[p]))]
  /\ bmax' = [bmax EXCEPT ![p] = Max({@, ballot'[p]})]
  /\ bmaxR' = IF Has("H4") THEN [bmaxR EXCEPT ![p] = bmax'[p]] ELSE bmaxR
  /\ UNCHANGED <<round, answers, leader, qc, net, down, ahead, history, crashes, losses, earlies>>
LoseRequest(m) == /\ m \in requests /\ requests' = requests \ {m}
                  /\ losses < MaxLoss /\ losses' = losses + 1
                  /\ UNCHANGED <<alive, life, process, replies, down, ahead, history, crashes, restarts, earlies>>
LoseReply(m) == /\ m \in replies /\ replies' = replies \ {m}
                /\ losses < MaxLoss /\ losses' = losses + 1
                /\ UNCHANGED <<alive, life, process, requests, down, ahead, history, crashes, restarts, earlies>>
CutLinks == /\ CutWhen = "once" /\ down # Cut /\ down' = Cut
            /\ requests' = {m \in requests : {m.from, m.to} \notin Cut}
            /\ replies' = {m \in replies : {m.from, m.to} \notin Cut}
            /\ UNCHANGED <<alive, life, process, ahead, history, budget>>

Next == \/ \E m \in replies : OnReply(m) \/ LoseReply(m)
        \/ /\ Swift => replies = {}
           /\ \/ \E p \in P : EndRound(p) \/ Crash(p) \/ Restart(p)
              \/ \E m \in requests : OnRequest(m) \/ LoseRequest(m)
              \/ CutLinks
\* All rounds end and all messages arrive.
Fair == \A p, q \in P :
          /\ WF_vars(AllIsAnswered(p) /\ EndRound(p))
          /\ WF_vars(\E m \in requests : m.from = p /\ m.to = q /\ OnRequest(m))
          /\ WF_vars(\E m \in replies : m.from = p /\ m.to = q /\ OnReply(m))
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fair

\* ---- what holds and what does not
IsBallot(b) == b \in Nat /\ Pid(b) \in P /\ b % 1000 \in IF Has("H6") THEN 1 .. 1 + MaxRestart ELSE {0}
TypeOK == /\ alive \in [P -> BOOLEAN] /\ life \in [P -> 1 .. 1 + MaxRestart]
          /\ round \in [P -> 0 .. Rounds] /\ qc \in [P -> BOOLEAN]
          /\ \A p \in AliveSet :
               /\ IsBallot(ballot[p]) /\ Pid(ballot[p]) = p /\ IsBallot(bmax[p])
               /\ (leader[p] = None \/ IsBallot(leader[p])) /\ (bmaxR[p] = None \/ IsBallot(bmaxR[p]))
               /\ leader[p] <= bmax[p] /\ bmaxR[p] <= bmax[p]
               /\ ~qc[p] => leader[p] = None
               /\ \A a \in answers[p] : /\ a.from # p /\ IsBallot(a.ballot) /\ Pid(a.ballot) = a.from
                                        /\ (a.leader = None \/ IsBallot(a.leader))
          /\ \A p \in P \ AliveSet : leader[p] = None /\ answers[p] = {}
          /\ \A m \in requests \cup replies : alive[m.to] /\ m.round \in 1 .. Rounds
\* BLE3; that a ballot never names two leaders is in the ballot, which names its process.
BLE3 == "life" \notin flaws
BLE3AcrossLives == {"life", "lives"} \cap flaws = {}
\* H6: an answer to a former life says nothing.
AnswersAreOurs == "answer" \notin flaws
Heard(p) == {q \in AliveSet : p = q \/ Reaches(p, q)}
HearsMajority(p) == 2 * Cardinality(Heard(p)) > N
\* H1, if links are down from the start and nobody crashes.
LeadersHaveMajority == \A p \in AliveSet : leader[p] # None => HearsMajority(p)
\* There is an end to raising ballots.  MaxNumber is no claim; it only must not depend on the length of the run.
NumbersBounded == \A p \in P : Number(ballot[p]) <= MaxNumber
\* BLE1 and BLE2 after the last fault: if some process hears a majority, one leads all who hear it, for good; the
\* others, and everybody if none does, know that they have no leader.
LeadsAll(q) == \A p \in AliveSet : leader[p] = IF p \in Heard(q) THEN ballot[q] ELSE None
Settled == IF \E p \in AliveSet : HearsMajority(p) THEN \E q \in AliveSet : HearsMajority(q) /\ LeadsAll(q)
           ELSE \A p \in AliveSet : leader[p] = None
EventuallySettled == <>[]Settled
\* False, to show that there are leaders.
NobodyLeads == \A p \in P : leader[p] = None
==================================================================================
