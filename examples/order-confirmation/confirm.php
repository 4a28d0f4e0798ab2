<?php
/**
 * Confirms an order to its customer by a template, and waits for the outcome:
 *   php confirm.php 1042 +5511987654321 "Ana"
 * Needs RECADO_URL (https://…/api/v1) and RECADO_API_KEY, with the scopes messages:send and operations:read.
 */
declare(strict_types=1);

final class Refused extends RuntimeException {}

function call(string $method, string $path, ?array $body = null, ?string $key = null): array {
    $headers = ['Authorization: Bearer ' . getenv('RECADO_API_KEY'), 'Content-Type: application/json'];
    if ($key !== null) $headers[] = "Idempotency-Key: $key";
    $http = ['method' => $method, 'header' => $headers, 'ignore_errors' => true, 'timeout' => 60];
    if ($body !== null) $http['content'] = json_encode($body, JSON_THROW_ON_ERROR);
    for ($attempt = 0; ; $attempt++) {
        $http_response_header = [];
        $text = @file_get_contents(getenv('RECADO_URL') . $path, false, stream_context_create(['http' => $http]));
        $status = (int) substr($http_response_header[0] ?? 'HTTP/1.1 000', 9, 3);
        $answer = json_decode($text ?: '{}', true);
        if ($status >= 200 && $status < 300) return $answer['data'];
        $code = $answer['error']['code'] ?? 'no_answer';
        // These come again with the same key, also when no answer came; every other refusal stays as it is.
        if (!in_array($status, [0, 408, 429, 500, 503], true) && $code !== 'concurrent_update' || $attempt === 3)
            throw new Refused($code);
        $asked = preg_grep('/^Retry-After: [0-9]+$/i', $http_response_header);
        sleep($asked ? (int) substr(reset($asked), 13) : 2 ** $attempt);
    }
}

if ($argc !== 4) exit("usage: php confirm.php ORDER PHONE NAME\n");
[, $order, $phone, $name] = $argv;
$message = [
    'recipient' => ['phone' => $phone],
    'type' => 'template', // reaches the customer at any time; a text only within 24 hours of their last message
    'content' => ['name' => 'order_confirmation', 'language' => 'pt_BR', 'parameters' => [$name, $order]],
    'metadata' => ['order_id' => $order], // `recado messages list --metadata order_id=1042` finds it
];
try {
    // Made of the order: however often this runs for it, the customer gets one message.
    $operation = call('POST', '/messages', $message, "order-$order-confirmed");
    for ($wait = 500_000; !in_array($operation['status'], ['succeeded', 'failed'], true); $wait = min($wait * 2, 10_000_000)) {
        usleep($wait);
        $operation = call('GET', "/operations/{$operation['uuid']}");
    }
    if ($operation['status'] === 'failed') throw new Refused($operation['error']['code']);
    echo "order $order: {$operation['result']['text']}\n";
} catch (Refused $refused) { // not accepted, or accepted and not sent: docs/errors.md has what to do about each code
    echo "order $order: not sent: {$refused->getMessage()}\n";
    exit(1);
}
