/** True when the end-to-end tests run on EventStoreDB, MongoDB and Kafka. */
export const REAL_STACK = process.env['RECADO_E2E_STACK'] === 'real';
