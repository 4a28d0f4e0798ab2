-- How long did people wait for the first answer of all in their conversation? Those who had none are counted, too.
-- An answer is any message that was about to be sent, a flow's as well; one written in the Business app is not seen.
WITH asked AS (
  SELECT conversation_uuid, min(occurred_at) AS asked_at FROM 'types/MessageReceived.parquet' GROUP BY ALL
), answered AS (
  SELECT asked.conversation_uuid, asked_at, min(queued.occurred_at) AS answered_at
  FROM asked LEFT JOIN 'types/MessageQueued.parquet' AS queued
    ON queued.conversation_uuid = asked.conversation_uuid AND queued.occurred_at >= asked.asked_at
  GROUP BY ALL
)
SELECT count(*)::INT AS conversations,
       count(answered_at)::INT AS answered,
       round(quantile_disc(epoch(answered_at - asked_at) / 60, 0.5), 1)::DOUBLE AS median_minutes,
       round(quantile_disc(epoch(answered_at - asked_at) / 60, 0.9), 1)::DOUBLE AS p90_minutes
FROM answered;
