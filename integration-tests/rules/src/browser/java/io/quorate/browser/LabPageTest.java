package io.quorate.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.picture.Focus;
import io.quorate.testkit.picture.Picture;
import io.quorate.testkit.picture.Picture.Way;
import io.quorate.testkit.picture.Recording;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.simulation.Experiment;
import io.quorate.testkit.simulation.Experiment.Mode;
import io.quorate.testkit.simulation.PublishedScenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.interactions.Actions;

/** docs/lab.md#the-picture, in a browser: two widths, both colour schemes, keys, pointer, and a page of 10,000 messages. */
@Tag("browser")
class LabPageTest {

    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final int WIDE = 1300;
    private static final int NARROW = 420;
    private static final int HEIGHT = 900;
    private static final int MANY = 10_000;

    private static ChromeDriver browser;

    @TempDir
    private Path directory;

    @BeforeAll
    static void openBrowser() {
        browser = Chromium.open(Map.of());
    }

    @AfterAll
    static void closeBrowser() {
        browser.quit();
    }

    // ---------------------------------------------------------------- the pages

    private static List<Way> bully() {
        ElectionAlgorithm bully = ServiceLoader.load(ElectionAlgorithm.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(found -> found.name().equals("bully"))
                .findFirst()
                .orElseThrow();
        PublishedScenario scenario = PublishedScenario.ofLab().stream()
                .filter(one -> one.name().equals("leader cut off"))
                .findFirst()
                .orElseThrow();
        return List.of(Mode.UNLEASED_FAITHFUL, Mode.UNLEASED_HARDENED, Mode.LEASED).stream()
                .map(mode ->
                        Way.of(mode.name(), Experiment.record(scenario.scenario(7), bully, mode, "bully", "a cut")))
                .toList();
    }

    private void open(int width, List<Way> ways, Focus focus) throws IOException {
        Path page = Files.writeString(
                directory.resolve("page.html"), Picture.html("bully", "The leader is cut off.", ways, focus));
        Chromium.resize(browser, width, HEIGHT);
        browser.get(page.toUri().toString());
    }

    private static Focus onChanges(List<Way> ways) {
        return Focus.onChanges(ways.stream().map(Way::recording).toList());
    }

    private static List<WebElement> shown(String selector) {
        return browser.findElements(By.cssSelector(selector)).stream()
                .filter(WebElement::isDisplayed)
                .toList();
    }

    private static void press(CharSequence key) {
        browser.findElement(By.tagName("body")).sendKeys(key);
    }

    private static String said() {
        return browser.findElement(By.id("now")).getText();
    }

    // ---------------------------------------------------------------- what a reader does

    @Test
    void aWideScreenShowsAllWaysAndANarrowOneOne() throws IOException {
        List<Way> ways = bully();
        open(WIDE, ways, onChanges(ways));
        assertThat(shown("section")).hasSize(3);
        Chromium.assertNothingIsCutOff(browser);
        Chromium.keep(browser, "lab-wide");
        open(NARROW, ways, onChanges(ways));
        assertThat(shown("section")).hasSize(1);
        Chromium.assertNothingIsCutOff(browser);
        Chromium.keep(browser, "lab-narrow");
        browser.findElement(By.cssSelector("button[data-way=LEASED]")).click();
        assertThat(shown("section")).singleElement().satisfies(section -> assertThat(section.getAttribute("data-way"))
                .isEqualTo("LEASED"));
    }

    @Test
    void oneWayIsChosenAndAllAgain() throws IOException {
        List<Way> ways = bully();
        open(WIDE, ways, onChanges(ways));
        WebElement button = browser.findElement(By.cssSelector("button[data-way=UNLEASED_HARDENED]"));
        button.click();
        assertThat(shown("section")).hasSize(1);
        button.click();
        assertThat(shown("section")).hasSize(3);
    }

    @Test
    void coloursFollowTheReadersScreen() throws IOException {
        List<Way> ways = bully();
        for (String scheme : List.of("light", "dark")) {
            browser.executeCdpCommand(
                    "Emulation.setEmulatedMedia",
                    Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
            open(WIDE, ways, onChanges(ways));
            String back = browser.findElement(By.tagName("body"))
                    .getCssValue("background-color")
                    .replaceAll(" ", "");
            assertThat(back).contains(scheme.equals("light") ? "255,255,255" : "18,22,29");
            String text = browser.findElement(By.cssSelector(".run .tick"))
                    .getCssValue("fill")
                    .replaceAll(" ", "");
            assertThat(text).contains(scheme.equals("light") ? "107,116,132" : "151,161,177");
            Chromium.keep(browser, "lab-" + scheme);
        }
        browser.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
    }

    @Test
    void keysAndButtonsStepThroughTime() throws IOException {
        List<Way> ways = bully();
        open(WIDE, ways, onChanges(ways));
        press(Keys.ARROW_RIGHT);
        String first = said();
        press(Keys.ARROW_RIGHT);
        String second = said();
        assertThat(second).isNotEqualTo(first);
        press(Keys.ARROW_LEFT);
        assertThat(said()).isEqualTo(first);
        browser.findElement(By.id("forward")).click();
        assertThat(said()).isEqualTo(second);
        assertThat(browser.findElements(By.cssSelector(".now"))).hasSize(1);
        for (int step = 0; step < 60; step++) {
            press(Keys.ARROW_RIGHT);
        }
        // What is told is on the screen.
        Object top = browser.executeScript(
                "const box = document.querySelector('.now').getBoundingClientRect(); return box.bottom >= 0 && box.top <= innerHeight");
        assertThat(top).isEqualTo(true);
    }

    @Test
    void thePointerShowsTheMessage() throws IOException {
        List<Way> ways = bully();
        open(WIDE, ways, onChanges(ways));
        WebElement arrow = browser.findElement(By.cssSelector("section .m line"));
        String thin = arrow.getCssValue("stroke-width");
        new Actions(browser).moveToElement(arrow).perform();
        await().atMost(PATIENCE)
                .until(() ->
                        browser.findElements(By.cssSelector(".s:hover line")).size() == 1
                                && !browser.findElement(By.cssSelector(".s:hover line"))
                                        .getCssValue("stroke-width")
                                        .equals(thin));
        Object title = browser.executeScript("return document.querySelector('.s:hover title').textContent");
        assertThat(String.valueOf(title)).contains(" ms: n").contains("arrives");
    }

    @Test
    void twoLeadersAreRedAlone() throws IOException {
        List<Way> ways = bully();
        open(WIDE, ways, onChanges(ways));
        assertThat(shown("section[data-way=UNLEASED_FAITHFUL] .conflict")).hasSize(1);
        assertThat(shown("section[data-way=LEASED] .conflict")).isEmpty();
    }

    /** How long the page took to load, and what its main thread has worked for it, which says more on a busy machine. */
    private static String cost() {
        Object load = browser.executeScript("const t = performance.timing; return t.loadEventEnd - t.navigationStart");
        Object metrics =
                browser.executeCdpCommand("Performance.getMetrics", Map.of()).get("metrics");
        String work = ((List<?>) metrics)
                .stream()
                        .map(metric -> (Map<?, ?>) metric)
                        .filter(metric -> "TaskDuration".equals(metric.get("name")))
                        .map(metric -> String.valueOf(metric.get("value")))
                        .findFirst()
                        .orElseThrow();
        return load + " ms, of which " + work + " s of work";
    }

    // It says how long it took beside an empty page, and asserts that all is there and can be stepped through.
    @Test
    void tenThousandMessagesStayUsable() throws IOException {
        List<Message> messages = new ArrayList<>();
        for (int number = 0; number < MANY; number++) {
            messages.add(new Message(
                    "n" + (1 + number % 5),
                    "n" + (1 + (number + 1 + number / 5 % 4) % 5),
                    number * 500L,
                    number * 500L + 700,
                    Fate.ARRIVED,
                    "MESSAGE",
                    "number=" + number,
                    false));
        }
        Recording run = new Recording(
                "many",
                "",
                List.of("n1", "n2", "n3", "n4", "n5"),
                MANY * 500L + 1000,
                messages,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                0);
        List<Way> ways = List.of(Way.of("run", run));
        browser.executeCdpCommand("Performance.enable", Map.of("timeDomain", "threadTicks"));
        browser.get("data:text/html,<title>empty</title>");
        String ofEmpty = cost();
        browser.executeCdpCommand("Performance.disable", Map.of());
        browser.executeCdpCommand("Performance.enable", Map.of("timeDomain", "threadTicks"));
        open(WIDE, ways, Focus.whole(List.of(run)));
        browser.executeScript("return document.body.getBoundingClientRect().height");
        System.out.println("10,000 messages: loaded in " + cost() + "; an empty page in " + ofEmpty);
        assertThat(browser.executeScript("return document.querySelectorAll('.m').length"))
                .isEqualTo((long) MANY);
        for (int step = 0; step < 20; step++) {
            press(Keys.ARROW_RIGHT);
        }
        assertThat(said()).contains("MESSAGE number=19");
        browser.executeScript("scrollTo(0, document.documentElement.scrollHeight)");
        press(Keys.ARROW_RIGHT);
        assertThat(said()).contains("MESSAGE number=20");
        assertThat(browser.executeScript("const box = document.querySelector('.now').getBoundingClientRect();"
                        + " return box.bottom >= 0 && box.top <= innerHeight"))
                .isEqualTo(true);
        // A name is not written ten thousand times.
        Object names = browser.executeScript("return document.querySelectorAll('.name').length");
        assertThat(((Number) names).intValue()).isBetween(100, MANY / 10);
    }
}
