/**
 * HTTP endpoints for probes, proxies and operators: {@link io.quorate.ops.OpsServer}. Document: docs/operations.md.
 *
 * <p>{@code HttpWorkers} bounds threads and time, {@code Endpoints} has the table of all endpoints, {@code Query} and
 * {@code BearerToken} judge what a client sends, {@code Answer} is what it gets.
 */
@NullMarked
package io.quorate.ops;

import org.jspecify.annotations.NullMarked;
