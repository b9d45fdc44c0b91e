/** The recipe that moves sources from Curator. OpenRewrite, which loads it, provides itself. */
module io.quorate.migration {
    requires static rewrite.core;
    requires static rewrite.java;
    requires static org.jspecify;
}
