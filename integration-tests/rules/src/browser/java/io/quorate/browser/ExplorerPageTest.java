package io.quorate.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;

/** docs/lab.md#explorer, in a browser: two widths, both colour schemes, keys, branches, saved runs, 10,000 states. */
@Tag("browser")
class ExplorerPageTest {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int WIDE = 1300;
    private static final int NARROW = 420;
    private static final int HEIGHT = 900;

    private static ChromeDriver browser;

    @TempDir
    private static Path downloads;

    @TempDir
    private Path directory;

    @BeforeAll
    static void openBrowser() {
        browser = Chromium.open(Map.of("download.default_directory", downloads.toString()));
    }

    @AfterAll
    static void closeBrowser() {
        browser.quit();
    }

    // ---------------------------------------------------------------- the pages

    private void open(int width, String... arguments) throws Exception {
        Path page = directory.resolve("page.html");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.quorate.lab.Lab"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--explore", "--html", page.toString()));
        Path log = directory.resolve("log");
        Process lab = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(lab.waitFor(PATIENCE.toMinutes(), TimeUnit.MINUTES)).isTrue();
        } finally {
            lab.destroyForcibly();
        }
        assertThat(lab.exitValue()).as(Files.readString(log)).isZero();
        Chromium.resize(browser, width, HEIGHT);
        browser.get(page.toUri().toString());
    }

    private static void choose(String step) {
        browser.findElements(By.cssSelector("[data-edge]")).stream()
                .filter(button -> step.equals(button.getAttribute("title")))
                .findFirst()
                .orElseThrow(() -> new AssertionError(step + ": is not among " + choices()))
                .click();
    }

    private static List<String> choices() {
        return browser.findElements(By.cssSelector("[data-edge]")).stream()
                .map(button -> button.getAttribute("title"))
                .toList();
    }

    private static String now() {
        return browser.findElement(By.cssSelector("#history .now .step")).getText();
    }

    private static List<String> broken() {
        return browser.findElements(By.cssSelector("#rules .broken")).stream()
                .map(WebElement::getText)
                .toList();
    }

    private static int count(String selector) {
        return browser.findElements(By.cssSelector(selector)).size();
    }

    private static String fields(int process) {
        return browser.findElements(By.cssSelector("#processes .fields"))
                .get(process)
                .getText();
    }

    private static String problem() {
        return browser.findElement(By.id("problem")).getText();
    }

    // ---------------------------------------------------------------- what a student does

    // The way that the document describes.
    @ParameterizedTest
    @ValueSource(ints = {WIDE, NARROW})
    void twoLeadersAreMade(int width) throws Exception {
        open(width, "bully", "--faults", "suspicion,loss");
        Chromium.assertNothingIsCutOff(browser);
        assertThat(broken()).isEmpty();
        choose("P1 wrongly suspects P2");
        assertThat(browser.findElement(By.cssSelector("#history .now .note")).getText())
                .isEqualTo(
                        "ELECTION: elect(): nothing unless IDLE. The highest process: win(). Otherwise ELECTION to all"
                                + " higher ones, WAIT_ALIVE, set T.");
        assertThat(fields(1)).isEqualTo("timers: T (after all messages have arrived); suspects: P2");
        choose("P2 gets ELECTION from P1, but it is lost");
        assertThat(count("#history .now .note")).isZero();
        assertThat(fields(1)).isEqualTo("timers: T (after all have noticed who runs); suspects: P2");
        choose("P1 trusts P2");
        assertThat(fields(1)).isEqualTo("timers: T; suspects: nobody");
        choose("P1 timer T");
        assertThat(broken()).containsExactly("OneLeader IS BROKEN");
        assertThat(count("#diagram .conflict")).isEqualTo(1);
        assertThat(count("#diagram .cross")).isEqualTo(1);
        assertThat(browser.findElement(By.id("processes")).getText()).contains("P1 leads", "P2 leads", "P0 follows P2");
        assertTextsStandApart();
        Chromium.assertNothingIsCutOff(browser);
        Chromium.keep(browser, "explorer-" + width);
    }

    private static void assertTextsStandApart() {
        Object overlaps = browser.executeScript("const all = [...document.querySelectorAll('svg .why, svg .name')]"
                + ".map(one => ({words: one.textContent, box: one.getBBox()}));"
                + "const width = document.querySelector('#diagram svg').viewBox.baseVal.width;"
                + "return all.flatMap((a, i) => all.slice(i + 1).filter(b => a.box.x < b.box.x + b.box.width - 1"
                + " && b.box.x < a.box.x + a.box.width - 1 && a.box.y < b.box.y + b.box.height - 1"
                + " && b.box.y < a.box.y + a.box.height - 1).map(b => a.words + ' over ' + b.words))"
                + ".concat(all.filter(a => a.box.x < 0 || a.box.x + a.box.width > width).map(a => a.words))");
        assertThat((List<?>) overlaps).as("texts that overlap or are cut off").isEmpty();
    }

    @Test
    void brokenRuleIsRedInBothSchemes() throws Exception {
        for (String scheme : List.of("light", "dark")) {
            browser.executeCdpCommand(
                    "Emulation.setEmulatedMedia",
                    Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
            open(WIDE, "--break", "bully:OneLeader");
            assertThat(broken()).containsExactly("OneLeader IS BROKEN");
            assertThat(browser.findElement(By.cssSelector("#rules .broken"))
                            .getCssValue("background-color")
                            .replace(" ", ""))
                    .contains(scheme.equals("light") ? "200,16,46" : "255,92,114");
            assertThat(count("#history li")).isGreaterThan(1);
            Chromium.keep(browser, "explorer-break-" + scheme);
        }
        browser.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
    }

    @Test
    void keysGoBackAndForthAndTakeSteps() throws Exception {
        open(WIDE, "lcr");
        List<String> first = choices();
        WebElement body = browser.findElement(By.tagName("body"));
        body.sendKeys("1");
        assertThat(now()).isEqualTo(first.get(0));
        browser.findElement(By.tagName("body")).sendKeys(Keys.ARROW_LEFT);
        assertThat(now()).isEqualTo("the start");
        browser.findElement(By.tagName("body")).sendKeys(Keys.ARROW_RIGHT);
        assertThat(now()).isEqualTo(first.get(0));
        // A button that has the focus leaves it to the next choice.
        browser.executeScript("document.querySelector('[data-edge]').focus()");
        browser.switchTo().activeElement().sendKeys(Keys.ENTER);
        assertThat(count("#history li")).isEqualTo(3);
        assertThat(browser.switchTo().activeElement().getAttribute("data-edge")).isNotNull();
    }

    @Test
    void bothBranchesStay() throws Exception {
        open(WIDE, "bully");
        List<String> first = choices();
        choose(first.get(0));
        browser.findElement(By.id("back")).click();
        choose(first.get(1));
        WebElement branch = browser.findElement(By.cssSelector("#history .branch"));
        assertThat(branch.getText()).isEqualTo("⑂ " + first.get(0));
        branch.click();
        assertThat(now()).isEqualTo(first.get(0));
        browser.findElement(By.id("restart")).click();
        browser.findElement(By.id("forward")).click();
        assertThat(now()).isEqualTo(first.get(0));
    }

    // ---------------------------------------------------------------- saved runs

    private void openRun(String json) throws IOException {
        Path file = Files.writeString(directory.resolve("run.json"), json);
        browser.findElement(By.id("open")).sendKeys(file.toString());
    }

    @Test
    void savedRunIsOpenedAgain() throws Exception {
        open(WIDE, "bully");
        choose("P2 crashes");
        choose("P1 suspects P2");
        String end = browser.findElement(By.id("processes")).getText();
        browser.findElement(By.id("save")).click();
        Path saved = downloads.resolve("bully-documented-run.json");
        await().atMost(PATIENCE).until(() -> Files.exists(saved) && Files.size(saved) > 0);
        String json = Files.readString(saved);
        assertThat(json).contains("\"format\": \"quorate-lab run 1\"", "\"P2 crashes\"", "\"leader\": 2");
        browser.findElement(By.id("restart")).click();
        openRun(json);
        await().atMost(PATIENCE).until(() -> now().equals("P1 suspects P2"));
        assertThat(browser.findElement(By.id("processes")).getText()).isEqualTo(end);
        assertThat(problem()).isEmpty();
    }

    @Test
    void wrongRunIsNamedWithItsPlace() throws Exception {
        open(WIDE, "bully");
        String run = "{\"format\":\"quorate-lab run 1\",\"algorithm\":\"bully\",\"way\":\"documented\","
                + "\"processes\":3,\"leader\":2,\"steps\":[\"P2 crashes\",\"P1 dances\"]}";
        for (Map.Entry<String, String> wrong : Map.of(
                        run,
                        "run.json: steps[1] \"P1 dances\": must be one of \"P0 suspects P2\"",
                        run.replace("bully", "lcr"),
                        "run.json: algorithm \"lcr\": must be \"bully\"",
                        run.replace(":3", ":4"),
                        "run.json: processes 4: must be 3",
                        run.replace("run 1", "run 2"),
                        "run.json: format \"quorate-lab run 2\": must be",
                        run.replace("[\"P2 crashes\",\"P1 dances\"]", "7"),
                        "run.json: steps: must be an array of texts",
                        "[]",
                        "run.json: the run: must be an object",
                        "{",
                        "run.json: must be JSON: ")
                .entrySet()) {
            openRun(wrong.getKey());
            await().atMost(PATIENCE).until(() -> problem().startsWith(wrong.getValue()));
            assertThat(now()).as("nothing has moved").isEqualTo("the start");
            assertThat(browser.executeScript("return root.children.length"))
                    .as("a step that was taken")
                    .isEqualTo(0L);
        }
    }

    @Test
    void longRunIsShownOrRefused() throws Exception {
        open(WIDE, "lcr", "--way", "hardened");
        // No fault, and so the leader tells the others without end.
        String build = "let at = 0; const steps = []; while (steps.length < arguments[0]) {"
                + "const edge = edgesOf(at).filter(one => one.to >= 0 && !one.isFault).pop();"
                + "steps.push(edge.words); at = edge.to; } return JSON.stringify({...saved(), steps});";
        openRun((String) browser.executeScript(build, 1001));
        await().atMost(PATIENCE).until(() -> problem().equals("run.json: steps: must be at most 1000, and are 1001"));
        openRun((String) browser.executeScript(build, 1000));
        await().atMost(PATIENCE).until(() -> count("#history li") == 1001);
        browser.findElement(By.tagName("body")).sendKeys("1");
        assertThat(problem()).isEqualTo("A run has at most 1000 steps.");
        browser.findElement(By.id("restart")).click();
        assertThat(now()).isEqualTo("the start");
        openRun("\"" + "x".repeat(1_000_000) + "\"");
        await().atMost(PATIENCE).until(() -> problem().equals("run.json: must be at most 1000000 bytes"));
        openRun("{\"format\":\"" + "x".repeat(900_000) + "\"}");
        await().atMost(PATIENCE).until(() -> problem().startsWith("run.json: format \"xxx"));
        assertThat(problem()).hasSizeLessThan(300);
    }

    // ---------------------------------------------------------------- many states

    // It says how long that took, and asserts that all is there and goes on.
    @Test
    void tenThousandStatesOpen() throws Exception {
        open(NARROW, "lcr", "--way", "hardened");
        Object load = browser.executeScript("const t = performance.timing; return t.loadEventEnd - t.navigationStart");
        Object states = browser.executeScript("return graph.states.length");
        System.out.println(states + " states: loaded in " + load + " ms");
        assertThat(((Number) states).intValue()).isGreaterThanOrEqualTo(8000);
        for (int step = 0; step < 12; step++) {
            browser.findElement(By.tagName("body")).sendKeys("1");
        }
        assertThat(count("#history li")).isEqualTo(13);
        Chromium.assertNothingIsCutOff(browser);
    }

    // It has 500 states, and the walk goes beyond them; a run that was saved there opens again.
    @Test
    void serverContinuesWhereThePageEnds() throws Exception {
        Path log = directory.resolve("log");
        Process lab = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.quorate.lab.Lab",
                        "ballot",
                        "--explore",
                        "--serve")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            Pattern url = Pattern.compile("http://127\\.0\\.0\\.1:\\d+/");
            await().atMost(PATIENCE)
                    .until(() -> url.matcher(Files.readString(log)).find());
            Matcher found = url.matcher(Files.readString(log));
            assertThat(found.find()).isTrue();
            browser.get(found.group());
            assertThat(browser.executeScript("return graph.states.length")).isEqualTo(500L);
            for (int step = 1; step <= 40; step++) {
                await().atMost(PATIENCE).until(() -> !choices().isEmpty());
                List<String> choices = choices();
                choose(choices.get(step % choices.size()));
                int steps = step + 1;
                await().atMost(PATIENCE).until(() -> count("#history li") == steps);
            }
            await().atMost(PATIENCE).until(() -> !choices().isEmpty());
            assertThat(problem()).isEmpty();
            assertThat((Long) browser.executeScript("return graph.states.length"))
                    .isGreaterThan(500);
            String end = browser.findElement(By.id("processes")).getText();
            String run = (String) browser.executeScript("return JSON.stringify(saved())");
            browser.navigate().refresh();
            openRun(run);
            await().atMost(PATIENCE)
                    .until(() -> count("#history li") == 41 && !choices().isEmpty());
            assertThat(browser.findElement(By.id("processes")).getText()).isEqualTo(end);
            lab.getOutputStream().close();
            assertThat(lab.waitFor(PATIENCE.toMinutes(), TimeUnit.MINUTES))
                    .as("it ends with its input")
                    .isTrue();
            assertThat(lab.exitValue()).isZero();
        } finally {
            lab.destroyForcibly();
        }
    }

    @Test
    void pageSaysWhereItEnds() throws Exception {
        open(WIDE, "ballot");
        browser.executeScript("const end = graph.states.findIndex(state => state[3] === null);"
                + "go({state: end, edge: null, parent: null, children: [], last: null});");
        assertThat(choices()).isEmpty();
        assertThat(problem())
                .isEqualTo("What follows is beyond this page, which has the 10000 states nearest to the start.");
    }
}
