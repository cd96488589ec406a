package io.floodgate.topics.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CodecChainTest {
    private static final byte[] LONG = "[\"4111111111111111\"]".repeat(100).getBytes(UTF_8);
    private static final byte[] KEY = "32-byte-encryption-key-here!!!!!".getBytes(UTF_8);
    private static final byte[] NEW_KEY = "another-key-of-thirty-two-bytes!".getBytes(UTF_8);

    private final CodecChain chain =
            new CodecChain(List.of(new GzipCodec(), new EncryptionCodec(Map.of("k1", KEY), "k1")));

    @Test
    void compresses_and_then_encrypts_and_comes_back() {
        CodecChain.Encoded encoded = chain.encode(LONG);

        assertThat(encoded.encodings()).containsExactly("gzip/plain", "binary/encrypted");
        assertThat(encoded.name()).isEqualTo("binary/encrypted+gzip");
        assertThat(encoded.keyId()).isEqualTo("k1");
        assertThat(encoded.data()).hasSizeLessThan(LONG.length);
        assertThat(chain.decode(encoded)).isEqualTo(LONG);
    }

    @Test
    void does_not_compress_what_would_become_larger() {
        CodecChain.Encoded encoded = chain.encode("[1]".getBytes(UTF_8));

        assertThat(encoded.encodings()).containsExactly("binary/encrypted");
        // Version, nonce, ciphertext, tag.
        assertThat(encoded.data()).hasSize(1 + 12 + 3 + 16).startsWith(1);
        assertThat(chain.decode(encoded)).isEqualTo("[1]".getBytes(UTF_8));
    }

    @Test
    void has_another_nonce_each_time() {
        assertThat(chain.encode(LONG).data()).isNotEqualTo(chain.encode(LONG).data());
    }

    @Test
    void with_a_new_key_reads_what_the_old_one_has_encrypted() {
        CodecChain rotated =
                new CodecChain(List.of(new GzipCodec(), new EncryptionCodec(Map.of("k1", KEY, "k2", NEW_KEY), "k2")));

        assertThat(rotated.decode(chain.encode(LONG))).isEqualTo(LONG);
        assertThat(rotated.encode(LONG).keyId()).isEqualTo("k2");
        assertThatThrownBy(() -> chain.decode(rotated.encode(LONG)))
                .isInstanceOf(CodecFailed.class)
                .hasMessageContaining("no key 'k2'");
    }

    @Test
    void notices_every_byte_that_has_changed() {
        CodecChain.Encoded encoded = chain.encode("[1]".getBytes(UTF_8));
        for (int i = 0; i < encoded.data().length; i++) {
            byte[] damaged = encoded.data().clone();
            damaged[i] ^= 1;
            assertThatThrownBy(
                            () -> chain.decode(new CodecChain.Encoded(damaged, encoded.encodings(), encoded.keyId())))
                    .isInstanceOf(CodecFailed.class);
        }
    }

    @Test
    void says_which_codec_or_key_is_missing() {
        CodecChain.Encoded foreign = new CodecChain.Encoded(LONG, List.of("zstd/plain"), null);

        assertThatThrownBy(() -> chain.decode(foreign)).hasMessageContaining("'zstd/plain'");
        assertThatThrownBy(() -> new EncryptionCodec(Map.of("k1", new byte[16]), "k1"))
                .hasMessageContaining("16 bytes");
        assertThatThrownBy(() -> new EncryptionCodec(Map.of("k1", KEY), "k2")).hasMessageContaining("'k2'");
    }
}
