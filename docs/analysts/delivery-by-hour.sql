-- At which hours of the day do messages leave, arrive and get read? By WhatsApp's clock, in São Paulo's time.
-- Of webhook deliveries there is no history: they are records with a retention of their own (docs/adr/0008).
SELECT hour("at" - INTERVAL 3 HOUR)::INT AS hour, status, count(*)::INT AS messages
FROM 'types/MessageStatusReported.parquet'
WHERE status IN ('sent', 'delivered', 'read')
GROUP BY ALL ORDER BY hour, status;
