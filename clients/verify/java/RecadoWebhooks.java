import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Checks the signature of a Recado webhook. Copy this file; it needs Java 11 or newer and nothing else. */
public final class RecadoWebhooks {
    public static final long TOLERANCE_SECONDS = 300;

    private RecadoWebhooks() {}

    /**
     * Tells whether Recado signed this delivery with the secret, at most five minutes before now.
     *
     * @param rawBody the bytes that arrived, before any JSON parser touched them; Spring: {@code @RequestBody byte[]}
     * @param timestamp the header Service-Timestamp; null if absent
     * @param signature the header Service-Signature; null if absent
     * @param secret the integration's webhook secret as shown, with its whsec_ prefix; an empty one accepts nothing
     * @param now {@code Instant.now()}
     */
    public static boolean isAuthentic(
            byte[] rawBody, String timestamp, String signature, String secret, Instant now) {
        if (secret.isEmpty() || timestamp == null || signature == null) return false;
        if (!timestamp.matches("[0-9]{1,12}")) return false;
        if (Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) return false;
        StringBuilder expected = new StringBuilder("v1=");
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            mac.update((timestamp + ".").getBytes(StandardCharsets.UTF_8));
            for (byte one : mac.doFinal(rawBody)) expected.append(String.format("%02x", one));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("Every Java platform has HmacSHA256.", impossible);
        }
        byte[] ours = expected.toString().getBytes(StandardCharsets.UTF_8);
        // One entry, or two while the secret is rotated. MessageDigest.isEqual compares in constant time.
        for (String entry : signature.split(",")) {
            if (MessageDigest.isEqual(entry.getBytes(StandardCharsets.UTF_8), ours)) return true;
        }
        return false;
    }
}
