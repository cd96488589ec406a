package io.floodgate.topics.command;

import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.json.MalformedJson;
import io.floodgate.topics.version.UnreadableRange;
import io.floodgate.topics.version.VersionRange;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What a fetch wants, among the members of its command. */
final class WantedJobsCodec {
    private WantedJobsCodec() {}

    static void write(WantedJobs types, JsonOut out) {
        if (!types.nameNone()) out.field(types.excluded() ? "exclude_types" : "types", types.names());
        if (types.nameTenants()) out.field("tenants", types.tenants());
        if (types.versions().isEmpty()) return;
        out.beginObject("accept_versions");
        types.versions().forEach((type, range) -> out.field(type, range.texts()));
        out.endObject();
    }

    static WantedJobs read(JsonFields in) throws UnreadableCommand, MalformedJson {
        boolean some = in.node("types") != null;
        boolean others = in.node("exclude_types") != null;
        if (some && others) throw new UnreadableCommand("Either 'types' or 'exclude_types' is there.");
        WantedJobs types = some
                ? WantedJobs.only(in.texts("types"))
                : others ? WantedJobs.allBut(in.texts("exclude_types")) : WantedJobs.ALL;
        List<String> tenants = in.node("tenants") == null ? List.of() : in.texts("tenants");
        return types.accepting(versions(in)).ofTenants(tenants);
    }

    private static Map<String, VersionRange> versions(JsonFields in) throws UnreadableCommand, MalformedJson {
        Map<String, List<String>> texts = in.textsByName("accept_versions");
        Map<String, VersionRange> versions = new TreeMap<>();
        for (Map.Entry<String, List<String>> each : texts.entrySet()) {
            try {
                versions.put(each.getKey(), VersionRange.parse(each.getValue()));
            } catch (UnreadableRange unreadable) {
                throw new UnreadableCommand(unreadable.reason());
            }
        }
        return versions;
    }
}
