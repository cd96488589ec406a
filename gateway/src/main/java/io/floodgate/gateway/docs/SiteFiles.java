package io.floodgate.gateway.docs;

import io.floodgate.gateway.http.ApiResponse;
import io.floodgate.gateway.http.Call;
import io.floodgate.gateway.http.Dispatcher;
import io.floodgate.gateway.http.StaticFile;
import io.floodgate.topics.client.RejectedException;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The documentation as browsers load it from a gateway: the same for everyone, without data. */
public final class SiteFiles {
    private static final String ROOT = "/docs/";

    private final List<Header> security = StaticFile.security("");
    private final Map<String, StaticFile> made = new ConcurrentHashMap<>();
    private volatile @Nullable Site site;

    /** Links are relative, so that they also work behind a proxy that adds a prefix: the address has to end in a slash. */
    public ApiResponse index(Call call) {
        String target = (call.path().endsWith("/") ? "" : "docs/") + Site.INDEX;
        return new ApiResponse.Empty(
                Status.FOUND_302, headers -> headers.set(HeaderValues.create(HeaderNames.LOCATION, target)));
    }

    public ApiResponse file(Call call) throws RejectedException {
        String path = call.path().substring(ROOT.length());
        StaticFile file = made.get(path);
        if (file == null) {
            byte[] content = site().at(path).orElseThrow(() -> Dispatcher.nothingAt(call.path()));
            file = StaticFile.of(path, content);
            made.put(path, file);
        }
        return file.answer(call, security);
    }

    /** Made when it is first asked for: most servers never are. */
    private Site site() {
        Site now = site;
        if (now == null) site = now = new Site(false);
        return now;
    }
}
