/**
 * Stands in a list for an item that is well-formed JSON and can't be kept: half a character, a number that would become
 * another one, too many levels. Its fault is the item's own outcome, where items have outcomes of their own.
 */
export class FaultyItem {
  // Private, so that whatever looks through the list does not descend into what was refused.
  readonly #given: unknown;

  /**
   * @param path names and indexes within the item, outermost first
   * @param rule what `details.rule` says
   * @param message continues behind the name of the field
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
