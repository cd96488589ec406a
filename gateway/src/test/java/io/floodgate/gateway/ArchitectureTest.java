package io.floodgate.gateway;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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
            .because("tests set the clock");

    /** Each with its reason beside the call: pauses that are short, or that another thread ends. */
    @ArchTest
    static final ArchRule few_wait_by_the_clock = noClasses()
            .that()
            .haveNameNotMatching(
                    ".*\\.(Gateway|TopicReader|FairnessPause|EarlyRejections|Overload|EventStreams|Statistics"
                            + "|BulkOperations|JobDelivery)(\\$.*)?")
            .should()
            .callMethodWhere(calls(LockSupport.class, "parkNanos", "parkUntil"))
            .because("what is waited for should say when it is there");

    @ArchTest
    static final ArchRule none_sleeps = noClasses()
            .should()
            .callMethodWhere(calls(Thread.class, "sleep"))
            .orShould()
            .callMethodWhere(calls(TimeUnit.class, "sleep"))
            .because("a thread that sleeps cannot be told anything");

    private static DescribedPredicate<JavaMethodCall> calls(Class<?> owner, String... names) {
        return DescribedPredicate.describe(
                "calls of %s.%s".formatted(owner.getSimpleName(), String.join(", ", names)),
                call -> call.getTargetOwner().isEquivalentTo(owner)
                        && List.of(names).contains(call.getName()));
    }
}
