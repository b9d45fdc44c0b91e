------------------------------ MODULE Refusals ------------------------------
(***************************************************************************)
(* A voter refuses a life of an id, because another life has the place.    *)
(*                                                                         *)
(* MODELS  docs/protocol.md#one-process-per-id, rules 2 and 4: which       *)
(* refusals silence a life, and which ones end it.                         *)
(*                                                                         *)
(* Life 2 is refused, because life 1 has the place.  If Twin, life 1 lives *)
(* and keeps it.  If not, life 1 has died in tick 1, when life 2 began.  An*)
(* attacker on the way holds back frames of life 1, each of which          *)
(* acknowledges what the voter sent in tick 1, and lets them through when  *)
(* it likes.  It never lets life 2 take the place.                         *)
(*                                                                         *)
(* TIME goes in ticks, D of which are a support time.  Life 2 sends a frame*)
(* in each tick, which has the number of that tick.  The voter refuses it in*)
(* that tick or later, while life 1 has the place.                         *)
(*                                                                         *)
(* OLD is what was sent half to one and a half support times ago, or earlier*)
(* than that.  Each refusal that is read may find another mark within these*)
(* bounds, which is more than Link.age does.                               *)
(*                                                                         *)
(* If Trip is 0, refusals get lost and are late for any time.  Those that  *)
(* come in another order than their frames left are dropped.  If Trip is a *)
(* bound, each is read, in order, at most Trip ticks after its frame left. *)
(***************************************************************************)
EXTENDS Naturals
CONSTANTS D,        \* ticks of a support time, an even number
          VoterD,   \* the same by the clock of the voter: D, or more if that is slower than the clock of life 2
          Twin,     \* TRUE: life 1 lives.  FALSE: it has died
          Trip,     \* ticks of the longest round trip; 0: there is no bound
          Limit,    \* a life that was refused for so many ticks ends
          End,      \* the last tick
          Mutant    \* "none", or the rule that is broken

VARIABLES
  now,     \* the tick
  heard,   \* when the voter heard life 1 last
  read,    \* the last frame of which life 2 has read the refusal, if Trip is a bound
  refused, \* refusals of frames up to this one count for nothing
  row,     \* for how many ticks life 2 is refused without a gap of a support time, Limit at most
  since,   \* ticks since the last refusal that counted: 2 D at most
  late,    \* how many refusals counted when none could be recent: 2 at most
  ended    \* life 2 has ended
vars == <<now, heard, read, refused, row, since, late, ended>>

Max(a, b)  == IF a > b THEN a ELSE b
Min(a, b)  == IF a < b THEN a ELSE b
Less(a, b) == IF a > b THEN a - b ELSE 0
Half       == D \div 2

\* Up to which frame life 2 may find that all are old.
Olds == Less(now, 3 * Half) .. Less(now, Half)

\* The frames up to this one were refused, or may have been.
Refusals == IF Twin THEN now ELSE Min(now, heard + VoterD - 1)

Init == now = 1 /\ heard = 1 /\ read = 0 /\ refused = 0 /\ row = 0 /\ since = 2 * D /\ late = 0 /\ ended = FALSE

---------------------------------------------------------------------------
\* The attacker lets a frame of life 1 through. The voter may still find recent what it acknowledges.
Held == /\ ~Twin /\ heard < now /\ 2 * (now - 1) < 3 * VoterD
        /\ heard' = now
        /\ UNCHANGED <<now, read, refused, row, since, late, ended>>

IsNews(s)        == s > refused
Counts(s, old)   == Mutant = "recentOnly" => s > old
MayEnd(s, old)   == s > old \/ Mutant = "old"
Worthless(s, old) == IF Mutant = "inTurns" THEN s ELSE Max(s, old)

\* Life 2 reads the refusal of frame s.
Refused(s) ==
    /\ read' = IF Trip = 0 THEN 0 ELSE s
    /\ \E old \in Olds :
         IF ~IsNews(s) \/ ~Counts(s, old) THEN UNCHANGED <<refused, row, since, late, ended>>
         ELSE /\ refused' = Worthless(s, old)
              /\ since' = 0
              /\ late' = IF now < Refusals + 3 * Half THEN late ELSE Min(late + 1, 2)
              /\ row' = IF since >= D THEN 0 ELSE row
              /\ ended' = (MayEnd(s, old) /\ row' >= Limit)
    /\ UNCHANGED <<now, heard>>

Read == /\ ~ended
        /\ IF Trip = 0 THEN \E s \in refused + 1 .. Refusals : Refused(s)
           ELSE read < Refusals /\ Refused(read + 1)

Tick == /\ now < End /\ ~ended
        /\ Trip > 0 => now - read < Trip
        /\ now' = now + 1
        /\ since' = Min(since + 1, 2 * D)
        /\ row' = IF since' >= D THEN 0 ELSE Min(row + 1, Limit)
        /\ UNCHANGED <<heard, read, refused, late, ended>>

Next == Tick \/ Held \/ Read
Spec == Init /\ [][Next]_vars

---------------------------------------------------------------------------
\* A life whose former lives are dead does not end because of refusals.
NotEnded == ~ended
\* When no refusal is recent any more, one silences it at most: two support times.
SilencedOnce == late <= 1
\* Of two processes that have the voter in common the second one is silent or ends, once it has been refused.
IsSilent == since < 2 * D
Silenced == refused > 0 => IsSilent \/ ended
\* It ends, if refusals are never old.
EndsInTime == now > Limit + Trip + 1 => ended
=============================================================================
