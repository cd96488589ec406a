package io.floodgate.processor;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.floodgate.processor.kernel.ByName;
import io.floodgate.processor.queue.bound.Bounds;
import io.floodgate.processor.queue.bound.ReservedJobs;
import io.floodgate.processor.queue.state.JobRecord;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What keeps the rules readable without a broker, and a replay of the log the same as the first time. */
@AnalyzeClasses(packages = "io.floodgate.processor", importOptions = ImportOption.DoNotIncludeTests.class)
class RulesArchitectureTest {
    /** All packages but the topology: a package that is added is checked, too. */
    private static final DescribedPredicate<JavaClass> RULES = resideInAPackage("io.floodgate.processor.*..")
            .and(not(resideInAPackage("io.floodgate.processor.topology..")))
            .as("rules");

    /** They hide an unordered collection from a look at the types. */
    private static final DescribedPredicate<JavaCall<?>> MAKES_SOMETHING_UNORDERED = describe(
            "makes an unordered collection",
            call -> is(call.getTarget(), Map.class, "of", "ofEntries", "copyOf")
                    || is(call.getTarget(), Set.class, "of", "copyOf")
                    || is(call.getTarget(), Collectors.class, "toSet", "toUnmodifiableSet")
                    || is(call.getTarget(), Collectors.class, "toMap", "toUnmodifiableMap", "toConcurrentMap")
                    || is(call.getTarget(), Collectors.class, "groupingBy", "groupingByConcurrent"));

    /** What the machine it runs on would answer, and another one might not. */
    private static final DescribedPredicate<JavaCall<?>> ASKS_THE_MACHINE = describe(
            "asks the machine",
            call -> is(call.getTarget(), Locale.class, "getDefault")
                    || is(call.getTarget(), ZoneId.class, "systemDefault")
                    || is(call.getTarget(), System.class, "currentTimeMillis", "nanoTime", "getenv", "getProperty")
                    || is(call.getTarget(), System.class, "identityHashCode", "lineSeparator")
                    || is(call.getTarget(), Math.class, "random")
                    || is(call.getTarget(), UUID.class, "randomUUID")
                    || isWithout(call, Instant.class, "now")
                    || isWithout(call, String.class, "toLowerCase")
                    || isWithout(call, String.class, "toUpperCase")
                    || isWithout(call, String.class, "getBytes")
                    || isWithout(call, Stream.class, "parallel"));

    @ArchTest
    static final ArchRule the_rules_know_nothing_of_kafka = noClasses()
            .that(RULES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "io.floodgate.processor.topology..")
            .because("they must run, and be read, without a broker");

    @ArchTest
    static final ArchRule kafka_is_for_the_topology = noClasses()
            .that()
            .resideOutsideOfPackage("io.floodgate.processor.topology..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..", "org.rocksdb..")
            .because("everything that knows Kafka stands in one place");

    @ArchTest
    static final ArchRule calendars_are_for_the_topology = noClasses()
            .that(RULES)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.floodgate.topics.calendar..", "java.time.zone..")
            .because("the time zone database of another Java may say otherwise");

    @ArchTest
    static final ArchRule the_processor_makes_no_spans = noClasses()
            .that()
            .resideInAPackage("io.floodgate.processor..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.opentelemetry..", "io.floodgate.topics.trace..")
            .because("traces belong to clients, gateways and workers; here a trace is a part of a job");

    @ArchTest
    static final ArchRule the_rules_are_deterministic = noClasses()
            .that(RULES)
            .and()
            .doNotBelongToAnyOf(ByName.class) // looks into a hash table, and never goes through it
            .should()
            .dependOnClassesThat()
            .belongToAnyOf(
                    Clock.class,
                    Random.class,
                    SplittableRandom.class,
                    ThreadLocalRandom.class,
                    Thread.class,
                    HashMap.class,
                    HashSet.class,
                    IdentityHashMap.class,
                    WeakHashMap.class,
                    ConcurrentHashMap.class)
            .orShould()
            .callCodeUnitWhere(MAKES_SOMETHING_UNORDERED)
            .orShould()
            .callCodeUnitWhere(ASKS_THE_MACHINE)
            .because("a replay of the log must come to the same answer");

    @ArchTest
    static final ArchRule the_packages_have_an_order = slices().matching("io.floodgate.processor.(*)..")
            .should()
            .beFreeOfCycles()
            .because("who wants to understand one of them should not have to understand all");

    @ArchTest
    static final ArchRule the_packages_of_queues_have_an_order = slices().matching("io.floodgate.processor.queue.(*)..")
            .should()
            .beFreeOfCycles()
            .because("who wants to understand one of them should not have to understand all");

    /**
     * What may be seen of them is in {@code queue} itself, and there is one exception: batches and the directory reserve room,
     * and jobs in it, through the two classes that decide about that, rather than through a dozen methods that pass it on.
     */
    @ArchTest
    static final ArchRule queues_are_entered_in_one_place = noClasses()
            .that()
            .resideOutsideOfPackage("io.floodgate.processor.queue..")
            .should()
            .dependOnClassesThat(resideInAnyPackage("io.floodgate.processor.queue.*..")
                    .and(not(belongToAnyOf(Bounds.class, ReservedJobs.class, JobRecord.Promise.class))))
            .because("their packages are public for each other, and for nothing else");

    private static boolean is(AccessTarget target, Class<?> owner, String... names) {
        return target.getOwner().isEquivalentTo(owner) && Set.of(names).contains(target.getName());
    }

    /** A call without arguments, where only the one with some says what it depends on. */
    private static boolean isWithout(JavaCall<?> call, Class<?> owner, String name) {
        return is(call.getTarget(), owner, name)
                && call.getTarget().getRawParameterTypes().isEmpty();
    }
}
