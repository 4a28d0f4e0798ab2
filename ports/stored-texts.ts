/**
 * Texts that stored documents have in common: field names, and values that come again and again. A store that compresses
 * documents gives them to its compressor, so that a short document is compressed too (docs/adr/0060-packed-documents.md).
 * What is compressed with a text can't be read without it: a released one is never changed. A better one comes behind it.
 */
const WEBHOOKS = [
  // An order.
  String.raw`\"order\":{\"uuid\":\"\",\"number\":,\"code\":\"#\",\"status\":\"novo\",`,
  String.raw`\"allowed_statuses\":[\"confirmado\",\"cancelado\"],\"source\":\"whatsapp_cart\",\"contact_uuid\":\"\",`,
  String.raw`\"conversation_uuid\":\"\",\"customer\":{\"name\":\"\",\"phone\":\"+55\",\"email\":null,`,
  String.raw`\"document\":null},\"items\":[{\"uuid\":\"\",\"product_uuid\":\"\",\"variant_uuid\":null,`,
  String.raw`\"import_handle\":\"\",\"sku\":\"\",\"gtin\":null,\"ncm\":null,\"name\":\"\",\"variant_name\":null,`,
  String.raw`\"options\":{},\"quantity\":1,\"stock_tracked\":true,\"stock_taken\":1,\"note\":null,`,
  String.raw`\"product_deleted\":false,\"list_price\":\"\",\"unit_price\":\"\",\"total\":\"\",\"image_url\":null}],`,
  String.raw`\"subtotal\":\"\",\"discount\":\"0.00\",\"delivery_fee\":\"\",\"total\":\"\",\"currency\":\"BRL\",`,
  String.raw`\"fulfillment\":{\"type\":\"delivery\",\"address\":null,\"pickup_location\":null},`,
  String.raw`\"payment\":{\"method\":null,\"pix\":null,\"link\":null,\"paid_at\":null},\"note\":null,\"tracking\":{},`,
  String.raw`\"hold_until\":null,\"cancel_reason\":null,\"stock_restored_at\":null,`,
  String.raw`\"status_history\":[{\"status\":\"novo\",\"at\":\"20\",\"by\":{\"type\":\"customer\",\"id\":\"\"}}],`,
  String.raw`\"created_at\":\"20\",\"updated_at\":\"20\"}`,
  // Statuses of a message, and what it costs.
  String.raw`\"status\":\"delivered\"\"status\":\"read\"\"status\":\"failed\"\"pricing\":{\"billable\":true,`,
  String.raw`\"pricing_model\":\"PMP\",\"type\":\"regular\",`,
  String.raw`\"category\":\"utility\"}\"category\":\"marketing\"\"type\":\"free_customer_service\",`,
  String.raw`\"category\":\"service\"}`,
  // A conversation.
  String.raw`"event_type":"conversation.created","sequence":,"body":"{\"id\":\"\",\"type\":\"conversation.created\",`,
  String.raw`\"api_version\":\"1.8.0\",\"created_at\":\"20\",\"sequence\":,\"data\":{\"conversation\":{\"uuid\":\"\",`,
  String.raw`\"status\":\"open\",\"channel_uuid\":\"\",`,
  // A message of a customer.
  String.raw`{"company_uuid":"","integration_uuid":"","event_id":"","event_type":"message.received","sequence":,`,
  String.raw`"body":"{\"id\":\"\",\"type\":\"message.received\",\"api_version\":\"1.8.0\",\"created_at\":\"20\",`,
  String.raw`\"sequence\":,\"data\":{\"message\":{\"uuid\":\"\",\"direction\":\"inbound\",\"type\":\"text\",`,
  String.raw`\"status\":\"received\",\"content\":{\"text\":\"\"},\"provider_message_id\":\"wamid.HBg\",`,
  String.raw`\"created_at\":\"20\",\"updated_at\":\"20\",\"sent_at\":\"20\",\"transcript\":null,\"deleted_at\":null,`,
  String.raw`\"deleted_by\":null,\"edited_at\":null,\"reply_to\":null,\"forwarded\":null,\"referral\":null,`,
  String.raw`\"pricing\":null,\"error\":null},\"operation_uuid\":null,`,
  // An envelope.
  String.raw`{"company_uuid":"","integration_uuid":"","event_id":"","event_type":"message.status.updated","sequence":,`,
  String.raw`"body":"{\"id\":\"\",\"type\":\"message.status.updated\",\"api_version\":\"1.8.0\",\"created_at\":\"20\",`,
  String.raw`\"sequence\":,"made_at":"20"}`,
  // A delivery, with the status of a message.
  String.raw`{"delivery_id":"","company_uuid":"","integration_uuid":"","endpoint_uuid":"","event_id":"",`,
  String.raw`"event_type":"message.status.updated","correlation_id":"","trigger":"auto","redelivery_of":null,`,
  String.raw`"status":"delivered","body":"{\"id\":\"\",\"type\":\"message.status.updated\",\"api_version\":\"1.8.0\",`,
  String.raw`\"created_at\":\"20\",\"sequence\":,\"data\":{\"message\":{\"uuid\":\"\",\"direction\":\"outbound\",`,
  String.raw`\"type\":\"text\",\"status\":\"sent\",\"content\":{\"text\":\"\"},\"provider_message_id\":\"wamid.HBg\",`,
  String.raw`\"created_at\":\"20\",\"updated_at\":\"20\",\"sent_at\":null,\"transcript\":null,\"deleted_at\":null,`,
  String.raw`\"deleted_by\":null,\"edited_at\":null,\"reply_to\":null,\"forwarded\":null,\"referral\":null,`,
  String.raw`\"pricing\":null,\"error\":null},\"operation_uuid\":\"\",\"conversation\":{\"uuid\":\"\",`,
  String.raw`\"status\":\"open\",\"channel_uuid\":\"\",\"contact\":{\"uuid\":\"\",\"external_id\":null,`,
  String.raw`\"phone\":\"+55\",\"name\":null,\"email\":null,\"tags\":[],\"custom_fields\":{},`,
  String.raw`\"marketing_opted_out\":false,\"marketing_opt_out_at\":null,\"last_interaction_at\":null,`,
  String.raw`\"created_at\":\"20\",\"updated_at\":\"20\"},\"unread_count\":0,\"last_message_at\":\"20\",`,
  String.raw`\"created_at\":\"20\",\"updated_at\":\"20\"},\"contact\":{\"uuid\":\"\",\"external_id\":null,`,
  String.raw`\"phone\":\"+55\",\"name\":null,\"email\":null,\"tags\":[],\"custom_fields\":{},`,
  String.raw`\"marketing_opted_out\":false,\"marketing_opt_out_at\":null,\"last_interaction_at\":null,`,
  String.raw`\"created_at\":\"20\",\"updated_at\":\"20\"}}}","body_sha256":"","attempts":1,"created_at":"20",`,
  String.raw`"updated_at":"20","next_attempt_at":null,"last_status":200,"last_error":null,"delivered_by":{"at":"20",`,
  String.raw`"url":"https://","address":"","status":200,"duration_ms":,"response_headers":{"server":"nginx",`,
  String.raw`"x-powered-by":"Express","content-type":"application/json; charset=utf-8","content-length":"2",`,
  String.raw`"date":" GMT","connection":"keep-alive","keep-alive":"timeout=5"},"response_body":"ok",`,
  String.raw`"key_fingerprint":""}}`,
].join('');

/** The last one is that of new documents. */
export const STORED_TEXTS: readonly string[] = [WEBHOOKS];
