package io.quorate.ops;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;

/** The page for people: one file, which needs nothing but this server. */
final class Page {

    private static final String RESOURCE = "page.html";
    private static final String SCRIPT = "<script>";

    /** Read when somebody wants it first: most servers are asked by probes alone. */
    static final Answer ANSWER = load();

    private Page() {}

    private static Answer load() {
        String text;
        try (InputStream in = Page.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + ": is not in the jar");
            }
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(RESOURCE + ": cannot be read from the jar", e);
        }
        return new Answer(
                200, Map.of(Answer.TYPE, "text/html; charset=utf-8", "Content-Security-Policy", policy(text)), text);
    }

    /** The script of the page runs, and no other: names of paths and nodes come from the whole cluster. */
    private static String policy(String page) {
        String script = page.substring(page.indexOf(SCRIPT) + SCRIPT.length(), page.indexOf("</script>"));
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
            return "default-src 'none'; script-src 'sha256-"
                    + Base64.getEncoder().encodeToString(hash)
                    + "'; style-src 'unsafe-inline'; connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("each JDK has SHA-256", e);
        }
    }
}
