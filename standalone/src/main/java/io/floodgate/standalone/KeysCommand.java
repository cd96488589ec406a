package io.floodgate.standalone;

import io.floodgate.gateway.access.ApiKey;
import io.floodgate.gateway.access.KeyFile;
import io.floodgate.gateway.access.KeySecret;
import io.floodgate.gateway.access.Scope;
import io.floodgate.topics.command.Identity;
import io.floodgate.topics.json.Durations;
import io.floodgate.topics.json.Timestamps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes API keys and takes them away; gateways that run with the file notice within a second. */
@Command(name = "keys", description = "Creates, lists and removes API keys.", synopsisSubcommandLabel = "COMMAND")
final class KeysCommand {
    private KeysCommand() {}

    static CommandLine commandLine() {
        return new CommandLine(new KeysCommand())
                .addSubcommand(new Add())
                .addSubcommand(new ListAll())
                .addSubcommand(new Remove());
    }

    /** The file that all of them are about. */
    static final class FileOption {
        @Option(
                names = "--keys",
                paramLabel = "FILE",
                required = true,
                description = "File of API keys, made with ./floodgate keys. With it, every HTTP request needs a key."
                        + " Changes are read within a second.")
        Path path = Path.of("");

        KeyFile file() {
            return new KeyFile(path);
        }

        List<ApiKey> read() {
            try {
                return file().readIfAny();
            } catch (KeyFile.Unreadable unreadable) {
                throw new CommandErrors.Rejection(String.valueOf(unreadable.getMessage()));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + path, e);
            }
        }

        void write(List<ApiKey> keys) {
            try {
                file().write(keys);
            } catch (IOException e) {
                throw new UncheckedIOException("cannot write " + path, e);
            }
        }
    }

    @Command(
            name = "add",
            description =
                    "Adds a key to the file, creates the file if needed, and prints the key. It is shown only once."
                            + " To replace a key, add another one under its name, distribute it, and remove the old one.")
    static final class Add implements Runnable {
        @Parameters(
                paramLabel = "NAME",
                description = "Name of the key's owner, as in events and in the 'producers' of queues.")
        String name = "";

        @Option(
                names = "--scope",
                paramLabel = "SCOPE,...",
                split = ",",
                required = true,
                description = "Scopes of the key: produce, consume, observe, admin.")
        List<String> scopes = List.of();

        @Option(
                names = "--queue",
                paramLabel = "PATTERN,...",
                split = ",",
                description = "Restricts the key to these queues; * matches any characters. Default: all queues.")
        @Nullable
        List<String> queues;

        @Option(
                names = "--tenant",
                paramLabel = "TENANT",
                description = "Restricts the key to the jobs of this tenant.")
        @Nullable
        String tenant;

        @Option(
                names = "--expires",
                paramLabel = "WHEN",
                description = "When the key expires: a time, such as 2027-01-31T00:00:00Z, or a duration from now,"
                        + " such as 90d or P90D. Default: never.")
        @Nullable
        String expires;

        @Option(
                names = "--certificate",
                paramLabel = "NAME",
                description = "Binds the key to client certificates of this name (--tls-client-ca) instead of a"
                        + " secret: a subject, such as CN=worker-1,O=Acme, or a SAN, such as DNS:worker-1.acme.example"
                        + " or URI:spiffe://acme.example/worker-1. Prints the id of the key.")
        @Nullable
        String certificate;

        @Mixin
        FileOption keys = new FileOption();

        @Override
        public void run() {
            Identity identity = new Identity(name, queues, tenant);
            Set<Scope> wanted = EnumSet.noneOf(Scope.class);
            for (String scope : scopes)
                wanted.add(Scope.parse(scope.strip())
                        .orElseThrow(() -> new CommandErrors.Rejection(
                                "there is no scope '%s': produce, consume, observe, admin".formatted(scope))));
            String fault = KeyFile.fault(identity, wanted);
            if (fault == null && certificate != null) fault = KeyFile.certificateFault(certificate);
            if (fault != null) throw new CommandErrors.Rejection("the key " + fault);
            KeySecret secret = KeySecret.make(new SecureRandom());
            List<ApiKey> all = new ArrayList<>(keys.read());
            String bound = certificate;
            for (ApiKey key : all)
                if (bound != null && key.isBoundTo(bound))
                    throw new CommandErrors.Rejection(
                            "the key %s has the certificate '%s' already: remove it first".formatted(key.id(), bound));
            Instant end = expiry(Instant.now());
            all.add(
                    bound == null
                            ? new ApiKey(secret.id(), secret.hash(), wanted, identity, end)
                            : ApiKey.ofCertificate(secret.id(), wanted, identity, end, bound));
            keys.write(all);
            System.out.println(bound == null ? secret.reveal() : secret.id());
        }

        private @Nullable Instant expiry(Instant now) {
            String wanted = expires;
            if (wanted == null) return null;
            Instant end = Timestamps.parse(wanted)
                    .or(() -> Durations.parse(wanted).map(now::plus))
                    .orElseThrow(() -> new CommandErrors.Rejection(
                            "--expires '%s' is neither a time, as 2027-01-31T00:00:00Z, nor a length, as 90d"
                                    .formatted(wanted)));
            if (end.isAfter(now)) return end;
            throw new CommandErrors.Rejection("--expires '%s' is over already".formatted(wanted));
        }
    }

    @Command(name = "list", description = "Lists the keys with their names and scopes, not the secrets.")
    static final class ListAll implements Runnable {
        @Mixin
        FileOption keys = new FileOption();

        @Override
        public void run() {
            for (ApiKey key : keys.read()) System.out.println(line(key, Instant.now()));
        }

        private static String line(ApiKey key, Instant now) {
            Identity identity = key.identity();
            StringBuilder line = new StringBuilder(
                    "%s  %s  %s".formatted(key.id(), identity.name(), String.join(",", key.scopeNames())));
            if (identity.queues() != null) line.append("  queues ").append(String.join(",", identity.queues()));
            if (identity.tenant() != null) line.append("  tenant ").append(identity.tenant());
            if (key.certificate() != null) line.append("  certificate ").append(key.certificate());
            Instant end = key.expires();
            if (end != null)
                line.append(end.isAfter(now) ? "  expires " : "  expired ").append(Timestamps.format(end));
            return line.toString();
        }
    }

    @Command(name = "remove", description = "Removes a key. The gateways reject it within a second.")
    static final class Remove implements Runnable {
        @Parameters(paramLabel = "ID", description = "As list shows it.")
        String id = "";

        @Mixin
        FileOption keys = new FileOption();

        @Override
        public void run() {
            List<ApiKey> all = new ArrayList<>(keys.read());
            if (!all.removeIf(key -> key.id().equals(id)))
                throw new CommandErrors.Rejection("there is no key '%s' in %s".formatted(id, keys.path));
            keys.write(all);
        }
    }
}
