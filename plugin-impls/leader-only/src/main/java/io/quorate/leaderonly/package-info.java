/** The annotation {@link io.quorate.leaderonly.LeaderOnly}. Documents: docs/spring.md, docs/quarkus.md. */
@NullMarked
package io.quorate.leaderonly;

import org.jspecify.annotations.NullMarked;
