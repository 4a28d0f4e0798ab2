/** The stand-in of EventStoreDB, for a bench that must not do its work in its own process. Says where it listens. */
import { startEventStoreStandIn } from '../support/eventstoredb/stand-in.js';

const { url } = await startEventStoreStandIn();
console.log(url);
