package io.quorate.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that claims something in real time, such as a rate, a quiet period or a bound. It runs in the suite
 * {@code real} and not in the default build, because a machine that starves its processes breaks such a claim. Even
 * there it is repeated if the machine stalled.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Tag("real")
@ExtendWith(RepeatedWhenStalled.class)
public @interface RealTime {}
