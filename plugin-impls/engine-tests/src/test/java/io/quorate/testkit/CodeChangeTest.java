package io.quorate.testkit;

import static io.quorate.testkit.CodeChange.in;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** What each kind of change does, and what is none. */
class CodeChangeTest {

    /** The class that is changed. Its one public method is called by the name of the other that it is to call. */
    static final class Subject implements Function<String, Object> {

        private static final int FEW = 7;
        private static final long MANY = 1L << 40;

        private final ReentrantLock lock = new ReentrantLock();
        private long amount = 3;
        private long price = 50;
        private String name = "plain";

        @Override
        public Object apply(String method) {
            return switch (method) {
                case "isFew" -> isFew(7, 2L);
                case "name" -> name();
                case "twice" -> twice(4);
                case "sum" -> sum(3, 2);
                case "lambda" -> lambda().applyAsLong(5);
                case "raise" -> {
                    raise(2);
                    yield amount;
                }
                case "found" -> found();
                case "many" -> many();
                case "locked" -> locked();
                case "amountOfNew" -> new Subject(9).amount;
                default -> throw new IllegalArgumentException(method);
            };
        }

        Subject() {}

        Subject(long amount) {
            this.amount = half(2 * amount);
        }

        boolean isFew(int count, long unused) {
            return count <= FEW && unused > 1;
        }

        String name() {
            return name;
        }

        static long twice(long value) {
            return 2 * value;
        }

        static long half(long value) {
            return value / 2;
        }

        long sum(long a, int b) {
            return twice(a) * 100 + (b > 0 ? half(10 * b) : 0) + amount;
        }

        long sum(long a, long b) {
            return a + b;
        }

        LongUnaryOperator lambda() {
            return value -> half(value) + twice(value);
        }

        void raise(long by) {
            amount = amount + by;
        }

        Optional<String> found() {
            return Optional.of(name).map(text -> text + "!");
        }

        long many() {
            return MANY;
        }

        boolean locked() {
            synchronized (this) {
                lock.lock();
                try {
                    return Thread.holdsLock(this);
                } finally {
                    lock.unlock();
                }
            }
        }
    }

    /** What changes put in. */
    public static final class Inserts {

        private Inserts() {}

        public static long oneMore(long value) {
            return value + 1;
        }

        public static Object capitals(Object text) {
            return text.toString().toUpperCase(Locale.ROOT);
        }

        public static long seventy() {
            return 70;
        }

        public static String ofStrangeTypes(Integer one, Integer other, Integer third) {
            return one + " " + other;
        }

        static boolean isAmongThree(Subject subject, int count, long unused) {
            return subject.amount == 3 && count == 7 && unused == 2;
        }

        private static long hidden(long value) {
            return value + 2;
        }

        long ofAnObject(long value) {
            return value + 3;
        }
    }

    private static Object answer(String method, CodeChange change) throws ReflectiveOperationException {
        byte[] code = change.change(change.original());
        Class<?> changed = new ClassLoader(CodeChangeTest.class.getClassLoader()) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
                if (!name.startsWith(CodeChangeTest.class.getName())) {
                    return super.loadClass(name, resolve);
                }
                synchronized (getClassLoadingLock(name)) {
                    Class<?> loaded = findLoadedClass(name);
                    byte[] bytes = name.equals(Subject.class.getName())
                            ? code
                            : in(name, "apply").doesNothing().original();
                    return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
                }
            }
        }.loadClass(Subject.class.getName());
        var constructor = changed.getDeclaredConstructor();
        constructor.setAccessible(true);
        @SuppressWarnings("unchecked")
        Function<String, Object> subject = (Function<String, Object>) constructor.newInstance();
        return subject.apply(method);
    }

    private static void assertRefused(CodeChange change, String reason) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> change.change(change.original()))
                .withMessageContaining(reason);
    }

    // ---------------------------------------------------------------- methods

    @Test
    void aMethodReturnsAConstant() throws Exception {
        assertThat(answer("isFew", in(Subject.class, "isFew").returns(false))).isEqualTo(false);
        assertThat(answer("name", in(Subject.class, "name").returns("other"))).isEqualTo("other");
        assertThat(answer("twice", in(Subject.class, "twice").returns(5L))).isEqualTo(5L);
    }

    @Test
    void aMethodDoesNothing() throws Exception {
        assertThat(answer("raise", in(Subject.class, "raise").doesNothing())).isEqualTo(3L);
        assertThat(answer("twice", in(Subject.class, "twice").doesNothing())).isEqualTo(0L);
        assertThat(answer("name", in(Subject.class, "name").doesNothing())).isNull();
        assertThat(answer("isFew", in(Subject.class, "isFew").doesNothing())).isEqualTo(false);
    }

    @Test
    void anotherRunsInPlaceOfAMethod() throws Exception {
        assertThat(answer("isFew", in(Subject.class, "isFew").runs(Inserts.class, "isAmongThree")))
                .isEqualTo(true);
        assertThat(answer("twice", in(Subject.class, "twice").runs(Inserts.class, "oneMore")))
                .isEqualTo(5L);
        assertThat(answer("twice", in(Subject.class, "twice").runs(Inserts.class, "seventy")))
                .isEqualTo(70L);
    }

    @Test
    void aMethodTakesNoMonitor() throws Exception {
        assertThat(answer("locked", in(Subject.class, "locked").takesNoMonitor()))
                .isEqualTo(false);
    }

    // ---------------------------------------------------------------- inside a method

    @Test
    void aCallAnswersAConstant() throws Exception {
        assertThat(answer(
                        "sum", in(Subject.class, "sum(long,int)").call("twice").answers(4L)))
                .isEqualTo(413L);
        assertThat(answer(
                        "sum",
                        in(Subject.class, "sum(long,int)").call("Subject.half").answers(4L)))
                .isEqualTo(607L);
    }

    @Test
    void aCallIsLeftOut() throws Exception {
        assertThat(answer("raise", in(Subject.class, "apply").call("raise").isLeftOut()))
                .isEqualTo(3L);
        assertThat(answer(
                        "sum", in(Subject.class, "sum(long,int)").call("twice").isLeftOut()))
                .isEqualTo(13L);
    }

    @Test
    void anotherRunsInPlaceOfACall() throws Exception {
        assertThat(answer(
                        "sum", in(Subject.class, "sum(long,int)").call("twice").runs(Inserts.class, "oneMore")))
                .isEqualTo(413L);
        assertThat(answer(
                        "sum", in(Subject.class, "sum(long,int)").call("twice").runs(Inserts.class, "seventy")))
                .isEqualTo(7013L);
        assertThat(answer("isFew", in(Subject.class, "apply").call("isFew").runs(Inserts.class, "isAmongThree")))
                .isEqualTo(true);
        assertThat(answer(
                        "found", in(Subject.class, "found").call("Optional.of").runs(Optional.class, "empty")))
                .isEqualTo(Optional.empty());
    }

    @Test
    void theAnswerOfACallPassesThroughAnother() throws Exception {
        assertThat(answer("sum", in(Subject.class, "sum(long,int)").call("half").passes(Inserts.class, "oneMore")))
                .isEqualTo(614L);
    }

    @Test
    void anotherOfTheSameTypeTakesThePlace() throws Exception {
        assertThat(answer(
                        "sum", in(Subject.class, "sum(long,int)").call("twice").becomes("half")))
                .isEqualTo(113L);
        assertThat(answer("raise", in(Subject.class, "raise").read("amount").becomes("price")))
                .isEqualTo(52L);
    }

    @Test
    void lambdasBelongToTheirMethod() throws Exception {
        assertThat(answer("lambda", in(Subject.class, "lambda").call("half").answers(100L)))
                .isEqualTo(110L);
    }

    @Test
    void withoutParametersAllMethodsOfTheNameAreMeant() throws Exception {
        assertThat(answer("amountOfNew", in(Subject.class, "new").call("half").answers(6L)))
                .isEqualTo(6L);
        assertThat(answer("sum", in(Subject.class, "sum").call("twice").answers(4L)))
                .isEqualTo(413L);
    }

    @Test
    void aConstructorIsCalledNew() throws Exception {
        assertThat(answer(
                        "amountOfNew",
                        in(Subject.class, "new(long)").call("half").answers(6L)))
                .isEqualTo(6L);
    }

    @Test
    void readsAndWritesOfFieldsCanBeChanged() throws Exception {
        assertThat(answer("name", in(Subject.class, "name").read("name").answers("other")))
                .isEqualTo("other");
        assertThat(answer("name", in(Subject.class, "name").read("Subject.name").passes(Inserts.class, "capitals")))
                .isEqualTo("PLAIN");
        assertThat(answer("raise", in(Subject.class, "raise").read("amount").runs(Inserts.class, "seventy")))
                .isEqualTo(72L);
        assertThat(answer("raise", in(Subject.class, "raise").write("amount").isLeftOut()))
                .isEqualTo(3L);
        assertThat(answer("raise", in(Subject.class, "raise").write("amount").passes(Inserts.class, "oneMore")))
                .isEqualTo(6L);
    }

    // ---------------------------------------------------------------- what is no change

    @Test
    void missingCallIsRejected() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> in("no.Such", "name").doesNothing().original())
                .withMessageContaining("there is no class no.Such");
        assertRefused(in(Subject.class, "names").doesNothing(), "must be one method");
        assertRefused(in(Subject.class, "new(int)").call("half").isLeftOut(), "must be one method");
        assertRefused(in(Subject.class, "name").call("twice").isLeftOut(), "is not there");
        assertRefused(in(Subject.class, "sum(long,int)").call("Inserts.twice").isLeftOut(), "is not there");
        assertRefused(in(Subject.class, "raise").read("name").answers("other"), "is not there");
        assertRefused(in(Subject.class, "name").write("name").isLeftOut(), "is not there");
        assertRefused(in(Subject.class, "name").takesNoMonitor(), "is not there");
        assertRefused(in(Function.class, "apply").doesNothing(), "is not there");
    }

    @Test
    void ambiguousCallIsRejected() {
        assertRefused(in(Subject.class, "sum").doesNothing(), "must be one method");
        assertRefused(in(Subject.class, "new").returns(1L), "must be one method");
    }

    @Test
    void ineffectiveChangeIsRejected() {
        assertRefused(in(Subject.class, "many").returns(1L << 40), "changes nothing");
    }

    @Test
    void unfitReplacementIsRejected() {
        assertRefused(in(Subject.class, "many").returns(5), "5: is no constant of type long");
        assertRefused(in(Subject.class, "raise").returns(5L), "is no constant of type void");
        assertRefused(in(Subject.class, "apply").call("raise").passes(Inserts.class, "oneMore"), "has no result");
        assertRefused(in(Subject.class, "sum(long,int)").call("twice").becomes("sum"), "Subject has none of that type");
        assertRefused(in(Subject.class, "raise").read("amount").becomes("name"), "Subject has none of that type");
        assertRefused(in(Subject.class, "isFew").runs(Inserts.class, "oneMore"), "must have 3 parameters, or none");
        assertRefused(
                in(Subject.class, "raise").write("amount").passes(Inserts.class, "seventy"), "must have one parameter");
        assertRefused(in(Subject.class, "name").runs(Inserts.class, "seventy"), "must answer java.lang.String");
        assertRefused(in(Subject.class, "twice").runs(Inserts.class, "hidden"), "must be public");
        assertRefused(in("java.lang.Math", "negateExact(long)").runs(Subject.class, "twice"), "must be public");
        assertRefused(in(Subject.class, "twice").runs(Inserts.class, "ofAnObject"), "must be one static method");
        assertRefused(in(Subject.class, "new(long)").doesNothing(), "is a constructor");
    }
}
