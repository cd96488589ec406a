package io.floodgate.gateway.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and private keys as they stand in PEM files. */
final class Pem {
    private static final int MOST_BYTES = 1024 * 1024;
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA");
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----");

    private Pem() {}

    private static byte[] read(Path file) throws IOException {
        if (Files.size(file) > MOST_BYTES) throw new IOException("%s is larger than 1 MiB".formatted(file));
        return Files.readAllBytes(file);
    }

    /** Returns all certificates of the file: that of the server first, then those it rests on. */
    static X509Certificate[] certificates(Path file) throws IOException {
        try {
            X509Certificate[] chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(read(file)))
                    .toArray(X509Certificate[]::new);
            if (chain.length > 0) return chain;
        } catch (GeneralSecurityException malformed) {
            throw new IOException("%s holds no certificates in PEM".formatted(file), malformed);
        }
        throw new IOException("%s holds no certificate".formatted(file));
    }

    /** Reads the key. Errors do not show a word of what the file holds. */
    static PrivateKey privateKey(Path file) throws IOException {
        String text = new String(read(file), StandardCharsets.US_ASCII);
        Matcher key = KEY.matcher(text);
        if (!key.find()) throw new IOException(file + otherThan(text));
        byte[] encoded = decoded(key.group(1), file);
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
            } catch (InvalidKeySpecException | NoSuchAlgorithmException another) {
                // It is one of the others, or none.
            }
        }
        throw new IOException(
                "%s holds a private key of a kind that is not known: use RSA, EC or Ed25519".formatted(file));
    }

    private static byte[] decoded(String base64, Path file) throws IOException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException malformed) {
            throw new IOException("%s holds a private key that is cut off".formatted(file));
        }
    }

    private static String otherThan(String text) {
        Matcher other = OTHER_KEY.matcher(text);
        return other.find()
                ? " holds a key in another form (%s): convert it with openssl pkcs8 -topk8 -nocrypt"
                        .formatted(other.group(1).strip())
                : " holds no private key in PEM";
    }
}
