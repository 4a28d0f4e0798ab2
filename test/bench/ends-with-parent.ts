/** Loaded first into every process that a bench starts: after a kill of the bench, nothing must keep running. */
process.on('disconnect', () => process.exit(1));
// The IPC channel alone must not keep the process alive.
process.channel?.unref();

export {};
