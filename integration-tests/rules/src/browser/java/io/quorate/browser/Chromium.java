package io.quorate.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** The browser of a test class, without a window. */
final class Chromium {

    private Chromium() {}

    /** @param preferences such as where downloads go */
    static ChromeDriver open(Map<String, Object> preferences) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(System.getProperty("browser.chromium", "/usr/bin/chromium"));
        options.addArguments("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu");
        options.setExperimentalOption("prefs", preferences);
        // The driver is given, so that Selenium does not fetch one.
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(new File(System.getProperty("browser.driver", "/usr/bin/chromedriver")))
                .build();
        return new ChromeDriver(service, options);
    }

    /** Makes the page as wide as a screen of this width shows it. */
    static void resize(ChromeDriver browser, int width, int height) {
        // The window of a headless browser is as wide as its page only by this.
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
        browser.manage().window().setSize(new Dimension(width, height));
    }

    /** Keeps a picture of the page in target/pictures. */
    static void keep(ChromeDriver browser, String name) throws IOException {
        Path pictures = Files.createDirectories(Path.of("target", "pictures"));
        Files.write(pictures.resolve(name + ".png"), browser.getScreenshotAs(OutputType.BYTES));
    }

    static void assertNothingIsCutOff(ChromeDriver browser) {
        Object over = browser.executeScript(
                "return document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assertThat(((Number) over).intValue())
                .as("pixels to the right of the page")
                .isLessThanOrEqualTo(0);
    }
}
