-- Which gate kept most messages of each template from being sent, on the call and after it?
WITH refused AS (
  SELECT template.name AS template, failed.code AS gate
  FROM 'types/SendFailed.parquet' AS failed
  JOIN 'types/SendAccepted.parquet' AS accepted USING (stream_uuid)
  JOIN 'types/TemplateImported.parquet' AS template ON template.stream_uuid = accepted.template_uuid
  UNION ALL
  SELECT template, code FROM 'types/SendRefused.parquet' WHERE template IS NOT NULL
)
SELECT template, gate, count(*)::INT AS messages
FROM refused GROUP BY ALL ORDER BY messages DESC, template, gate;
