/** The annotation for methods that run only where their path is led. */
module io.quorate.leaderonly {
    requires static org.jspecify;

    exports io.quorate.leaderonly;
    exports io.quorate.leaderonly.work to
            io.quorate.cdi,
            io.quorate.spring;
}
