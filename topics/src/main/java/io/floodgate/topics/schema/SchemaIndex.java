package io.floodgate.topics.schema;

import io.floodgate.topics.command.SchemaCommand.Registered;
import io.floodgate.topics.command.SchemaCommand.Revision;
import io.floodgate.topics.version.JobVersion;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All schemas of the registry at one revision, by type and version, and by URI.
 *
 * @param types versions by type, in their order
 */
public record SchemaIndex(
        Revision revision,
        SortedMap<String, NavigableMap<SchemaVersion, Registered>> types,
        Map<String, Registered> uris) {
    static final SchemaIndex EMPTY = new SchemaIndex(Revision.NONE, new TreeMap<>(), Map.of());

    /** The form that the specification recommends for URIs (OJS core §5.2). */
    private static final Pattern URN = Pattern.compile("urn:ojs:schema:(.+):v([^:]+)");

    /** Returns the URI of a schema that is registered without one. */
    public static String uri(String type, String version) {
        return "urn:ojs:schema:%s:v%s".formatted(type, version);
    }

    public boolean isEmpty() {
        return types.isEmpty();
    }

    SchemaIndex with(Collection<Registered> added, Revision upTo) {
        SortedMap<String, NavigableMap<SchemaVersion, Registered>> moreTypes = new TreeMap<>(types);
        Map<String, Registered> moreUris = new HashMap<>(uris);
        for (Registered schema : added) {
            moreTypes.merge(schema.type(), new TreeMap<>(Map.of(version(schema), schema)), (known, one) -> {
                NavigableMap<SchemaVersion, Registered> all = new TreeMap<>(known);
                all.putAll(one);
                return all;
            });
            moreUris.put(schema.uri(), schema);
        }
        return new SchemaIndex(upTo, moreTypes, moreUris);
    }

    /** The version of a registered schema, which was checked then. */
    public static SchemaVersion version(Registered schema) {
        return SchemaVersion.parse(schema.version()).orElseThrow();
    }

    /** Returns the versions of a type, the newest first. */
    public List<Registered> versions(String type) {
        NavigableMap<SchemaVersion, Registered> versions = types.get(type);
        return versions == null
                ? List.of()
                : List.copyOf(versions.descendingMap().values());
    }

    public @Nullable Registered latest(String type) {
        NavigableMap<SchemaVersion, Registered> versions = types.get(type);
        return versions == null ? null : versions.get(versions.lastKey());
    }

    /** @param version as a path has it: {@code latest} is one, too */
    public @Nullable Registered find(String type, String version) {
        if (version.equals("latest")) return latest(type);
        NavigableMap<SchemaVersion, Registered> versions = types.get(type);
        return versions == null
                ? null
                : SchemaVersion.parse(version).map(versions::get).orElse(null);
    }

    /** Returns the version with which the next one is compared: the highest one that is lower. */
    public @Nullable Registered before(String type, SchemaVersion version) {
        NavigableMap<SchemaVersion, Registered> versions = types.get(type);
        var lower = versions == null ? null : versions.lowerEntry(version);
        return lower == null ? null : lower.getValue();
    }

    /** The schema of a job's type: of its version, whatever the patch, or the latest for a job without one. */
    @Nullable
    Registered of(String type, @Nullable JobVersion version) {
        if (version == null) return latest(type);
        NavigableMap<SchemaVersion, Registered> versions = types.get(type);
        if (versions == null || version.isOther()) return null;
        var last =
                versions.lowerEntry(new SchemaVersion(version.major(), version.minor(), Integer.MAX_VALUE, null, ""));
        if (last == null) return null;
        SchemaVersion found = last.getKey();
        return found.major() == version.major() && found.minor() == version.minor() ? last.getValue() : null;
    }

    /** The schema that a job names: by its URI, by the form that is recommended for URIs, or by its type. */
    public @Nullable Registered named(String name, @Nullable JobVersion version) {
        Registered byUri = uris.get(name);
        if (byUri != null) return byUri;
        Matcher urn = URN.matcher(name);
        if (urn.matches()) return find(urn.group(1), urn.group(2));
        int at = name.indexOf('@');
        return at < 0 ? of(name, version) : find(name.substring(0, at), name.substring(at + 1));
    }
}
