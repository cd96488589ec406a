package io.floodgate.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.floodgate.client", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule the_client_knows_of_floodgate_only_the_contract = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.floodgate.processor..",
                    "io.floodgate.gateway..",
                    "io.floodgate.standalone..",
                    "io.floodgate.worker..",
                    "io.floodgate.webhook..",
                    "io.floodgate.bench..",
                    "io.helidon..")
            .because("it is linked into the services of others");

    @ArchTest
    static final ArchRule only_what_is_for_kafka_needs_it = noClasses()
            .that()
            .haveNameNotMatching(".*(KafkaTransport|QueueRecords).*")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "io.floodgate.topics.client..")
            .because("a producer over HTTP has no Kafka library");

    @ArchTest
    static final ArchRule only_one_class_needs_micrometer = noClasses()
            .that()
            .haveNameNotMatching(".*ProducerMeters.*")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.micrometer..")
            .because("it is optional, too");

    @ArchTest
    static final ArchRule the_journal_knows_nothing_of_sending = noClasses()
            .that()
            .resideInAPackage("..client.journal..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.floodgate.client", "io.floodgate.topics..")
            .because("it keeps bytes");

    @ArchTest
    static final ArchRule time_comes_in_from_outside = noClasses()
            .that()
            .haveNameNotMatching(".*client\\.Time.*")
            .and()
            .doNotHaveSimpleName("ProducerBuilder")
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .because("tests decide what time it is");
}
