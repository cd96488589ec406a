package io.floodgate.processor.limit;

/**
 * Permits that were given together: each is for one start, at this date or later.
 *
 * @param date in milliseconds
 * @param until no job starts on them after this time; 0 if only how many run is limited
 */
public record Permits(int count, long date, long until) {
    /** Returns whether starts on these permits have to be reported. */
    public boolean areDated() {
        return until > 0;
    }

    /** Returns the permits without the first one. */
    public Permits rest() {
        return new Permits(count - 1, date, until);
    }

    boolean areLike(Permits more) {
        return more.date == date && more.until == until;
    }

    Permits with(Permits more) {
        return new Permits(count + more.count, date, until);
    }
}
