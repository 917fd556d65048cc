import { useState } from 'react';

/** Returns whether `state` has changed since this screen first showed it, and is now one of `results`. */
export function useChangedTo<State extends string>(state: State, results: readonly State[]): boolean {
  const [first] = useState(state);
  return state !== first && results.includes(state);
}
