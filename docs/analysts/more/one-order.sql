-- One order, from the first message of its conversation to the payment and after: here the newest paid one.
-- Of a certain order, paid or not: write WHERE placed.number = 1042 in place of the lines SEMI JOIN and ORDER BY.
-- Numbers are a company's own: with several of them, add AND placed.company_uuid = '…'.
WITH chosen AS (
  SELECT placed.stream_uuid AS order_uuid, placed.conversation_uuid
  FROM 'types/OrderPlaced.parquet' AS placed
  SEMI JOIN 'types/OrderPaid.parquet' AS paid ON paid.stream_uuid = placed.stream_uuid
  ORDER BY placed.occurred_at DESC LIMIT 1
), steps AS (
  SELECT position, occurred_at, 'MessageReceived' AS type, stream_uuid
  FROM 'types/MessageReceived.parquet' SEMI JOIN chosen USING (conversation_uuid)
  UNION ALL
  SELECT position, occurred_at, 'MessageQueued', stream_uuid
  FROM 'types/MessageQueued.parquet' SEMI JOIN chosen USING (conversation_uuid)
  UNION ALL
  SELECT position, occurred_at, type, stream_uuid
  FROM 'events.parquet' SEMI JOIN chosen ON chosen.order_uuid = stream_uuid
)
SELECT strftime(occurred_at - INTERVAL 3 HOUR, '%Y-%m-%d %H:%M') AS "when", type, stream_uuid
FROM steps ORDER BY position;
