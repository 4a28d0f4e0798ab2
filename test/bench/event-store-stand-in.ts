/**
 * The stand-in for EventStoreDB in a separate process, so that its work is not part of the measurement. Prints its
 * address.
 */
import { startEventStoreStandIn } from '../support/eventstoredb/stand-in.js';

const { url } = await startEventStoreStandIn();
console.log(url);
