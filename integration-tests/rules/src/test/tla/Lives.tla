------------------------------- MODULE Lives -------------------------------
(***************************************************************************)
(* How two nodes find out which life of the other one is the present one.   *)
(*                                                                          *)
(* MODELS  docs/protocol.md#lives (ADR-0089): the rule by which a link      *)
(* judges the frames of its peer, and the empty frames by which it asks.    *)
(* Both sides, M and P, follow the same rule.  A life keeps its place while *)
(* it is heard (ADR-0100).                                                  *)
(*                                                                          *)
(* ASSUMES no clock: a present life counts as silent at any moment, as it   *)
(* does after a farewell.  Frames are lost, copied, reordered and late for  *)
(* ever.                                                                    *)
(*                                                                          *)
(* SEQUENCES have no bound and do not appear.  All that the rule asks of an *)
(* acknowledgement is whether it is of a frame that was sent after the      *)
(* present life of the receiver had taken its place.  So a frame is "young" *)
(* if it was sent after that of its sender, "fresh" if it acknowledges a    *)
(* young frame of its receiver, and a life has "got" whether the highest    *)
(* frame that it has of the present one is young.  When a life takes a      *)
(* place, all of that is over for the one that takes it in; and so it is    *)
(* whenever time has passed (Age), because a frame may be held back.  Where *)
(* only safety is checked, nothing ages: that makes no frame fresh.         *)
(* Copies are not dropped: a frame that was accepted changes nothing more.  *)
(*                                                                          *)
(* Lives are numbered in the order in which they begin.  The rule does not  *)
(* look at that order, the properties do.  The name of a later life is      *)
(* lower, for the mutant that compares names.                               *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets
CONSTANTS MLives, PLives,   \* how many lives each side has
          MLiving, PLiving, \* how many of them at once: 1, or 2 for two processes under one id
          MaxNet,           \* 0: every frame may come for ever; else so many are on their way, and any is lost
          Anyhow,           \* TRUE: the last lives are up at first, and take any others for the present ones
          Ages,             \* FALSE: what was sent stays young
          Mutant            \* "none", or the rule that is broken

Ms    == 1..MLives
Ps    == 11..(10 + PLives)
Lives == Ms \cup Ps
Any   == 0                                \* no life, or any
Peers(x) == IF x \in Ms THEN Ps ELSE Ms
Side(x)  == IF x \in Ms THEN Ms ELSE Ps
Name(x)  == 100 - x

VARIABLES state,            \* "unborn", "up", "dead"
          present,          \* the present life of the peer; Any if there is none
          got,              \* got[x]: the highest frame of the present life that x has is young
          heard,            \* the present life was heard within the support time
          net               \* frames
vars == <<state, present, got, heard, net>>

Up(x) == state[x] = "up"
Living(S) == { x \in S : Up(x) }

\* A frame more on its way.
Nets(N, f) == IF MaxNet = 0 \/ Cardinality(N \cup {f}) <= MaxNet THEN {N \cup {f}}
              ELSE { (N \ {g}) \cup {f} : g \in N }

\* What x has to say.  A pure acknowledgement is the same without a body, and so does nothing more.
Word(x) == [from |-> x, to |-> present[x], young |-> TRUE, fresh |-> got[x], body |-> TRUE]

\* The empty frame that answers f: it acknowledges the very frame that it answers.
Answer(y, f) == [from |-> y, to |-> f.from, young |-> TRUE, fresh |-> f.young, body |-> FALSE]

Init == /\ net = {} /\ got = [x \in Lives |-> FALSE]
        /\ IF Anyhow
           THEN /\ state = [x \in Lives |-> IF x \in {MLives, 10 + PLives} THEN "up" ELSE "dead"]
                /\ present \in [Lives -> Lives \cup {Any}] /\ heard \in [Lives -> BOOLEAN]
                /\ \A x \in Lives : IF Up(x) THEN /\ present[x] \in Peers(x) \cup {Any}
                                                  /\ present[x] = Any => ~heard[x]
                                             ELSE present[x] = Any /\ ~heard[x]
           ELSE /\ state = [x \in Lives |-> "unborn"]
                /\ present = [x \in Lives |-> Any] /\ heard = [x \in Lives |-> FALSE]

---------------------------------------------------------------------------
Start(x) == /\ state[x] = "unborn" /\ \A z \in Side(x) : z < x => state[z] # "unborn"
            /\ Cardinality(Living(Side(x))) < IF x \in Ms THEN MLiving ELSE PLiving
            /\ state' = [state EXCEPT ![x] = "up"]
            /\ UNCHANGED <<present, got, heard, net>>

Crash(x) == /\ Up(x) /\ \E z \in Side(x) : z # x /\ state[z] # "dead"
            /\ state' = [state EXCEPT ![x] = "dead"]
            /\ present' = [present EXCEPT ![x] = Any] /\ got' = [got EXCEPT ![x] = FALSE]
            /\ heard' = [heard EXCEPT ![x] = FALSE]
            /\ UNCHANGED net

Talk(x) == /\ Up(x) /\ net' \in Nets(net, Word(x))
           /\ UNCHANGED <<state, present, got, heard>>

Lose == /\ MaxNet # 0 /\ \E f \in net : net' = net \ {f}
        /\ UNCHANGED <<state, present, got, heard>>

Ask(y, f) == /\ net' \in Nets(net, Answer(y, f))
             /\ UNCHANGED <<state, present, got, heard>>

\* Only a frame that shows that its life lives counts as heard: the dead have frames on their way, or held back.  A
\* life that is not heard is asked.
Accept(y, f) == /\ got' = [got EXCEPT ![y] = @ \/ f.young] /\ heard' = [heard EXCEPT ![y] = @ \/ f.fresh]
                /\ IF heard'[y] \/ ~f.body THEN UNCHANGED net ELSE net' \in Nets(net, Answer(y, f))
                /\ UNCHANGED <<state, present>>

\* What y has sent until now, and whatever acknowledges it, is old.
Aged(y) == /\ got' = [x \in Lives |-> got[x] /\ present[x] # y]
           /\ net' = { [g EXCEPT !.young = @ /\ g.from # y, !.fresh = @ /\ g.to # y] : g \in net }

\* A support time and more has passed since y sent it.
Age(y) == /\ Ages /\ Up(y) /\ Aged(y)
          /\ UNCHANGED <<state, present, heard>>

\* f.from takes the place of the present life at y: what y has sent until now is old.
TakeIn(y, f) ==
    /\ present' = [present EXCEPT ![y] = f.from] /\ heard' = [heard EXCEPT ![y] = TRUE]
    /\ IF Mutant = "oldProof" THEN got' = [got EXCEPT ![y] = f.young] /\ UNCHANGED net
       ELSE /\ got' = [x \in Lives |-> IF x = y THEN f.young ELSE got[x] /\ present[x] # y]
            /\ net' = { [g EXCEPT !.young = @ /\ g.from # y, !.fresh = @ /\ g.to # y] : g \in net }
    /\ UNCHANGED state

Proves(y, f) ==
    /\ \/ f.to = y /\ f.fresh
       \/ Mutant = "noProof"
    /\ (Mutant = "byName" /\ present[y] # Any) => Name(f.from) > Name(present[y])

IsTaken(y) == heard[y] /\ Mutant # "noPlace"

Receive(y, f) ==
    /\ Up(y) /\ f.from \in Peers(y)
    /\ IF f.to \notin {Any, y} THEN f.body /\ Mutant # "noAnswer" /\ Ask(y, f)
       ELSE IF f.from = present[y] THEN Accept(y, f)
       ELSE IF ~Proves(y, f) \/ IsTaken(y) THEN f.body /\ Mutant # "noQuestion" /\ Ask(y, f)
       ELSE TakeIn(y, f)

Silence(y) == /\ heard[y] /\ heard' = [heard EXCEPT ![y] = FALSE]
              /\ UNCHANGED <<state, present, got, net>>

Next == \/ \E x \in Lives : Start(x) \/ Crash(x) \/ Talk(x) \/ Silence(x) \/ Age(x)
        \/ Lose
        \/ \E y \in Lives, f \in net : Receive(y, f)
Spec == Init /\ [][Next]_vars

\* Whoever is up talks, and now and then a word that it has now, or an answer to one, arrives.
Fairness ==
    /\ \A S \in {Ms, Ps} :
         /\ WF_vars(Living(S) = {} /\ \E x \in S : Start(x))
         /\ WF_vars(\E x \in S : Talk(x))
         /\ SF_vars(\E x \in Living(S) : got[x] /\ Talk(x))
         /\ SF_vars(\E y \in Lives, x \in Living(S) : Word(x) \in net /\ Receive(y, Word(x)))
         /\ SF_vars(\E y \in Lives, x \in Living(S) : got[x] /\ Word(x) \in net /\ Receive(y, Word(x)))
         /\ SF_vars(\E y \in Lives, f \in net : f.from \in Living(S) /\ ~f.body /\ f.fresh /\ Receive(y, f))
         /\ WF_vars(\E y \in S : Silence(y)) /\ WF_vars(\E y \in S : Age(y))
FairSpec == Spec /\ Fairness

---------------------------------------------------------------------------
\* With one life at a time: a life that took the place of another is a later one.
NoStepBack == [][\A y \in Lives : Up(y) /\ state'[y] = "up" => present'[y] >= present[y]]_vars
\* With several at a time too: a life that is heard keeps its place.
KeepsPlace == [][\A y \in Lives : heard[y] /\ state'[y] = "up" => present'[y] = present[y]]_vars
\* If one life of each is left, each is the other's present life from some time on.
Alone  == Cardinality(Living(Ms)) = 1 /\ Cardinality(Living(Ps)) = 1
Mutual == \A x \in Living(Lives) : present[x] \in Living(Lives)
Progress == <>[]Alone => <>[]Mutual
\* False, to show that it happens.
NeverMutual == ~(Alone /\ Living(Ms) = {MLives} /\ Living(Ps) = {10 + PLives} /\ Mutual)
=============================================================================
