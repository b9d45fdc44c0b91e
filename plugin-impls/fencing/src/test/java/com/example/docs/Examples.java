package com.example.docs;

import io.quorate.LeaderLatch;
import io.quorate.fencing.FencedFile;
import io.quorate.fencing.FencedHttp;
import io.quorate.fencing.FencedTable;
import io.quorate.fencing.FencingFilter;
import io.quorate.fencing.StaleTokenException;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.Set;
import javax.sql.DataSource;

/** The blocks of docs/fencing.md, so that they compile; the last one is run. */
public final class Examples {

    private Examples() {}

    static void database(DataSource dataSource, LeaderLatch latch) throws SQLException {
        FencedTable guard = FencedTable.create(dataSource);
        long token = latch.fencingToken(); // before the work begins
        long total = 42; // the work
        guard.run("/app/leader", token, connection -> {
            try (PreparedStatement update = connection.prepareStatement("UPDATE report SET total = ?")) {
                update.setLong(1, total);
                update.executeUpdate();
            }
        });
    }

    static void server(ServletContext context, DataSource dataSource) throws SQLException {
        FencingFilter guard = FencingFilter.inTable(FencedTable.create(dataSource), Set.of("/app/leader"));
        context.addFilter("fencing", guard)
                .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), false, "/reports/*");
    }

    static void client(HttpClient client, URI uri, long token, String report) throws IOException, InterruptedException {
        HttpRequest request = FencedHttp.fence(HttpRequest.newBuilder(uri), "/app/leader", token)
                .PUT(BodyPublishers.ofString(report))
                .build();
        HttpResponse<String> answer = FencedHttp.check(client.send(request, BodyHandlers.ofString()));
        if (answer.statusCode() != 200) {
            throw new IOException("not written: " + answer.body());
        }
    }

    static void file(long token, String report) throws IOException {
        FencedFile guard = new FencedFile(Path.of("report.json"));
        guard.replace("/app/leader", token, report.getBytes(StandardCharsets.UTF_8));
    }

    /** Prints what a former leader is told. */
    public static void late(FencedFile guard, byte[] report) throws IOException {
        guard.replace("/app/leader", 7, report); // the new leader
        try {
            guard.replace("/app/leader", 6, report); // the former one, which stood still
        } catch (StaleTokenException e) {
            System.out.println(e.getMessage());
        }
    }
}
