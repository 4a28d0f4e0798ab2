<?php
/**
 * Checks the signature of a Recado webhook. Copy this file; it needs PHP 7.4 or newer and nothing else.
 *
 * Give it the body as the bytes that arrived, before any JSON parser touched them:
 *   $rawBody = file_get_contents('php://input');         Laravel: $request->getContent()
 *   $timestamp = $_SERVER['HTTP_SERVICE_TIMESTAMP'] ?? null;
 *   $signature = $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? null;
 */
declare(strict_types=1);

const RECADO_TOLERANCE_SECONDS = 300;

/**
 * Tells whether Recado signed this delivery with the secret, at most five minutes ago.
 *
 * @param ?string $timestamp the header Service-Timestamp; null if absent
 * @param ?string $signature the header Service-Signature; null if absent
 * @param string $secret the integration's webhook secret as shown, with its whsec_ prefix; an empty one accepts nothing
 * @param ?int $now unix seconds, for tests
 */
function is_authentic(
    string $rawBody,
    ?string $timestamp,
    ?string $signature,
    string $secret,
    ?int $now = null
): bool {
    if ($secret === '' || $timestamp === null || $signature === null) {
        return false;
    }
    if (!preg_match('/^[0-9]{1,12}\z/', $timestamp)) {
        return false;
    }
    if (abs(($now ?? time()) - (int) $timestamp) > RECADO_TOLERANCE_SECONDS) {
        return false;
    }
    $expected = 'v1=' . hash_hmac('sha256', $timestamp . '.' . $rawBody, $secret);
    // One entry, or two while the secret is rotated. hash_equals takes the same time wherever they differ.
    foreach (explode(',', $signature) as $entry) {
        if (hash_equals($expected, $entry)) {
            return true;
        }
    }
    return false;
}
