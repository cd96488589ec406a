package io.floodgate.bench.report;

/** Where it was measured: figures of different machines do not compare. */
public record Machine(int cores, String os, String java, long heapBytes) {
    public static Machine here() {
        Runtime runtime = Runtime.getRuntime();
        return new Machine(
                runtime.availableProcessors(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
                runtime.maxMemory());
    }

    @Override
    public String toString() {
        return "%d cores, %s, %s".formatted(cores, os, java);
    }
}
