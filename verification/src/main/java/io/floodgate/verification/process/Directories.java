package io.floodgate.verification.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

public final class Directories {
    private Directories() {}

    public static void delete(Path tree) throws IOException {
        List<Path> lastFirst;
        try (Stream<Path> found = Files.walk(tree)) {
            lastFirst = found.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : lastFirst) Files.deleteIfExists(path);
    }
}
