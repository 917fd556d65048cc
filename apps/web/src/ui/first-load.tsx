import { useIsFetching } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState, type ReactNode } from 'react';
import { HiddenText } from './hidden-text.tsx';

/** A slow part must not keep the others hidden for longer. */
const MAX_WAIT_MS = 3_000;

/**
 * Shows a page of several parts once each has loaded its own data, so that no part moves those below it. Until then they are rendered
 * without a box.
 */
export function FirstLoad({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  const isLoading = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0;
  const [hasStarted, setHasStarted] = useState(false);
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    // The parts have started their requests by now.
    setHasStarted(true);
    const timer = setTimeout(() => setIsShown(true), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  if (hasStarted && !isLoading && !isShown) setIsShown(true);
  // Not before the parts: `LoadState` shows its content as late.
  const isRevealed = useDeferredValue(isShown);
  return (
    <>
      {!isRevealed && (
        <div aria-busy="true">
          <HiddenText role="status">Loading</HiddenText>
          {skeleton}
        </div>
      )}
      <div hidden={!isRevealed}>{children}</div>
    </>
  );
}
