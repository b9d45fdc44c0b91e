module com.example.modular {
    requires io.quorate.impls;
    requires io.quorate.testkit;
    requires com.tngtech.archunit;
    requires org.junit.jupiter.api;
    requires org.junit.platform.launcher;

    opens com.example.modular to
            org.junit.platform.commons;
}
