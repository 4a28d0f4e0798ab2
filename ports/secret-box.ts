/** Encryption at rest under the deployment's master key: provider tokens, webhook secrets. */
export interface SecretBox {
  /** `context` is bound to the result: opening it with another context fails. */
  seal(plain: string, context: string): string;
  /** @throws when the text was sealed by another key, for another context, or was altered */
  open(sealed: string, context: string): string;
}
