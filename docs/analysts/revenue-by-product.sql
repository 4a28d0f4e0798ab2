-- What did each product bring in, and where did its buyers come from? Paid orders that were not cancelled.
WITH paid AS (
  SELECT stream_uuid AS order_uuid FROM 'types/OrderPaid.parquet'
  ANTI JOIN 'types/OrderCancelled.parquet' USING (stream_uuid)
), lines AS (
  SELECT unnest(CAST(placed.items AS JSON[])) AS item,
         CASE
           WHEN placed.tracking->>'$.ctwa_clid' IS NOT NULL THEN 'click-to-WhatsApp ad'
           ELSE coalesce(placed.tracking->>'$.utm_campaign', 'direct')
         END AS came_from
  FROM 'types/OrderPlaced.parquet' AS placed SEMI JOIN paid ON paid.order_uuid = placed.stream_uuid
)
SELECT item->>'$.name' AS product,
       came_from,
       sum((item->>'$.quantity')::INT)::INT AS pieces,
       -- Money is kept in cents: only the last step makes reais of it.
       sum((item->>'$.total_cents')::BIGINT)::DOUBLE / 100 AS revenue
FROM lines GROUP BY ALL ORDER BY product, came_from;
