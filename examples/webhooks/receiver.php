<?php
/**
 * A receiver in plain PHP: put it behind your web server, or try it with `php -S 127.0.0.1:3000 receiver.php`. It keeps
 * events and answers at once; `php receiver.php`, from cron or after each event, does the work. Needs
 * RECADO_WEBHOOK_SECRET and recado_webhooks.php of clients/verify/php.
 */
declare(strict_types=1);
require 'recado_webhooks.php';

$inbox = getenv('INBOX') ?: 'inbox';
@mkdir($inbox);

if (PHP_SAPI !== 'cli') { // a webhook
    $body = file_get_contents('php://input'); // the bytes as they arrived: a signature does not cover JSON that was parsed
    $timestamp = $_SERVER['HTTP_SERVICE_TIMESTAMP'] ?? null;
    $signature = $_SERVER['HTTP_SERVICE_SIGNATURE'] ?? null;
    if (!is_authentic($body, $timestamp, $signature, (string) getenv('RECADO_WEBHOOK_SECRET'))) {
        http_response_code(400);
        exit('not signed by Recado');
    }
    // A file named by the event's id: an event that arrives twice is kept once. It is whole before 200 is answered.
    $file = "$inbox/" . json_decode($body, true)['id'] . '.json';
    $draft = tempnam($inbox, 'draft-');
    $kept = file_put_contents($draft, $body) === strlen($body) && (@link($draft, $file) || file_exists($file));
    unlink($draft);
    http_response_code($kept ? 200 : 500); // 500: Recado sends it again
    exit;
}

function handle(array $event): void { // your own work goes here
    $data = $event['data'];
    echo $event['id'], ': ', match ($event['type']) {
        'message.received' => ($data['contact']['phone'] ?? 'somebody') . ' wrote: '
            . ($data['message']['content']['text'] ?? $data['message']['type']),
        'order.created' => "order {$data['order']['number']}: {$data['order']['total']}",
        default => $event['type'], // a later release may have more types
    }, "\n";
}

$lock = fopen("$inbox/lock", 'c'); // one at a time
flock($lock, LOCK_EX);
foreach (glob("$inbox/*.json") as $file) {
    if (file_exists("$file.done")) continue;
    handle(json_decode(file_get_contents($file), true));
    // If this process ends before this line, the event is handled again: give what you send its id as key.
    touch("$file.done"); // both files may go after four days: until then an event may come again
}
