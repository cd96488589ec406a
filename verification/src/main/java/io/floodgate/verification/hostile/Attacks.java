package io.floodgate.verification.hostile;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** All of them, those first that leave a server others can go on with. */
final class Attacks {
    private Attacks() {}

    static List<Attack> all() {
        return Stream.of(HttpAttacks.all(), ConnectionAttacks.all(), KafkaAttacks.all(), ProcessAttacks.all())
                .flatMap(List::stream)
                .sorted(Comparator.comparing(Attack::needsItsOwnServer))
                .toList();
    }
}
