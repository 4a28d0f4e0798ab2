-- How many messages were sent, delivered and read on each day, by WhatsApp's clock, in São Paulo's time?
-- A message that is read without a report of its delivery counts as read only.
SELECT strftime("at" - INTERVAL 3 HOUR, '%Y-%m-%d') AS day,
       count(DISTINCT stream_uuid) FILTER (status = 'sent')::INT AS sent,
       count(DISTINCT stream_uuid) FILTER (status = 'delivered')::INT AS delivered,
       count(DISTINCT stream_uuid) FILTER (status = 'read')::INT AS read,
       count(DISTINCT stream_uuid) FILTER (status = 'failed')::INT AS failed
FROM 'types/MessageStatusReported.parquet'
GROUP BY day ORDER BY day;
