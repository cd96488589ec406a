package io.floodgate.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;

@AnalyzeClasses(packages = "io.floodgate.gateway", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule the_gateway_knows_of_floodgate_only_the_contract = classes()
            .that()
            .resideInAPackage("io.floodgate..")
            .should()
            .onlyAccessClassesThat()
            .resideOutsideOfPackages(
                    "io.floodgate.processor..",
                    "io.floodgate.standalone..",
                    "io.floodgate.worker..",
                    "io.floodgate.bench..",
                    "io.floodgate.client..",
                    "org.apache.kafka.streams..")
            .because("the processes share topics, not code");

    @ArchTest
    static final ArchRule only_feeds_read_topics = noClasses()
            .that()
            .resideOutsideOfPackages("io.floodgate.gateway.feed..")
            .should()
            .dependOnClassesThat()
            .haveSimpleNameStartingWith("KafkaConsumer")
            .because("all else reaches Kafka through the command client");

    @ArchTest
    static final ArchRule the_http_edge_knows_no_resource = noClasses()
            .that()
            .resideInAPackage("..gateway.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "..gateway.job..",
                    "..gateway.worker..",
                    "..gateway.queue..",
                    "..gateway.door..",
                    "..gateway.deadletter..",
                    "..gateway.event..",
                    "..gateway.system..")
            .because("what they share must not depend on them");

    @ArchTest
    static final ArchRule time_comes_in_from_outside = noClasses()
            .should()
            .callMethod(Instant.class, "now")
            .orShould()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(Thread.class, "sleep", long.class)
            .because("tests set the clock, and nobody waits by the clock");
}
