package io.floodgate.processor.limit;

import java.util.ArrayList;
import java.util.List;

/** The permits that a step gives, by the partition that gets them. */
final class Turns {
    private record Given(Holder to, Permits permits) {}

    private final List<Given> given = new ArrayList<>();

    void give(Holder to, Permits permits) {
        Given last = given.isEmpty() ? null : given.getLast();
        if (last == null || last.to != to || !last.permits.areLike(permits)) given.add(new Given(to, permits));
        else given.set(given.size() - 1, new Given(to, last.permits.with(permits)));
    }

    List<Permits> of(Holder holder) {
        List<Permits> own = new ArrayList<>(given.size());
        for (Given one : given) if (one.to == holder) own.add(one.permits);
        return own;
    }
}
