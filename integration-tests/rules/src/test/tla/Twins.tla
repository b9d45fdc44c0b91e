------------------------------- MODULE Twins -------------------------------
(***************************************************************************)
(* Two processes run under the id of one voter, and no node hears both.     *)
(*                                                                          *)
(* MODELS  docs/protocol.md#one-process-per-id: the place that a life has at *)
(* a receiver, the answer BUSY, the quarantine that it prolongs, and the     *)
(* life that a receiver believes (Voice).                                   *)
(*                                                                          *)
(* Over tcp a node has one connection per node, which is that of the life   *)
(* that has the place.  Over the event bus a receiver hears the life at the *)
(* address that it has for the id, and no other one ever: q has another     *)
(* address than p, so each of them refuses what the other one hears.        *)
(*                                                                          *)
(* Life 1 votes from the beginning; life 2 begins at any moment.  The       *)
(* receivers are voters that hear nothing of each other, so either leads    *)
(* with the vote of this id and its own.                                    *)
(*                                                                          *)
(* TIME goes in ticks, D of which are a support time.  In each tick a life  *)
(* that is not connected with a receiver, and reaches it, calls it once: a  *)
(* transport calls again several times in a support time.  What is          *)
(* believed never outlasts what was promised, so belief and promise are one *)
(* number.  A process that stands still has a clock that goes on.           *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets
CONSTANTS D,          \* ticks of a support time
          Twin,       \* TRUE: life 2 may begin beside life 1.  FALSE: it begins when life 1 is dead
          MaxResets,  \* connections that end although both sides live
          MaxPauses,  \* how often a process stands still, for any time
          MaxCuts,    \* links that are cut, for any time
          Together,   \* how many links are cut at one time, at most
          Wait,       \* ticks without a promise after BUSY: D, and one for what comes late
          Bus,        \* TRUE: the event bus.  FALSE: tcp
          Mutant      \* "none", or the rule that is broken

Lives == {1, 2}
R     == {"p", "q"}
Nil   == 0

VARIABLES
  state,   \* "unborn", "up", "dead"
  wait,    \* wait[l]: ticks of its quarantine that are left
  still,   \* the lives that stand still
  stood,   \* stood[l]: for how many ticks it stands still, D at most
  cut,     \* pairs of a life and a receiver that do not reach each other
  conn,    \* conn[r]: the life that r is connected with
  place,   \* place[r]: the life that has the place of the id at r
  age,     \* age[r]: ticks since the last frame of that life, D at most
  alone,   \* alone[r]: ticks until r believes that life
  promise, \* promise[l][r]: ticks until the support of l for r has run out
  called,  \* who has called whom in this tick
  due,     \* due[l][r]: ticks until l calls r again over a link that is whole again
  resets, pauses, cuts
vars == <<state, wait, still, stood, cut, conn, place, age, alone, promise, called, due, resets, pauses, cuts>>

\* How long a life waits before it calls over a link that is whole again; a configuration replaces Late by OneTick.
Late    == 0
OneTick == 1

\* Whether r can hear this life.
IsHeard(l, r) == Bus => l = IF r = "p" THEN 1 ELSE 2

Init == /\ state = [l \in Lives |-> IF l = 1 THEN "up" ELSE "unborn"]
        /\ wait = [l \in Lives |-> IF l = 1 THEN 0 ELSE D]
        /\ still = {} /\ cut = {} /\ called = {} /\ stood = [l \in Lives |-> 0]
        /\ conn = [r \in R |-> IF IsHeard(1, r) THEN 1 ELSE Nil] /\ place = [r \in R |-> 1]
        /\ age = [r \in R |-> 0] /\ alone = age
        /\ promise = [l \in Lives |-> [r \in R |-> 0]] /\ due = promise
        /\ resets = 0 /\ pauses = 0 /\ cuts = 0

Works(l)    == state[l] = "up" /\ l \notin still
Meets(l, r) == Works(l) /\ <<l, r>> \notin cut
Less(n)     == IF n = 0 THEN 0 ELSE n - 1

---------------------------------------------------------------------------
\* Whether r has a place for this life.  The rule that was: a place is free when its connection has ended.
HasPlace(l, r) == \/ place[r] \in {Nil, l}
                  \/ age[r] = D
                  \/ Mutant \in {"asWas", "place"} /\ conn[r] = Nil

Call(l, r) == /\ Meets(l, r) /\ conn[r] # l /\ <<l, r>> \notin called
              /\ called' = called \cup {<<l, r>>}
              /\ IF HasPlace(l, r) /\ ~IsHeard(l, r) THEN UNCHANGED <<wait, conn, place, age, alone>>
                 ELSE IF HasPlace(l, r)
                 THEN /\ conn' = [conn EXCEPT ![r] = l] /\ place' = [place EXCEPT ![r] = l]
                      /\ age' = [age EXCEPT ![r] = 0]
                      /\ alone' = IF place[r] \in {Nil, l} \/ Mutant = "voice" THEN alone
                                  ELSE [alone EXCEPT ![r] = D]
                      /\ UNCHANGED wait
                 ELSE \* BUSY: nothing is promised for a support time.
                      /\ wait' = IF Mutant \in {"clock", "asWas"} \/ (Mutant = "starting" /\ wait[l] = 0) THEN wait
                                 ELSE [wait EXCEPT ![l] = Wait]
                      /\ UNCHANGED <<conn, place, age, alone>>
              /\ UNCHANGED <<state, still, stood, cut, promise, due, resets, pauses, cuts>>

\* l supports r from now on, or still, and votes for it: for one of them at a time.
Promise(l, r) == /\ Meets(l, r) /\ conn[r] = l /\ wait[l] = 0 /\ alone[r] = 0
                 /\ \A other \in R \ {r} : promise[l][other] = 0
                 /\ promise' = [promise EXCEPT ![l][r] = D]
                 /\ UNCHANGED <<state, wait, still, stood, cut, conn, place, age, alone, due, called, resets, pauses, cuts>>

Tick == /\ \A l \in Lives, r \in R : Meets(l, r) /\ conn[r] # l /\ due[l][r] = 0 => <<l, r>> \in called
        /\ due' = [l \in Lives |-> [r \in R |-> IF Meets(l, r) THEN Less(due[l][r]) ELSE due[l][r]]]
        /\ called' = {}
        /\ promise' = [l \in Lives |-> [r \in R |-> Less(promise[l][r])]]
        /\ wait' = [l \in Lives |-> IF state[l] = "up" THEN Less(wait[l]) ELSE wait[l]]
        /\ stood' = [l \in Lives |-> IF l \in still /\ stood[l] < D THEN stood[l] + 1 ELSE stood[l]]
        /\ age' = [r \in R |-> IF conn[r] # Nil /\ Meets(conn[r], r) THEN 0
                               ELSE IF age[r] < D THEN age[r] + 1 ELSE D]
        /\ alone' = [r \in R |-> IF conn[r] # Nil /\ Meets(conn[r], r) THEN Less(alone[r]) ELSE alone[r]]
        /\ UNCHANGED <<state, still, cut, conn, place, resets, pauses, cuts>>

---------------------------------------------------------------------------
Begin == /\ state[2] = "unborn" /\ (Twin \/ state[1] = "dead")
         /\ state' = [state EXCEPT ![2] = "up"]
         /\ UNCHANGED <<wait, still, stood, cut, conn, place, age, alone, promise, due, called, resets, pauses, cuts>>

\* Its connections end, and no farewell is said.
Die == /\ state[1] = "up" /\ ~Twin
       /\ state' = [state EXCEPT ![1] = "dead"]
       /\ conn' = [r \in R |-> IF conn[r] = 1 THEN Nil ELSE conn[r]]
       /\ UNCHANGED <<wait, still, stood, cut, place, age, alone, promise, due, called, resets, pauses, cuts>>

Reset(r) == /\ conn[r] # Nil /\ resets < MaxResets /\ resets' = resets + 1
            /\ conn' = [conn EXCEPT ![r] = Nil]
            /\ UNCHANGED <<state, wait, still, stood, cut, place, age, alone, promise, due, called, pauses, cuts>>

Pause(l)  == /\ Works(l) /\ pauses < MaxPauses /\ pauses' = pauses + 1
             /\ still' = still \cup {l}
             /\ UNCHANGED <<state, wait, stood, cut, conn, place, age, alone, promise, due, called, resets, cuts>>
\* Another life may have its places by now, and it may have missed an answer.
Resume(l) == /\ l \in still /\ still' = still \ {l} /\ stood' = [stood EXCEPT ![l] = 0]
             /\ wait' = IF stood[l] < D \/ Mutant = "pause" THEN wait ELSE [wait EXCEPT ![l] = IF @ > D THEN @ ELSE D]
             /\ UNCHANGED <<state, cut, conn, place, age, alone, promise, due, called, resets, pauses, cuts>>

Cut(l, r)  == /\ cuts < MaxCuts /\ Cardinality(cut) < Together /\ <<l, r>> \notin cut /\ cuts' = cuts + 1
              /\ cut' = cut \cup {<<l, r>>}
              /\ UNCHANGED <<state, wait, still, stood, conn, place, age, alone, promise, due, called, resets, pauses>>
Heal(l, r) == /\ <<l, r>> \in cut /\ cut' = cut \ {<<l, r>>}
              /\ due' = [due EXCEPT ![l][r] = Late]
              /\ UNCHANGED <<state, wait, still, stood, conn, place, age, alone, promise, called, resets, pauses, cuts>>

Next == \/ Tick \/ Begin \/ Die
        \/ \E l \in Lives : Pause(l) \/ Resume(l)
        \/ \E r \in R : Reset(r)
        \/ \E l \in Lives, r \in R : Call(l, r) \/ Promise(l, r) \/ Cut(l, r) \/ Heal(l, r)
Spec == Init /\ [][Next]_vars

\* Time passes, whoever works calls, and a voter supports whoever asks.
Live == /\ WF_vars(Tick) /\ WF_vars(Begin)
        /\ \A l \in Lives, r \in R : WF_vars(Call(l, r)) /\ WF_vars(Promise(l, r))
LiveSpec == Spec /\ Live

---------------------------------------------------------------------------
\* The id has given its vote to at most one of the two.
OneVote == \A l, m \in Lives : ~(promise[l]["p"] > 0 /\ promise[m]["q"] > 0)
\* Nothing that happens to connections alone costs the first process a place.
KeepsPlaces == \A r \in R : place[r] = 1
\* False, to show that the second process comes to vote when the first one stands still.
TwinNeverVotes == \A r \in R : promise[2][r] = 0
\* A process that follows a dead one votes in the end.
ComesBack == (state[1] = "dead") ~> \E r \in R : promise[2][r] > 0
=============================================================================
