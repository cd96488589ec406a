package io.floodgate.processor.limit;

/**
 * Permits that were given together: each is for one start, and dated.
 *
 * @param first the date of the first, in microseconds
 * @param spacing each is dated so many microseconds after the one before
 */
public record Permits(int count, long first, long spacing) {
    public long date(int number) {
        return first + number * spacing;
    }

    /** Without the first. */
    public Permits rest() {
        return new Permits(count - 1, first + spacing, spacing);
    }

    /** Whether these are dated as if they were given together. */
    boolean goesOnWith(Permits more) {
        return more.spacing == spacing && more.first == date(count);
    }

    Permits with(Permits more) {
        return new Permits(count + more.count, first, spacing);
    }
}
