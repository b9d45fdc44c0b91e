package io.quorate.tandem;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The old side of a move, in the test: the member that has waited longest leads. One thread at a time may use it. */
final class OldSideFake {

    private final List<Member> queue = new ArrayList<>();
    private final Map<String, Member> members = new LinkedHashMap<>();

    /** A process on the old side. */
    final class Member implements Companion {
        private final String name;
        private final List<String> calls = new ArrayList<>();
        private Runnable changed = () -> {};
        private boolean isStarted;
        private boolean isCut;
        private Optional<RuntimeException> failure = Optional.empty();
        private Optional<RuntimeException> answer = Optional.empty();

        private Member(String name) {
            this.name = name;
        }

        @Override
        public void start() {
            calls.add("start");
            failure.ifPresent(thrown -> {
                throw thrown;
            });
            isStarted = true;
            comeBack();
        }

        @Override
        public void close() {
            calls.add("close");
            isStarted = false;
            leave();
        }

        @Override
        public boolean hasLeadership() {
            Optional<RuntimeException> thrown = answer;
            answer = Optional.empty();
            thrown.ifPresent(each -> {
                throw each;
            });
            return holder().filter(name::equals).isPresent();
        }

        @Override
        public void onChange(Runnable wanted) {
            changed = wanted;
        }

        @Override
        public List<String> participants() {
            return queue.stream().map(member -> member.name).toList();
        }

        /** From now on it changes in silence. */
        void forgetsToTell() {
            changed = () -> {};
        }

        /** Loses its session, and does not get another. */
        void cut() {
            isCut = true;
            leave();
        }

        /** Gets a session, if it is started. */
        void heal() {
            isCut = false;
            comeBack();
        }

        /** Loses leadership, and is the next to get it. */
        void flap() {
            leave();
            comeBack();
        }

        /** Loses leadership and gets it again, before anybody is told. */
        void flapUnseen(Runnable meanwhile) {
            queue.remove(this);
            meanwhile.run();
            queue.add(0, this);
            changed.run();
        }

        /** From now on its start throws this. */
        void failsWith(RuntimeException thrown) {
            failure = Optional.of(thrown);
        }

        /** The next question is answered by this. */
        void throwsOnce(RuntimeException thrown) {
            answer = Optional.of(thrown);
        }

        void failsNoMore() {
            failure = Optional.empty();
        }

        /** The calls of start and close, in order. */
        List<String> calls() {
            return List.copyOf(calls);
        }

        private void comeBack() {
            if (isStarted && !isCut && !queue.contains(this)) {
                queue.add(this);
                tell();
            }
        }

        private void leave() {
            if (queue.remove(this)) {
                changed.run();
                tell();
            }
        }
    }

    private void tell() {
        queue.stream().findFirst().ifPresent(first -> first.changed.run());
    }

    /** The member of this name, the same each time. */
    Member member(String name) {
        return members.computeIfAbsent(name, Member::new);
    }

    /** A new process under this name. */
    Member restarted(String name) {
        Member former = members.remove(name);
        if (former != null) {
            former.isStarted = false;
            former.changed = () -> {};
            former.leave();
        }
        return member(name);
    }

    /** Who leads. */
    Optional<String> holder() {
        return queue.stream().findFirst().map(member -> member.name);
    }
}
