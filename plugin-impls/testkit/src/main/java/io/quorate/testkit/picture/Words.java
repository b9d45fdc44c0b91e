package io.quorate.testkit.picture;

/** How a recording writes messages and states; by default as records write themselves. */
public interface Words {

    /** As records write themselves. */
    Words PLAIN = new Words() {};

    /** The name and the fields of a message. */
    default Naming of(Object message) {
        return Naming.of(message);
    }

    /** The state of a machine. */
    default String state(Object state) {
        return Naming.written(state);
    }
}
