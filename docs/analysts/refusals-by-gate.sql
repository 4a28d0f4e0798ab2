-- Which gates kept accepted messages from being sent, and of which category were they?
-- What a gate refuses on the call (4xx) was never accepted: that is SendRefused, in the query by template.
SELECT failed.code AS gate,
       coalesce(accepted.template_category, 'text') AS category,
       count(*)::INT AS messages
FROM 'types/SendFailed.parquet' AS failed
JOIN 'types/SendAccepted.parquet' AS accepted USING (stream_uuid)
GROUP BY ALL
ORDER BY messages DESC, gate, category;
