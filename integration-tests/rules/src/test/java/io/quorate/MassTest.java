package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The budgets of the product only fall, and {@code -Drewrite} lowers them to what is there. A commit that raises one says
 * why in its body.
 */
class MassTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Path BUDGETS = Path.of("src", "test", "resources", "mass-budget.txt");

    /** A budget of lines may be above its count by this much, because not each small repair has to lower it. */
    private static final int SLACK = 50;

    @Test
    void productStaysWithinItsBudgets() throws IOException {
        Map<String, Integer> counts = Mass.budgeted(ROOT);
        Map<String, Integer> budgets = new TreeMap<>();
        for (String line : Files.readAllLines(BUDGETS)) {
            int blank = line.lastIndexOf(' ');
            budgets.put(line.substring(0, blank), Integer.valueOf(line.substring(blank + 1)));
        }
        if (System.getProperty("rewrite") != null) {
            budgets.replaceAll((row, budget) -> Math.min(budget, counts.getOrDefault(row, 0)));
            Files.writeString(
                    BUDGETS,
                    budgets.entrySet().stream()
                            .map(budget -> budget.getKey() + " " + budget.getValue() + "\n")
                            .collect(Collectors.joining()));
        }
        assertThat(complaints(budgets, counts)).isEmpty();
    }

    private static List<String> complaints(Map<String, Integer> budgets, Map<String, Integer> counts) {
        List<String> complaints = new ArrayList<>();
        counts.forEach((row, count) -> {
            int budget = budgets.getOrDefault(row, 0);
            if (count > budget) {
                complaints.add(row + ": " + count + " exceed the budget of " + budget);
            } else if (count < budget - (row.startsWith("lines of ") ? SLACK : 0)) {
                complaints.add(row + ": " + count + " are left of " + budget + "; lower the budget: -Drewrite does it");
            }
        });
        budgets.keySet().stream()
                .filter(row -> !counts.containsKey(row))
                .forEach(row -> complaints.add(row + ": nothing is counted; take the budget out"));
        return complaints;
    }

    @Test
    void growthAndBudgetsThatNothingNeedsAreComplaints() {
        assertThat(complaints(Map.of("a", 100, "lines of b", 100), Map.of("a", 100, "lines of b", 50)))
                .isEmpty();
        assertThat(complaints(Map.of("a", 100), Map.of("a", 101))).containsExactly("a: 101 exceed the budget of 100");
        assertThat(complaints(Map.of(), Map.of("a", 1))).containsExactly("a: 1 exceed the budget of 0");
        assertThat(complaints(Map.of("a", 100, "lines of b", 100), Map.of("a", 99, "lines of b", 49)))
                .containsExactlyInAnyOrder(
                        "a: 99 are left of 100; lower the budget: -Drewrite does it",
                        "lines of b: 49 are left of 100; lower the budget: -Drewrite does it");
        assertThat(complaints(Map.of("a", 1), Map.of())).containsExactly("a: nothing is counted; take the budget out");
    }

    @Test
    void budgetedNumbersAreCounted() throws IOException {
        Map<String, Integer> counts = Mass.budgeted(ROOT);
        assertThat(counts.get("lines of plugin-api/api")).isGreaterThan(5000);
        assertThat(counts.get("lines of the core"))
                .isGreaterThan(5000)
                .isLessThan(counts.get("lines of plugin-impls/engine"));
        assertThat(counts.get("lines of the longest class of the core")).isBetween(300, 1500);
        assertThat(counts.get("parameters of a constructor")).isBetween(5, 20);
        assertThat(counts.get("types of the SPI")).isBetween(20, 60);
    }
}
