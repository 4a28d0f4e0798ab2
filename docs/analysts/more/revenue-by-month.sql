-- What did each product bring in each month? By the day of the payment, in São Paulo's time.
-- Paid orders that were not cancelled.
WITH paid AS (
  SELECT stream_uuid AS order_uuid, strftime(occurred_at - INTERVAL 3 HOUR, '%Y-%m') AS month
  FROM 'types/OrderPaid.parquet' ANTI JOIN 'types/OrderCancelled.parquet' USING (stream_uuid)
), lines AS (
  SELECT paid.month, unnest(CAST(placed.items AS JSON[])) AS item
  FROM 'types/OrderPlaced.parquet' AS placed JOIN paid ON paid.order_uuid = placed.stream_uuid
)
SELECT month,
       item->>'$.name' AS product,
       sum((item->>'$.quantity')::INT)::INT AS pieces,
       sum((item->>'$.total_cents')::BIGINT)::DOUBLE / 100 AS revenue
FROM lines GROUP BY ALL ORDER BY month, product;
