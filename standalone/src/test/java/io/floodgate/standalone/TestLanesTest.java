package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tests of this module that start servers, or processes, say so: {@code ./floodgate test --fast} leaves them out. */
final class TestLanesTest {
    private static final Set<String> STARTERS = Set.of(
            "io.floodgate.standalone.broker.EmbeddedBroker.start",
            "io.floodgate.standalone.Standalone.start",
            "io.floodgate.standalone.Standalone.join",
            "io.floodgate.processor.Processor.start",
            "io.floodgate.gateway.Gateway.start",
            "org.testcontainers.kafka.KafkaContainer.<init>",
            "java.lang.ProcessBuilder.start");

    private static final JavaClasses TESTS = new ClassFileImporter()
            .withImportOption(new ImportOption.OnlyIncludeTests())
            .importPackages("io.floodgate.standalone");

    @Test
    void whatever_starts_a_server_is_tagged_as_such() {
        List<String> untagged = starting().stream()
                .filter(type -> type.getSimpleName().endsWith("Test"))
                .filter(type -> !isTagged(type))
                .map(JavaClass::getSimpleName)
                .toList();
        assertThat(untagged).as("without @Tag(\"server\")").isEmpty();
    }

    @Test
    void those_that_do_are_found_also_if_a_helper_does_it_for_them() {
        assertThat(starting().stream().map(JavaClass::getSimpleName))
                .contains("StandaloneTest", "ReadmeTourTest", "PurgeTest", "FormerLifeTest", "BrokerOutageTest")
                .doesNotContain("FloodgateTest", "SettingsPageTest", "TestLanesTest");
    }

    private static boolean isTagged(JavaClass type) {
        return type.tryGetAnnotationOfType(Tag.class)
                .map(tag -> tag.value().equals("server"))
                .orElse(false);
    }

    /** Those that call a starter, and those that depend on one that does. */
    private static Set<JavaClass> starting() {
        Set<JavaClass> found =
                TESTS.stream().filter(TestLanesTest::starts).collect(Collectors.toCollection(LinkedHashSet::new));
        boolean more = true;
        while (more)
            more = found.addAll(TESTS.stream()
                    .filter(type -> type.getDirectDependenciesFromSelf().stream()
                            .map(Dependency::getTargetClass)
                            .anyMatch(found::contains))
                    .toList());
        return found;
    }

    private static boolean starts(JavaClass type) {
        return type.getCodeUnitCallsFromSelf().stream()
                .map(call ->
                        call.getTargetOwner().getName() + "." + call.getTarget().getName())
                .anyMatch(STARTERS::contains);
    }
}
