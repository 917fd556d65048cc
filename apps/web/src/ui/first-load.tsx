import { useIsFetching } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState, type ReactNode } from 'react';
import { HiddenText } from './hidden-text.tsx';

/** The maximum time that a slow part may keep the others hidden. */
const MAX_WAIT_MS = 3_000;

/**
 * Shows a page of several parts only once each part has loaded its data, to avoid layout shifts. Until then, the parts are rendered but
 * hidden.
 */
export function FirstLoad({ skeleton, children }: { skeleton: ReactNode; children: ReactNode }) {
  const isLoading = useIsFetching({ predicate: ({ state }) => state.data === undefined }) > 0;
  const [hasStarted, setHasStarted] = useState(false);
  const [isShown, setIsShown] = useState(false);
  useEffect(() => {
    // By now, the parts have started their requests.
    setHasStarted(true);
    const timer = setTimeout(() => setIsShown(true), MAX_WAIT_MS);
    return () => clearTimeout(timer);
  }, []);
  if (hasStarted && !isLoading && !isShown) setIsShown(true);
  // Don't reveal the page before its parts: `LoadState` defers showing its content in the same way.
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
