/** The part of an integration's webhook endpoint that the worker needs at the moment of an attempt. */
export interface EndpointSecret {
  readonly secret: string;
  /** See `secretFingerprint`. */
  readonly fingerprint: string;
}

export interface DeliveryEndpoint {
  readonly endpoint_uuid: string;
  readonly integration_uuid: string;
  readonly company_uuid: string;
  readonly url: string;
  readonly enabled: boolean;
  /** Current first, then the earlier ones, newest first, each until its own overlap ends (spec §6: 24 hours). At least one. */
  secrets(): readonly EndpointSecret[];
}

export interface EndpointDirectory {
  /**
   * Null when the endpoint has been removed. Called once for each attempt, so it should answer from memory. A rejection
   * means that the endpoint is not known now: the attempt is postponed and not counted.
   */
  get(endpointUuid: string, integrationUuid: string): Promise<DeliveryEndpoint | null>;
}
