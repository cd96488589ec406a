package io.floodgate.processor.topology.ingress;

import io.floodgate.topics.command.SourceCommand.Source;
import io.floodgate.topics.source.SourceTemplate;
import org.jspecify.annotations.Nullable;

/** A source that is read. */
record OpenSource(Source source, SourceTemplate template) {
    static OpenSource of(Source source) {
        return new OpenSource(source, SourceTemplate.of(source.name(), source.mapping()));
    }

    @Nullable
    String deadLetters() {
        return source.mapping().deadLetters();
    }
}
