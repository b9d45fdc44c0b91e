--------------------------- MODULE ReconfigBelief ---------------------------
(***************************************************************************)
(* WHICH LIST IS BELIEVED.                                                  *)
(*                                                                          *)
(* MODELS  docs/reconfiguration.md#believed-senders: Authority, with the    *)
(* lists that KnownVoters takes over.  Five lists follow each other: w     *)
(* joins, r is removed, x joins, a is removed.  r lies from its removal on. *)
(* c1 and c2 contend with certificates of their own, and lie all the time.  *)
(* s is away while lists 4 and 5 are decided, and misses both.  When w and  *)
(* x know list 5, a is stopped for good.  g contends, has no directory, and *)
(* starts after that.                                                       *)
(*                                                                          *)
(* A liar tells any list, a real one or a made-up one, under its own name.  *)
(* The transport proves names.  An honest node tells the list that it       *)
(* knows.  A message may be lost, or told again.                            *)
(*                                                                          *)
(* limit: a node follows a removed voter whose removal it does not know, or *)
(* that its settings name while it knows no later list than the first.  As  *)
(* voters believe each other, others then follow it.  No rule can help      *)
(* there, and an operator changes keys and settings.                        *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets
CONSTANTS
  r, a, s, w, x, g, c1, c2,
  GNames,    \* whom the settings of g name
  Lies,      \* which lists liars tell: "madeUp", "old" ones that were decided once, or "none"
  Blame,     \* whether a list that a trusted liar made up is an error
  Fakes,     \* the voters of the lists that they make up
  Mutant     \* "none", or the rule that is broken

VARIABLES
  last,      \* the number of the last list that was decided
  gone,      \* a has been stopped
  known,     \* the newest list that each honest node knows
  said,      \* who has told each honest node of which list that it does not follow yet
  limit      \* whether it may have followed a removed voter
vars == <<last, gone, known, said, limit>>

Honest == {a, s, w, x, g}
Liars == {c1, c2} \cup (IF last >= 3 THEN {r} ELSE {})
List(n, v) == [n |-> n, v |-> v]
None == List(0, {})
Real == <<List(1, {r, a, s}), List(2, {r, a, s, w}), List(3, {a, s, w}), List(4, {a, s, w, x}), List(5, {s, w, x})>>
Reals == { Real[i] : i \in 1..5 }
MadeUp == { List(9, v) : v \in Fakes }
Lie == CASE Lies = "madeUp" -> MadeUp [] Lies = "old" -> { Real[i] : i \in 1..last } [] Lies = "none" -> {}
Settings == [n \in Honest |-> IF n = g THEN GNames ELSE IF n = x THEN {a, s, w} ELSE {r, a, s}]

Maj(S, C) == 2 * Cardinality(S \cap C) > Cardinality(C)

Init == /\ last = 1 /\ gone = FALSE
        /\ known = [n \in Honest |-> IF n \in {a, s} THEN Real[1] ELSE None]
        /\ said = [n \in Honest |-> {}]
        /\ limit = [n \in Honest |-> FALSE]

\* Who has a word in who votes.
Members(n) == known[n].v \cup (IF known[n].n <= 1 THEN Settings[n] ELSE {})
\* Rule 1: a voter, and a node that is to be one, follows whoever has a word.  So does one that knows a later list than
\* the first.
AtOnce(n, l) == known[n].n >= 2 \/ n \in known[n].v \cup l.v
\* Rule 2: others follow the first list when most of its voters say it.
Sayers(n, l) == { p[1] : p \in { q \in said[n] : q[2] = l } }

Follow(n, t, l) ==
    LET sayers == Sayers(n, l) \cup {t}
        isFooled == r \in sayers \/ \E p \in sayers \cap Honest : limit[p]
    IN  /\ known' = [known EXCEPT ![n] = l]
        /\ said' = [said EXCEPT ![n] = {}]
        /\ limit' = [limit EXCEPT ![n] = @ \/ (l \in MadeUp /\ isFooled)]

Hears(n) == /\ (n = s => last <= 3 \/ gone)
            /\ (n = g => gone)
            /\ (n = a => ~gone)

Believes(n, t, l) ==
    \/ /\ t \in Members(n)
       /\ AtOnce(n, l) \/ Mutant = "one"
    \/ Mutant = "anyone" /\ known[n].n = 0
    \* The rule that went: a node that reaches no majority believes most voters of any later list, and two at least.
    \/ Mutant = "stranded" /\ Cardinality(Sayers(n, l) \cup {t}) > 1 /\ Maj(Sayers(n, l) \cup {t}, l.v)
    \/ /\ known[n].n <= 1 /\ ~AtOnce(n, l)
       /\ Maj(Sayers(n, l) \cup {t}, l.v)
       /\ (Sayers(n, l) \cup {t}) \cap Members(n) # {} \/ Mutant = "noMember"

\* What is kept: the list that each member told last, and who else says one of these.
Told(n, S) == { p[2] : p \in { q \in S : q[1] \in Members(n) } }
Keep(n, t, l) ==
    LET added == { p \in said[n] : p[1] # t } \cup {<<t, l>>}
        isHeard == t \in Members(n) \/ (t \in l.v /\ l \in Told(n, said[n]))
    IN  IF Mutant \in {"stranded", "noMember"} THEN added
        ELSE IF known[n].n >= 2 \/ ~isHeard THEN said[n]
        ELSE { p \in added : p[1] \in Members(n) \/ p[2] \in Told(n, added) }

Tell(t, n, l) ==
    /\ l.n > known[n].n /\ t # n /\ Hears(n)
    /\ IF Believes(n, t, l)
       THEN Follow(n, t, l)
       ELSE /\ said' = [said EXCEPT ![n] = Keep(n, t, l)]
            /\ UNCHANGED <<known, limit>>
    /\ UNCHANGED <<last, gone>>

Decide == \E k \in Honest :
    /\ last < 5 /\ known[k] = Real[last] /\ k \in Real[last].v /\ Hears(k)
    \* A majority has promised the next number under this one.
    /\ Maj({ n \in Honest \cup {r} : n = r \/ known[n] = Real[last] }, Real[last].v)
    /\ last' = last + 1
    /\ known' = [known EXCEPT ![k] = Real[last + 1]]
    /\ said' = [said EXCEPT ![k] = {}]
    /\ UNCHANGED <<gone, limit>>

Stop == last = 5 /\ known[w] = Real[5] /\ known[x] = Real[5] /\ ~gone /\ gone' = TRUE /\ UNCHANGED <<last, known, said, limit>>

Next == \/ Decide \/ Stop
        \/ \E n \in Honest :
              \/ \E t \in Liars, l \in Lie : Tell(t, n, l)
              \/ \E t \in Honest \ (IF gone THEN {a} ELSE {}) : known[t].n >= 1 /\ Tell(t, n, known[t])
Spec == Init /\ [][Next]_vars

\* Only an operator changes who votes.
OnlyDecided == \A n \in Honest : known[n] \in Reals \cup {None} \/ (limit[n] /\ ~Blame)
\* A node whose settings name those who vote follows no list whose voters have all gone or know no better.
NoDeadEnd == known[g].n \in {0, 1, 5} \/ limit[g]
\* Breaks, and so shows that the last list reaches everyone who can be told it.
NeverTold == \E n \in {w, x, g} : known[n] # Real[5]
=============================================================================
