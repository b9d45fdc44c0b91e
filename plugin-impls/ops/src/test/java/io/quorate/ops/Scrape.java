package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.quorate.ElectionClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A registry with the meters of a client, and what Prometheus gets of it over HTTP. */
final class Scrape implements AutoCloseable {

    final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final QuorateMeters meters;
    private final OpsServer server;

    Scrape(ElectionClient client) {
        meters = new QuorateMeters(client);
        meters.bindTo(registry);
        server = OpsServer.builder(client)
                .port(0)
                .timeout(Duration.ofHours(1))
                .metrics(registry::scrape)
                .start();
    }

    QuorateMeters meters() {
        return meters;
    }

    OpsServer server() {
        return server;
    }

    /** The value of each series, by its name with its tags. */
    Map<String, Double> series() {
        HttpResponse<String> answer = Web.get(server, "/metrics");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        Map<String, Double> series = new TreeMap<>();
        for (String line : answer.body().lines().toList()) {
            if (!line.startsWith("#")) {
                int space = line.lastIndexOf(' ');
                series.put(line.substring(0, space), Double.parseDouble(line.substring(space + 1)));
            }
        }
        return series;
    }

    double value(String name) {
        Double value = series().get(name);
        assertThat(value).as("%s in %s", name, series().keySet()).isNotNull();
        return value;
    }

    /** Waits until the thread that registers meters is as far as that. */
    Map<String, Double> await(Predicate<Map<String, Double>> condition) {
        return Awaitility.await()
                .atMost(Duration.ofMinutes(10))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(this::series, condition);
    }

    Map<String, Double> awaitPath(String path) {
        return await(series -> series.containsKey("quorate_leaderless_seconds_count{path=\"" + path + "\"}"));
    }

    Map<String, Double> awaitNoPath(String path) {
        return await(series -> series.keySet().stream().noneMatch(name -> name.contains("\"" + path + "\"")));
    }

    /** The names of the series, without tags. */
    List<String> names() {
        return series().keySet().stream()
                .map(name -> name.replaceAll("\\{.*", ""))
                .distinct()
                .toList();
    }

    @Override
    public void close() {
        server.close();
        meters.close();
        registry.close();
    }
}
