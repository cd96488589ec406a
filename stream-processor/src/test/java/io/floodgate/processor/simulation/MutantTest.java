package io.floodgate.processor.simulation;

import static io.floodgate.processor.simulation.Edit.to;
import static org.assertj.core.api.Assertions.assertThat;

import io.floodgate.processor.simulation.Mutant.Search;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The searches prove themselves on broken rules. Each mutant is compiled from the real source with one place changed, and
 * loaded beside the sound classes; the search meant for it must fail, and within fewer seeds than CI runs.
 */
@Tag("long")
class MutantTest {
    private static final int SEEDS = 600;
    private static final ClassLoader SOUND =
            new MutantLoader(Mutant.of(Search.WALK, "nothing", "restored-time", to("$")));

    static List<Mutant> mutants() {
        return Stream.of(
                        Mutants.ALL,
                        LimitMutants.ALL,
                        OwnerMutants.ALL,
                        KeyMutants.ALL,
                        OrderMutants.ALL,
                        TenantMutants.ALL)
                .flatMap(List::stream)
                .toList();
    }

    /** {@code -Dmutant=MARKER} tries that one. */
    static List<Mutant> mutantsInTime() {
        String only = System.getProperty("mutant");
        return only == null
                ? Seeds.some(mutants())
                : mutants().stream()
                        .filter(mutant -> mutant.marker().equals(only))
                        .toList();
    }

    /** The same way with nothing broken: what is found elsewhere is not the way's own doing. */
    @ParameterizedTest
    @EnumSource(Search.class)
    void sound_rules_pass(Search search) throws ReflectiveOperationException {
        assertThat(firstFound(SOUND, search, 0, 3)).isEqualTo(-1);
    }

    @DisabledIfSystemProperty(
            named = "search.effort",
            matches = "0\\.1",
            disabledReason = "takes 70 s: ./floodgate test --long")
    @ParameterizedTest(name = "{0}")
    @MethodSource("mutantsInTime")
    void is_found(Mutant mutant) throws ReflectiveOperationException {
        assertThat(firstFound(new MutantLoader(mutant), mutant.search(), mutant.near(), SEEDS))
                .as("the seed by which %s found it", mutant.search())
                .isBetween(mutant.near(), mutant.near() + SEEDS);
    }

    /** The first seed that finds something; -1 when none does. */
    private static int firstFound(ClassLoader classes, Search name, int first, int seeds)
            throws ReflectiveOperationException {
        LongConsumer search = (LongConsumer) classes.loadClass(Searches.class.getName())
                .getConstructor(String.class)
                .newInstance(name.name());
        for (int seed = first; seed < first + seeds; seed++) {
            try {
                search.accept(seed);
            } catch (RuntimeException | AssertionError found) {
                return seed;
            }
        }
        return -1;
    }
}
