/**
 * The optimising compiler takes 600 MB for two seconds over a single function of the engine. Without it the engine needs 45 % more of the processor
 * for an import, and the server stays below 400 MB (measured: 391; docs/decisions/0020).
 */
export const ENGINE_FLAGS = ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'] as const;
