package io.floodgate.processor.simulation;

/**
 * A rule broken on purpose: one place in the source of Floodgate that says something else.
 *
 * <p>The place has a marker, a line {@code // mutant: some-name} above the statement, member or case that is changed, and
 * the mutant refers to it by name. Several mutants may refer to one marker. {@code MarkersTest} says within a second
 * whether the two fit together.
 *
 * @param what the rule that no longer holds
 * @param marker the name in the marker
 * @param edit what is changed in the marked code
 * @param search the search that is to find it
 * @param near the seed to begin with: some are found by few seeds only, and every seed before them costs time
 */
record Mutant(String what, String marker, Edit edit, Search search, int near) {
    /** Who looks for it, and for how long at most. */
    enum Search {
        WALK,
        TURNS,
        ORDER,
        SELECTIVE_WALK,
        REPLAY,
        SIMULATION,
        CROWDS,
        LOSSES,
        LIMITS,
        LIMIT_LOSSES,
        CURSES,
        SCHEDULES,
        WORKFLOWS,
        KEYS,
        TENANTS,
        WORKFLOW_SCENES
    }

    static Mutant of(Search search, String what, String marker, Edit edit) {
        return new Mutant(what, marker, edit, search, 0);
    }

    Mutant near(int seed) {
        return new Mutant(what, marker, edit, search, seed);
    }

    /** The name of the class in the marked file. */
    String className() {
        String path = Markers.all().of(marker).file().toString().replace('\\', '/');
        return path.substring(path.indexOf("io/floodgate"), path.length() - ".java".length())
                .replace('/', '.');
    }

    /** The broken source. */
    String mutatedSource() {
        Markers.Place place = Markers.all().of(marker);
        SourceCode source = new SourceCode(place.text());
        try {
            return edit.apply(source, source.after(place.end()));
        } catch (AssertionError misfit) {
            throw new AssertionError(
                    "The mutant '%s' does not fit the code after '// mutant: %s' (%s): %s. Change the mutant's edit, or put the marker above the right code."
                            .formatted(what, marker, place, misfit.getMessage()),
                    misfit);
        }
    }

    @Override
    public String toString() {
        return what;
    }
}
