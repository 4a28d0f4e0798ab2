/** The sandbox, in this process or in its own (docs/sandbox.md). */
type Body = Readonly<Record<string, unknown>>;

export interface SandboxControl {
  /** Graph base address. */
  readonly url: string;
  /** @throws Refusal sandbox_disabled when the server at the address is no sandbox, and the refusals of the action */
  play(name: string, body: Body): Promise<Body>;
}
