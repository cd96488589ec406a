package io.floodgate.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The users for Strimzi have the rights that the page about ACLs lists, which a test tries one by one. */
final class StrimziUsersTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\w+) \\| (.*?) \\| ([\\w, ]+?) \\|");
    private static final Pattern RESOURCE =
            Pattern.compile("(topic|group|transactional id)s?( with prefix)? `([^`]+)`");
    private static final Pattern USER = Pattern.compile("(?s)\n  name: floodgate-(\\w+)\n(.*?)(?=\n---|\\z)");
    private static final Pattern ACL =
            Pattern.compile("type: (\\w+), name: \"?([^\",]+)\"?, patternType: (\\w+) }, operations: \\[([\\w, ]+)] }");

    @Test
    void have_the_rights_of_the_page_and_no_others() throws IOException {
        Set<String> documented = documented();
        documented.removeIf(right -> right.startsWith("producer ")); // one for each queue of one's own

        assertThat(documented).hasSizeGreaterThan(15);
        assertThat(users()).isEqualTo(documented);
    }

    private static Set<String> documented() throws IOException {
        Set<String> rights = new TreeSet<>();
        ROW.matcher(Files.readString(Path.of("../docs/reference/kafka-acls.md")))
                .results()
                .forEach(row -> RESOURCE.matcher(row.group(2))
                        .results()
                        .forEach(resource -> rights.add(right(
                                row.group(1),
                                resource.group(1).replace("transactional id", "transactionalId"),
                                resource.group(2) == null ? "literal" : "prefix",
                                resource.group(3),
                                row.group(3)))));
        return rights;
    }

    private static Set<String> users() throws IOException {
        Set<String> rights = new TreeSet<>();
        USER.matcher(Files.readString(Path.of("../kubernetes/strimzi/users.yaml")))
                .results()
                .forEach(user -> ACL.matcher(user.group(2))
                        .results()
                        .forEach(acl -> rights.add(
                                right(user.group(1), acl.group(1), acl.group(3), acl.group(2), acl.group(4)))));
        return rights;
    }

    private static String right(String role, String type, String pattern, String name, String operations) {
        String sorted = Pattern.compile(", ?")
                .splitAsStream(operations.strip())
                .map(operation -> operation.toLowerCase(Locale.ROOT))
                .sorted()
                .collect(Collectors.joining(","));
        return "%s %s %s %s %s".formatted(role, type, pattern, name, sorted);
    }
}
