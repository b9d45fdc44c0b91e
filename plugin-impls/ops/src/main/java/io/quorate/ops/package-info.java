/**
 * What operators need of a client. HTTP endpoints for probes, proxies and people: {@link io.quorate.ops.OpsServer}
 * (docs/operations.md). Meters and events: {@link io.quorate.ops.QuorateMeters} and
 * {@link io.quorate.ops.FlightEvents} (docs/metrics.md).
 *
 * <p>{@code HttpPort} is the server, {@code Callers} bounds its connections and their time, a {@code Lane} has the
 * threads for what may have to wait. {@code Endpoints} has the table of all endpoints, {@code Query}, {@code
 * BearerToken} and {@code LocalNames} judge what a client sends, {@code Exchange} is a request, {@code Answer} is what
 * it gets, {@code HttpsKeys} follows the files of the keys. {@code ClientMeters} are the meters of one client in one
 * registry, {@code LateMeters} registers those that come and go.
 */
@NullMarked
package io.quorate.ops;

import org.jspecify.annotations.NullMarked;
