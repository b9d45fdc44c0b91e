package io.quorate.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.ops.OpsServer;
import io.quorate.spi.NodeId;
import io.quorate.testkit.FreePorts;
import io.quorate.testkit.simulation.LocalNetwork;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

/**
 * The page as people use it: in a browser, with three nodes behind it that lose voters, leaders and directions of their
 * links. Pictures go to target/pictures.
 */
@Tag("browser")
class PageTest {

    private static final String PATH = "/app/leader";
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String TOKEN = "the-token-of-this-test";

    private static ChromeDriver browser;

    @TempDir
    private Path directory;

    private final LocalNetwork network = new LocalNetwork();
    private final Map<String, ElectionClient> clients = new TreeMap<>();
    private final Map<String, OpsServer> servers = new TreeMap<>();
    private final Map<String, URI> urls = new TreeMap<>();

    @BeforeAll
    static void openBrowser() {
        browser = Chromium.open(Map.of());
    }

    @AfterAll
    static void closeBrowser() {
        browser.quit();
    }

    @BeforeEach
    void startNodes() throws Exception {
        Path tokenFile = Files.writeString(directory.resolve("token"), TOKEN + "\n");
        List<String> nodes = List.of("n1", "n2", "n3");
        for (String node : nodes) {
            urls.put(node, URI.create("http://127.0.0.1:" + FreePorts.take()));
        }
        for (String node : nodes) {
            ElectionClient client = ElectionClient.builder()
                    .nodeId(node)
                    .clusterId("shop")
                    .voters("n1", "n2", "n3")
                    .transport(network.transport(new NodeId(node)))
                    .build();
            clients.put(node, client);
            servers.put(
                    node,
                    OpsServer.builder(client)
                            .port(urls.get(node).getPort())
                            .tokenFile(tokenFile)
                            .others(nodes.stream()
                                    .filter(other -> !other.equals(node))
                                    .map(urls::get)
                                    .toArray(URI[]::new))
                            .start());
            client.start();
        }
        for (String node : nodes) {
            clients.get(node).blockUntilConnected();
            latch(node, PATH);
            await().atMost(PATIENCE)
                    .until(() -> clients.get("n1").health().leads().containsKey(PATH));
        }
        browser.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
        browser.manage().window().setSize(new Dimension(1280, 1000));
        browser.get(urls.get("n1") + "/");
    }

    @AfterEach
    void stopNodes() {
        browser.get("about:blank");
        clients.values().forEach(ElectionClient::close);
        servers.values().forEach(OpsServer::close);
    }

    private LeaderLatch latch(String node, String path) throws Exception {
        LeaderLatch latch = new LeaderLatch(clients.get(node), path, node);
        latch.start();
        return latch;
    }

    private static String text(String selector) {
        try {
            List<WebElement> found = browser.findElements(By.cssSelector(selector));
            return found.isEmpty() ? "" : found.get(0).getText();
        } catch (StaleElementReferenceException e) {
            // The page has just shown something newer.
            return "";
        }
    }

    private static void awaitText(String selector, String expected) {
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(text(selector)).as(selector).contains(expected));
    }

    private static String cell(String node, String voter) {
        return "#matrix tr[data-node=\"" + node + "\"] td[data-voter=\"" + voter + "\"]";
    }

    private static String row(String path) {
        return "#paths tr[data-path=\"" + path + "\"]";
    }

    private static void picture(String name) throws Exception {
        Path pictures = Files.createDirectories(Path.of("target", "pictures"));
        Files.write(pictures.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
    }

    private static void clickWhenEnabled(String selector) {
        // The page may show something newer in its place at any moment.
        await().atMost(PATIENCE)
                .ignoreException(StaleElementReferenceException.class)
                .until(() -> {
                    WebElement element = browser.findElement(By.cssSelector(selector));
                    boolean isEnabled = element.isEnabled();
                    if (isEnabled) {
                        element.click();
                    }
                    return isEnabled;
                });
    }

    private static void click(String selector) {
        browser.findElement(By.cssSelector(selector)).click();
    }

    @Test
    void showsWhoLeadsAndWhoSupportsWhom() throws Exception {
        awaitText("#live", "live");
        awaitText("#node", "n1");
        awaitText("#cluster", "shop");
        awaitText("#state", "UP");
        awaitText(row(PATH), "n1");
        // Tokens without data directories are greater than the numbers of a browser are exact.
        awaitText(row(PATH), clients.get("n1").health().leads().get(PATH).toString());
        for (String node : urls.keySet()) {
            for (String voter : urls.keySet()) {
                awaitText(cell(node, voter), "✓");
            }
        }
        awaitText("#log", "leads here");
        awaitText("#margin", "ms");
        picture("page");
    }

    @Test
    void aKillShowsInTheTable() throws Exception {
        awaitText(cell("n1", "n3"), "✓");
        // As a process that is killed: no frame comes from it or reaches it, and its port is closed.
        network.isolate(new NodeId("n3"));
        servers.get("n3").close();
        awaitText(cell("n1", "n3"), "✗");
        awaitText(cell("n2", "n3"), "✗");
        awaitText(cell("n1", "n2"), "✓");
        awaitText("#matrix tr[data-node=\"" + urls.get("n3") + "\"]", "unreachable");
        picture("killed");
    }

    @Test
    void aCutOfOneDirectionShowsInTheTable() throws Exception {
        awaitText(cell("n2", "n3"), "✓");
        network.drop(flight ->
                flight.from().value().equals("n2") && flight.to().value().equals("n3"));
        // n2 still hears n3, which does not hear n2 and supports it no more.
        awaitText(cell("n2", "n3"), "◐");
        awaitText(cell("n3", "n2"), "✗");
        awaitText(cell("n1", "n3"), "✓");
        picture("one-way");
        network.heal();
        awaitText(cell("n2", "n3"), "✓");
        awaitText(cell("n3", "n2"), "✓");
    }

    @Test
    void leadershipIsTransferredWithTheTokenAlone() throws Exception {
        awaitText(row(PATH), "n1");
        click(row(PATH) + " button");
        awaitText("#detail", "n2 on n2");
        assertThat(browser.findElement(By.cssSelector("#detail button")).isEnabled())
                .as("without a token")
                .isFalse();
        browser.findElement(By.id("token")).sendKeys("another-token-than-that");
        clickWhenEnabled("#detail button");
        awaitText("#answer", "a change needs the header");
        assertThat(clients.get("n1").health().leads()).containsKey(PATH);
        browser.findElement(By.id("token")).clear();
        browser.findElement(By.id("token")).sendKeys(TOKEN);
        clickWhenEnabled("#detail button");
        awaitText("#answer", "done");
        awaitText(row(PATH), "n2");
        awaitText("#log", "no longer leads here");
        assertThat(clients.get("n2").health().leads()).containsKey(PATH);
        picture("transferred");
    }

    @Test
    void aLeaderThatLeavesIsShown() throws Exception {
        LeaderLatch latch = latch("n1", "/draining");
        latch.await();
        latch("n2", "/draining");
        await().atMost(PATIENCE).until(() -> latch.getParticipants().size() == 2);
        CompletableFuture<Void> work = new CompletableFuture<>();
        latch.drain(leadership -> work, Duration.ofMinutes(10));
        awaitText(row("/draining"), "here");
        assertThat(text(row("/draining"))).doesNotContain("leaves");
        latch.transferTo("n2");
        awaitText(row("/draining"), "leaves");
        assertThat(browser.findElement(By.cssSelector(row("/draining") + " .warn"))
                        .getDomAttribute("title"))
                .startsWith("its work is being finished, for PT10M at most: it was transferred to n2");
        picture("leaving");
        work.complete(null);
        awaitText(row("/draining"), "n2");
    }

    @Test
    void standbyIsSwitchedAndShown() throws Exception {
        assertThat(browser.findElement(By.id("standby-on")).isEnabled()).isFalse();
        browser.findElement(By.id("token")).sendKeys(TOKEN);
        click("#standby-on");
        awaitText("#state", "STANDBY");
        awaitText(row(PATH), "n2");
        click("#standby-off");
        awaitText("#state", "UP");
    }

    @Test
    void thousandsOfPathsDoNotHurt() throws Exception {
        List<LeaderLatch> latches = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            latches.add(latch("n1", "/many/" + i));
        }
        await().atMost(Duration.ofMinutes(10))
                // Where a busy machine has cost n1 the first path, another leads that.
                .until(() ->
                        clients.get("n1").health().leads().tailMap("/many/").size() == 10_000);
        awaitText("#total", "100 of 10001");
        browser.findElement(By.id("find")).sendKeys("many/777");
        awaitText("#total", "11");
        awaitText(row("/many/7770"), "n1");
        browser.findElement(By.id("find")).clear();
        browser.findElement(By.id("find")).sendKeys("no such path");
        awaitText("#total", "0");
        picture("many");
    }

    // Names come from the whole cluster, and a page that ran them would be theirs.
    @Test
    void namesAreTextAndNothingElse() throws Exception {
        String hostile = "/<img src=x onerror=\"document.title='broken in'\">&'%20\u00e9\u4e2d";
        latch("n1", hostile);
        awaitText("#total", "2");
        await().atMost(PATIENCE).until(() -> text("#paths").contains(hostile));
        assertThat(browser.findElements(By.cssSelector("#paths img"))).isEmpty();
        WebElement open = browser.findElements(By.cssSelector("#paths button")).get(0);
        assertThat(open.getText()).isEqualTo(hostile);
        open.click();
        awaitText("#detail", "it leads with token");
        assertThat(browser.getTitle()).startsWith("Quorate n1");
    }

    /** What the page says of a node with this certificate; one script, because each second shows the true nodes. */
    private static String stateWithCertificateUntil(Instant end) {
        return (String) browser.executeScript(
                """
                showMatrix([{url: "n9", status: {node: "n9", state: "UP", voters: [], supporters: [], led: 0,
                    margin: null, certificateEnd: arguments[0]}}]);
                return document.querySelector("#matrix tr[data-node=n9] td:nth-child(2)").textContent;""",
                end.toString());
    }

    /** From now on the server answers what the page asks with this status and error. */
    private static void answers(int status, String error) {
        browser.executeScript(
                """
                window.trueFetch = window.trueFetch || window.fetch;
                window.refusals = 0;
                window.fetch = async address => {
                  window.refusals++;
                  return new Response(JSON.stringify({error: arguments[1]}), {status: arguments[0]});
                };
                known = null;""",
                status,
                error);
        await().atMost(PATIENCE)
                .until(() -> ((Number) browser.executeScript("return window.refusals")).intValue() >= 6);
    }

    // The page asks again at the next tick, so a badge would only alarm.
    @Test
    void aBusyServerIsNoFaultAndAFaultThatIsOverIsNotShown() throws Exception {
        latch("n1", PATH);
        answers(503, "too many requests");
        assertThat(text("#answer")).isEmpty();
        answers(500, "no disk");
        awaitText("#answer", "no disk");
        browser.executeScript("window.fetch = window.trueFetch; known = null;");
        await().atMost(PATIENCE).until(() -> text("#answer").isEmpty());
        await().atMost(PATIENCE).until(() -> text("#paths").contains(PATH));
    }

    // Each request of a page takes a thread of the server, of which one caller gets few.
    @Test
    void thePageAsksOneAfterTheOther() {
        browser.executeScript(
                """
                window.trueFetch = window.trueFetch || window.fetch;
                window.underWay = window.most = window.sent = 0;
                window.fetch = async (...all) => {
                  window.sent++;
                  window.most = Math.max(window.most, ++window.underWay);
                  try { return await window.trueFetch(...all); } finally { window.underWay--; }
                };
                showPaths(); showLog(); showPaths(); showLog();""");
        await().atMost(PATIENCE).until(() -> ((Number) browser.executeScript("return window.sent")).intValue() >= 5);
        assertThat(((Number) browser.executeScript("return window.most")).intValue())
                .isEqualTo(1);
    }

    @Test
    void problemsAreShown() {
        assertThat(
                        (String)
                                browser.executeScript(
                                        """
                        showMatrix([{url: "n9", status: {node: "n9", state: "UP", voters: [], supporters: [], led: 0,
                            margin: null, problems: [{kind: "terms", text: "full"}]}}]);
                        return document.querySelector("#matrix tr[data-node=n9] td:nth-child(2)").textContent;"""))
                .isEqualTo("UP 1 problem");
    }

    @Test
    void aCertificateThatEndsSoonIsShown() {
        assertThat(stateWithCertificateUntil(Instant.now().plus(Duration.ofDays(29))))
                .isEqualTo("UP certificate");
        assertThat(stateWithCertificateUntil(Instant.now().plus(Duration.ofDays(31))))
                .isEqualTo("UP");
    }

    @Test
    void fitsAPhoneAndTheDark() throws Exception {
        browser.manage().window().setSize(new Dimension(390, 844));
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 390, "height", 844, "deviceScaleFactor", 1, "mobile", true));
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", "dark"))));
        try {
            awaitText(cell("n1", "n3"), "✓");
            awaitText(row(PATH), "n1");
            Object overhang = browser.executeScript(
                    "return document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assertThat(((Number) overhang).intValue()).as("nothing is cut off").isZero();
            assertThat(browser.findElement(By.tagName("body")).getCssValue("background-color"))
                    .contains("16, 21, 27");
            picture("phone");
        } finally {
            browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    @Test
    void aNodeThatIsGoneIsSaidToBe() throws Exception {
        awaitText("#live", "live");
        servers.get("n1").close();
        awaitText("#live", "no connection");
    }
}
