package io.floodgate.topics;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;

@AnalyzeClasses(packages = "io.floodgate.topics", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule jackson_stays_where_json_is_read = noClasses()
            .that()
            .resideOutsideOfPackages(
                    "..topics.json",
                    "..topics.job",
                    "..topics.limit",
                    "..topics.retry",
                    "..topics.unique",
                    "..topics.workflow",
                    "..topics.schema",
                    "..topics.source",
                    "..topics.sink",
                    "..topics.template",
                    "..topics.command")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("tools.jackson..")
            .because("everybody else speaks in records");

    @ArchTest
    static final ArchRule the_contract_knows_no_other_module = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.floodgate.processor..",
                    "io.floodgate.gateway..",
                    "io.floodgate.worker..",
                    "io.floodgate.webhook..",
                    "io.floodgate.client..",
                    "io.floodgate.bench..",
                    "io.floodgate.standalone..",
                    "io.helidon..",
                    "org.apache.kafka.streams..")
            .because("all of them are built on it");

    @ArchTest
    static final ArchRule only_the_client_talks_to_kafka = noClasses()
            .that()
            .resideOutsideOfPackage("..topics.client")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.kafka.clients..")
            .because("the rules run without a broker, and use all the rest");

    @ArchTest
    static final ArchRule nothing_else_needs_the_client = noClasses()
            .that()
            .resideOutsideOfPackages("..topics.client", "..topics.schema")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..topics.client")
            .because("the client is one way to use the contract, and copies of the registry are read with it");

    @ArchTest
    static final ArchRule json_knows_nothing_of_jobs = noClasses()
            .that()
            .resideInAPackage("..topics.json")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.floodgate.topics", "..topics.job", "..topics.command", "..topics.client")
            .because("the others are written with it");

    @ArchTest
    static final ArchRule jobs_and_commands_know_neither_clock_nor_chance = noClasses()
            .that()
            .resideOutsideOfPackage("..topics.client")
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .dependOnClassesThat()
            .belongToAnyOf(Clock.class, Random.class)
            .because("a replay of the log must come to the same answer");

    @ArchTest
    static final ArchRule packages_have_an_order =
            slices().matching("io.floodgate.topics.(*)..").should().beFreeOfCycles();
}
