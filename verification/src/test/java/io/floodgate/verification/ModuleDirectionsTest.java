package io.floodgate.verification;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which module may know which: seen from the one that knows them all. */
@AnalyzeClasses(packages = "io.floodgate", importOptions = DoNotIncludeTests.class)
final class ModuleDirectionsTest {
    @ArchTest
    static final ArchRule modules_share_nothing_but_the_contract = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .withOptionalLayers(true)
            .layer("topics")
            .definedBy("io.floodgate.topics..")
            .layer("processor")
            .definedBy("io.floodgate.processor..")
            .layer("gateway")
            .definedBy("io.floodgate.gateway..")
            .layer("worker")
            .definedBy("io.floodgate.worker..")
            .layer("webhooks")
            .definedBy("io.floodgate.webhook..")
            .layer("outbox")
            .definedBy("io.floodgate.outbox..")
            .layer("bench")
            .definedBy("io.floodgate.bench..")
            .layer("standalone")
            .definedBy("io.floodgate.standalone..")
            .layer("testing")
            .definedBy("io.floodgate.testing..")
            .layer("verification")
            .definedBy("io.floodgate.verification..")
            .whereLayer("processor")
            .mayOnlyBeAccessedByLayers("standalone", "verification")
            .whereLayer("gateway")
            .mayOnlyBeAccessedByLayers("standalone")
            .whereLayer("worker")
            .mayOnlyBeAccessedByLayers("webhooks", "bench", "standalone", "testing", "verification")
            .whereLayer("webhooks")
            .mayOnlyBeAccessedByLayers("standalone", "verification")
            .whereLayer("outbox")
            .mayOnlyBeAccessedByLayers("standalone")
            .whereLayer("bench")
            .mayOnlyBeAccessedByLayers("verification")
            .whereLayer("standalone")
            .mayOnlyBeAccessedByLayers("testing", "verification")
            .whereLayer("testing")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("verification")
            .mayNotBeAccessedByAnyLayer()
            .because("processes meet on topics: what one module knows of another, the topics must say;"
                    + " and what serves does not know what puts it to the test");

    @ArchTest
    static final ArchRule only_standalone_runs_a_broker = noClasses()
            .that()
            .resideOutsideOfPackage("io.floodgate.standalone.broker..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("kafka..", "scala..", "org.apache.kafka.metadata..", "org.apache.kafka.server..")
            .because("everything else works with any Kafka cluster");

    @ArchTest
    static final ArchRule only_the_embedded_broker_reads_and_writes_its_partitions = noClasses()
            .that()
            .resideOutsideOfPackage("io.floodgate.standalone.broker..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "kafka.cluster..",
                    "kafka.log..",
                    "org.apache.kafka.common.record.internal..",
                    "org.apache.kafka.server.partition..",
                    "org.apache.kafka.server.storage..",
                    "org.apache.kafka.storage.internals..")
            .because("Kafka changes them without notice");
}
