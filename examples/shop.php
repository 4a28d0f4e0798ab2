<?php
/**
 * A shop without a client: 500 products, 20 contacts, a template message, its outcome: `php shop.php`. Then an answer to
 * each customer who writes: `php -S 127.0.0.1:3000 shop.php`, with an endpoint there. Needs RECADO_URL, RECADO_API_KEY,
 * RECADO_WEBHOOK_SECRET, and recado_webhooks.php.
 */
declare(strict_types=1);
require 'recado_webhooks.php'; // clients/verify/php

function call(string $method, string $path, ?array $body = null, ?string $key = null): array {
    $headers = ['Authorization: Bearer ' . getenv('RECADO_API_KEY'), 'Content-Type: application/json'];
    if ($key !== null) $headers[] = "Idempotency-Key: $key"; // the same in every attempt, so nothing is sent twice
    $http = ['method' => $method, 'header' => $headers, 'ignore_errors' => true, 'timeout' => 300];
    if ($body !== null) $http['content'] = json_encode($body, JSON_THROW_ON_ERROR);
    for ($attempt = 0; ; $attempt++) {
        $http_response_header = [];
        $text = @file_get_contents(getenv('RECADO_URL') . $path, false, stream_context_create(['http' => $http]));
        $status = (int) substr($http_response_header[0] ?? 'HTTP/1.1 000', 9, 3);
        $answer = json_decode($text ?: '{}', true);
        if ($status >= 200 && $status < 300) return $answer;
        $code = $answer['error']['code'] ?? 'no_answer';
        if (!in_array($status, [0, 408, 429, 500, 503], true) && $code !== 'concurrent_update' || $attempt === 3)
            throw new RuntimeException("$path: $status $code: " . ($answer['error']['message'] ?? ''));
        $asked = preg_grep('/^Retry-After: [0-9]+$/i', $http_response_header);
        sleep($asked ? (int) substr(reset($asked), 13) : 2 ** $attempt);
    }
}

if (PHP_SAPI === 'cli-server') { // a webhook
    $body = file_get_contents('php://input');
    $signed = [$_SERVER['HTTP_SERVICE_TIMESTAMP'] ?? null, $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? null];
    $authentic = is_authentic($body, $signed[0], $signed[1], (string) getenv('RECADO_WEBHOOK_SECRET'));
    http_response_code($authentic ? 200 : 400);
    $event = $authentic ? json_decode($body, true) : ['type' => null];
    $phone = $event['type'] === 'message.received' ? $event['data']['contact']['phone'] : null;
    if ($phone === null) return;
    $text = ['text' => 'Obrigado! Já vamos responder.'];
    $answer = ['recipient' => ['phone' => $phone], 'type' => 'text', 'content' => $text];
    call('POST', '/messages', $answer, $event['id']); // an event that arrives twice is answered once
    error_log("answered: $phone");
    return;
}

$product = fn (int $n) => ['import_handle' => "mug-$n", 'name' => "Caneca $n", 'price' => '39.90', 'stock' => 10];
$total = ['created' => 0, 'unchanged' => 0, 'failed' => 0];
foreach (array_chunk(array_map($product, range(0, 499)), 100) as $products) {
    $meta = call('POST', '/store/products/batch', ['products' => $products])['meta'];
    foreach ($total as $name => $count) $total[$name] = $count + $meta[$name];
}
echo "products: {$total['created']} created, {$total['unchanged']} unchanged, {$total['failed']} failed\n";
foreach (range(0, 19) as $n) {
    $contact = ['phone' => sprintf('+55119870011%02d', $n), 'name' => "Cliente $n", 'tags' => ['shop']];
    call('PUT', "/contacts/external/customer-$n", $contact);
}
echo "contacts: 20\n";
$content = ['name' => 'order_confirmation', 'language' => 'pt_BR', 'parameters' => ['Ana', '1042']];
$message = ['recipient' => ['phone' => '+5511987001100'], 'type' => 'template', 'content' => $content];
$operation = call('POST', '/messages', $message, 'order-1042-confirmed')['data'];
while (!in_array($operation['status'], ['succeeded', 'failed'], true)) {
    usleep(500_000);
    $operation = call('GET', "/operations/{$operation['uuid']}")['data'];
}
echo 'template: ', $operation['result']['text'] ?? $operation['error']['code'], "\n";
