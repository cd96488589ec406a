package io.floodgate.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** The examples of one document of OJS, word for word, by the headings under which they stand. */
final class SpecExamples {
    private static final Pattern BLOCK = Pattern.compile("```(\\w+)\n(.*?)```", Pattern.DOTALL);

    private final String text;

    private SpecExamples(String text) {
        this.text = text;
    }

    static SpecExamples of(String document) {
        try (var in = SpecExamples.class.getResourceAsStream("/openjobspec/" + document)) {
            if (in == null) throw new IllegalArgumentException("no examples of " + document);
            return new SpecExamples(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The example of a section, or the first one. */
    String in(String section) {
        return in(section, 0);
    }

    /** The example of a section that has several, from 0. */
    String in(String section, int number) {
        for (String part : text.split("(?m)^#{2,3} ", -1))
            if (part.startsWith(section))
                return BLOCK.matcher(part)
                        .results()
                        .skip(number)
                        .findFirst()
                        .orElseThrow()
                        .group(2);
        throw new IllegalArgumentException("no example in " + section);
    }

    /** All sections that have one. */
    List<String> sections() {
        return Pattern.compile("(?m)^#{2,3} (.*)$")
                .matcher(text)
                .results()
                .map(heading -> heading.group(1))
                .toList();
    }
}
