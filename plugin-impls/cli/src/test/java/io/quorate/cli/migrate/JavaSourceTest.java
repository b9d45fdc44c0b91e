package io.quorate.cli.migrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of one file; each is rewritten twice, and the second time nothing is changed. */
class JavaSourceTest {

    private static final String CLIENT = "import org.apache.curator.framework.CuratorFramework;\n";

    private static Rewritten rewrite(String text, String... siblings) throws Unreadable {
        Rewritten rewritten = JavaSource.rewrite(text, origin -> Set.of(siblings));
        assertThat(JavaSource.rewrite(rewritten.after(), origin -> Set.of(siblings))
                        .isChanged())
                .isFalse();
        return rewritten;
    }

    private static String after(String text, String... siblings) throws Unreadable {
        return rewrite(text, siblings).after();
    }

    private static void assertLeftAlone(String text, String place, String... siblings) throws Unreadable {
        Rewritten rewritten = rewrite(text, siblings);
        assertThat(rewritten.after()).isEqualTo(text);
        assertThat(lines(rewritten.places())).containsExactly(place);
    }

    private static List<String> lines(List<Place> places) {
        return places.stream()
                .map(place -> place.line() + ": " + place.what() + ": " + place.advice())
                .toList();
    }

    // ---------------------------------------------------------------- names

    @Test
    void onlyNamesAreChanged() throws Unreadable {
        Rewritten rewritten = rewrite(
                CLIENT
                        + """
                        // CuratorFramework
                        class A {
                            /* CuratorFramework " */ CuratorFramework a; // it's
                            char quote = '"', other = '\\'';
                            String s = "CuratorFramework \\" CuratorFramework";
                            String t = \"""
                                " CuratorFramework \\\"""
                                \""" + CuratorFramework.class;
                            B.CuratorFramework CuratorFrameworks = x ? y : CuratorFramework::start;
                        }
                        """);
        assertThat(rewritten.after())
                .isEqualTo(
                        """
                        import io.quorate.ElectionClient;
                        // CuratorFramework
                        class A {
                            /* CuratorFramework " */ ElectionClient a; // it's
                            char quote = '"', other = '\\'';
                            String s = "CuratorFramework \\" CuratorFramework";
                            String t = \"""
                                " CuratorFramework \\\"""
                                \""" + ElectionClient.class;
                            B.CuratorFramework CuratorFrameworks = x ? y : ElectionClient::start;
                        }
                        """);
        assertThat(rewritten.places()).extracting(Place::line).containsExactly(2, 4, 6, 8);
        assertThat(rewritten.places()).extracting(Place::advice).containsOnly(Advice.MENTIONED);
    }

    @Test
    void aNameThatIsNotImportedIsSomebodyElses() throws Unreadable {
        String text = "package org.example;\nclass A { CuratorFramework a; LeaderLatch b; }\n";
        assertThat(rewrite(text).isChanged()).isFalse();
    }

    @Test
    void theStateOfAClientIsInsideTheClient() throws Unreadable {
        assertThat(after("import org.apache.curator.framework.imps.CuratorFrameworkState;\n"
                        + "import static org.apache.curator.framework.imps.CuratorFrameworkState.LATENT;\n"
                        + "class A { CuratorFrameworkState a = b ? CuratorFrameworkState.STARTED : LATENT; }\n"))
                .isEqualTo("import io.quorate.ElectionClient;\n"
                        + "import static io.quorate.ElectionClient.State.LATENT;\n"
                        + "class A { ElectionClient.State a = b ? ElectionClient.State.STARTED : LATENT; }\n");
    }

    @Test
    void namesInFullAreChanged() throws Unreadable {
        assertThat(
                        after(
                                """
                        class A extends org.apache.curator.framework.recipes.leader.LeaderLatch {
                            org.apache.curator.framework.recipes.leader.LeaderLatch.CloseMode mode;
                            org.apache.curator.framework.imps.CuratorFrameworkState state;
                            A(org.apache.curator.framework.CuratorFramework c) {
                                super(c, "/a");
                            }
                        }
                        """))
                .isEqualTo(
                        """
                        class A extends io.quorate.LeaderLatch {
                            io.quorate.LeaderLatch.CloseMode mode;
                            io.quorate.ElectionClient.State state;
                            A(io.quorate.ElectionClient c) {
                                super(c, "/a");
                            }
                        }
                        """);
    }

    @Test
    void aNameOverSeveralLinesIsListed() throws Unreadable {
        assertLeftAlone(
                "class A {\n    org.apache.curator\n        .framework.CuratorFramework a;\n}\n",
                "2: org.apache.curator.framework.CuratorFramework: " + Advice.OVER_LINES);
        assertLeftAlone(
                "import org.apache.curator.framework./* */CuratorFramework;\nclass A { CuratorFramework a; }\n",
                "1: org.apache.curator.framework.CuratorFramework: " + Advice.OVER_LINES);
    }

    // ---------------------------------------------------------------- imports

    @Test
    void importsInTheOrderOfTheAlphabetStaySo() throws Unreadable {
        assertThat(
                        after(
                                """
                        import java.io.IOException;
                        import org.apache.curator.framework.CuratorFramework;
                        import org.apache.curator.framework.recipes.leader.LeaderLatch;
                        import org.apache.curator.retry.RetryForever;
                        """))
                .isEqualTo(
                        """
                        import io.quorate.ElectionClient;
                        import io.quorate.LeaderLatch;
                        import java.io.IOException;
                        import org.apache.curator.retry.RetryForever;
                        """);
    }

    @Test
    void otherImportsKeepTheirPlaces() throws Unreadable {
        assertThat(after("import org.apache.curator.framework.recipes.leader.LeaderLatch; // who leads\r\n"
                        + "import java.io.IOException;\r\n\r\n"
                        + "import org.apache.curator.framework.CuratorFramework;\r\n"
                        + "import org.apache.curator.framework.imps.CuratorFrameworkState;\r\n"
                        + "import a.B;\r\n"
                        + "class A { CuratorFramework a; }"))
                .isEqualTo("import io.quorate.LeaderLatch; // who leads\r\n"
                        + "import java.io.IOException;\r\n\r\n"
                        + "import io.quorate.ElectionClient;\r\n"
                        + "import a.B;\r\n"
                        + "class A { ElectionClient a; }");
    }

    @Test
    void importsOfAllBecomeWhatIsUsed() throws Unreadable {
        String text =
                """
                import org.apache.curator.framework.recipes.leader.*;
                class A extends LeaderLatch { Participant a; b.LeaderSelector c; }
                """;
        assertThat(after(text))
                .isEqualTo(
                        """
                        import io.quorate.LeaderLatch;
                        import io.quorate.Participant;
                        class A extends LeaderLatch { Participant a; b.LeaderSelector c; }
                        """);
        assertThat(after(text, "Participant")).doesNotContain("io.quorate.Participant");
        assertThat(after(text + "class Participant {}")).doesNotContain("io.quorate.Participant");
        assertThat(after("import c.Participant;\n" + text)).doesNotContain("io.quorate.Participant");
    }

    @Test
    void anImportOfAllOfWhichMoreMayBeUsedStays() throws Unreadable {
        Rewritten rewritten = rewrite(
                """
                import org.apache.curator.framework.state.*;
                class A { ConnectionState a; CircuitBreaker b; }
                """);
        assertThat(rewritten.after())
                .isEqualTo(
                        """
                        import io.quorate.ConnectionState;
                        import org.apache.curator.framework.state.*;
                        class A { ConnectionState a; CircuitBreaker b; }
                        """);
        assertThat(lines(rewritten.placesAfter()))
                .containsExactly("2: org.apache.curator.framework.state.*: " + Advice.STAR);
    }

    @Test
    void importsOfTypesInsideAndOfMembersAreChanged() throws Unreadable {
        Rewritten rewritten = rewrite("import org.apache.curator.framework.recipes.leader.LeaderLatch.CloseMode;\n"
                + "import static org.apache.curator.framework.recipes.leader.LeaderLatch.State.*;\n"
                + "class A { CloseMode a; State b = STARTED; }\n");
        assertThat(rewritten.after())
                .isEqualTo("import io.quorate.LeaderLatch.CloseMode;\n"
                        + "import static io.quorate.LeaderLatch.State.*;\n"
                        + "class A { CloseMode a; State b = STARTED; }\n");
        assertThat(rewritten.places()).isEmpty();
        assertThat(after("import org.apache.curator.framework.recipes.leader.LeaderLatch.*;\nclass A { State a; }\n"))
                .isEqualTo("import io.quorate.LeaderLatch.*;\nclass A { State a; }\n");
    }

    // What the comment says, and often tells a tool, is about its import.
    @Test
    void importsWithACommentBehindKeepTheirPlaces() throws Unreadable {
        assertThat(after("import java.io.IOException;\n" + CLIENT.strip() + " // NOPMD\n"))
                .isEqualTo("import java.io.IOException;\nimport io.quorate.ElectionClient; // NOPMD\n");
    }

    // ---------------------------------------------------------------- files that stay as they are

    @ParameterizedTest
    @ValueSource(
            strings = {
                "import a.ElectionClient;\nclass A { CuratorFramework a; }",
                "\nclass A { CuratorFramework a; ElectionClient b; }",
                "\nclass ElectionClient { CuratorFramework a; }"
            })
    void aNameThatIsTakenIsNotUsed(String rest) throws Unreadable {
        assertLeftAlone(CLIENT + rest, (rest.startsWith("import") ? 2 : 3) + ": ElectionClient: " + Advice.NAME_TAKEN);
    }

    @Test
    void ourClientBesideCuratorsIsNoOther() throws Unreadable {
        assertThat(after("import io.quorate.ElectionClient;\n" + CLIENT
                        + "class A { CuratorFramework a; ElectionClient b; }"))
                .isEqualTo("import io.quorate.ElectionClient;\nclass A { ElectionClient a; ElectionClient b; }");
    }

    @Test
    void whatHasNoElectionAndReadsDataIsLeftAlone() throws Unreadable {
        assertLeftAlone(
                CLIENT + "class A {\n    CuratorFramework a;\n    Object b = a.getData();\n}\n",
                "4: getData: " + Advice.WORKS_WITH_DATA);
        assertLeftAlone(
                CLIENT + "import org.apache.curator.framework.recipes.locks.InterProcessMutex;\n",
                "2: org.apache.curator.framework.recipes.locks.InterProcessMutex: " + Advice.WORKS_WITH_DATA);
        // Of a type, and so not of a client.
        assertThat(rewrite(CLIENT + "class A { CuratorFramework a = Clients.create(Files.delete(b)); }")
                        .isChanged())
                .isTrue();
    }

    // Carried over, it would hold the path in Quorate twice, and the old side never: two leaders in a roll.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    import io.quorate.tandem.Companion; | Companion                   | 1
                    import io.quorate.tandem.*;         | Companion                   | 3
                    ''                                  | io.quorate.tandem.Companion | 3
                    """)
    void theOldSideOfATandemIsLeftAlone(String imported, String named, int line) throws Unreadable {
        assertLeftAlone(
                imported + "\n" + CLIENT + "class A implements " + named + " { CuratorFramework a; }",
                line + ": io.quorate.tandem.Companion: " + Advice.COMPANION);
    }

    @Test
    void aCompanionOfSomebodyElseIsNoOldSide() throws Unreadable {
        assertThat(rewrite(CLIENT + "class A { CuratorFramework a; Companion b; }")
                        .isChanged())
                .isTrue();
    }

    @Test
    void aClassInAPackageOfCuratorIsLeftAlone() throws Unreadable {
        assertLeftAlone(
                "package org.apache.curator.framework.recipes.leader;\nclass A extends LeaderLatch {}\n",
                "1: org.apache.curator.framework.recipes.leader: " + Advice.PACKAGE_OF_CURATOR);
    }

    // ---------------------------------------------------------------- places

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    class A implements CuratorFramework {}            | yes
                    class A implements B<C>, CuratorFramework {}      | yes
                    interface A extends CuratorFramework {}           | yes
                    class A { Object b = new CuratorFramework() {}; } | yes
                    interface A<T> extends B, CuratorFramework {}     | yes
                    class A implements B<? super C>, CuratorFramework {} | yes
                    class A<T extends CuratorFramework> {}            | no
                    interface A<T extends CuratorFramework> {}        | no
                    class A implements B<CuratorFramework> {}         | no
                    class A implements B<C, D<CuratorFramework>> {}   | no
                    interface A extends B<CuratorFramework> {}        | no
                    class A { Object b = new CuratorFramework[2]; }   | no
                    class A extends B { CuratorFramework c; }         | no
                    class A implements B { CuratorFramework c; }      | no
                    """)
    void aClientIsNothingToImplement(String code, String isListed) throws Unreadable {
        if (isListed.equals("yes")) {
            assertLeftAlone(CLIENT + code, "2: CuratorFramework: " + Advice.NOTHING_TO_IMPLEMENT);
        } else {
            assertThat(after(CLIENT + code))
                    .isEqualTo(after(CLIENT) + code.replace("CuratorFramework", "ElectionClient"));
        }
    }

    @Test
    void aClientInFullIsNothingToImplement() throws Unreadable {
        assertLeftAlone(
                "class A implements org.apache.curator.framework.CuratorFramework {}\n",
                "1: CuratorFramework: " + Advice.NOTHING_TO_IMPLEMENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    new LeaderSelector(c, "/a", f(1, 2), e, new B<C, D>() {}) | yes
                    new LeaderSelector(c, "/a,b,c,d", f(1, 2, 3), (a, b) -> {}) | no
                    new LeaderSelector(c, "/a", this)                         | no
                    new LeaderSelector()                                      | no
                    """)
    void aSelectorWithAFactoryOfThreadsIsListed(String code, String isListed) throws Unreadable {
        String text = "import org.apache.curator.framework.recipes.leader.LeaderSelector;\nclass A { Object a = " + code
                + "; }";
        assertThat(rewrite(text).places())
                .hasSize(isListed.equals("yes") ? 1 : 0)
                .allMatch(place -> place.equals(new Place(2, "LeaderSelector", Advice.NO_FACTORY)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    c.usingNamespace("a")              | yes
                    this.c.usingNamespace("a")         | yes
                    made(1).usingNamespace("a")        | yes
                    CLIENT.usingNamespace("a")         | yes
                    f(c::usingNamespace)               | yes
                    f(CuratorFramework::usingNamespace) | yes
                    Other.usingNamespace("a")          | no
                    f(Other::usingNamespace)           | no
                    usingNamespace("a")                | no
                    c.usingNamespace                   | no
                    """)
    void aMethodThatOurClientLacksIsListed(String call, String isListed) throws Unreadable {
        assertThat(rewrite(CLIENT + "class A { Object b = " + call + "; }").places())
                .hasSize(isListed.equals("yes") ? 1 : 0)
                .allMatch(place -> place.line() == 2 && place.what().equals("usingNamespace"));
    }

    @Test
    void aMentionMayBeOfAnyLength() throws Unreadable {
        String mention = "org.apache.curator" + ".a".repeat(100_000);
        assertThat(rewrite(CLIENT + "// " + mention + "\n").places())
                .singleElement()
                .satisfies(place -> assertThat(mention).startsWith(place.what()));
    }

    @Test
    void whatOnlyLooksIsListed() throws Unreadable {
        String text = "import org.apache.curator.framework.recipes.leader.LeaderLatch;\n"
                + "class A { LeaderLatch a;\nObject b = a.getParticipants(), c = a.getLeader(); }\n";
        assertThat(lines(rewrite(text).places())).containsExactly("3: getParticipants: " + Advice.LOOKS_ONLY);
        assertThat(rewrite(text + "class B { boolean c = a.hasLeadership(); }").places())
                .isEmpty();
    }

    @Test
    void placesHaveTheirLinesInTheFileAsItIsThen() throws Unreadable {
        Rewritten rewritten = rewrite(
                """
                package a;

                import org.apache.curator.framework.CuratorFramework;
                import org.apache.curator.framework.CuratorTempFramework;
                import org.apache.curator.framework.imps.CuratorFrameworkState;
                import org.apache.curator.utils.ZKPaths;

                class A { CuratorFramework a;
                Object b = a.getZookeeperClient(); }
                """);
        assertThat(rewritten.places()).extracting(Place::line).containsExactly(4, 6, 9);
        assertThat(rewritten.placesAfter()).extracting(Place::line).containsExactly(4, 5, 8);
        assertThat(rewritten.changes())
                .containsExactly(
                        "-import org.apache.curator.framework.CuratorFramework;",
                        "-import org.apache.curator.framework.imps.CuratorFrameworkState;",
                        "+import io.quorate.ElectionClient;",
                        "-class A { CuratorFramework a;",
                        "+class A { ElectionClient a;");
    }

    // ---------------------------------------------------------------- what is no Java

    // A token too many or too few would move all that is behind it.
    @Test
    void everyCharacterIsOfOneToken() throws IOException, Unreadable {
        List<Path> files;
        try (Stream<Path> all = Files.walk(Path.of("src"))) {
            files = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
        assertThat(files).hasSizeGreaterThan(60);
        for (Path file : files) {
            String text = Files.readString(file);
            int end = 0;
            int line = 1;
            for (Token token : JavaTokens.of(text)) {
                String between = text.substring(end, token.start());
                line += between.length() - between.replace("\n", "").length();
                assertThat(between).isBlank();
                assertThat(token.line()).as("%s: %s", file, token).isEqualTo(line);
                line += token.text().length() - token.text().replace("\n", "").length();
                end = token.end();
            }
            assertThat(text.substring(end)).isBlank();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a = \"b", "a = \"b \\\"", "a = '", "a = \"\"\"\" b", "a = \"b \\"})
    void aStringEnds(String code) {
        assertThatThrownBy(() -> JavaTokens.of("\n" + code))
                .isInstanceOf(Unreadable.class)
                .hasMessage("has a string in line 2 that does not end");
    }

    @Test
    void aCommentEnds() {
        assertThatThrownBy(() -> JavaTokens.of("a\r\n\r/* b *"))
                .isInstanceOf(Unreadable.class)
                .hasMessage("has a comment in line 3 that does not end");
    }

    @ParameterizedTest
    @ValueSource(strings = {"22", "27", "2a", "2F", "5c", "0a", "0D"})
    void nothingEndsByAnEscape(String code) throws Unreadable {
        assertThatThrownBy(() -> JavaTokens.of("// \\uu00" + code + " int b;"))
                .isInstanceOf(Unreadable.class)
                .hasMessage("has a Unicode escape for a quote, a slash, a star or the end of a line");
        assertThat(JavaTokens.of("String a = \"\\u00fc\";")).hasSize(5);
        assertThat(JavaTokens.of("String a = \"\\\\u00" + code + "\";")).hasSize(5);
    }
}
