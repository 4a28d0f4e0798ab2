-- How long do customers wait for an answer, by the hour in which they write?
-- Of several messages in a row the first one counts: that is since when the customer waits.
-- Times are UTC. São Paulo is three hours behind, all year.
WITH said AS (
  SELECT conversation_uuid, occurred_at, position, TRUE AS inbound FROM 'types/MessageReceived.parquet'
  UNION ALL
  SELECT conversation_uuid, occurred_at, position, FALSE FROM 'types/MessageQueued.parquet'
), turns AS (
  SELECT *, lag(inbound, 1, FALSE) OVER (PARTITION BY conversation_uuid ORDER BY position) AS waiting FROM said
), questions AS (
  SELECT conversation_uuid, occurred_at AS asked_at FROM turns WHERE inbound AND NOT waiting
), answers AS (
  SELECT conversation_uuid, occurred_at AS answered_at FROM said WHERE NOT inbound
), waits AS (
  SELECT hour(asked_at - INTERVAL 3 HOUR)::INT AS hour,
         epoch(answered_at - asked_at) / 60 AS minutes
  FROM questions ASOF JOIN answers
    ON questions.conversation_uuid = answers.conversation_uuid AND questions.asked_at <= answers.answered_at
)
SELECT hour,
       count(*)::INT AS questions,
       round(quantile_disc(minutes, 0.5), 1)::DOUBLE AS median_minutes,
       round(quantile_disc(minutes, 0.9), 1)::DOUBLE AS p90_minutes
FROM waits GROUP BY hour ORDER BY hour;
