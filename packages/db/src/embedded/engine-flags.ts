/**
 * The optimising compiler uses 600 MB for two seconds on a single function of the engine. Without it, imports take 45% more CPU time
 * (docs/decisions/0020).
 */
export const ENGINE_FLAGS = ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'] as const;
