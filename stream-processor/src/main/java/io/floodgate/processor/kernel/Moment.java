package io.floodgate.processor.kernel;

import java.time.Instant;

/**
 * The only clock of the rules: where in the partition we are, and the partition's time there, which never goes back.
 *
 * @param part which command of the record it is, if there are several
 */
public record Moment(long offset, int part, Instant time) {
    Moment next() {
        return new Moment(offset, part + 1, time);
    }
}
