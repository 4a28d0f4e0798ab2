-- How far did the people get whom the campaign "black_friday" was sent to?
-- A step counts people, each once. Answers and orders count within three days of the send.
WITH campaign AS (
  SELECT stream_uuid AS template_uuid FROM 'types/TemplateImported.parquet' WHERE name = 'black_friday'
), accepted AS (
  SELECT stream_uuid AS operation_uuid, subject
  FROM 'types/SendAccepted.parquet' SEMI JOIN campaign USING (template_uuid)
), sent AS (
  SELECT subject, contact_uuid, message_uuid, occurred_at AS sent_at
  FROM 'types/SendAttempted.parquet' AS attempt
  SEMI JOIN accepted ON accepted.operation_uuid = attempt.stream_uuid
  SEMI JOIN 'types/SendSucceeded.parquet' AS done ON done.stream_uuid = attempt.stream_uuid
), status AS (
  SELECT sent.subject, report.status
  FROM 'types/MessageStatusReported.parquet' AS report JOIN sent ON sent.message_uuid = report.stream_uuid
), orders AS (
  SELECT placed.stream_uuid AS order_uuid, sent.subject
  FROM 'types/OrderPlaced.parquet' AS placed JOIN sent USING (contact_uuid)
  WHERE placed.tracking->>'$.utm_campaign' = 'black-friday'
    AND placed.occurred_at BETWEEN sent.sent_at AND sent.sent_at + INTERVAL 3 DAY
), answers AS (
  SELECT sent.subject
  FROM 'types/MessageReceived.parquet' AS received JOIN sent USING (contact_uuid)
  WHERE received.occurred_at BETWEEN sent.sent_at AND sent.sent_at + INTERVAL 3 DAY
)
SELECT * FROM (
  SELECT 1 AS step, 'accepted' AS name, count(DISTINCT subject)::INT AS people FROM accepted
  UNION ALL SELECT 2, 'sent', count(DISTINCT subject)::INT FROM sent
  UNION ALL SELECT 3, 'delivered', count(DISTINCT subject)::INT FROM status WHERE status IN ('delivered', 'read')
  UNION ALL SELECT 4, 'read', count(DISTINCT subject)::INT FROM status WHERE status = 'read'
  UNION ALL SELECT 5, 'answered', count(DISTINCT subject)::INT FROM answers
  UNION ALL SELECT 6, 'ordered', count(DISTINCT subject)::INT FROM orders
  UNION ALL SELECT 7, 'paid', count(DISTINCT subject)::INT
    FROM orders SEMI JOIN 'types/OrderPaid.parquet' AS paid ON paid.stream_uuid = orders.order_uuid
) ORDER BY step;
