package io.floodgate.gateway.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** All files of the documentation by their addresses. Each is made when it is asked for. */
public final class Site {
    public static final String INDEX = "index.html";

    private static final String SEARCH = "search.json";
    private static final List<String> FILES = List.of("site.css", "site.js", "icon.svg");
    private static final String IMAGES = "images/";

    private final SiteMap map = new SiteMap();
    private final PageFrame frame;

    /** @param besideOthers whether it is one of several versions, each in a directory of its own */
    public Site(boolean besideOthers) {
        frame = new PageFrame(map, besideOthers);
    }

    public static String version() {
        return SiteSources.version();
    }

    /** Addresses of all files. */
    public List<String> paths() {
        List<String> paths = new ArrayList<>(FILES);
        paths.add(SEARCH);
        paths.add(IMAGES + "console.png");
        map.pages().forEach(page -> paths.add(page.path()));
        return paths;
    }

    /** What is at an address, if anything. */
    public Optional<byte[]> at(String path) {
        SitePage page = map.at(path);
        if (page != null) return Optional.of(frame.around(page).getBytes(UTF_8));
        if (FILES.contains(path)) return Optional.of(SiteSources.read(path));
        if (path.equals(SEARCH)) return Optional.of(SearchIndex.of(map));
        boolean isImage = path.startsWith(IMAGES) && SiteSources.exists("docs/" + path);
        return isImage ? Optional.of(SiteSources.read("pages/docs/" + path)) : Optional.empty();
    }

    /** For tests. */
    List<SitePage> pages() {
        return map.pages();
    }
}
