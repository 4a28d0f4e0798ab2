/**
 * Replaces an item of a list that is well-formed JSON but can't be stored: half a character, a number that would
 * change, too many levels. Where items have outcomes of their own, the fault is the outcome of this item alone.
 */
export class FaultyItem {
  // Private, so that code that walks the list does not descend into the refused value.
  readonly #given: unknown;

  /**
   * @param path names and indexes within the item, outermost first
   * @param rule value of `details.rule`
   * @param message continues after the name of the field
   */
  constructor(
    given: unknown,
    readonly path: readonly string[],
    readonly rule: string,
    readonly message: string,
  ) {
    this.#given = given;
  }

  get given(): unknown {
    return this.#given;
  }
}
