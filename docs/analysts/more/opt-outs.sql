-- How many of those whom the campaign "black_friday" was sent to opted out within a week after it?
WITH accepted AS (
  SELECT accepted.stream_uuid AS operation_uuid
  FROM 'types/SendAccepted.parquet' AS accepted
  JOIN 'types/TemplateImported.parquet' AS template ON template.stream_uuid = accepted.template_uuid
  WHERE template.name = 'black_friday'
), sent AS (
  SELECT attempt.contact_uuid, min(attempt.occurred_at) AS sent_at
  FROM 'types/SendAttempted.parquet' AS attempt
  SEMI JOIN accepted ON accepted.operation_uuid = attempt.stream_uuid
  SEMI JOIN 'types/SendSucceeded.parquet' AS done ON done.stream_uuid = attempt.stream_uuid
  GROUP BY attempt.contact_uuid
)
SELECT count(DISTINCT sent.contact_uuid)::INT AS recipients,
       count(DISTINCT wish.stream_uuid)::INT AS opted_out
FROM sent LEFT JOIN 'types/ContactOptedOut.parquet' AS wish
  ON wish.stream_uuid = sent.contact_uuid
  AND wish.occurred_at BETWEEN sent.sent_at AND sent.sent_at + INTERVAL 7 DAY;
