-- Which gate kept most messages of each template from being sent?
SELECT template.name AS template, failed.code AS gate, count(*)::INT AS messages
FROM 'types/SendFailed.parquet' AS failed
JOIN 'types/SendAccepted.parquet' AS accepted USING (stream_uuid)
JOIN 'types/TemplateImported.parquet' AS template ON template.stream_uuid = accepted.template_uuid
GROUP BY ALL ORDER BY messages DESC, template, gate;
