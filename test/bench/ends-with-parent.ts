/** Loaded before everything a bench starts: a bench that is killed must leave nothing running. */
process.on('disconnect', () => process.exit(1));
// The channel alone is no reason to go on.
process.channel?.unref();

export {};
